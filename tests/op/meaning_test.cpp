// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What sums, products, means, extremes, logic and counting mean: accumulator and result types,
// wrap-around, NaN, infinities, ties, signed zeros, and the results of nothing.
#include <gtest/gtest.h>

#include <complex>

#include "op/values.hpp"
#include "order/same.hpp"

namespace rung::test {
namespace {

template <class T>
using list = std::vector<T>;
constexpr float nan32 = quiet_nan<float>, inf32 = infinity<float>;
constexpr double nan64 = quiet_nan<double>, inf64 = infinity<double>;

template <class Op, class T, class Result>
constexpr bool gives = std::is_same_v<result_t<Op, T>, Result>;

TEST(Meaning, ResultTypes) {
  static_assert(gives<plus, bool, std::int64_t> && gives<plus, std::int8_t, std::int64_t>);
  static_assert(gives<plus, std::uint8_t, std::uint64_t> && gives<plus, f16, f16>);
  static_assert(gives<multiplies, bf16, bf16> && gives<multiplies, std::int32_t, std::int64_t>);
  static_assert(gives<plus, std::complex<float>, complex<float>>);
  static_assert(gives<mean, std::int32_t, double> && gives<mean, f16, f16>);
  static_assert(gives<mean, bool, double> && gives<mean, complex<double>, complex<double>>);
  static_assert(gives<minimum, std::int8_t, std::int8_t> && gives<maximum, bf16, bf16>);
  static_assert(gives<any, double, bool> && gives<count_nonzero, f16, std::int64_t>);
  static_assert(gives<log_sum_exp, f16, f16> && gives<log_sum_exp, int, double>);
  static_assert(gives<bit_xor, std::int16_t, std::int16_t>);
  static_assert(std::is_same_v<state_t<plus, f16>, float>);
}

TEST(Meaning, IntegerSumsAndProductsWrapIn64Bits) {
  EXPECT_EQ(value_of(plus{}, list<std::uint8_t>(300, 1)), 300u);
  EXPECT_EQ(value_of(plus{}, list<std::int8_t>{100, 100, 100}), 300);
  EXPECT_EQ(value_of(multiplies{}, list<std::int8_t>{100, 100, 100}), 1000000);
  EXPECT_EQ(value_of(multiplies{}, list<std::int32_t>{10000, 10000, 10000}), 1000000000000);
  EXPECT_EQ(value_of(plus{}, list<bool>{false, false, true, true}), 2);
  EXPECT_EQ(value_of(multiplies{}, list<bool>{false, true}), 0);
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(value_of(plus{}, list<std::int64_t>{most, 1}),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value_of(multiplies{}, list<std::int64_t>{most, 2}), -2);
  EXPECT_EQ(value_of(plus{}, list<std::uint64_t>{~std::uint64_t(0), 2}), 1u);
  EXPECT_EQ(value_of(mean{}, list<std::uint64_t>(3, ~std::uint64_t(0))), 0x1p64);
}

TEST(Meaning, HalvesAreHeldInFloatAndRoundedOnce) {
  const list<f16> forties(3, f16(40000));
  EXPECT_EQ(float(value_of(mean{}, forties)), 40000);
  EXPECT_EQ(float(value_of(plus{}, forties)), inf32);
  EXPECT_EQ(value_of(accumulate_in<float>(plus{}), forties), 120000);
  EXPECT_EQ(float(value_of(plus{}, list<f16>(4096, f16(1)))), 4096);
  EXPECT_EQ(float(value_of(mean{}, list<f16>(4096, f16(1)))), 1);
  EXPECT_EQ(float(value_of(plus{}, list<f16>(65519, f16(1)))), 65504);
  EXPECT_EQ(float(value_of(plus{}, list<f16>(65520, f16(1)))), inf32);
  list<f16> cancels(4, f16(32000));
  cancels.insert(cancels.end(), 4, f16(-32000));
  EXPECT_EQ(float(value_of(plus{}, cancels)), 0);
}

TEST(Meaning, SignedZerosAndNothing) {
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<float>{-0.0f, -0.0f}), -0.0f);
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<float>{-0.0f}), -0.0f);
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<float>{-0.0f, 0.0f}), 0.0f);
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<float>{}), 0.0f);
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<f16>{}), f16(0.0f));
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<complex<double>>{}), complex<double>(0));
  EXPECT_PRED_FORMAT2(same, value_of(multiplies{}, list<double>{}), 1.0);
  EXPECT_PRED_FORMAT2(same, value_of(multiplies{}, list<complex<float>>{}), complex<float>(1));
  EXPECT_EQ(value_of(multiplies{}, list<std::uint8_t>{}), 1u);
  EXPECT_EQ(value_of(any{}, list<float>{}), false);
  EXPECT_EQ(value_of(all{}, list<float>{}), true);
  EXPECT_EQ(value_of(count_nonzero{}, list<float>{}), 0);
  EXPECT_PRED_FORMAT2(same, value_of(mean{}, list<float>{}), nan32);
  EXPECT_PRED_FORMAT2(same, value_of(mean{}, list<int>{}), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(norm{}, list<float>{}), 0.0);
  EXPECT_PRED_FORMAT2(same, value_of(log_sum_exp{}, list<double>{}), -inf64);
  EXPECT_PRED_FORMAT2(same, value_of(moments{}, list<double>{}).variance(), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(variance{}, list<double>{}), nan64);
}

