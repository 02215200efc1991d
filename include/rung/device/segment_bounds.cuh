// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Folds of segments that may overlap, leave gaps and stand in any order: a list of begins and one
// of ends. Data flow: one block per segment brings it to shared memory a chunk at a time
// (segment_tile.cuh) and keeps the trees of whole chunks in a binary counter. Cost: each segment's
// values once per segment; a block for each, however short, so lists of many short segments that do
// not overlap are better given as offsets.
#pragma once
#include "segmented.cuh"

namespace rung {

namespace detail {

template <int LogSize, class Source, class Op, class Start, class Out, class O>
struct bounds_folding {
  using tile_type = segment_tile<LogSize, Source, Op, false>;
  using S = typename tile_type::S;
  static constexpr std::size_t bytes = tile_type::bytes;
  Source x;
  Op op;
  Start start;
  Out out;
  global<const O> begins, ends;
  std::int64_t n;

  RUNG_DEVICE std::int64_t position(global<const O> list, std::int64_t s) const {
    const auto o = std::int64_t(load_read_only(list[s]));
    return o < 0 ? 0 : o < n ? o : n;
  }
  /// Brings positions first .. end - 1, no more than a chunk of them, and folds their pieces.
  RUNG_DEVICE void fold_pieces(tile_type& t, std::int64_t first, std::int64_t end,
                               std::int64_t ahead) const {
    const std::int64_t base = t.base_of(first);
    const int count = int(end - base);
    if (thread_index().x == 0) {
      t.begins[0] = std::uint16_t(first - base);
      t.begins[1] = std::uint16_t(count);
    }
    t.values.load(base, int(first - base), count);
    copy_async_wait<0>();
    block_barrier();
    t.fold_pieces(count, ahead);
    block_barrier();
    t.fold_pieces_of_pieces(count);
    block_barrier();
  }
  RUNG_DEVICE void fold(std::int64_t s) const {
    const std::int64_t begin = position(begins, s), end = position(ends, s);
    tile_type t(x, op, 1, 0);
    counter<S> parts;  // of the first thread
    std::int64_t at = begin;
    for (; end - at > tile_type::size; at += tile_type::size) {
      fold_pieces(t, at, at + tile_type::size, at - begin);
      if (thread_index().x == 0)
        parts.push(t.fold_whole_pieces(t.begins[0], t.begins[1], no_start<S>()(op)).state, op);
      block_barrier();
    }
    if (end > begin) fold_pieces(t, at, end, at - begin);
    if (thread_index().x != 0) return;
    if (end > begin)
      out(op, s, begin,
          t.fold_chunk(t.begins[0], t.begins[1], at - begin, parts.fold(op, start(op))).state);
    else if constexpr (Start::given) out(op, s, begin, start(op).state);
    else if constexpr (has_empty<Op, S>) out(op, s, begin, empty_state<S>(op));
  }
};
template <int LogSize, class Source, class Op, class Start, class Out, class O>
RUNG_KERNEL(tune::segment_threads)
void reduce_bounds(bounds_folding<LogSize, Source, Op, Start, Out, O> f) {
  wait_for_previous_launch();
  allow_next_launch();
  f.fold(block_index().x);
}

}  // namespace detail

/// The same for segments that may overlap: begins and ends in device memory. A segment whose end is
/// not above its begin is empty; positions outside the values are left out.
template <class What, class Op, class Begins, class Ends, class R, class Init = std::nullopt_t>
void segmented_reduce(const device& where, const What& what,
                      const segment_bounds<Begins, Ends>& bounds, const Op& op, const into<R>& out,
                      const Init& init = std::nullopt) {
  const auto source = detail::device_source(what);
  using Source = typename std::remove_cvref_t<decltype(source)>::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  detail::check_segment_reduce<Op, T, Init>();
  source.source.check();
  const auto begins = detail::array_view(bounds.begins), ends = detail::array_view(bounds.ends);
  using O = std::remove_cvref_t<decltype(*begins.data())>;
  static_assert(integer<O> && std::is_same_v<O, std::remove_cvref_t<decltype(*ends.data())>>,
                "rung: begins and ends of segments are integers of one type");
  if (begins.size() != ends.size() || out.out.size() != begins.size())
    fail(error_code::bad_argument, "rung: " + std::to_string(begins.size()) + " begins and " +
                                       std::to_string(ends.size()) + " ends of segments for " +
                                       std::to_string(out.out.size()) + " results");
  R* const results = const_cast<R*>(detail::contiguous_data(view<const R>(out.out)));
  const O* const first = detail::contiguous_data(begins);
  const O* const last = detail::contiguous_data(ends);
  check_device_pointer(results, "the output");
  check_device_pointer(first, "the segments' begins");
  check_device_pointer(last, "the segments' ends");
  if (begins.size() == 0) return;
  const auto start = detail::start_of_device<Op, Source>(init);
  using Start = std::remove_const_t<decltype(start)>;
  using Out = detail::results_into<Op, T, R>;
  const std::int64_t count = begins.size();
  if constexpr (detail::is_exact_on_device<Op, T>) {
    constexpr std::int64_t few = 1 << 16;  // room for so many long ones
    detail::launch_exact_lines(
        where,
        detail::segments_as_lines<Source, O, Out>{
            source.source, first, last, source.size, {count, nullptr, false}, {results}},
        op, start, count, count <= few ? count : 0);
  } else {
    constexpr int log_size = tune::log_segment_tile(sizeof(T), sizeof(S));
    using folding = detail::bounds_folding<log_size, Source, Op, Start, Out, O>;
    launch_with({.early = where.overlaps()},
                detail::reduce_bounds<log_size, Source, Op, Start, Out, O>, count,
                tune::segment_threads, folding::bytes, where.stream(),
                folding{source.source, op, start, Out{results}, first, last, source.size});
  }
}

}  // namespace rung
