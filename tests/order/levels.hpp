// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The one order a second time, written from the other end than rung::fold: all perfect blocks of
// all sizes are made bottom-up, level by level; any prefix is then put together from the blocks
// that the bits of its length name. Every prefix costs log2(n) joins, so large scans can be checked
// at every entry.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "rung/op.hpp"

namespace rung::test {

template <class Op, class T>
class levels {
 public:
  using S = state_t<Op, T>;

  levels(const Op& op, std::span<const T> x, std::int64_t first_position = 0) : op_(op) {
    row values;
    for (std::size_t i = 0; i < x.size(); i++)
      values.push_back({lift(op, x[i], first_position + std::int64_t(i))});
    while (!values.empty()) {
      row above;
      for (std::size_t i = 0; i + 1 < values.size(); i += 2)
        above.push_back({op(values[i].state, values[i + 1].state)});
      rows_.push_back(std::move(values));
      values = std::move(above);
    }
  }

  /// The fold of the first n values, after start if there is one.
  std::optional<S> prefix(std::size_t n, std::optional<S> start = {}) const {
    std::size_t done = 0;
    for (std::size_t level = rows_.size(); level-- > 0;) {
      if (!(n & std::size_t(1) << level)) continue;
      const S& block = rows_[level][done >> level].state;
      start = start ? op_(*start, block) : block;
      done += std::size_t(1) << level;
    }
    return start;
  }

 private:
  struct holder {  // std::vector<bool> would be another thing
    S state;
  };
  using row = std::vector<holder>;
  const Op& op_;
  std::vector<row> rows_;  // rows_[k][i]: the tree over [i 2^k, (i + 1) 2^k)
};

}  // namespace rung::test