TEST(Meaning, VarianceAndItsRootAsNumbers) {
  const list<float> x{1, 2, 3, 4, 5};
  EXPECT_EQ(value_of(variance{}, x), 2);
  EXPECT_EQ(value_of(variance(1), x), 2.5);
  EXPECT_EQ(value_of(standard_deviation(-5), x), 1);
  EXPECT_PRED_FORMAT2(same, value_of(standard_deviation(5), x), nan64);
}

TEST(Meaning, SubnormalsAreKept) {
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<float>{tiny, tiny}), 2 * tiny);
  EXPECT_PRED_FORMAT2(same, value_of(multiplies{}, list<float>{0x1p-130f, 0.5f}), 0x1p-131f);
  EXPECT_PRED_FORMAT2(same, value_of(minimum{}, list<float>{tiny, 0x1p-126f}), tiny);
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<f16>{f16::from_bits(1), f16::from_bits(2)}),
                      f16::from_bits(3));
}

TEST(Meaning, InfinitiesAndNaNInSums) {
  EXPECT_EQ(value_of(plus{}, list<double>{inf64, 2.5}), inf64);
  EXPECT_EQ(value_of(plus{}, list<double>{-inf64, -inf64}), -inf64);
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<double>{inf64, -inf64}), nan64);
  EXPECT_EQ(value_of(mean{}, list<double>{inf64, 1}), inf64);
  EXPECT_EQ(value_of(mean{}, list<f16>{f16(INFINITY), f16(1)}).bits, 0x7c00);
  // Whatever NaN comes in or arises, the one quiet NaN goes out, also in structs.
  const float odd_nan = std::bit_cast<float>(0xffc12345u);
  const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  EXPECT_EQ(bits(value_of(plus{}, list<float>{odd_nan})), 0x7fc00000u);
  EXPECT_EQ(bits(value_of(plus{}, list<float>{inf32, -inf32, 1})), 0x7fc00000u);
  EXPECT_EQ(bits(value_of(multiplies{}, list<float>{inf32, 0})), 0x7fc00000u);
  EXPECT_EQ(bits(value_of(mean{}, list<float>{odd_nan, 1})), 0x7fc00000u);
  EXPECT_EQ(bits(value_of(minimum{}, list<float>{1, odd_nan})), 0x7fc00000u);
  EXPECT_EQ(bits(value_of(min_max{}, list<float>{odd_nan, 1}).max), 0x7fc00000u);
  EXPECT_EQ(bits(value_of(arg_min{}, list<float>{1, odd_nan}).value), 0x7fc00000u);
  EXPECT_EQ(value_of(plus{}, list<bf16>{bf16::from_bits(0xffc1)}).bits, 0x7fc0);
  EXPECT_EQ(bits(value_of(affine{}, list<affine_map<float>>{{odd_nan, 1}}).a), 0x7fc00000u);
  EXPECT_EQ(bits(std::get<1>(value_of(fuse(plus{}, maximum{}), list<float>{odd_nan}))),
            0x7fc00000u);
}

TEST(Meaning, NaNWinsInExtremesWhereverItStands) {
  for (std::size_t at = 0; at < 4; at++) {
    list<double> x{3, 1, 7, -inf64};
    x[at] = nan64;
    EXPECT_TRUE(is_nan(value_of(minimum{}, x)));
    EXPECT_TRUE(is_nan(value_of(maximum{}, x)));
    EXPECT_TRUE(is_nan(value_of(min_max{}, x).min) && is_nan(value_of(min_max{}, x).max));
    EXPECT_EQ(value_of(arg_min{}, x).index, std::int64_t(at));
    EXPECT_EQ(value_of(arg_max{}, x).index, std::int64_t(at));
    EXPECT_FALSE(is_nan(value_of(minimum_number{}, x)));
    EXPECT_EQ(value_of(maximum_number{}, x), at == 2 ? 3 : 7);
  }
  EXPECT_TRUE(is_nan(value_of(maximum{}, list<double>{inf64, nan64})));
  EXPECT_TRUE(is_nan(value_of(minimum{}, list<double>{-inf64, nan64})));
  EXPECT_EQ(value_of(maximum_number{}, list<double>{nan64, -inf64}), -inf64);
  EXPECT_TRUE(is_nan(value_of(minimum_number{}, list<double>{nan64, nan64})));
  EXPECT_EQ(value_of(arg_min{}, list<double>{2, nan64, nan64}).index, 1);
  EXPECT_EQ(value_of(arg_min_number{}, list<double>{nan64, 2, nan64, 2}).index, 1);
  EXPECT_EQ(value_of(arg_max_number{}, list<double>{nan64, nan64}).index, -1);
  EXPECT_EQ(value_of(maximum{}, list<f16>{f16(1), f16(NAN)}).bits, 0x7e00);
}

