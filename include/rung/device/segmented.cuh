// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segmented folds of a one-dimensional array on one GPU: checks, plan, workspace, two launches
// (segment_kernels.cuh; one if everything fits into a block). Segment s is positions offsets[s] ..
// offsets[s + 1] - 1; its result depends on nothing but its own values, in their order. Calls
// return at once and can be captured into a graph.
#pragma once
#include "exact_lines.cuh"
#include "offsets.cuh"
#include "segment_kernels.cuh"
#include "segment_scan.cuh"

namespace rung {

namespace detail {

/// The plan of a call, and clear words.
template <int LogSize, bool WithRest, class O, class S>
part_words<S> planned_words(const device& where, const offset_list<O>& list, std::int64_t shares,
                            const S*) {
  using words = part_words<S>;
  const std::size_t cleared = words::cleared_bytes(shares);
  const auto w =
      words::in(where.workspace(segment_kind, words::plan_bytes(shares) + cleared), shares);
  constexpr int each = plan_threads - 1;
  launch_with({.early = where.overlaps()}, plan_segments<LogSize, WithRest, O>,
              (shares + each - 1) / each, plan_threads, plan_threads * sizeof(share_begin),
              where.stream(), list, w.work, shares, w.turn, std::int64_t(cleared / 4));
  return w;
}
template <int LogSize, class What, class Op, class Start, class Out, class O>
void launch_segmented_reduce(const device& where, const What& what, const Op& op,
                             const Start& start, const Out& out, const device_offsets<O>& offsets) {
  using Source = typename What::type;
  using S = state_t<Op, typename Source::value_type>;
  using folding = segment_folding<LogSize, Source, Op, Start, Out, offset_list<O>>;
  if (offsets.count == 0) return;
  constexpr std::int64_t size = std::int64_t(1) << LogSize;
  const std::int64_t shares = (what.size + offsets.count + size - 1) >> LogSize;
  folding f{what.source, op, start, out, {offsets.first, offsets.count, what.size}, {}};
  bool early = where.overlaps();
  if (shares > 1) {
    f.words = planned_words<LogSize, false>(where, f.list, shares, static_cast<const S*>(nullptr));
    early = true;  // it waits for the plan, and no longer
  }
  launch_with({.early = early}, reduce_segments<LogSize, Source, Op, Start, Out, offset_list<O>>,
              shares, tune::segment_threads, folding::bytes, where.stream(), f);
}

template <int LogSize, class Kind, class What, class Op, class Start, class R, class O>
void launch_segmented_scan(const device& where, const What& what, const Op& op, const Start& start,
                           R* out, const device_offsets<O>& offsets) {
  using Source = typename What::type;
  using S = state_t<Op, typename Source::value_type>;
  using scanning = segment_scanning<LogSize, Kind, Source, Op, Start, R, offset_list<O>>;
  if (offsets.count == 0) return;
  constexpr std::int64_t size = std::int64_t(1) << LogSize;
  const std::int64_t shares = (what.size + offsets.count + size - 1) >> LogSize;
  scanning f{what.source, op, start, out, {offsets.first, offsets.count, what.size}, {}};
  bool early = where.overlaps();
  if (shares > 1) {
    f.words = planned_words<LogSize, true>(where, f.list, shares, static_cast<const S*>(nullptr));
    early = true;  // it waits for the plan, and no longer
  }
  launch_with({.early = early}, scan_segments<LogSize, Kind, Source, Op, Start, R, offset_list<O>>,
              shares, tune::segment_threads, scanning::bytes, where.stream(), f);
}
template <class Op, class T, class Init>
constexpr void check_segment_reduce() {
  using S = state_t<Op, T>;
  check_operator<Op, T>();
  static_assert(has_empty<Op, S> || !std::is_same_v<Init, std::nullopt_t>,
                "rung: a segment may be empty, and this operator has no identity and no empty "
                "result: give an init");
  static_assert(sizeof(S) <= 64 || is_exact_on_device<Op, T>,
                "rung: segments on the device take states of 64 bytes at most");
}
template <class What, class Op, class O, class R, class Init>
void segmented_reduce(const device& where, const What& source, const device_offsets<O>& list,
                      const Op& op, const into<R>& out, const Init& init) {
  using Source = typename What::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  check_segment_reduce<Op, T, Init>();
  R* const results = const_cast<R*>(contiguous_data(view<const R>(out.out)));
  if (out.out.size() != list.count)
    fail(error_code::bad_argument, "rung: " + std::to_string(list.count) +
                                       " segments need an output of that length, not " +
                                       std::to_string(out.out.size()));
  check_device_pointer(results, "the output");
  const auto start = start_of_device<Op, Source>(init);
  using Out = results_into<Op, T, R>;
  if constexpr (is_exact_on_device<Op, T>) {
    launch_exact_lines(where,
                       segments_as_lines<Source, O, Out>{source.source,
                                                         list.first,
                                                         list.first + 1,
                                                         source.size,
                                                         {list.count, nullptr, false},
                                                         {results}},
                       op, start, list.count, source.size >> long_lines::log_piece);
  } else {
    constexpr int log_size = tune::log_segment_tile(sizeof(T), sizeof(S));
    launch_segmented_reduce<log_size>(where, source, op, start, Out{results}, list);
  }
}
template <bool Exclusive, class Op, class S, class Init>
constexpr void check_segment_scan() {
  static_assert(!Exclusive || has_empty<Op, S> || !std::is_same_v<Init, std::nullopt_t>,
                "rung: the first entry of an exclusive scan is the fold of nothing, and this "
                "operator has no identity and no empty result: give an init");
  static_assert(sizeof(S) <= 64, "rung: segments on the device take states of 64 bytes at most");
}
template <class Op, class T, class R>
inline constexpr int segment_scan_size = tune::log_segment_tile(sizeof(T) > sizeof(R) ? sizeof(T)
                                                                                      : sizeof(R),
                                                                sizeof(state_t<Op, T>));
template <bool Exclusive, class What, class Op, class Offsets, class R, class Init>
void segmented_scan(const device& where, const What& what, const Offsets& offsets,
                    const view<R>& out, const Op& op, const Init& init) {
  const auto source = device_source(what);
  using Source = typename std::remove_cvref_t<decltype(source)>::type;
  using T = typename Source::value_type;
  check_operator<Op, T>();
  const auto use = cheapest<Op, T, R>(op);
  using Use = std::remove_cvref_t<decltype(use)>;
  check_segment_scan<Exclusive, Use, state_t<Use, T>, Init>();
  const scan_target<R> target = check_scan(source, out);
  contiguous_data(view<const R>(out));  // throws where it runs backwards
  const auto list = offsets_on_device(where, offsets, source.size);
  constexpr int log_size = segment_scan_size<Use, T, R>;
  const auto start = start_of_device<Use, Source>(init);
  launch_segmented_scan<log_size, scan_kind<Exclusive, decltype(start)::given>>(
      where, source, use, start, target.first, list);
}

}  // namespace detail

/// out[s] = the fold of segment s of `what` (device memory, as for reduce), in device memory, after
/// what is already on the stream; for an empty one the operator's empty result (sum 0, minimum
/// +inf), or init. Positions count from the segment's begin. offsets: one more integer than
/// segments, 32 or 64 bits, in device memory, in host memory (which is copied), or checked(them);
/// they may leave values out before the first segment and behind the last. Returns at once. Throws
/// rung::error before anything is written: an output of another length, host pointers.
template <class What, class Op, class Offsets, class R, class Init = std::nullopt_t>
void segmented_reduce(const device& where, const What& what, const Offsets& offsets, const Op& op,
                      const into<R>& out, const Init& init = std::nullopt) {
  const auto source = detail::device_source(what);
  source.source.check();
  detail::segmented_reduce(where, source, detail::offsets_on_device(where, offsets, source.size),
                           op, out, init);
}

/// Every segment scanned for itself, after init if given: out[i] = the fold of its values up to
/// position i of what. out: as many values as what, perhaps what itself. Entries outside all
/// segments are left as they are. Offsets and errors: as for segmented_reduce.
template <class What, class Out, class Op, class Offsets, class Init = std::nullopt_t>
void segmented_inclusive_scan(const device& where, const What& what, const Offsets& offsets,
                              Out&& out, const Op& op, const Init& init = std::nullopt) {
  detail::segmented_scan<false>(where, what, offsets, view(out), op, init);
}
/// The same without position i; the first entry of a segment is init, or the operator's empty
/// result.
template <class What, class Out, class Op, class Offsets, class Init = std::nullopt_t>
void segmented_exclusive_scan(const device& where, const What& what, const Offsets& offsets,
                              Out&& out, const Op& op, const Init& init = std::nullopt) {
  detail::segmented_scan<true>(where, what, offsets, view(out), op, init);
}

}  // namespace rung
