// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The portable exp and log: under 1 ulp against long double over random and hard inputs, the ends
// of the range, and exact bits frozen, so that no compiler or machine can change them unnoticed.
#include "rung/base/math.hpp"

#include <gtest/gtest.h>

#include <random>

#include "order/same.hpp"

namespace rung::test {
namespace {

/// The distance of y from the true value, in units of the last place of the true value.
template <class T>
double ulps(T y, long double want) {
  int exponent;
  std::frexp(want, &exponent);
  const int unit = std::max(exponent - std::numeric_limits<T>::digits,
                            std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits);
  return double(std::fabs(std::ldexp((long double)y - want, -unit)));
}

template <class T>
void check_exp(T x, double limit = 1.0) {
  const long double want = std::exp((long double)x);
  const T y = portable::exp(x);
  if (want > (long double)std::numeric_limits<T>::max()) return;
  ASSERT_LT(ulps(y, want), limit) << std::hexfloat << x << " -> " << y;
}
template <class T>
void check_log(T x) {
  const long double want = std::log((long double)x);
  const T y = portable::log(x);
  if (want == 0) ASSERT_EQ(y, 0);
  else ASSERT_LT(ulps(y, want), 1.0) << std::hexfloat << x << " -> " << y;
}

template <class T>
class Math : public testing::Test {};
using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(Math, floats);

TYPED_TEST(Math, ExpIsUnderOneUlp) {
  using T = TypeParam;
  constexpr bool is_float = std::is_same_v<T, float>;
  const T lowest = is_float ? T(-87.3) : T(-708.3), highest = is_float ? T(88.72) : T(709.7);
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<T> wide(lowest, highest), near(-2, 2);
  for (int i = 0; i < 200000; i++) {
    check_exp(wide(rng));
    check_exp(near(rng));
    check_exp(T(std::ldexp(near(rng), -int(rng() % 70))));
  }
  // Beside the points where k changes: odd multiples of ln(2) / 2.
  for (int k = is_float ? -250 : -2040; k < (is_float ? 250 : 2040); k++) {
    T x = T(k * 0.34657359027997264L);
    if (x < lowest || x > highest) continue;
    for (int i = 0; i < 8; i++) check_exp(x = std::nextafter(x, highest));
    for (int i = 0; i < 16; i++) check_exp(x = std::nextafter(x, lowest));
  }
  // Subnormal results are rounded to the last place there is, from a result within 1 ulp.
  std::uniform_real_distribution<T> subnormal(is_float ? T(-103.9) : T(-745.1), lowest);
  for (int i = 0; i < 20000; i++) check_exp(subnormal(rng), 1.5);
}

TYPED_TEST(Math, LogIsUnderOneUlp) {
  using T = TypeParam;
  using bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
  std::mt19937_64 rng(6);
  std::uniform_real_distribution<T> near(T(0.5), T(2));
  const bits infinity_bits = std::bit_cast<bits>(infinity<T>);
  for (int i = 0; i < 200000; i++) {
    check_log(std::bit_cast<T>(bits(1 + rng() % (infinity_bits - 1))));  // every magnitude
    check_log(near(rng));
    check_log(T(1) + T(std::ldexp(near(rng) - T(1), -int(rng() % 50))));
    check_log(std::bit_cast<T>(bits(1 + rng() % 100000)));  // subnormals
  }
  T up = 1, down = 1;
  T root = T(0.70710678118654752440L);
  for (int i = 0; i < 200; i++) {
    check_log(up = std::nextafter(up, T(2)));
    check_log(down = std::nextafter(down, T(0)));
    check_log(root = std::nextafter(root, i < 100 ? T(1) : T(0)));
    check_log(2 * root);
  }
}

TYPED_TEST(Math, EndsOfTheRange) {
  using T = TypeParam;
  EXPECT_PRED_FORMAT2(same, portable::exp(T(0)), T(1));
  EXPECT_PRED_FORMAT2(same, portable::exp(T(-0.0)), T(1));
  EXPECT_PRED_FORMAT2(same, portable::exp(-infinity<T>), T(0));
  EXPECT_PRED_FORMAT2(same, portable::exp(infinity<T>), infinity<T>);
  EXPECT_PRED_FORMAT2(same, portable::exp(quiet_nan<T>), quiet_nan<T>);
  EXPECT_PRED_FORMAT2(same, portable::exp(std::numeric_limits<T>::max()), infinity<T>);
  EXPECT_PRED_FORMAT2(same, portable::exp(std::numeric_limits<T>::lowest()), T(0));
  EXPECT_PRED_FORMAT2(same, portable::exp(T(1000)), infinity<T>);
  EXPECT_PRED_FORMAT2(same, portable::exp(T(-1000)), T(0));
  EXPECT_PRED_FORMAT2(same, portable::exp(std::numeric_limits<T>::denorm_min()), T(1));
  EXPECT_PRED_FORMAT2(same, portable::log(T(1)), T(0));
  EXPECT_PRED_FORMAT2(same, portable::log(T(0)), -infinity<T>);
  EXPECT_PRED_FORMAT2(same, portable::log(T(-0.0)), -infinity<T>);
  EXPECT_PRED_FORMAT2(same, portable::log(infinity<T>), infinity<T>);
  EXPECT_PRED_FORMAT2(same, portable::log(T(-1)), quiet_nan<T>);
  EXPECT_PRED_FORMAT2(same, portable::log(-infinity<T>), quiet_nan<T>);
  EXPECT_PRED_FORMAT2(same, portable::log(quiet_nan<T>), quiet_nan<T>);
}

TYPED_TEST(Math, ExpOverflowsExactlyWhereItMust) {
  using T = TypeParam;
  // The largest x whose exp rounds to a finite number.
  const long double edge = std::log((long double)std::numeric_limits<T>::max());
  T x = T(edge);
  if ((long double)x > edge) x = std::nextafter(x, T(0));
  EXPECT_LT(portable::exp(x), infinity<T>);
  EXPECT_EQ(portable::exp(std::nextafter(x, infinity<T>)), infinity<T>);
}

TEST(MathBits, AreFrozen) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(portable::exp(1.0f)), 0x402df854u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(portable::exp(-10.5f)), 0x37e6fe13u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(portable::log(10.0f)), 0x40135d8eu);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(portable::exp(1.0)), 0x4005bf0a8b145769u);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(portable::exp(-100.25)), 0x36e4acd31e167ebbu);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(portable::log(10.0)), 0x40026bb1bbb55516u);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(portable::log(1e-310)), 0xc0864e69394d9508u);
  // Many bits at once: an FNV-1a 64 hash over results for a series of inputs.
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&](std::uint64_t bits) {
    for (int i = 0; i < 8; i++, bits >>= 8) hash = (hash ^ (bits & 255)) * 0x100000001b3u;
  };
  std::uint32_t state = 1;
  for (int i = 0; i < 20000; i++) {
    state = state * 1664525u + 1013904223u;
    const float x = float(std::int32_t(state)) * 0x1p-25f;  // within +-64
    mix(std::bit_cast<std::uint32_t>(portable::exp(x)));
    mix(std::bit_cast<std::uint32_t>(portable::log(std::fabs(x))));
    mix(std::bit_cast<std::uint64_t>(portable::exp(double(x) * 10.1)));
    mix(std::bit_cast<std::uint64_t>(portable::log(std::fabs(double(x) / 3))));
  }
  EXPECT_EQ(hash, 0xf925be9e724bbc86u);
}

}  // namespace
}  // namespace rung::test
