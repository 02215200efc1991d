// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The up-sweep of lanes. Position r is the end of an aligned block of 2^t positions (t: the
// trailing ones of r), and left of r stands one aligned block for every set bit of r. The up-sweep
// gives each lane those trees; folding the ones of r, largest first, is its exclusive entry, and
// the ones of r + 1 its inclusive entry. Cost: log2 W shuffles and calls, then one call per set
// bit. Source: Blelloch, "Prefix sums and their applications" (1990): his two sweeps, without the
// second one's exchanges.
#pragma once
#include "lanes.cuh"

namespace rung {

/// The aligned blocks that position `rank` is made of.
template <class S, int Levels>
struct left_blocks {
  S left[Levels];  ///< left[k]: the tree of the 2^k positions left of the own block; bit k of rank
                   ///< set
  S own;           ///< the tree of the block that ends with rank
  int rank;

  /// The fold of everything before rank, after `start`.
  template <class Op>
  RUNG_DEVICE before<S> exclusive(const Op& op, const before<S>& start) const {
    return fold_bits(op, start, rank);
  }
  /// The fold of everything up to rank, after `start`.
  template <class Op>
  RUNG_DEVICE S inclusive(const Op& op, const before<S>& start) const {
    return join(op, fold_bits(op, start, rank & (rank + 1)), own);
  }

  /// Of the blocks that `bits` names, largest first.
  template <class Op>
  RUNG_DEVICE before<S> fold_bits(const Op& op, before<S> acc, int bits) const {
    RUNG_UNROLL
    for (int k = Levels - 1; k >= 0; --k) {
      const unsigned there = unsigned(bits) & 1u << k;
      acc = {detail::choose(there, join(op, acc, left[k]), acc.state), acc.some || there != 0};
    }
    return acc;
  }
  /// after(), without a branch.
  template <class Op>
  static RUNG_DEVICE S join(const Op& op, const before<S>& acc, const S& s) {
    return detail::choose(acc.some, S(op(acc.state, s)), s);
  }
};

namespace detail {

/// How far position `rank` is into its aligned block of 2^(k+1), counted from 1; 0: it is the end.
RUNG_HD constexpr unsigned into_block(int rank, int k) {
  return unsigned(rank + 1) & ((2u << k) - 1);
}

/// Level K on: v is the tree of the 2^K lanes that end here, in the lanes where such a block ends;
/// nobody reads the others.
template <int K, class G, class L, class S, class Op>
RUNG_DEVICE void climb(const L& links, left_blocks<S, G::levels>& b, S v, const Op& op) {
  if constexpr (K < G::levels) {
    constexpr bool pair = G::pairs_with_next(K);
    b.left[K] = links.left(v, K);
    if constexpr (pair) {  // two more reads that do not wait for the first, instead of a round
      const S nearer = links.left(v, K + 1), farther = links.left(v, K + 1, 1 << K);
      b.left[K + 1] = op(farther, nearer);
    }
    v = op(b.left[K], v);
    b.own = choose(into_block(b.rank, K), b.own, v);
    if constexpr (pair) {
      v = op(b.left[K + 1], v);
      b.own = choose(into_block(b.rank, K + 1), b.own, v);
    }
    climb<K + 1 + pair, G>(links, b, v, op);
  }
}

template <class G, class S, class Op>
RUNG_DEVICE left_blocks<S, G::levels> up_sweep(const G& group, const S& v, const Op& op) {
  left_blocks<S, G::levels> b{{}, v, group.rank()};
  climb<0, G>(group.connect(), b, v, op);
  return b;
}

}  // namespace detail
}  // namespace rung
