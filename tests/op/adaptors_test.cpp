// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Operators made from others: skip_nan, accumulate_in, fuse, make_operator, alone and in each
// other; and what a plain struct or lambda of the user's own needs to be one.
#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "op/values.hpp"
#include "order/same.hpp"

namespace rung::test {
namespace {

template <class T>
using list = std::vector<T>;
constexpr float nan32 = quiet_nan<float>;
constexpr double nan64 = quiet_nan<double>;

TEST(SkipNan, IsTheOperatorOverTheOthersAtTheirPositions) {
  const list<float> x{nan32, 3, nan32, nan32, -1, 8, nan32, 2, nan32};
  EXPECT_EQ(value_of(skip_nan{plus{}}, x), 12);
  EXPECT_EQ(value_of(skip_nan{mean{}}, x), 3);
  EXPECT_EQ(value_of(skip_nan{minimum{}}, x), -1);
  EXPECT_EQ(value_of(skip_nan{arg_max{}}, x).index, 5);
  EXPECT_EQ(value_of(skip_nan{moments{}}, x).count, 4);
  EXPECT_EQ(value_of(skip_nan{min_max{}}, x).max, 8);
  EXPECT_EQ(value_of(skip_nan{norm{}}, list<double>{3, nan64, 4}), 5);
  EXPECT_EQ(float(value_of(skip_nan{plus{}}, list<f16>{f16(NAN), f16(2), f16(NAN)})), 2);
  EXPECT_EQ(value_of(skip_nan{plus{}}, list<int>{1, 2}), 3);
  EXPECT_EQ(value_of(skip_nan{plus{}}, list<std::complex<float>>{{1, NAN}, {2, 3}}).im, 3);
  // The order is that of the whole sequence: a skipped value still holds its place in the tree.
  const list<float> gap{1e8f, nan32, 1, 1};
  EXPECT_EQ(value_of(skip_nan{plus{}}, gap), 1e8f + (1.0f + 1.0f));
  EXPECT_PRED_FORMAT2(same, value_of(skip_nan{plus{}}, list<float>{-0.0f, nan32}), -0.0f);
}

TEST(SkipNan, WhereAllAreMissing) {
  const list<double> x{nan64, nan64, nan64}, none;
  EXPECT_PRED_FORMAT2(same, value_of(skip_nan{plus{}}, x), 0.0);
  EXPECT_PRED_FORMAT2(same, value_of(skip_nan{multiplies{}}, x), 1.0);
  EXPECT_PRED_FORMAT2(same, value_of(skip_nan{mean{}}, x), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(skip_nan{minimum{}}, x), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(skip_nan{maximum{}}, x), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(skip_nan{min_max{}}, x),
                      (min_max_value<double>{nan64, nan64}));
  EXPECT_EQ(value_of(skip_nan{arg_min{}}, x).index, -1);
  EXPECT_EQ(value_of(skip_nan{norm{}}, x), 0);
  EXPECT_EQ(value_of(skip_nan{log_sum_exp{}}, x), -infinity<double>);
  EXPECT_EQ(value_of(skip_nan{moments{}}, x).count, 0);
  EXPECT_PRED_FORMAT2(same, value_of(skip_nan{moments{}}, x).variance(), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(skip_nan{plus{}}, none), 0.0);
}

TEST(AccumulateIn, HoldsAndGivesTheWiderType) {
  const list<float> x{1e30f, 1, -1e30f, 1};
  EXPECT_EQ(value_of(plus{}, x), 0);
  static_assert(std::is_same_v<result_t<decltype(accumulate_in<double>(plus{})), float>, double>);
  EXPECT_EQ(value_of(accumulate_in<double>(plus{}), list<float>{16777216, 1, 1, 1}), 16777219);
  EXPECT_EQ(value_of(accumulate_in<double>(mean{}), list<std::int64_t>{1, 2}), 1.5);
  EXPECT_EQ(value_of(accumulate_in<float>(arg_max{}), list<f16>{f16(1), f16(2)}).index, 1);
  EXPECT_EQ(value_of(accumulate_in<double>(minimum{}), list<int>{3, -2}), -2.0);
  EXPECT_PRED_FORMAT2(same, value_of(accumulate_in<double>(plus{}), list<float>{}), 0.0);
  EXPECT_PRED_FORMAT2(same, value_of(accumulate_in<double>(log_sum_exp{}), list<float>{}),
                      -infinity<double>);
  EXPECT_EQ(value_of(accumulate_in<complex<double>>(plus{}), list<complex<float>>{{1, 2}}).im, 2);
  const auto last = make_operator([](double, double r) { return r; }, identity_is{7.0});
  EXPECT_EQ(value_of(accumulate_in<double>(last), list<float>{}), 7);
}

TEST(Fuse, GivesWhatEachGivesAlone) {
  std::mt19937 rng(11);
  std::normal_distribution<float> normal;
  list<float> x;
  for (int i = 0; i < 1000; i++) x.push_back(normal(rng));
  const float above = 0.5f;
  const auto counter = count_if{[above](float v) { return v > above; }};  // no default constructor
  const auto all = value_of(fuse(plus{}, min_max{}, moments{}, arg_max{}, counter, norm{}), x);
  EXPECT_PRED_FORMAT2(same, std::get<0>(all), value_of(plus{}, x));
  EXPECT_PRED_FORMAT2(same, std::get<1>(all), value_of(min_max{}, x));
  EXPECT_PRED_FORMAT2(same, std::get<2>(all), value_of(moments{}, x));
  EXPECT_PRED_FORMAT2(same, std::get<3>(all), value_of(arg_max{}, x));
  EXPECT_PRED_FORMAT2(same, std::get<4>(all), value_of(counter, x));
  EXPECT_PRED_FORMAT2(same, std::get<5>(all), value_of(norm{}, x));
  const auto nothing = value_of(fuse(plus{}, multiplies{}, counter), list<float>{});
  EXPECT_PRED_FORMAT2(same, nothing, (std::tuple(0.0f, 1.0f, std::int64_t(0))));
  EXPECT_EQ(std::get<0>(value_of(fuse(plus{}), list<int>{1, 2})), 3);
  const auto inner =
      value_of(fuse(fuse(plus{}, maximum{}), skip_nan{minimum{}}), list<double>{1, nan64, 3});
  EXPECT_TRUE(is_nan(std::get<0>(std::get<0>(inner))));
  EXPECT_EQ(std::get<1>(inner), 1);
  EXPECT_EQ(std::get<0>(value_of(skip_nan{fuse(plus{}, mean{})}, list<float>{nan32, 4})), 4);
}

TEST(MakeOperator, FactsInAnyNumber) {
  const auto join = [](auto l, auto r) { return l < r ? r : l; };
  const auto bare = make_operator(join);
  const auto with_identity = make_operator(join, identity_is{std::int64_t(-1)});
  const auto with_order = make_operator(join, exact_in_any_order{});
  const auto with_both = make_operator(join, identity_is{std::int64_t(-1)}, exact_in_any_order{});
  static_assert(!any_order<decltype(bare), std::int64_t> && any_order<decltype(with_order), int>);
  static_assert(!has_empty<decltype(bare), std::int64_t>);
  static_assert(!has_empty<decltype(with_order), std::int64_t>);
  static_assert(has_empty<decltype(with_both), std::int64_t>);
  static_assert(any_order<decltype(with_both), std::int64_t>);
  const list<std::int8_t> x{3, 9, -2};
  EXPECT_EQ(value_of(bare, x), 9);
  EXPECT_EQ(value_of(with_identity, x), 9);
  EXPECT_EQ(value_of(with_order, x), 9);
  EXPECT_EQ(value_of(with_both, list<std::int8_t>{}), -1);
  static_assert(std::is_same_v<state_t<decltype(bare), std::int8_t>, std::int64_t>);
  static_assert(std::is_same_v<state_t<decltype(bare), f16>, float>);
}

/// Twelve bytes, and joining does not commute.
struct triple {
  float a, b;
  std::int32_t n;
};
TEST(MakeOperator, OverATypeOfTheUsersOwn) {
  const auto op = make_operator([](triple l, triple r) {
    return triple{l.a * r.a, l.b * r.a + r.b, l.n + r.n};
  });
  static_assert(sizeof(triple) == 12);
  static_assert(operator_over<decltype(op), triple>);
  const triple t = value_of(op, list<triple>{{2, 1, 1}, {3, 0, 1}, {1, 5, 1}});
  EXPECT_EQ(t.a, 6);
  EXPECT_EQ(t.b, 8);
  EXPECT_EQ(t.n, 3);
}

/// A lambda alone is an operator too.
TEST(Operator, APlainCallableIsEnough) {
  const auto least = [](std::int64_t l, std::int64_t r) { return l < r ? l : r; };
  static_assert(operator_over<decltype(least), std::int16_t>);
  static_assert(!any_order<decltype(least), std::int64_t>);
  EXPECT_EQ(value_of(least, list<std::int16_t>{4, -3, 2}), -3);
}

TEST(Operator, ConceptsSeeWhatIsMissing) {
  struct takes_text {
    std::string operator()(std::string l, std::string) const { return l; }
  };
  struct not_const {
    double operator()(double l, double) { return l; }
  };
  static_assert(!operator_over<takes_text, std::string>);
  static_assert(!operator_over<takes_text, float>);
  static_assert(!operator_over<not_const, double>);
  static_assert(!operator_over<minimum, complex<float>>);
  static_assert(!operator_over<arg_max, complex<double>>);
  static_assert(!operator_over<min_max, complex<float>>);
  static_assert(!operator_over<log_sum_exp, complex<float>>);
  static_assert(!operator_over<bit_and, float>);
  static_assert(operator_over<plus, bool> && operator_over<minimum, f16>);
  static_assert(operator_over<affine, affine_map<float>>);
  SUCCEED();
}

}  // namespace
}  // namespace rung::test
