// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The operators made for numerical stability, against references in more precision: variance with
// a large mean, log_sum_exp and norm at the ends of the range and with infinities.
#include <gtest/gtest.h>

#include <random>

#include "op/values.hpp"
#include "order/same.hpp"

namespace rung::test {
namespace {

template <class T>
using list = std::vector<T>;
constexpr double nan64 = quiet_nan<double>, inf64 = infinity<double>;

template <class T>
void expect_close(T got, long double want, double relative) {
  if (want == 0 || !std::isfinite(want)) {
    EXPECT_EQ((long double)got, want);
  } else {
    EXPECT_LE(std::fabs((long double)got - want), relative * std::fabs(want)) << got;
  }
}

template <class T>
long double variance_in_two_passes(const list<T>& x) {
  __float128 sum = 0, squares = 0;
  for (const T v : x) sum += (long double)v;
  const __float128 m = sum / __float128(x.size());
  for (const T v : x)
    squares += (__float128((long double)v) - m) * (__float128((long double)v) - m);
  return (long double)(squares / __float128(x.size()));
}

TEST(Moments, LargeMeanSmallSpread) {
  const list<float> a{10000000, 10000001, 10000002};
  expect_close(value_of(moments{}, a).variance(), 2.0L / 3, 1e-5);
  EXPECT_EQ(value_of(moments{}, a).variance(1), 1);
  list<float> b;
  for (int i = 0; i < 1000; i++) b.push_back(float(10001 + i % 4));
  expect_close(value_of(moments{}, b).variance(), 1.25L, 1e-5);
  const list<float> c(1000, 16777216);
  EXPECT_EQ(value_of(moments{}, c).variance(), 0);
  EXPECT_EQ(value_of(moments{}, c).standard_deviation(), 0);
  EXPECT_PRED_FORMAT2(same, value_of(moments{}, list<float>{5}).variance(1), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(moments{}, list<float>{5}).variance(2), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(moments{}, list<float>{5}).variance(), 0.0);
}

template <class T>
void check_variance(double relative) {
  std::mt19937 rng(8);
  std::normal_distribution<double> normal;
  for (const double offset : {0.0, 1.0, 1000.0, 30000.0, is_half<T> ? 60000.0 : 16000000.0})
    for (const std::size_t n : {2u, 3u, 100u, 1000u, 4097u}) {
      list<T> x;
      for (std::size_t i = 0; i < n; i++) x.push_back(convert<T>(offset + normal(rng)));
      list<double> exact;
      for (const T v : x) exact.push_back(convert<double>(v));
      const auto m = value_of(moments{}, x);
      const long double want = variance_in_two_passes(exact);
      EXPECT_GE(m.variance(), 0);
      expect_close(m.variance(), want, relative);
      EXPECT_EQ(m.count, std::int64_t(n));
    }
}
TEST(Moments, AgreeWithTwoPasses) {
  check_variance<f16>(1e-12);
  check_variance<bf16>(1e-12);
  check_variance<float>(1e-7);
  check_variance<double>(1e-7);
  check_variance<std::int32_t>(1e-7);
}

TEST(Moments, InfinitiesComplexAndIntegers) {
  const auto m = value_of(moments{}, list<double>{inf64, 1, 2});
  EXPECT_EQ(m.mean, inf64);
  EXPECT_PRED_FORMAT2(same, m.variance(), nan64);
  EXPECT_EQ(value_of(moments{}, list<double>{1, 2, -inf64}).mean, -inf64);
  EXPECT_TRUE(is_nan(value_of(moments{}, list<double>{1, inf64, -inf64}).mean));
  EXPECT_EQ(value_of(moments{}, list<double>{-1.5e308, 1.5e308}).mean, 0);
  const auto z = value_of(moments{}, list<complex<float>>{{1, 0}, {-1, 0}, {0, 1}, {0, -1}});
  EXPECT_EQ(z.variance(), 1);  // of |x - mean|
  EXPECT_EQ(z.mean, complex<double>(0));
  EXPECT_EQ(value_of(moments{}, list<bool>{true, false, true, false}).variance(), 0.25);
  EXPECT_EQ(value_of(moments{}, list<std::uint64_t>{~std::uint64_t(0), ~std::uint64_t(0)}).mean,
            0x1p64);
}

TEST(LogSumExp, InfinitiesHaveAnswers) {
  using d = list<double>;
  EXPECT_EQ(value_of(log_sum_exp{}, d{-inf64, -inf64}), -inf64);
  EXPECT_EQ(value_of(log_sum_exp{}, d{-inf64}), -inf64);
  EXPECT_EQ(value_of(log_sum_exp{}, d{inf64, -inf64}), inf64);
  EXPECT_EQ(value_of(log_sum_exp{}, d{-inf64, inf64}), inf64);
  EXPECT_EQ(value_of(log_sum_exp{}, d{inf64, inf64, 3}), inf64);
  EXPECT_PRED_FORMAT2(same, value_of(log_sum_exp{}, d{nan64, -inf64}), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(log_sum_exp{}, d{inf64, nan64}), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(log_sum_exp{}, d{-inf64, nan64, 5}), nan64);
  EXPECT_EQ(value_of(log_sum_exp{}, d{-inf64, 2.5}), 2.5);
  EXPECT_EQ(value_of(log_sum_exp{}, list<f16>{f16(-INFINITY), f16(-INFINITY)}).bits, 0xfc00);
}

TEST(LogSumExp, Accuracy) {
  using d = list<double>;
  expect_close(value_of(log_sum_exp{}, d{-1000, -1000}), -999.3068528194400546905827678785L, 1e-14);
  expect_close(value_of(log_sum_exp{}, d{1000, 1000, 1000}), 1001.0986122886681096913952452369L,
               1e-14);
  std::mt19937 rng(9);
  for (const double center : {0.0, 700.0, -5000.0, 1e6}) {
    std::normal_distribution<double> normal(center, 5);
    d x;
    list<float> f;
    for (int i = 0; i < 3001; i++) {
      x.push_back(normal(rng));
      f.push_back(float(x.back()));
    }
    const auto reference = [](const auto& v) {
      long double top = -std::numeric_limits<long double>::infinity(), sum = 0;
      for (const auto a : v) top = std::max(top, (long double)a);
      for (const auto a : v) sum += std::exp((long double)a - top);
      return top + std::log(sum);
    };
    expect_close(value_of(log_sum_exp{}, x), reference(x), 1e-14);
    expect_close(value_of(log_sum_exp{}, f), reference(f), 1e-6);
  }
  EXPECT_EQ(value_of(log_sum_exp{}, d{1e308, 1e308}), 1e308);
  EXPECT_EQ(value_of(log_sum_exp{}, d{-1e308, -1.7e308}), -1e308);
  expect_close(value_of(log_sum_exp{}, list<int>{0, 0}), std::log(2.0L), 1e-15);
}

TEST(Norm, NeitherOverflowsNorVanishes) {
  using d = list<double>;
  constexpr double most = std::numeric_limits<double>::max(), least = 5e-324;
  EXPECT_NEAR(value_of(norm{}, list<f16>{f16(600), f16(800)}), 1000, 1e-9);
  expect_close(value_of(norm{}, d{3e200, 4e200}), 5e200L, 1e-14);
  expect_close(value_of(norm{}, d{3e-200, 4e-200}), 5e-200L, 1e-14);
  expect_close(value_of(norm{}, list<float>{1e20f, 1, 1}), 1e20f, 1e-6);
  expect_close(value_of(norm{}, list<float>{1e-20f}), 1e-20f, 1e-6);
  EXPECT_EQ(value_of(norm{}, d{inf64, 1}), inf64);
  EXPECT_EQ(value_of(norm{}, d{-inf64, 1e-310}), inf64);
  EXPECT_PRED_FORMAT2(same, value_of(norm{}, d{inf64, nan64}), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(norm{}, d{nan64, 1e-300}), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(norm{}, d{nan64, 1e300}), nan64);
  EXPECT_PRED_FORMAT2(same, value_of(norm{}, d{0, -0.0}), 0.0);
  EXPECT_EQ(value_of(norm{}, d{most}), most);
  EXPECT_EQ(value_of(norm{}, d{-most}), most);
  EXPECT_EQ(value_of(norm{}, d{least}), least);
  EXPECT_EQ(value_of(norm{}, d{3 * least, -4 * least}), 5 * least);
  expect_close(value_of(norm{}, d{most / 2, most / 2}), 0x1p1023L * std::sqrt(2.0L), 1e-15);
  EXPECT_EQ(value_of(norm{}, d{most, most}), inf64);
  expect_close(value_of(norm{}, list<complex<float>>{{3, 4}, {0, 12}}), 13, 1e-15);
  expect_close(value_of(norm{}, d(4097, 1e-290)), 1e-290L * std::sqrt(4097.0L), 1e-14);
}

TEST(Norm, AcrossTheBordersOfItsClasses) {
  std::mt19937 rng(10);
  std::uniform_real_distribution<double> mantissa(1, 2);
  for (int i = 0; i < 4000; i++) {
    // Exponents close to a border, so that sums mix classes.
    const int border = i % 2 ? 480 : -480;
    list<double> x;
    __float128 squares = 0;
    for (unsigned k = 0; k < 1 + rng() % 40; k++) {
      const int exponent = border - 30 + int(rng() % 60) - (rng() % 5 == 0 ? 400 : 0);
      x.push_back(std::ldexp(mantissa(rng), exponent));
      const __float128 v = __float128(std::ldexp(x.back(), -border));
      squares += v * v;
    }
    const long double want = std::ldexp(std::sqrt((long double)squares), border);
    ASSERT_NO_FATAL_FAILURE(expect_close(value_of(norm{}, x), want, 1e-14));
  }
}

}  // namespace
}  // namespace rung::test
