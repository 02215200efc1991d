// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of the values of a block, in the one order of their positions: (thread, item). Data flow:
// each thread folds its items; one up-sweep per warp; the tree of each warp goes to shared memory;
// one barrier; each warp folds the blocks of warps that stand left of it, each lane those of lanes,
// each thread scans its items after that. Cost for T threads: 1 barrier, 5 to 7 shuffles per 4
// bytes, one state written per warp and at most T / 32 - 1 read by each thread; about 2 calls per
// value and 10 per thread. Arrays are scanned in place. After the operator: an init, total_to(t),
// or both; in a block that is not whole the total takes one barrier more.
#pragma once
#include "../warp/scan.cuh"
#include "reduce.cuh"

namespace rung {

namespace detail {

/// left_blocks of warp `rank` among the trees of the warps before it.
template <int K, class S, int Levels, class X, class Op>
RUNG_DEVICE void read_left(left_blocks<S, Levels>& b, X& trees, const Op& op) {
  if constexpr (K < Levels) {
    b.left[K] = b.own;  // some state, where there is no such block
    if ((b.rank >> K & 1) != 0)
      b.left[K] = tree_of<S, 1 << K>(trees, (b.rank >> K << K) - (1 << K), op);
    if (into_block(b.rank, K) == 0) b.own = op(b.left[K], b.own);
    read_left<K + 1>(b, trees, op);
  }
}

/// Everything that stands left of a thread: blocks of lanes, blocks of warps, the start.
template <class S, int WarpLevels>
struct thread_place {
  left_blocks<S, 5> lanes;
  left_blocks<S, WarpLevels> warps;
  before<S> start;
  bool active;  ///< it has values

