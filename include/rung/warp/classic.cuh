// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The classic algorithms of a warp under their own names, to read, to time and to compare. Both
// take log2 32 = 5 steps of one shuffle and one operator call. Their natural orders are not the one
// order: the shuffle tree joins lanes 16 apart first, so it needs operands that may change sides;
// Kogge-Stone keeps the sides but groups each entry from its own end. The verbs are in reduce.cuh
// and scan.cuh.
#pragma once
#include "../base/gpu.cuh"

namespace rung::classic {

/// The tree that every CUDA text begins with; lane 0 gets the result. 5 steps; 31 calls matter, and
/// since all lanes run along, 160 are made.
template <class S, class Op>
RUNG_DEVICE S shuffle_tree_reduce(S v, const Op& op) {
  RUNG_UNROLL
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    v = op(v, shuffle_down(v, unsigned(distance)));
  return v;
}

/// Inclusive scan; each step doubles the range that a lane has folded. 5 steps, 32 * 5 - 31 = 129
/// calls. Source: Kogge and Stone (1973), as used on GPUs since Hillis and Steele (1986).
template <class S, class Op>
RUNG_DEVICE S kogge_stone_scan(S v, const Op& op) {
  RUNG_UNROLL
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const S left = shuffle_up(v, unsigned(distance));
    if (lane() >= distance) v = op(left, v);
  }
  return v;
}

}  // namespace rung::classic
