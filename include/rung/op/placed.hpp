// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// An operator over part of an array, whose kernels count from 0: what looks at positions (arg_min
// and its kind) is told where the values stand in the whole.
#pragma once
#include "facts.hpp"

namespace rung::detail {

/// op over values of which number 0 stands at a position of its own.
template <class Op>
struct placed_at : Op {
  std::int64_t first;
  RUNG_HD constexpr const Op& base() const { return *this; }
  template <class T>
  RUNG_HD constexpr auto lift(T x, std::int64_t position) const {
    return rung::lift(base(), x, first + position);
  }
  template <class T, std::size_t N>
    requires requires(const Op& op, const T (&x)[N]) { op.tree(x, std::int64_t(0)); }
  RUNG_HD constexpr auto tree(const T (&x)[N], std::int64_t position) const {
    return base().tree(x, first + position);
  }
  template <class T, std::size_t N>
  requires has_block_tree<Op, T, N> RUNG_HD constexpr auto block_tree(const T (&x)[N],
                                                                      std::int64_t position) const {
    return base().block_tree(x, first + position);
  }
  template <class S, class T, std::size_t N>
    requires requires(const Op& op, S s, const T (&x)[N]) { op.absorb(s, x, std::int64_t(0)); }
  RUNG_HD constexpr S absorb(S s, const T (&x)[N], std::int64_t position) const {
    return base().absorb(s, x, first + position);
  }
  template <int R, class S, class Rows>
    requires requires(const Op& op, S s, const Rows& x) { op.template absorb_rows<R>(s, x, 0, 0); }
  RUNG_HD constexpr S absorb_rows(S s, const Rows& x, std::int64_t position, int step) const {
    return base().template absorb_rows<R>(s, x, first + position, step);
  }
};
/// The same, or op itself if it does not look.
template <class T, class Op>
RUNG_HD constexpr auto placed(const Op& op, std::int64_t first) {
  if constexpr (is_positional<Op, T>) return placed_at<Op>{op, first};
  else return op;
}

}  // namespace rung::detail
