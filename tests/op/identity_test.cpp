// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// An identity is an exact no-op on both sides for every state, down to the sign of a zero, in
// states of hard values and in states of joins of them. Operators without one say so.
#include <gtest/gtest.h>

#include "op/values.hpp"
#include "order/same.hpp"

namespace rung::test {
namespace {

template <class T, class Op>
void check_identity(const Op& op) {
  using S = state_t<Op, T>;
  const S none = identity<S>(op);
  std::vector<S> states;
  for (const T x : hard_values<T>()) states.push_back(lift(op, x, std::int64_t(states.size())));
  const std::size_t singles = states.size();
  for (std::size_t i = 0; i < singles; i++)
    for (std::size_t j = 0; j < singles; j++) states.push_back(op(S(states[i]), S(states[j])));
  states.push_back(none);
  for (const S s : states) {
    ASSERT_PRED_FORMAT2(same, S(op(none, s)), s);
    ASSERT_PRED_FORMAT2(same, S(op(s, none)), s);
  }
}

template <class Op, class... T>
void check_identity_over() {
  (check_identity<T>(Op{}), ...);
}

TEST(Identity, OfArithmetic) {
  check_identity_over<plus, bool, std::int8_t, std::uint64_t, f16, bf16, float, double,
                      complex<float>, complex<double>>();
  check_identity_over<multiplies, bool, std::int64_t, std::uint16_t, f16, bf16, float, double>();
  check_identity_over<mean, std::int32_t, f16, float, double, complex<float>>();
  check_identity_over<moments, std::uint8_t, bf16, float, double, complex<double>>();
  check_identity_over<norm, std::int64_t, f16, float, double, complex<double>>();
}

TEST(Identity, OfExtremes) {
  check_identity_over<minimum, bool, std::int8_t, std::uint64_t, f16, float, double>();
  check_identity_over<maximum, bool, std::int64_t, std::uint8_t, bf16, float, double>();
  check_identity_over<minimum_number, std::int32_t, f16, float, double>();
  check_identity_over<maximum_number, std::uint32_t, bf16, float, double>();
  check_identity_over<arg_min, std::int8_t, f16, float, double>();
  check_identity_over<arg_max, std::uint64_t, bf16, float, double>();
  check_identity_over<min_max, std::int16_t, f16, float, double>();
  check_identity_over<min_max_number, std::uint16_t, bf16, float, double>();
}

TEST(Identity, OfLogicAndCounting) {
  check_identity_over<any, bool, std::int32_t, f16, float, complex<float>>();
  check_identity_over<all, bool, std::uint32_t, bf16, double, complex<double>>();
  check_identity_over<count_nonzero, bool, std::int8_t, f16, float, complex<float>>();
  check_identity_over<bit_and, bool, std::int8_t, std::uint64_t>();
  check_identity_over<bit_or, bool, std::int8_t, std::uint64_t>();
  check_identity_over<bit_xor, bool, std::int8_t, std::uint64_t>();
}

/// In log_sum_exp a NaN maximum makes the sum NaN, which no result shows.
template <class T>
void check_log_sum_exp() {
  const log_sum_exp op;
  using S = state_t<log_sum_exp, T>;
  const S none = identity<S>(op);
  for (const T x : hard_values<T>())
    for (const T y : hard_values<T>()) {
      const S s = op(lift(op, x, 0), lift(op, y, 1));
      const auto check = [&](S joined) {
        if (!is_nan(s.maximum)) {
          ASSERT_PRED_FORMAT2(same, joined, s);
        } else {
          ASSERT_TRUE(is_nan(joined.maximum));
        }
        ASSERT_PRED_FORMAT2(same, (result_of<log_sum_exp, T>(op, joined)),
                            (result_of<log_sum_exp, T>(op, s)));
      };
      check(op(none, s));
      check(op(s, none));
    }
}
TEST(Identity, OfLogSumExp) {
  check_log_sum_exp<f16>();
  check_log_sum_exp<float>();
  check_log_sum_exp<double>();
  check_log_sum_exp<std::int64_t>();
}

TEST(Identity, OfAdaptors) {
  check_identity<float>(skip_nan{plus{}});
  check_identity<double>(skip_nan{moments{}});
  check_identity<f16>(skip_nan{arg_min{}});
  check_identity<float>(accumulate_in<double>(plus{}));
  check_identity<std::int16_t>(accumulate_in<float>(minimum{}));
  check_identity<int>(make_operator([](std::int64_t l, std::int64_t r) { return l < r ? r : l; },
                                    identity_is{lowest_value<std::int64_t>()}));
}

TEST(Identity, OfAffineOverIntegers) {
  const affine op;
  using S = affine_map<std::int64_t>;
  for (const std::int64_t a : hard_values<std::int64_t>())
    for (const std::int64_t b : hard_values<std::int64_t>()) {
      EXPECT_EQ(op(S{a, b}, identity<S>(op)).a, a);
      EXPECT_EQ(op(S{a, b}, identity<S>(op)).b, b);
      EXPECT_EQ(op(identity<S>(op), S{a, b}).a, a);
      EXPECT_EQ(op(identity<S>(op), S{a, b}).b, b);
    }
}

TEST(Identity, IsNotClaimedWhereThereIsNone) {
  static_assert(!has_identity<multiplies, complex<float>>);
  static_assert(!has_identity<affine, affine_map<double>>);
  static_assert(has_empty<multiplies, complex<float>>);
  static_assert(has_empty<affine, affine_map<double>>);
  constexpr auto none = make_operator([](float l, float) { return l; });
  static_assert(!has_empty<decltype(none), float>);
  static_assert(!has_empty<fuse<plus, std::remove_cv_t<decltype(none)>>,
                           state_t<fuse<plus, std::remove_cv_t<decltype(none)>>, float>>);
  static_assert(has_empty<fuse<plus, multiplies>, state_t<fuse<plus, multiplies>, float>>);
  // 0 is not one for a float sum, and (1 + 0i) is not one for a complex product.
  EXPECT_FALSE(std::signbit(plus{}(0.0f, -0.0f) * 1));
  EXPECT_PRED_FORMAT2(same, plus{}(identity<float>(plus{}), -0.0f), -0.0f);
  const complex<float> z(0.0f, -0.0f);
  EXPECT_FALSE(same_bits(multiplies{}(complex<float>(1, 0), z), z));
}

}  // namespace
}  // namespace rung::test