TEST(Meaning, DataEqualToTheIdentityOfAnExtreme) {
  EXPECT_EQ(value_of(minimum{}, list<float>(10, inf32)), inf32);
  EXPECT_EQ(value_of(arg_min{}, list<float>(10, inf32)).index, 0);
  EXPECT_EQ(value_of(maximum{}, list<float>(10, -inf32)), -inf32);
  EXPECT_EQ(value_of(arg_max{}, list<float>(10, -inf32)).index, 0);
  EXPECT_EQ(value_of(arg_min{}, list<float>{inf32, inf32, 5, inf32}).index, 2);
  EXPECT_EQ(value_of(arg_max{}, list<std::uint32_t>(3, 0)).index, 0);
  EXPECT_EQ(value_of(arg_min{}, list<double>(3, std::numeric_limits<double>::max())).index, 0);
  EXPECT_EQ(value_of(arg_max{}, list<std::int8_t>(3, -128)).index, 0);
  EXPECT_EQ(value_of(arg_min_number{}, list<std::uint64_t>(3, ~std::uint64_t(0))).index, 0);
}

TEST(Meaning, FirstOfEqualExtremes) {
  list<double> cycle;
  for (int i = 0; i < 2000; i++) cycle.push_back(i % 3);
  EXPECT_EQ(value_of(arg_max{}, cycle).index, 2);
  EXPECT_EQ(value_of(arg_min{}, cycle).index, 0);
  EXPECT_EQ(value_of(arg_max{}, list<float>{-0.0f, 0.0f}).index, 0);
  EXPECT_EQ(value_of(arg_min{}, list<float>{0.0f, -0.0f}).index, 0);
  // But the value of a minimum has a sign, so zeros are ordered there.
  EXPECT_PRED_FORMAT2(same, value_of(minimum{}, list<float>{0.0f, -0.0f}), -0.0f);
  EXPECT_PRED_FORMAT2(same, value_of(maximum{}, list<float>{-0.0f, 0.0f}), 0.0f);
  EXPECT_PRED_FORMAT2(same, value_of(min_max{}, list<double>{0.0, -0.0}),
                      (min_max_value<double>{-0.0, 0.0}));
}

TEST(Meaning, Logic) {
  EXPECT_TRUE(value_of(any{}, list<float>{0, -0.0f, nan32}));
  EXPECT_FALSE(value_of(any{}, list<float>{0, -0.0f}));
  EXPECT_TRUE(value_of(all{}, list<float>{nan32, 1}));
  EXPECT_FALSE(value_of(all{}, list<f16>{f16(1), f16(-0.0f)}));
  EXPECT_EQ(value_of(count_nonzero{}, list<complex<float>>{{0, 0}, {0, 1}, {2, 0}}), 2);
  EXPECT_EQ(value_of(count_if{[](int x) { return x > 2; }}, list<int>{1, 2, 3, 4}), 2);
  EXPECT_EQ(value_of(bit_and{}, list<std::uint8_t>{0xf3, 0x3f}), 0x33);
  EXPECT_EQ(value_of(bit_or{}, list<std::int8_t>{-128, 1}), -127);
  EXPECT_EQ(value_of(bit_xor{}, list<std::uint32_t>{5, 6, 3}), 0u);
  EXPECT_EQ(value_of(bit_and{}, list<std::int16_t>{}), -1);
  EXPECT_EQ(value_of(bit_and{}, list<bool>{true, true}), true);
}

TEST(Meaning, ComplexProductsArePlainAndPerPart) {
  using z = complex<double>;
  EXPECT_PRED_FORMAT2(same, value_of(multiplies{}, list<z>{{1, 1}, {2, -3}}), z(5, -1));
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, list<z>{{1, 1}, {2, -3}, {0.5, 0}}), z(3.5, -2));
  const list<std::complex<float>> s{{1, 2}, {3, 4}};
  EXPECT_PRED_FORMAT2(same, value_of(plus{}, s), complex<float>(4, 6));
  EXPECT_PRED_FORMAT2(same, value_of(mean{}, s), complex<float>(2, 3));
  EXPECT_EQ(value_of(multiplies{}, list<z>{{inf64, 0}, {1, 0}}).re, inf64);
  EXPECT_TRUE(is_nan(value_of(multiplies{}, list<z>{{inf64, 0}, {1, 0}}).im));
}

TEST(Meaning, AffineMapsComposeLeftToRight) {
  using m = affine_map<double>;
  const auto all = value_of(affine{}, list<m>{{2, 1}, {3, 0}, {1, 5}, {2, -4}});
  EXPECT_EQ(all.a, 12);
  EXPECT_EQ(all.b, 12);
  const auto none = value_of(affine{}, list<m>{});
  EXPECT_EQ(none.a, 1);
  EXPECT_EQ(none.b, 0);
  using mi = affine_map<std::int64_t>;
  const auto i = value_of(affine{}, list<mi>{{2, 1}, {3, 0}});
  EXPECT_EQ(i.a, 6);
  EXPECT_EQ(i.b, 3);
}

}  // namespace
}  // namespace rung::test
