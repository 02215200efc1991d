// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of the values of several blocks, in the one order of their positions: (block, thread,
// item). Data flow: each block folds its values and hands the tree to every block of the team; each
// thread folds the trees of the blocks before its own; the block scans its values after that. Cost:
// that of a reduction of the team and of a scan of the block. Arrays are scanned in place. After
// the operator: an init, total_to(t), or both; a total that ends within a block takes one exchange
// more.
#pragma once
#include "group.cuh"

namespace rung {

/// x[item] = the fold of the positions up to its own.
template <block_team T, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void inclusive_scan(const T& team, S (&x)[K], const Op& op, const More&... more) {
  detail::scan_team<detail::entries::inclusive, T, S, int(K)>(team, x, op, more...);
}
/// One value per thread; its entry comes back.
template <block_team T, class S, class Op, class... More>
RUNG_DEVICE S inclusive_scan(const T& team, const S& v, const Op& op, const More&... more) {
  S x[1] = {v};
  inclusive_scan(team, x, op, more...);
  return x[0];
}

/// x[item] = the fold of the positions before its own; the first one gets the init, or the
/// operator's empty state.
template <block_team T, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void exclusive_scan(const T& team, S (&x)[K], const Op& op, const More&... more) {
  detail::scan_team<detail::entries::exclusive, T, S, int(K)>(team, x, op, more...);
}
template <block_team T, class S, class Op, class... More>
RUNG_DEVICE S exclusive_scan(const T& team, const S& v, const Op& op, const More&... more) {
  S x[1] = {v};
  exclusive_scan(team, x, op, more...);
  return x[0];
}

}  // namespace rung
