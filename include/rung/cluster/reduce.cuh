// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce of the values of several blocks, in the one order of their positions: (block, thread,
// item). Data flow: each block folds its values (the block rung), hands the tree to every block of
// the team, and every thread folds the trees. Cost in a cluster of C blocks: a reduction of a
// block, 2 barriers of the cluster (the first overlaps the reduction), C states written per block
// and C read per thread. In a grid: see grid/reduce.cuh.
#pragma once
#include "group.cuh"

namespace rung {

/// The fold of the team's values, K neighbours per thread, for every thread.
template <block_team T, class S, std::size_t K, class Op>
RUNG_DEVICE S reduce(const T& team, const S (&x)[K], const Op& op) {
  return detail::reduce_team<T, S, int(K)>(team, x, op);
}
/// One value per thread.
template <block_team T, class S, class Op>
RUNG_DEVICE S reduce(const T& team, const S& v, const Op& op) {
  const S x[1] = {v};
  return reduce(team, x, op);
}

/// The same on thread 0 of block 0 alone.
template <block_team T, class S, std::size_t K, class Op>
RUNG_DEVICE held<S> reduce_to_one(const T& team, const S (&x)[K], const Op& op) {
  return {reduce(team, x, op), team.rank() == 0 && team.block().rank() == 0};
}
template <block_team T, class S, class Op>
RUNG_DEVICE held<S> reduce_to_one(const T& team, const S& v, const Op& op) {
  const S x[1] = {v};
  return reduce_to_one(team, x, op);
}

}  // namespace rung
