// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// f16 and bf16: all 65536 values against their definition, and rounding from f32, f64 and 64-bit
// integers against a search for the nearest value, at and beside every midpoint.
#include "rung/base/half.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "rung/base/number.hpp"

namespace rung::test {
namespace {

/// The value of a bit pattern by the definition of the format.
double by_definition(unsigned bits, int fraction_bits, int bias) {
  const unsigned fraction = bits & ((1u << fraction_bits) - 1);
  const int exponents = 1 << (15 - fraction_bits);
  const int exponent = int(bits >> fraction_bits) & (exponents - 1);
  const double sign = bits & 0x8000u ? -1 : 1;
  if (exponent == exponents - 1) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(double(fraction), 1 - bias - fraction_bits);
  return sign *
         std::ldexp(double(fraction + (1u << fraction_bits)), exponent - bias - fraction_bits);
}

/// A format as the sorted list of its finite values, and the nearest of them to a number.
struct format {
  int fraction_bits, bias;
  std::vector<double> values;  // [bits] for positive finite bits, ascending

  format(int f, int b) : fraction_bits(f), bias(b) {
    for (unsigned bits = 0; std::isfinite(by_definition(bits, f, b)); bits++)
      values.push_back(by_definition(bits, f, b));
  }
  unsigned infinity() const { return unsigned(values.size()); }
  /// Round to nearest, ties to even bits; beyond the largest by half a step or more: infinity.
  unsigned nearest(long double x) const {
    const unsigned sign = std::signbit(x) ? 0x8000u : 0;
    const long double m = std::fabs(x);
    const std::size_t above =
        std::size_t(std::lower_bound(values.begin(), values.end(), m,
                                     [](double a, long double b) { return (long double)a < b; }) -
                    values.begin());
    if (above == 0) return sign;
    const long double below_value = values[above - 1];
    const long double above_value = above < values.size()
                                        ? (long double)values[above]
                                        : 2 * below_value - (long double)values[above - 2];
    const long double left = m - below_value, right = above_value - m;
    const std::size_t bits = left < right || (left == right && above % 2 == 1) ? above - 1 : above;
    return sign | unsigned(std::min(bits, values.size()));
  }
};
const format half_format(10, 15), brain_format(7, 127);

template <class H>
void check_all_values(const format& f, std::uint16_t the_nan) {
  for (unsigned bits = 0; bits < 65536; bits++) {
    const float x = static_cast<float>(H::from_bits(std::uint16_t(bits)));
    const double want = by_definition(bits, f.fraction_bits, f.bias);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(x)) << bits;
      ASSERT_EQ(H(x).bits, the_nan) << bits;
    } else {
      ASSERT_EQ(double(x), want) << bits;
      ASSERT_EQ(std::signbit(x), std::signbit(want)) << bits;
      ASSERT_EQ(H(x).bits, bits);
      ASSERT_EQ(convert<H>(want).bits, bits);
    }
  }
}
TEST(Half, EveryValueThereAndBack) {
  check_all_values<f16>(half_format, 0x7e00);
  check_all_values<bf16>(brain_format, 0x7fc0);
  EXPECT_EQ(f16().bits, 0);
  EXPECT_EQ(bf16().bits, 0);
}

template <class H>
void check_float(const format& f, float x) {
  ASSERT_EQ(H(x).bits, f.nearest(x)) << std::hexfloat << x;
}
template <class H>
void check_double(const format& f, double x) {
  ASSERT_EQ(convert<H>(x).bits, f.nearest(x)) << std::hexfloat << x;
}

