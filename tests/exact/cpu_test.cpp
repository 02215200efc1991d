// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums on the cpu rung against the state's own additions: lines, columns, strides, segments,
// partials, several threads, on hard data.
#include "exact/hard_values.hpp"
#include "order/same.hpp"
#include "rung/cpu/reduce.hpp"
#include "rung/cpu/scan.hpp"
#include "rung/cpu/segmented.hpp"
#include "rung/partial.hpp"

namespace rung::test {
namespace {

template <class Op, class T>
result_t<Op, T> one_by_one(const Op& op, std::span<const T> x) {
  state_t<Op, T> s{};
  for (const T& v : x) s = op(s, lift(op, v, 0));
  return result_of<Op, T>(op, x.empty() ? empty_state<state_t<Op, T>>(op) : s);
}
template <class Op, class T>
void expect_exact(const Op& op, const std::vector<T>& x) {
  const auto want = one_by_one(op, std::span<const T>(x));
  for (const int threads : {1, 3})
    EXPECT_PRED_FORMAT2(same, reduce(cpu.with_threads(threads), x, op), want);
}

template <class T>
void lines_are_exact() {
  hard_source from(1);
  for (int kind = 0; kind < hard_kinds; ++kind)
    for (const std::size_t n : {0, 1, 7, 8, 24, 2047, 2049, 70001}) {
      if (n == 0 && kind > 0) continue;
      const auto x = n == 0 ? std::vector<T>() : from.many<T>(hard(kind), n);
      expect_exact(exact_plus{}, x);
      if (n > 3000) continue;
      expect_exact(exact_norm{}, x);
      expect_exact(exact_mean{}, x);
      std::vector<exact_product<T>> products;
      for (std::size_t i = 0; i < n; ++i) products.push_back({x[i], x[n - 1 - i]});
      expect_exact(exact_plus{}, products);
    }
}

TEST(exact_cpu, lines_f64) { lines_are_exact<double>(); }
TEST(exact_cpu, lines_f32) { lines_are_exact<float>(); }
TEST(exact_cpu, lines_bf16) { lines_are_exact<bf16>(); }
TEST(exact_cpu, lines_f16) { lines_are_exact<f16>(); }

/// The window of levels moves with the data, gives up, and comes back.
TEST(exact_cpu, windows_move) {
  using T = double;
  hard_source from(2);
  constexpr std::uint64_t top = detail::infinity_bits<T>;
  constexpr int fields = int(top >> detail::fraction_bits<T>);
  std::vector<T> x;
  for (int k = 0; k < 40; ++k)
    for (int i = 0; i < 3000; ++i)
      x.push_back(from.value<T>(k % 3 == 2 ? 0 : k * (fields - 4) / 40, k % 3 == 2 ? fields : 4));
  expect_exact(exact_plus{}, x);
  std::reverse(x.begin(), x.end());
  expect_exact(exact_plus{}, x);
}

TEST(exact_cpu, axes_and_strides) {
  using T = double;
  hard_source from(3);
  for (const auto& [rows, columns] : {std::pair{700, 21}, {8, 300}, {33, 40}}) {
    const auto x = from.many<T>(hard::cancelling, std::size_t(rows * columns));
    const view<const T> table(x.data(), {rows, columns});
    std::vector<T> of_columns(std::size_t(columns), T(0.0f)), of_rows(std::size_t(rows), T(0.0f));
    reduce(cpu, table, exact_plus{}, axes({0}), into(of_columns));
    reduce(cpu, table.reversed(1), exact_plus{}, axes({1}), into(of_rows));
    for (int c = 0; c < columns; ++c) {
      std::vector<T> column;
      for (int r = 0; r < rows; ++r) column.push_back(x[std::size_t(r * columns + c)]);
      ASSERT_PRED_FORMAT2(same, of_columns[std::size_t(c)],
                          one_by_one(exact_plus{}, std::span<const T>(column)));
    }
    for (int r = 0; r < rows; ++r)
      ASSERT_PRED_FORMAT2(
          same, of_rows[std::size_t(r)],
          one_by_one(exact_plus{}, std::span<const T>(x).subspan(std::size_t(r * columns),
                                                                 std::size_t(columns))));
  }
}

TEST(exact_cpu, segments_and_scans) {
  using T = float;
  hard_source from(4);
  const auto x = from.many<T>(hard::bits, 5000);
  const std::span<const T> all(x);
  const std::vector<std::int64_t> offsets = {0, 0, 1, 4, 30, 2500, 5000};
  std::vector<T> sums(6, T(0.0f)), prefixes(x.size(), T(0.0f));
  segmented_reduce(cpu, x, offsets, exact_plus{}, into(sums));
  for (std::size_t s = 0; s < 6; ++s)
    EXPECT_PRED_FORMAT2(
        same, sums[s],
        one_by_one(exact_plus{},
                   all.subspan(std::size_t(offsets[s]), std::size_t(offsets[s + 1] - offsets[s]))));
  inclusive_scan(cpu, x, prefixes, exact_plus{});
  exact_state<T> s{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    s.add(x[i]);
    ASSERT_PRED_FORMAT2(same, prefixes[i], s.round()) << i;
  }
}

TEST(exact_partials, any_split) {
  hard_source from(5);
  const auto x = from.many<double>(hard::cancelling, 9000);
  const std::span<const double> all(x);
  partial<exact_plus, double> whole;
  whole.append(all);
  for (const std::size_t cut : {1, 4096, 5000}) {
    partial<exact_plus, double> left, right(exact_plus{}, std::int64_t(cut));
    left.append(all.first(cut)), right.append(all.subspan(cut));
    right = partial<exact_plus, double>::deserialise(right.serialise("sum"), exact_plus{}, "sum");
    left.merge(right);
    EXPECT_EQ(left.serialise(), whole.serialise());
    EXPECT_PRED_FORMAT2(same, left.value(), one_by_one(exact_plus{}, all));
  }
}

TEST(exact_adaptors, wider_narrower_and_without_nans) {
  const std::vector<float> x = {1e30f, 1, -1e30f, 0x1p-30f}, missing = {1, quiet_nan<float>, 2};
  EXPECT_EQ(reduce(cpu, x, exact_plus{}), 1.0f);
  EXPECT_EQ(reduce(cpu, x, exact_sum<double>{}), 1 + 0x1p-30);
  EXPECT_EQ(reduce(cpu, x, accumulate_in<double>(exact_plus{})), 1 + 0x1p-30);
  EXPECT_EQ(float(reduce(cpu, x, exact_sum<f16>{})), 1.0f);
  EXPECT_EQ(reduce(cpu, missing, skip_nan{exact_plus{}}), 3.0f);
  EXPECT_PRED_FORMAT2(
      same, reduce(cpu, std::vector<float>{quiet_nan<float>}, skip_nan{exact_plus{}}), 0.0f);
  EXPECT_EQ(reduce(cpu, x, exact_plus{}, 2.0f), 3.0f);
  const std::vector<std::int64_t> big = {INT64_MAX, INT64_MAX, 2};
  EXPECT_EQ(reduce(cpu, big, exact_mean{}), 0x1p64 / 3);
  const std::vector<std::int16_t> few = {1, 2, 4};
  EXPECT_EQ(reduce(cpu, few, exact_moments{}).variance(1), 7.0 / 3);
}

}  // namespace
}  // namespace rung::test
