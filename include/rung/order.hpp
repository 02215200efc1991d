// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The one order ("order 1", frozen). Positions [0, n) are cut into the aligned power-of-two blocks
// of n's binary expansion, largest first (13: [0,8) [8,12) [12,13)). Each block is a perfect binary
// tree over neighbours, left operand left; the block results are folded left to right. An inclusive
// scan's entry i is the fold of positions 0 .. i. Everything else in the library is a faster way to
// these bits. Error of a float sum: about log2(n) roundings.
#pragma once
#include <bit>
#include <optional>
#include <span>

#include "op.hpp"

namespace rung {

inline constexpr int order_version = 1;

/// The perfect tree over n = x.size() values, n a power of two. Positions count from `position`.
template <class Op, class T>
constexpr state_t<Op, T> tree(const Op& op, std::span<const T> x, std::int64_t position = 0) {
  if (x.size() == 1) return lift(op, x[0], position);
  const std::size_t half = x.size() / 2;
  return op(tree(op, x.first(half), position),
            tree(op, x.last(half), position + std::int64_t(half)));
}

/// The contract itself, and the oracle of the tests: the state of x in the one order, continued
/// from `start` if there is one. Nothing if there are no values and no start.
template <class Op, class T>
constexpr std::optional<state_t<Op, T>> fold(const Op& op, std::span<const T> x,
                                             std::optional<state_t<Op, T>> start = {}) {
  auto acc = start;
  std::size_t position = 0;
  while (position < x.size()) {
    const std::size_t block = std::bit_floor(x.size() - position);  // the next lower bit of n
    const auto t = tree(op, x.subspan(position, block), std::int64_t(position));
    acc = acc ? op(*acc, t) : t;
    position += block;
  }
  return acc;
}

/// Entry i of the scans: the fold of x[0 .. i] (inclusive), of x[0 .. i) (exclusive). For tests and
/// teaching: O(n).
template <class Op, class T>
constexpr auto inclusive_entry(const Op& op, std::span<const T> x, std::size_t i,
                               std::optional<state_t<Op, T>> start = {}) {
  return fold(op, x.first(i + 1), start);
}
template <class Op, class T>
constexpr auto exclusive_entry(const Op& op, std::span<const T> x, std::size_t i,
                               std::optional<state_t<Op, T>> start = {}) {
  return fold(op, x.first(i), start);
}

}  // namespace rung