template <class H>
void check_midpoints(const format& f) {
  for (std::size_t i = 0; i + 1 < f.values.size(); i++) {
    const double middle = (f.values[i] + f.values[i + 1]) / 2;
    for (const double sign : {1.0, -1.0}) {
      const float m = float(sign * middle);
      if (double(m) == sign * middle) check_float<H>(f, m);
      check_float<H>(f, std::nextafter(m, INFINITY));
      check_float<H>(f, std::nextafter(m, -INFINITY));
      // Rounding through f32 would land on the midpoint and then on the wrong side of it.
      check_double<H>(f, sign * middle);
      check_double<H>(f, std::nextafter(sign * middle, INFINITY));
      check_double<H>(f, std::nextafter(sign * middle, -INFINITY));
      check_double<H>(f, sign * middle * (1 + 0x1p-30));
      check_double<H>(f, sign * middle * (1 - 0x1p-30));
    }
  }
}
TEST(Half, RoundsToNearestEvenAtEveryMidpoint) {
  check_midpoints<f16>(half_format);
  check_midpoints<bf16>(brain_format);
}

TEST(Half, RoundsRandomNumbersToNearest) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 300000; i++) {
    const auto bits = rng();
    const float x = std::bit_cast<float>(std::uint32_t(bits));
    const double d =
        std::bit_cast<double>((bits & 0x800fffffffffffffu) | (1023 - 30 + (bits >> 52) % 50) << 52);
    if (!std::isnan(x)) {
      check_float<f16>(half_format, x);
      check_float<bf16>(brain_format, x);
    }
    check_double<f16>(half_format, d);
    check_double<bf16>(brain_format, d);
  }
}

TEST(Half, EndsOfTheRange) {
  EXPECT_EQ(f16(65504.0f).bits, 0x7bff);
  EXPECT_EQ(f16(65519.996f).bits, 0x7bff);
  EXPECT_EQ(f16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(f16(-65520.0f).bits, 0xfc00);
  EXPECT_EQ(f16(INFINITY).bits, 0x7c00);
  EXPECT_EQ(f16(0x1p-25f).bits, 0);  // a tie: to even
  EXPECT_EQ(f16(-0x1.000002p-25f).bits, 0x8001);
  EXPECT_EQ(f16(-0.0f).bits, 0x8000);
  EXPECT_EQ(bf16(0x1.fep127f).bits, 0x7f7f);
  EXPECT_EQ(bf16(0x1.ffp127f).bits, 0x7f80);
  EXPECT_EQ(convert<f16>(1e300).bits, 0x7c00);
  EXPECT_EQ(convert<f16>(-5e-324).bits, 0x8000);
  EXPECT_EQ(convert<bf16>(-1e-300).bits, 0x8000);
  EXPECT_EQ(convert<f16>(std::numeric_limits<double>::quiet_NaN()).bits, 0x7e00);
  EXPECT_EQ(convert<bf16>(-std::numeric_limits<double>::quiet_NaN()).bits, 0x7fc0);
}

template <class T>
void check_integers() {
  std::mt19937_64 rng(4);
  for (int i = 0; i < 200000; i++) {
    // A leading bit anywhere, then a pattern close to a midpoint of bf16 (8 bits).
    const int top = int(rng() % 63);
    std::uint64_t u = std::uint64_t(1) << top | (rng() & 0x7f) << std::max(0, top - 7);
    if (top >= 8) u += std::uint64_t(1) << (top - 8);
    u += rng() % 3;
    u -= 1;
    T x = T(u);
    if (std::is_signed_v<T> && rng() % 2) x = T(0 - x);
    ASSERT_EQ(convert<bf16>(x).bits, brain_format.nearest((long double)x)) << x;
    ASSERT_EQ(convert<f16>(x).bits, half_format.nearest((long double)x)) << x;
  }
}
TEST(Half, LargeIntegersAreRoundedOnce) {
  check_integers<std::int64_t>();
  check_integers<std::uint64_t>();
  EXPECT_EQ(convert<bf16>(std::numeric_limits<std::int64_t>::min()).bits, 0xdf00);
  EXPECT_EQ(convert<bf16>(std::numeric_limits<std::uint64_t>::max()).bits, 0x5f80);
}

}  // namespace
}  // namespace rung::test
