// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys to segments on the CPU rung. key_runs: runs of equal neighbouring keys, as offsets.
// key_order: a stable order of positions by key, so that equal keys stand together wherever they
// came from, first position first. reduce_by_key and scan_by_key are a run search and a segmented
// fold: a run's result depends on its values alone. Cost: runs read the keys twice; an order is a
// sort.
#pragma once
#include <numeric>
#if defined(RUNG_HAVE_TBB)
#include <tbb/parallel_sort.h>
#endif

#include "segmented.hpp"

namespace rung {

/// Offsets of the runs among n positions: begins_run(i) tells whether position i > 0 differs from i
/// - 1. The last entry is n.
template <class Begins>
std::vector<std::int64_t> run_offsets(const cpu_rung& where, std::int64_t n,
                                      const Begins& begins_run) {
  if (n == 0) return {0};
  constexpr std::int64_t piece = 1 << 16;
  const std::int64_t pieces = (n + piece - 1) / piece;
  std::vector<std::int64_t> first(std::size_t(pieces) + 1, 0);
  auto count_piece = [&](std::size_t p, auto&& found) {
    const std::int64_t begin = std::int64_t(p) * piece, end = std::min(n, begin + piece);
    for (std::int64_t i = begin; i < end; i++)
      if (i == 0 || begins_run(i)) found(i);
  };
  host::for_each_task(where, std::size_t(pieces), [&](std::size_t p) {
    std::int64_t runs = 0;
    count_piece(p, [&](std::int64_t) { runs++; });
    first[p + 1] = runs;
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int64_t> offsets(std::size_t(first.back()) + 1);
  host::for_each_task(where, std::size_t(pieces), [&](std::size_t p) {
    std::int64_t* to = offsets.data() + first[p];
    count_piece(p, [&](std::int64_t i) { *to++ = i; });
  });
  offsets.back() = n;
  return offsets;
}

/// Runs of equal neighbouring keys: run r is positions offsets[r] .. offsets[r + 1] - 1.
template <class Keys, class Equal = std::equal_to<>>
std::vector<std::int64_t> key_runs(const cpu_rung& where, const Keys& keys,
                                   const Equal& equal = {}) {
  const std::span k(std::as_const(keys));
  return run_offsets(where, std::int64_t(k.size()), [&](std::int64_t i) {
    return !equal(k[std::size_t(i) - 1], k[std::size_t(i)]);
  });
}

/// Positions 0 .. n - 1 in an order in which less never falls, equal ones in ascending order.
template <class Less>
std::vector<std::int64_t> position_order(std::int64_t n, const Less& less) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t(0));
  bool sorted = true;
  for (std::int64_t i = 1; i < n && sorted; i++) sorted = !less(i, i - 1);
  if (sorted) return order;
  auto before = [&](std::int64_t a, std::int64_t b) {
    return less(a, b) || (!less(b, a) && a < b);
  };
#if defined(RUNG_HAVE_TBB)
  tbb::parallel_sort(order.begin(), order.end(), before);
#else
  std::sort(order.begin(), order.end(), before);
#endif
  return order;
}

/// Folds every run of equal neighbouring keys: run_keys[r] and out[r] for run r. Returns the number
/// of runs; both outputs must have room for them (at most one per key). Throws rung::error before
/// anything is written if they have not.
template <class Keys, class What, class Op, class K, class R>
std::int64_t reduce_by_key(const cpu_rung& where, const Keys& keys, const What& what, const Op& op,
                           const into<K>& run_keys, const into<R>& out) {
  const std::span k(std::as_const(keys));
  const auto offsets = key_runs(where, keys);
  const std::int64_t runs = std::int64_t(offsets.size()) - 1;
  if (run_keys.out.rank() != 1 || out.out.rank() != 1 || run_keys.out.size() < runs ||
      out.out.size() < runs)
    fail(error_code::bad_argument,
         "rung: there are " + std::to_string(runs) + " runs, more than the outputs have room for");
  segmented_reduce(where, what, offsets, op, into(out.out.sliced(0, 0, runs)));
  for (std::int64_t r = 0; r < runs; r++) run_keys.out(r) = k[std::size_t(offsets[std::size_t(r)])];
  return runs;
}

/// Scans every run of equal neighbouring keys for itself.
template <class Keys, class What, class Out, class Op>
void inclusive_scan_by_key(const cpu_rung& where, const Keys& keys, const What& what, Out&& out,
                           const Op& op) {
  segmented_inclusive_scan(where, what, key_runs(where, keys), out, op);
}
template <class Keys, class What, class Out, class Op, class Init = std::nullopt_t>
void exclusive_scan_by_key(const cpu_rung& where, const Keys& keys, const What& what, Out&& out,
                           const Op& op, const Init& init = std::nullopt) {
  segmented_exclusive_scan(where, what, key_runs(where, keys), out, op, init);
}

}  // namespace rung
