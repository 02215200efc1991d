// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Long inputs, long enough to be cut into chunks that threads fold and scan at the same time: every
// entry of a scan for every number of threads, against the blocks of levels.hpp.
#pragma once
#include <gtest/gtest.h>

#include "cpu/meeting.hpp"
#include "cpu/random_layout.hpp"
#include "order/levels.hpp"
#include "order/same.hpp"
#include "rung/cpu/reduce.hpp"
#include "rung/cpu/scan.hpp"
#include "rung/order.hpp"

namespace rung::test {

inline constexpr int thread_counts[] = {1, 2, 3, 8};

template <class T>
block<T> random_block(std::int64_t n, std::uint64_t seed, specials may_occur = specials::none) {
  generator rng(seed);
  block<T> x(n);
  fill_randomly(rng, x, may_occur);
  return x;
}

/// All prefixes of x as results: entry n is the result of the first n values.
template <class Op, class T>
block<result_t<Op, T>> all_prefixes(const Op& op, std::span<const T> x,
                                    std::optional<state_t<Op, T>> start = {}) {
  const levels<Op, T> l(op, x);
  block<result_t<Op, T>> p(std::int64_t(x.size()) + 1);
  if constexpr (has_empty<Op, state_t<Op, T>>)
    p[0] = result_of<Op, T>(op, start ? *start : empty_state<state_t<Op, T>>(op));
  for (std::size_t n = 1; n <= x.size(); n++)
    p[std::int64_t(n)] = result_of<Op, T>(op, *l.prefix(n, start));
  return p;
}

/// got(i) == want[i + shift] for i < n, all bits.
template <class R, class Got>
void expect_entries(const Got& got, const block<R>& want, std::int64_t n, std::int64_t shift) {
  std::int64_t wrong = 0, first = -1;
  for (std::int64_t i = 0; i < n; i++)
    if (!same_bits(R(got(i)), want[i + shift]) && wrong++ == 0) first = i;
  ASSERT_EQ(wrong, 0) << "of " << n << " entries; the first is " << first << ": "
                      << hex(R(got(first))) << " instead of " << hex(want[first + shift]);
}

/// reduce and both scans of one long line, in place too where that is possible.
template <class T, class Op>
void check_long_line(const Op& op, std::int64_t n, std::uint64_t seed) {
  using R = result_t<Op, T>;
  const block<T> x = random_block<T>(n, seed);
  const block<R> want = all_prefixes(op, x.all());
  for (const int threads : thread_counts) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    const auto where = cpu.with_threads(threads);
    wake_workers(where);
    ASSERT_PRED_FORMAT2(same, reduce(where, x.all(), op), want[n]);
    block<R> out(n);
    const std::span<R> target(out.data(), std::size_t(n));
    const auto entry = [&](std::int64_t i) { return out[i]; };
    inclusive_scan(where, x.all(), target, op);
    ASSERT_NO_FATAL_FAILURE(expect_entries(entry, want, n, 1));
    exclusive_scan(where, x.all(), target, op);
    ASSERT_NO_FATAL_FAILURE(expect_entries(entry, want, n, 0));
    if constexpr (std::is_same_v<R, T>) {
      std::copy(x.data(), x.data() + n, out.data());
      inclusive_scan(where, target, target, op);
      ASSERT_NO_FATAL_FAILURE(expect_entries(entry, want, n, 1));
      std::copy(x.data(), x.data() + n, out.data());
      exclusive_scan(where, target, target, op);
      ASSERT_NO_FATAL_FAILURE(expect_entries(entry, want, n, 0));
    }
  }
}

/// A few long lines along an axis of a matrix, in C order, then reversed and into every second
/// element, after a start.
template <class T, class Op>
void check_long_lines(const Op& op, std::int64_t rows, std::int64_t columns, int along,
                      std::uint64_t seed) {
  using R = result_t<Op, T>;
  const block<T> memory = random_block<T>(rows * columns, seed);
  const view<const T> plain(memory.data(), {rows, columns});
  const std::int64_t lines = along == 0 ? columns : rows, n = along == 0 ? rows : columns;
  const auto start = lift(op, memory[0], 0);
  for (const bool turned : {false, true}) {
    const view<const T> x = turned ? plain.reversed(along) : plain;
    std::vector<block<R>> want;
    for (std::int64_t i = 0; i < lines; i++) {
      block<T> line(n);
      for (std::int64_t j = 0; j < n; j++) line[j] = along == 0 ? x(j, i) : x(i, j);
      want.push_back(all_prefixes(op, line.all(), std::optional(start)));
    }
    for (const int threads : thread_counts) {
      SCOPED_TRACE(std::to_string(threads) + " threads" + (turned ? ", reversed" : ""));
      const auto where = cpu.with_threads(threads);
      wake_workers(where);
      block<R> results(lines), out(2 * rows * columns);
      reduce(where, x, op, axes{along}, start,
             into(std::span<R>(results.data(), std::size_t(lines))));
      const view<R> target = turned ? view<R>(out.data(), {rows, columns}, {2 * columns, 2})
                                    : view<R>(out.data(), {rows, columns});
      inclusive_scan(where, x, target, op, axis{along}, start);
      for (std::int64_t i = 0; i < lines; i++) {
        const block<R>& w = want[std::size_t(i)];
        ASSERT_PRED_FORMAT2(same, results[i], w[n]);
        const auto entry = [&](std::int64_t j) { return along == 0 ? target(j, i) : target(i, j); };
        ASSERT_NO_FATAL_FAILURE(expect_entries(entry, w, n, 1)) << "line " << i;
      }
    }
  }
}

}  // namespace rung::test
