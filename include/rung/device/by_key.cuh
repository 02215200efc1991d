// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Folds and scans of runs of equal neighbouring keys on one GPU. Five launches: runs are marked
// (run_plan.cuh), two scans over shares and a plan find the work, one kernel does it
// (segment_kernels.cuh, segment_scan.cuh). A run's result depends on its own values alone, in their
// order. Calls return at once and can be captured into a graph, unless they return a number.
#pragma once
#include "run_plan.cuh"
#include "segmented.cuh"

namespace rung {

/// Where a call of the device rung puts the number of runs that it has found, in device memory.
struct runs_into {
  std::int64_t* place;
};
/// Equality of keys, if none is given.
struct equal_keys {
  template <class K>
  RUNG_HD constexpr bool operator()(const K& a, const K& b) const {
    return a == b;
  }
};

namespace detail {

/// Keys as they lie.
template <class Key>
struct keys_at {
  global<const Key> keys;
  RUNG_DEVICE Key operator[](std::int64_t i) const { return load_read_only(keys[i]); }
};
/// Results and keys of runs, as many as there is room for.
template <class Op, class T, class R, class Keys, class K>
struct run_results {
  results_into<Op, T, R> put;
  global<K> run_keys;
  Keys keys;
  std::int64_t room;
  RUNG_DEVICE void operator()(const Op& op, std::int64_t i, std::int64_t begin,
                              const state_t<Op, T>& s) const {
    if (i >= room) return;
    put(op, i, begin, s);
    run_keys[i] = K(keys[begin]);
  }
};

/// Runs of keys, marked, in shares of 2^LogSize positions.
struct marked_runs {
  run_shares known;
  std::uint32_t* bits;
  std::int64_t shares;
};
template <int LogSize, class Key, class Equal>
marked_runs mark_keys(const device& where, const Key* keys, std::int64_t n, const Equal& equal) {
  constexpr std::int64_t size = std::int64_t(1) << LogSize;
  const std::int64_t shares = n > 0 ? (n + size - 1) >> LogSize : 1;
  const std::size_t own = std::size_t(shares + 1) * sizeof(runs_in),
                    firsts = std::size_t(shares + 2) / 2 * 16;
  auto* const memory = static_cast<unsigned char*>(
      where.workspace(runs_kind, own + firsts + std::size_t(shares) * (size / 8)));
  auto* const of_shares = reinterpret_cast<runs_in*>(memory);
  auto* const first_runs = reinterpret_cast<std::int64_t*>(memory + own);
  auto* const bits = reinterpret_cast<std::uint32_t*>(memory + own + firsts);
  const run_shares known{of_shares, first_runs};
  const auto all_keys = device_source(view<const Key>(keys, {n}));
  using Keys = std::remove_cvref_t<decltype(all_keys.source)>;
  launch_with({.early = where.overlaps()}, mark_runs<LogSize, Keys, Equal>, shares, mark_threads,
              mark_threads / warp_size * 12, where.stream(), all_keys.source, equal, n, bits, known,
              shares);
  const view<runs_in> before(of_shares, {shares + 1});
  const view<std::int64_t> next(first_runs, {shares + 1});
  exclusive_scan(where, before, before, join_runs{});
  inclusive_scan(where, next, next, minimum{});
  return {known, bits, shares};
}
/// Marked and planned.
template <class S>
struct planned_runs {
  run_list list;
  part_words<S> words;
  std::int64_t shares;
};
/// runs: where their number goes, or nullptr.
template <int LogSize, bool WithRest, class S, class Key, class Equal>
planned_runs<S> plan_keys(const device& where, const Key* keys, std::int64_t n, const Equal& equal,
                          std::int64_t* runs) {
  const auto [known, bits, shares] = mark_keys<LogSize>(where, keys, n, equal);
  using words_type = part_words<S>;
  const std::size_t cleared = words_type::cleared_bytes(shares);
  const auto words = words_type::in(
      where.workspace(segment_kind, words_type::plan_bytes(shares) + cleared), shares);
  launch_with({.early = where.overlaps()}, plan_runs<LogSize, WithRest>, (shares + 255) / 256, 256,
              0, where.stream(), known, words.work, shares, runs, words.turn,
              std::int64_t(cleared / 4));
  return {{bits}, words, shares};
}
/// Runs as offsets in the workspace.
template <class Key, class Equal>
const std::int64_t* offsets_of_runs(const device& where, const Key* keys, std::int64_t n,
                                    const Equal& equal, std::int64_t* runs) {
  constexpr int log_size = 12, warps = mark_threads / warp_size;
  const auto [known, bits, shares] = mark_keys<log_size>(where, keys, n, equal);
  auto* const offsets =
      static_cast<std::int64_t*>(where.workspace(segment_kind, std::size_t(n + 1) * 8));
  launch_with({.early = where.overlaps()}, put_run_offsets<log_size>, (shares + warps - 1) / warps,
              mark_threads, 0, where.stream(), known, bits, shares, n, offsets, runs);
  return offsets;
}

/// read: what run_keys gets of a position.
template <int LogSize, class Key, class Read, class What, class Op, class K, class R, class Equal>
void launch_reduce_by_key(const device& where, const Key* keys, const Read& read, const What& what,
                          const Op& op, const view<K>& run_keys, const view<R>& out,
                          std::int64_t* runs, const Equal& equal) {
  using Source = typename What::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  using Out = run_results<Op, T, R, Read, K>;
  using Start = no_start<S>;
  const std::int64_t n = what.size;
  const Out results{{const_cast<R*>(contiguous_data(view<const R>(out)))},
                    const_cast<K*>(contiguous_data(view<const K>(run_keys))),
                    read,
                    std::min(run_keys.size(), out.size())};
  if constexpr (is_exact_on_device<Op, T>) {
    const std::int64_t* const offsets = offsets_of_runs(where, keys, n, equal, runs);
    launch_exact_lines(where,
                       segments_as_lines<Source, std::int64_t, Out>{
                           what.source, offsets, offsets + 1, n, {n, runs, true}, results},
                       op, Start{}, n, n >> long_lines::log_piece);
  } else {
    using folding = segment_folding<LogSize, Source, Op, Start, Out, run_list>;
    const auto plan = plan_keys<LogSize, false, S>(where, keys, n, equal, runs);
    const folding f{what.source, op, {}, results, plan.list, plan.words};
    launch_with({.early = true}, reduce_segments<LogSize, Source, Op, Start, Out, run_list>,
                plan.shares, tune::segment_threads, folding::bytes, where.stream(), f);
  }
}
template <class Key, class Read, class What, class Op, class K, class R, class Equal>
void reduce_runs(const device& where, const Key* keys, const Read& read, const What& what,
                 const Op& op, const view<K>& run_keys, const view<R>& out, std::int64_t* runs,
                 const Equal& equal) {
  using T = typename What::type::value_type;
  using S = state_t<Op, T>;
  check_operator<Op, T>();
  static_assert(sizeof(S) <= 64 || is_exact_on_device<Op, T>,
                "rung: segments on the device take states of 64 bytes at most");
  launch_reduce_by_key<tune::log_segment_tile(sizeof(T), sizeof(S))>(where, keys, read, what, op,
                                                                     run_keys, out, runs, equal);
}
template <int LogSize, class Kind, class Key, class What, class Op, class Start, class R,
          class Equal>
void launch_scan_by_key(const device& where, const Key* keys, const What& what, const Op& op,
                        const Start& start, R* out, const Equal& equal) {
  using Source = typename What::type;
  using S = state_t<Op, typename Source::value_type>;
  using scanning = segment_scanning<LogSize, Kind, Source, Op, Start, R, run_list>;
  const auto plan = plan_keys<LogSize, true, S>(where, keys, what.size, equal, nullptr);
  const scanning f{what.source, op, start, out, plan.list, plan.words};
  launch_with({.early = true}, scan_segments<LogSize, Kind, Source, Op, Start, R, run_list>,
              plan.shares, tune::segment_threads, scanning::bytes, where.stream(), f);
}

/// The keys' place. Throws for what cannot be keys of these values.
template <class Key, class What>
const Key* check_keys(const view<const Key>& keys, const What& what) {
  static_assert(sizeof(Key) <= 64, "rung: keys have 64 bytes at most");
  if (keys.size() != what.size)
    fail(error_code::bad_argument, "rung: " + std::to_string(keys.size()) + " keys for " +
                                       std::to_string(what.size) + " values");
  const Key* const first = contiguous_data(keys);
  check_device_pointer(first, "the keys");
  what.source.check();
  return first;
}

template <bool Exclusive, class Keys, class What, class R, class Op, class Init, class Equal>
void scan_by_key(const device& where, const Keys& keys, const What& what, const view<R>& out,
                 const Op& op, const Init& init, const Equal& equal) {
  const auto source = device_source(what);
  using Source = typename std::remove_cvref_t<decltype(source)>::type;
  using T = typename Source::value_type;
  check_operator<Op, T>();
  const auto use = cheapest<Op, T, R>(op);
  using Use = std::remove_cvref_t<decltype(use)>;
  check_segment_scan<Exclusive, Use, state_t<Use, T>, Init>();
  const auto* const first = check_keys(array_view(keys), source);
  const scan_target<R> target = check_scan(source, out);
  contiguous_data(view<const R>(out));  // throws where it runs backwards
  const auto start = start_of_device<Use, Source>(init);
  constexpr int log_size = segment_scan_size<Use, T, R>;
  launch_scan_by_key<log_size, scan_kind<Exclusive, decltype(start)::given>>(
      where, first, source, use, start, target.first, equal);
}

}  // namespace detail

/// Folds every run of equal neighbouring keys: run_keys[r] and out[r] for run r, and the number of
/// runs to runs.place, all in device memory, after what is already on the stream. keys: an array of
/// as many keys as values. At most one run per key; runs beyond the outputs' room are counted and
/// not written. equal(a, b) compares neighbours. Returns at once. Throws rung::error before
/// anything is started: host pointers, another number of keys.
template <class Keys, class What, class Op, class K, class R, class Equal = equal_keys>
void reduce_by_key(const device& where, const Keys& keys, const What& what, const Op& op,
                   const into<K>& run_keys, const into<R>& out, const runs_into& runs,
                   const Equal& equal = {}) {
  const auto source = detail::device_source(what);
  const auto* const first = detail::check_keys(detail::array_view(keys), source);
  using Key = std::remove_cvref_t<decltype(*first)>;
  check_device_pointer(run_keys.out.data(), "the runs' keys");
  check_device_pointer(out.out.data(), "the output");
  check_device_pointer(runs.place, "the number of runs");
  detail::reduce_runs(where, first, detail::keys_at<Key>{first}, source, op, run_keys.out, out.out,
                      runs.place, equal);
}
/// The same, and returns the number of runs: waits for the GPU. Throws rung::error if the outputs
/// have no room for them.
template <class Keys, class What, class Op, class K, class R>
std::int64_t reduce_by_key(const device& where, const Keys& keys, const What& what, const Op& op,
                           const into<K>& run_keys, const into<R>& out) {
  auto* const place = static_cast<std::int64_t*>(where.workspace(detail::offsets_kind, 8));
  reduce_by_key(where, keys, what, op, run_keys, out, runs_into{place});
  const std::int64_t runs = reduce(where, view<const std::int64_t>(place, {1}), plus{});
  if (runs > run_keys.out.size() || runs > out.out.size())
    fail(error_code::bad_argument,
         "rung: there are " + std::to_string(runs) + " runs, more than the outputs have room for");
  return runs;
}

/// Scans every run of equal neighbouring keys for itself; out may be `what`.
template <class Keys, class What, class Out, class Op, class Equal = equal_keys>
void inclusive_scan_by_key(const device& where, const Keys& keys, const What& what, Out&& out,
                           const Op& op, const Equal& equal = {}) {
  detail::scan_by_key<false>(where, keys, what, view(out), op, std::nullopt, equal);
}
template <class Keys, class What, class Out, class Op, class Init = std::nullopt_t,
          class Equal = equal_keys>
void exclusive_scan_by_key(const device& where, const Keys& keys, const What& what, Out&& out,
                           const Op& op, const Init& init = std::nullopt, const Equal& equal = {}) {
  detail::scan_by_key<true>(where, keys, what, view(out), op, init, equal);
}

}  // namespace rung
