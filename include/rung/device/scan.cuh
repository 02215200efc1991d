// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// inclusive_scan and exclusive_scan of a whole array on one GPU, in the one order: checks, plan
// (../tune/scan.hpp), workspace, one launch (scan_kernels.cuh). Entry i is bit for bit what reduce
// gives for that prefix. What may be scanned: source.cuh. The call returns at once and can be
// captured into a graph.
#pragma once
#include "../tune/scan.hpp"
#include "device.cuh"
#include "reduce.cuh"
#include "scan_kernels.cuh"

namespace rung {

/// An init for a scan that lies in device memory: a state of the operator.
template <class S>
struct init_at {
  const S* place;
};
template <class S>
init_at(const S*) -> init_at<S>;
template <class S>
init_at(S*) -> init_at<S>;

/// Where a scan of the device rung puts its total, the fold of everything, in device memory.
template <class R>
struct total_into {
  R* place;
};
template <class R>
total_into(R*) -> total_into<R>;

namespace detail {

template <class S>
scan_words<S> scan_words_of(const device& where, std::int64_t tiles) {
  const std::int64_t capacity = 2 * ((tiles + 2 + 1023) / 1024 * 1024);
  constexpr int kind = sizeof(stamped_word<S>) == 8 ? 2 : 3;
  // The whole workspace is of this call's layout: halves begin where its capacity says.
  auto* memory = static_cast<unsigned char*>(where.workspace(kind, scan_words<S>::bytes(capacity)));
  return {reinterpret_cast<std::uint64_t*>(memory),
          reinterpret_cast<stamped_word<S>*>(memory + scan_words<S>::head), capacity};
}

/// The bytes of the packs that a lane reads.
template <class Source>
inline constexpr std::size_t scan_pack_bytes = 16;
template <class F, class... Ts>
inline constexpr std::size_t scan_pack_bytes<array_source<F, Ts...>> =
    staged_bytes<array_source<F, Ts...>::pack_size, Ts...>;

inline constexpr std::size_t scan_scratch_limit = 227 * 1024;

/// The launch of one call.
template <class Kind, class What, class Work>
void launch_scan(const device& where, const What& what, const Work& work, bool in_place,
                 const tune::scan_plan& plan, int patience = tune::scan_patience) {
  using Source = typename What::type;
  using S = typename Work::S;
  constexpr std::size_t pack_bytes = scan_pack_bytes<Source>;
  constexpr int rows = tune::scan_rows_for(pack_bytes);
  const int threads = plan.warps * warp_size;
  const std::int64_t tile = std::int64_t(plan.warps) * plan.rows * warp_size * Source::pack_size;
  const std::int64_t tiles = what.size / tile + (what.size % tile > 0 || what.size == 0);
  launch_options options{.early = where.overlaps()};
  const auto words = scan_words_of<S>(
      where, plan.which == tune::scan_plan::kernel::few_tiles ? most_few_tiles : tiles);
  if (plan.which == tune::scan_plan::kernel::few_tiles) {
    const auto go = [&](auto kernel) {
      launch_with(options, kernel, tiles, threads, sizeof(few_scratch<S>), where.stream(), work,
                  words, patience, in_place);
    };
    if (plan.rows == 1) go(scan_few_tiles<Kind, 1, Work>);
    else go(scan_few_tiles<Kind, rows, Work>);
    return;
  }
  constexpr std::size_t room = scan_scratch_limit - 8 * 1024 - sizeof(S) * 32 * 10;
  constexpr int stages =
      tune::scan_stages(room, 16 * stage<rows * warp_size * Source::pack_size, Source>::bytes);
  constexpr int ahead = tune::scan_ahead(stages);
  using pipeline = tile_pipeline<Kind, rows, stages, ahead, Work>;
  const std::size_t scratch = pipeline::bytes(plan.warps);
  const auto kernel = scan_tiles<Kind, rows, stages, ahead, Work>;
  const std::int64_t most = std::max(2u, most_resident_blocks(kernel, threads, scratch));
  const std::int64_t blocks = tiles + 1 < most ? tiles + 1 : most;
  const std::int64_t quota = (tiles + blocks - 2) / (blocks - 1);
  options.resident_blocks = 2;
  launch_with(options, kernel, blocks < 2 ? 2 : blocks, threads, scratch, where.stream(), work,
              words, int(quota < 1000 ? quota : 1000));
}

/// Two arrays that lie over each other in part. In place is fine: the same first value, of the
/// same size.
inline bool overlap_partly(const void* a, std::size_t a_size, const void* b, std::size_t b_size,
                           std::int64_t n) {
  const auto first = reinterpret_cast<std::uintptr_t>(a),
             other = reinterpret_cast<std::uintptr_t>(b);
  if (n == 0 || (first == other && a_size == b_size)) return false;
  return first < other + b_size * std::size_t(n) && other < first + a_size * std::size_t(n);
}
inline bool check_overlap(const array_list<>&, const void*, std::size_t, std::int64_t) {
  return false;
}
/// Throws for a partial overlap; true if an array is the output.
template <class T, class... Rest>
bool check_overlap(const array_list<T, Rest...>& arrays, const void* out, std::size_t size,
                   std::int64_t n) {
  const void* array;
  if constexpr (std::is_pointer_v<global<const T>>) array = arrays.first;
  else array = arrays.first.data();
  if (overlap_partly(array, sizeof(T), out, size, n))
    fail(error_code::bad_argument,
         "rung: the output of a scan lies over part of its input; it may be the input, or be "
         "somewhere else");
  const bool rest = check_overlap(arrays.rest, out, size, n);
  return array == out || rest;
}

template <class S, class Init>
auto start_of_scan(const Init& init) {
  if constexpr (std::is_same_v<Init, init_at<S>>) {
    check_device_pointer(init.place, "the init");
    return start_on_device<S>{init.place};
  } else {
    static_assert(
        !requires { init.place; },
        "rung: init_at points to a state of the operator: its accumulator");
    return start_value<S>{};
  }
}

template <bool Exclusive, class What, class R, class Op, class Start, class Total>
void scan(const device& where, const What& what, const view<R>& out, const Op& op,
          const Start& start, const Total& total) {
  using Source = typename What::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  check_operator<Op, T>();
  static_assert(sizeof(S) <= 64, "rung: a scan on the device takes states of 64 bytes at most");
  static_assert(!Exclusive || Start::given || has_empty<Op, S>,
                "rung: the first entry of an exclusive scan is the fold of nothing, and this "
                "operator has no identity and no empty result: give an init");
  what.source.check();
  if constexpr (requires { what.count; }) check_device_pointer(what.count, "the number of values");
  R* const y = const_cast<R*>(contiguous_data(view<const R>(out)));
  if (out.size() != what.size)
    fail(error_code::bad_argument, "rung: a scan of " + std::to_string(what.size) +
                                       " values needs an output of as many, not " +
                                       std::to_string(out.size()));
  check_device_pointer(y, "the output");
  bool in_place = false;
  if constexpr (requires { what.source.arrays; })
    in_place = check_overlap(what.source.arrays, y, sizeof(R), what.size);
  constexpr int N = Source::pack_size;
  const scan_output<Op, T, R, N> to{y, is_aligned(y, access_alignment(N * sizeof(R)))};
  const auto go = [&](const auto& count) {
    using Count = std::remove_cvref_t<decltype(count)>;
    const scan_work<Source, Op, Count, Start, std::remove_const_t<decltype(to)>, Total> work{
        what.source, op, count, start, to, total};
    constexpr std::int64_t row = warp_size * N;
    launch_scan<scan_kind<Exclusive, Start::given>>(
        where, what, work, in_place,
        tune::plan_scan((what.size + row - 1) / row, tune::scan_rows_for(scan_pack_bytes<Source>)));
  };
  if constexpr (requires { what.count; }) go(count_on_device{what.count});
  else go(count_given{what.size});
}

/// What follows the operator: an init, or init_at, then total_into; each may be left out.
template <bool Exclusive, class What, class Out, class Op, class Init, class Total>
void scan_after(const device& where, const What& what, Out&& out, const Op& op, const Init& init,
                const Total& total) {
  const auto source = device_source(what);
  using Source = typename std::remove_cvref_t<decltype(source)>::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  const auto start = [&] {
    if constexpr (requires { init.place; }) return start_of_scan<S>(init);
    else return start_of_device<Op, Source>(init);
  }();
  if constexpr (std::is_same_v<Total, no_total>) {
    scan<Exclusive>(where, source, view(out), op, start, no_total{});
  } else {
    check_device_pointer(total.place, "the total's place");
    using R = std::remove_pointer_t<decltype(total.place)>;
    scan<Exclusive>(where, source, view(out), op, start,
                    total_into_memory<Op, T, R>{{total.place}});
  }
}

}  // namespace detail

/// out[i] = the fold of what[0 .. i], after init if given, in device memory, after what is already
/// on the stream. Returns at once. `what`: as for reduce; `out`: an array of as many values, which
/// may be the input itself. init: a state of the operator, or init_at{pointer to one in device
/// memory}; total_into{pointer} also gives the fold of everything. Throws rung::error before
/// anything is started: host pointers, arrays with gaps, another size, a partial overlap.
template <class What, class Out, class Op>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op) {
  detail::scan_after<false>(where, what, out, op, std::nullopt, detail::no_total{});
}
template <class What, class Out, class Op, class Init>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const Init& init) {
  detail::scan_after<false>(where, what, out, op, init, detail::no_total{});
}
template <class What, class Out, class Op, class R>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const total_into<R>& total) {
  detail::scan_after<false>(where, what, out, op, std::nullopt, total);
}
template <class What, class Out, class Op, class Init, class R>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const Init& init, const total_into<R>& total) {
  detail::scan_after<false>(where, what, out, op, init, total);
}

/// out[i] = the fold of what[0 .. i - 1], after init if given; without init, out[0] is the
/// operator's empty result.
template <class What, class Out, class Op>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op) {
  detail::scan_after<true>(where, what, out, op, std::nullopt, detail::no_total{});
}
template <class What, class Out, class Op, class Init>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const Init& init) {
  detail::scan_after<true>(where, what, out, op, init, detail::no_total{});
}
template <class What, class Out, class Op, class R>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const total_into<R>& total) {
  detail::scan_after<true>(where, what, out, op, std::nullopt, total);
}
template <class What, class Out, class Op, class Init, class R>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const Init& init, const total_into<R>& total) {
  detail::scan_after<true>(where, what, out, op, init, total);
}

}  // namespace rung