  template <class Op>
  RUNG_DEVICE before<S> exclusive(const Op& op) const {
    return lanes.exclusive(op, warps.exclusive(op, start));
  }
  /// Of a thread whose values are all there. The last lane ends with a block of whole warps.
  template <class Op>
  RUNG_DEVICE S inclusive(const Op& op) const {
    const bool last = lanes.rank == warp_size - 1;
    const int bits = last ? warps.rank & (warps.rank + 1) : warps.rank;
    const before<S> left =
        lanes.fold_bits(op, warps.fold_bits(op, start, bits), lanes.rank & (lanes.rank + 1));
    return lanes.join(op, left, choose(last, warps.own, lanes.own));
  }
};

/// log2 of the number of warps, rounded up; 1 at least.
template <class B>
inline constexpr int warp_levels = B::known_threads == 0
                                       ? 5
                                       : floor_log2(B::known_threads <= 64
                                                        ? 2
                                                        : (B::known_threads - 1) / 16);

template <class B, class S, int K, class Op>
RUNG_DEVICE thread_place<S, warp_levels<B>> place_threads(const B& block, const S (&x)[K],
                                                          const Op& op, const before<S>& start) {
  auto& trees = sums_of(block).warps;
  const int n = block.template values<K>(), rank = block.rank();
  const int warp = block.warp(), threads = (n + K - 1) / K;
  thread_place<S, warp_levels<B>> p{{}, {}, start, B::all_whole || rank < threads};
  if (B::all_whole || (warp + 1) * warp_size <= n / K) {
    p.lanes = up_sweep(warp_of<B, S>{}, reduce(this_thread, x, op), op);
  } else if (p.active) {  // the last one may lack values; nobody reads what it brings
    S v = x[0];
    if ((rank + 1) * K <= n) v = reduce(this_thread, x, op);
    p.lanes = up_sweep(low_lanes(threads - warp * warp_size), v, op);
  }
  if (p.active && p.lanes.rank == warp_size - 1) trees[warp] = p.lanes.own;
  block_barrier();
  p.warps = {{}, p.lanes.own, warp};
  if (p.active) read_left<0>(p.warps, trees, op);
  return p;
}

/// The fold of everything, for all. The last active thread knows it, or the warps' trees do.
template <bool HasInit, class B, class S, class P, int K, class Op>
RUNG_DEVICE S total_of_block(const B& block, const P& p, const S (&x)[K], const Op& op) {
  if constexpr (B::all_whole) {
    return fold_published<K, true>(block, op, p.start);
  } else {
    auto& place = sums_of(block).blocks[0];
    const int n = block.template values<K>(), rank = block.rank();
    if (n == 0) return HasInit ? p.start.state : result_of_nothing(op, p.start.state);
    if (rank == (n - 1) / K)
      place = n % K == 0 ? p.inclusive(op)
                         : reduce_at_most<K>(this_thread, x, n % K, op, p.exclusive(op));
    block_barrier();
    return place;
  }
}

enum class entries { inclusive, exclusive };

/// The scan of K = 2^j neighbours per thread, in place.
template <entries E, class B, class S, int K, class Op, class... More>
RUNG_DEVICE void scan_block(const B& block, S (&x)[K], const Op& op, const More&... more) {
  check_states<Op, S>();
  check_scratch<B, S>();
  static_assert(K <= 32, "rung: a thread brings at most 32 values at a time");
  const auto p = place_threads(block, x, op, start_of<S>(op, x[0], more...));
  if constexpr (has_total<More...>)
    put_total(total_of_block<has_init<More...>>(block, p, x, op), more...);
  if (!p.active) return;
  const int rank = block.rank(), n = block.template values<K>();
  const bool whole = B::all_whole || (rank + 1) * K <= n;
  if constexpr (E == entries::inclusive) {
    // The last item's block may reach far to the left of this thread.
    S last = x[K - 1];
    if (whole) last = p.inclusive(op);
    if constexpr (K > 1) inclusive_in_place<K>(x, whole ? K - 1 : n % K, op, p.exclusive(op));
    x[K - 1] = last;
  } else {
    const auto left = p.exclusive(op);
    const S first = exclusive_entry_of<has_init<More...>>(left, rank == 0, op);
    if constexpr (K > 1) exclusive_in_place<K>(x, whole ? K : n % K, op, left, first);
    else x[0] = first;
  }
}

template <entries E, bool Striped, class B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void scan_items(const B& block, S (&x)[K], const Op& op, const More&... more) {
  if constexpr (!Striped && is_power_of_two(K)) {
    scan_block<E, B, S, int(K)>(block, x, op, more...);
  } else {
    S y[whole_items<K>];
    bring_together<Striped>(block, x, y);
    scan_block<E>(gathered<int(K)>(block), y, op, more...);
    send_back<Striped>(block, y, x);
  }
}

}  // namespace detail

/// x[item] = the fold of the positions up to its own.
template <thread_block B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void inclusive_scan(const B& block, S (&x)[K], const Op& op, const More&... more) {
  detail::scan_items<detail::entries::inclusive, false>(block, x, op, more...);
}
template <thread_block B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void inclusive_scan(const B& block, const striped_values<S, K>& x, const Op& op,
                                const More&... more) {
  detail::scan_items<detail::entries::inclusive, true>(block, x.items, op, more...);
}
/// One value per thread; its entry comes back.
template <thread_block B, class S, class Op, class... More>
RUNG_DEVICE S inclusive_scan(const B& block, const S& v, const Op& op, const More&... more) {
  S x[1] = {v};
  detail::scan_block<detail::entries::inclusive>(block, x, op, more...);
  return x[0];
}

/// x[item] = the fold of the positions before its own; the first one gets the init, or the
/// operator's empty state.
template <thread_block B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void exclusive_scan(const B& block, S (&x)[K], const Op& op, const More&... more) {
  detail::scan_items<detail::entries::exclusive, false>(block, x, op, more...);
}
template <thread_block B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void exclusive_scan(const B& block, const striped_values<S, K>& x, const Op& op,
                                const More&... more) {
  detail::scan_items<detail::entries::exclusive, true>(block, x.items, op, more...);
}
template <thread_block B, class S, class Op, class... More>
RUNG_DEVICE S exclusive_scan(const B& block, const S& v, const Op& op, const More&... more) {
  S x[1] = {v};
  detail::scan_block<detail::entries::exclusive>(block, x, op, more...);
  return x[0];
}

/// Both entries, of one value per thread.
template <thread_block B, class S, class Op, class... More>
RUNG_DEVICE scan_entries<S> both_scans(const B& block, const S& v, const Op& op,
                                       const More&... more) {
  detail::check_states<Op, S>();
  detail::check_scratch<B, S>();
  const S x[1] = {v};
  const auto p = detail::place_threads(block, x, op, detail::start_of<S>(op, v, more...));
  if constexpr (detail::has_total<More...>)
    detail::put_total(detail::total_of_block<detail::has_init<More...>>(block, p, x, op), more...);
  if (!p.active) return {v, v};
  return {
      detail::exclusive_entry_of<detail::has_init<More...>>(p.exclusive(op), block.rank() == 0, op),
      p.inclusive(op)};
}

}  // namespace rung
