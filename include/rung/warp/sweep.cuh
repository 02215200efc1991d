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
  static constexpr int levels = Levels;
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
    return join(op, fold_bits(op, start, rank & (rank + 1) & ~1), own);
  }

  /// Of the blocks that `bits` names, largest first.
  template <class Op>
  RUNG_DEVICE before<S> fold_bits(const Op& op, before<S> acc, int bits) const {
    RUNG_UNROLL
    for (int k = Levels - 1; k >= 0; --k) {
      const unsigned there = unsigned(bits) & 1u << k;
      detail::update_where(there, acc.state, [&] { return join(op, acc, left[k]); });
      acc.some = acc.some || there != 0;
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

/// Bit k: the aligned block of 2^(k+1) positions around `rank` ends there.
RUNG_HD constexpr unsigned ends(int rank) { return unsigned(rank) & ~unsigned(rank + 1); }

/// Level K on: `own` is the tree of the 2^K lanes that end here, in the lanes where such a block
/// ends; nobody reads the others. EachOwn: it stays that of the largest such block in every lane.
template <int K, bool EachOwn, class G, class L, class S, class Op>
RUNG_DEVICE void climb(const L& links, left_blocks<S, G::levels>& b, unsigned ending,
                       const Op& op) {
  if constexpr (K < G::levels) {
    constexpr bool pair = G::pairs_with_next(K);
    b.left[K] = links.left(b.own, K);
    if constexpr (pair) {  // two more reads that do not wait for the first, instead of a round
      const S nearer = links.left(b.own, K + 1), farther = links.farther_left(b.own, K + 1);
      b.left[K + 1] = op(farther, nearer);
    }
    RUNG_UNROLL
    for (int k = K; k <= K + pair; ++k) {
      if constexpr (EachOwn)
        update_where(ending & 1u << k, b.own, [&] { return S(op(b.left[k], b.own)); });
      else b.own = op(b.left[k], b.own);
    }
    climb<K + 1 + pair, EachOwn, G>(links, b, ending, op);
  }
}

/// Without EachOwn only the last lane has a block of its own: enough for exclusive entries.
template <bool EachOwn = true, class G, class S, class Op>
RUNG_DEVICE left_blocks<S, G::levels> up_sweep(const G& group, const S& v, const Op& op) {
  left_blocks<S, G::levels> b{{}, v, group.rank()};
  climb<0, EachOwn, G>(group.connect(), b, ends(b.rank), op);
  return b;
}

}  // namespace detail
}  // namespace rung
