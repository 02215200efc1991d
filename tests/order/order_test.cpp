// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle itself: the shape of its expression for every small n, agreement with a second
// implementation, what a start does, and the error bound that the order was chosen for.
#include "rung/order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "order/levels.hpp"
#include "order/same.hpp"

namespace rung::test {
namespace {

/// A range of positions and how it was put together: joining records height and checks adjacency.
struct span_state {
  std::int64_t begin, end;
  int height;  // of the perfect tree, or -1 if this is none
  bool ordered;
};
struct record {
  span_state lift(int, std::int64_t position) const { return {position, position + 1, 0, true}; }
  span_state operator()(span_state l, span_state r) const {
    const bool perfect = l.height >= 0 && l.height == r.height && l.begin % (2 << l.height) == 0;
    return {l.begin, r.end, perfect ? l.height + 1 : -1,
            l.ordered && r.ordered && l.end == r.begin && r.height >= 0};
  }
};

TEST(Order, CutsIntoAlignedBlocksLargestFirst) {
  // 13 = 8 + 4 + 1: ((0..7) (8..11)) (12), every inner tree perfect.
  struct text {
    char s[200];
  };
  struct write {
    text lift(int x) const {
      text t{};
      std::snprintf(t.s, sizeof t.s, "%d", x);
      return t;
    }
    text operator()(text l, text r) const {
      text t{};
      const std::string both = "(" + std::string(l.s) + " " + r.s + ")";
      both.copy(t.s, sizeof t.s - 1);
      return t;
    }
  };
  std::vector<int> x(13);
  for (int i = 0; i < 13; i++) x[std::size_t(i)] = i;
  const auto f = fold(write{}, std::span<const int>(x));
  EXPECT_STREQ(f->s, "(((((0 1) (2 3)) ((4 5) (6 7))) ((8 9) (10 11))) 12)");
}

TEST(Order, JoinsNeighboursOnlyAndOnlyPerfectTreesOnTheRight) {
  const std::vector<int> x(3000);
  for (std::size_t n = 1; n <= x.size(); n += n < 300 ? 1 : 37) {
    const auto f = fold(record{}, std::span<const int>(x).first(n));
    ASSERT_TRUE(f->ordered) << n;
    ASSERT_EQ(f->begin, 0);
    ASSERT_EQ(f->end, std::int64_t(n));
    ASSERT_EQ(f->height >= 0, std::has_single_bit(n)) << n;
  }
}

template <class T, class Op>
void agrees_with_levels(const Op& op, std::vector<T> x, std::optional<state_t<Op, T>> start) {
  const levels<Op, T> second(op, x);
  const std::span<const T> s(x);
  for (std::size_t n = 0; n <= x.size(); n++) {
    const auto a = fold(op, s.first(n), start), b = second.prefix(n, start);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (a) {
      ASSERT_PRED_FORMAT2(same, *a, *b) << "n = " << n;
    }
    if (n < x.size()) {
      ASSERT_PRED_FORMAT2(same, *inclusive_entry(op, s, n, start), *second.prefix(n + 1, start));
      const auto e = exclusive_entry(op, s, n, start);
      ASSERT_EQ(e.has_value(), a.has_value());
      if (e) {
        ASSERT_PRED_FORMAT2(same, *e, *a);
      }
    }
  }
}

TEST(Order, TwoImplementationsAgreeOnEveryPrefix) {
  std::mt19937 rng(1);
  std::normal_distribution<double> normal;
  std::vector<float> f;
  std::vector<double> d;
  std::vector<affine_map<double>> m;
  for (int i = 0; i < 600; i++) {
    f.push_back(float(normal(rng)));
    d.push_back(1 + normal(rng) / 100);
    m.push_back({1 + normal(rng) / 10, normal(rng)});
  }
  agrees_with_levels<float>(plus{}, f, {});
  agrees_with_levels<float>(plus{}, f, 0.1f);
  agrees_with_levels<double>(multiplies{}, d, {});
  agrees_with_levels<double>(multiplies{}, d, 1.25);
  agrees_with_levels<affine_map<double>>(affine{}, m, {});
  agrees_with_levels<affine_map<double>>(affine{}, m, affine_map<double>{0.5, 2});
  agrees_with_levels<float>(arg_max{}, f, {});
}

TEST(Order, NothingWithoutValuesOrStart) {
  EXPECT_FALSE(fold(plus{}, std::span<const float>()).has_value());
  EXPECT_EQ(fold(plus{}, std::span<const float>(), std::optional(2.0f)), 2.0f);
}

TEST(Order, IsUsableInConstantExpressions) {
  static constexpr int x[] = {1, 2, 3, 4, 5, 6, 7};
  static_assert(*fold(plus{}, std::span<const int>(x)) == 28);
  static_assert(*fold(plus{}, std::span<const int>(x), std::optional<std::int64_t>(2)) == 30);
  static_assert(order_version == 1);
}

/// |sum - exact| is at most about log2(n) roundings of the sum of magnitudes, at every prefix.
TEST(Order, ErrorIsAboutLog2nRoundings) {
  std::mt19937 rng(2);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> x(1 << 17);
  for (float& v : x) v = uniform(rng);
  const levels<plus, float> all(plus{}, x);
  __float128 exact = 0;
  double worst = 0;
  for (std::size_t n = 1; n <= x.size(); n++) {
    exact += x[n - 1];
    const double error = std::abs(double(__float128(*all.prefix(n)) - exact) / double(exact));
    const double bound = (std::log2(double(n)) + 1) * 0x1p-24;
    ASSERT_LE(error, bound) << n;
    worst = std::max(worst, error / bound);
  }
  EXPECT_GT(worst, 0.01);  // the check above is not an empty one
}

}  // namespace
}  // namespace rung::test
