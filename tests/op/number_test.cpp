// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic words: wrapping integers, products that are rounded on their own, conversions,
// what counts as NaN and as nonzero, the one NaN.
#include "rung/base/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "order/same.hpp"

namespace rung::test {
namespace {

TEST(Number, IntegersWrap) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(add(most, std::int64_t(1)), least);
  EXPECT_EQ(mul(most, most), 1);
  EXPECT_EQ(mul(least, std::int64_t(-1)), least);
  EXPECT_EQ(add(std::int8_t(127), std::int8_t(1)), -128);
  EXPECT_EQ(mul(std::uint64_t(-1), std::uint64_t(3)), std::uint64_t(-3));
}

/// With a b + c fused into one rounding these come out different.
TEST(Number, ProductsAreRoundedOnTheirOwn) {
  volatile float f = 1 + 0x1p-12f;
  EXPECT_EQ(add(mul(float(f), float(f)), -(1 + 0x1p-11f)), 0);
  volatile double d = 1 + 0x1p-27;
  EXPECT_EQ(add(mul(double(d), double(d)), -(1 + 0x1p-26)), 0);
  const complex<double> z(d, d);
  EXPECT_EQ(mul(z, z).re, 0);
  EXPECT_EQ(mul(z, z).im, 2 * (1 + 0x1p-26));
}

TEST(Number, Conversions) {
  EXPECT_EQ(convert<std::int8_t>(300), 44);
  EXPECT_EQ(convert<std::uint64_t>(-1), ~std::uint64_t(0));
  EXPECT_EQ(convert<double>(f16(1.5f)), 1.5);
  EXPECT_EQ(convert<float>(16777217), 16777216);
  EXPECT_EQ(convert<float>(1 + 0x1p-24 + 0x1p-50), 1 + 0x1p-23f);
  EXPECT_EQ(convert<double>(complex<float>(2, 3)), 2);
  EXPECT_EQ(convert<complex<double>>(7).re, 7);
  EXPECT_EQ(convert<complex<double>>(complex<float>(2, 3)).im, 3);
  EXPECT_EQ(convert<complex<float>>(std::complex<double>(2, 3)).im, 3);
  EXPECT_EQ(convert<std::complex<float>>(complex<float>(2, 3)).imag(), 3);
  EXPECT_EQ(convert<std::complex<double>>(2.5f).real(), 2.5);
  EXPECT_EQ(convert<float>(std::complex<float>(4, 1)), 4);
  EXPECT_EQ(convert<f16>(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
}

TEST(Number, NaNAndNonzero) {
  EXPECT_TRUE(is_nan(complex<float>(0, NAN)) && is_nan(std::complex<double>(NAN, 0)));
  EXPECT_TRUE(is_nan(f16(NAN)) && is_nan(bf16(NAN)) && is_nan(NAN));
  EXPECT_FALSE(is_nan(f16(INFINITY)) || is_nan(3) || is_nan(complex<float>(1, 2)));
  EXPECT_TRUE(is_nonzero(NAN) && is_nonzero(f16(1e-7f)) && is_nonzero(true) && is_nonzero(-1));
  EXPECT_FALSE(is_nonzero(-0.0) || is_nonzero(f16(-0.0f)) || is_nonzero(complex<float>(0, -0.0f)));
  EXPECT_TRUE(is_nonzero(std::complex<float>(0, 1)));
}

TEST(Number, OneNaN) {
  const auto bits = [](auto x) { return std::bit_cast<std::uint64_t>(x); };
  EXPECT_EQ(bits(canonical(-std::numeric_limits<double>::quiet_NaN())), 0x7ff8000000000000u);
  EXPECT_EQ(bits(canonical(complex<float>(std::bit_cast<float>(0xff812345u), -0.0f))),
            0x800000007fc00000u);
  EXPECT_EQ(bits(canonical(-0.0)), 0x8000000000000000u);
  EXPECT_EQ(canonical(5), 5);
}

TEST(Number, IsComplexLikeTheStandardOne) {
  const std::complex<double> s(1, -2);
  const complex<double> z = s;
  const std::complex<double> back = z;
  EXPECT_EQ(back, s);
  static_assert(sizeof(complex<float>) == 8 && alignof(complex<float>) == 4);
  EXPECT_EQ(reinterpret_cast<const double*>(&z)[1], -2);
}

}  // namespace
}  // namespace rung::test
