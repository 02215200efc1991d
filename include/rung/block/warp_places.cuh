// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The second stage of a block's scan: from the tree of every warp to what stands left of it. Each
// warp folds the trees that it needs, or, where there are many, one warp scans for all. Cost: 1 or
// 2 barriers, one state written per warp, at most T / 32 - 1 read by each of T threads.
#pragma once
#include "../warp/scan.cuh"
#include "reduce.cuh"

namespace rung::detail {

/// log2 of the number of warps, rounded up; 1 at least.
template <class B>
inline constexpr int warp_levels = B::known_threads == 0
                                       ? 5
                                       : floor_log2(B::known_threads <= 64
                                                        ? 2
                                                        : (B::known_threads - 1) / 16);
/// 32 warps that each fold what stands left of them take more instructions than one barrier more
/// costs: there the first warp scans for all.
template <class B>
inline constexpr bool one_warp_scans = B::all_whole&& B::known_threads > 512;

/// left_blocks of a warp among the trees of `count` warps. Paired: that is a power of two.
template <int K, bool Paired, bool Own, class S, int Levels, class X, class Op>
RUNG_DEVICE void read_left(left_blocks<S, Levels>& b, X& trees, int count, const Op& op) {
  if constexpr (K < Levels) {
    if (count <= 1 << K) return;  // the same for all threads
    // Where there is no such block, one that does exist: reading it costs less than a branch.
    int first = b.rank & ~((2 << K) - 1);
    if constexpr (!Paired) first = (b.rank >> K & 1) != 0 ? ((b.rank >> K) - 1) << K : 0;
    b.left[K] = computed(tree_of<S, 1 << K>(trees, first, op));
    if constexpr (Own)
      update_where(ends(b.rank) & 1u << K, b.own, [&] { return S(op(b.left[K], b.own)); });
    read_left<K + 1, Paired, Own>(b, trees, count, op);
  }
}

/// What stands left of a warp, and what ends with it (if Through: somebody will ask).
template <class S>
struct warp_place {
  before<S> left;
  S through;
};

/// Of every warp, whose tree its last lane brings; `warps` of them have one. Barriers: one,
/// or two if one warp scans; none if there is one warp and no total is asked for.
template <bool Through, bool Total, class B, class S, class Op>
RUNG_DEVICE warp_place<S> place_warps(const B& block, const S& tree, bool active, int warps,
                                      const Op& op, const before<S>& start) {
  auto& trees = sums_of(block).warps;
  const int warp = block.warp();
  const S own = computed(tree);
  if (Total || !B::all_whole || block.warps() > 1) {
    if (active && this_warp.rank() == warp_size - 1) trees[warp] = own;
    block_barrier();
  }
  if constexpr (one_warp_scans<B>) {
    if (warp == 0) {
      constexpr auto all = warp_lanes < warp_size, sizeof(S) <= 8 ? 3 : 5 > {};
      const bool there = B::known_threads == 1024 || this_warp.rank() < warps;
      const S mine = trees[there ? this_warp.rank() : 0];
      const S entry = up_sweep(all, mine, op).inclusive(op, start);
      warp_barrier();
      if (there) trees[this_warp.rank()] = entry;
    }
    block_barrier();
    const S left = trees[warp > 0 ? warp - 1 : 0];
    return {{choose(warp > 0, left, start.state), start.some || warp > 0}, trees[warp]};
  } else {
    left_blocks<S, warp_levels<B>> b{{}, own, warp};
    for (S& left : b.left) left = own;  // some state, where there is no such block
    constexpr bool paired = B::all_whole && is_power_of_two(B::known_threads);
    if (active) read_left<0, paired, Through>(b, trees, warps, op);
    warp_place<S> p{b.exclusive(op, start), own};
    if constexpr (Through) p.through = b.inclusive(op, start);
    return p;
  }
}

}  // namespace rung::detail
