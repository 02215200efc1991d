// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of the C interface against fold and against values known beforehand.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "arrays.hpp"

namespace {

using namespace rung;
using capi::array;
using capi::defaults;
using capi::run;

constexpr float inf = infinity<float>, nan = quiet_nan<float>;

std::vector<float> noise(std::size_t n) {
  std::mt19937 random(unsigned(n) + 1);
  std::normal_distribution<float> normal;
  std::vector<float> v(n);
  for (float& x : v) x = normal(random);
  return v;
}

template <class T>
std::uint64_t bits(T x) {
  std::uint64_t u = 0;
  std::memcpy(&u, &x, sizeof x);
  return u;
}

TEST(Results, SumsAreFoldsForAnyNumberOfThreads) {
  for (std::size_t n : {1, 2, 3, 5, 13, 127, 1000, 4097, 100003, 1 << 20, (1 << 21) + 77})
    for (int threads : {1, 2, 3, 8}) {
      array<float> x(noise(n));
      rung_options o = defaults();
      o.threads = threads;
      const float want = *fold(plus{}, std::span<const float>(x.values));
      EXPECT_EQ(bits(run<float>(RUNG_SUM, x.c(), o).values[0]), bits(want))
          << n << " values, " << threads << " threads";
      const auto prefixes = run<float>(RUNG_CUMSUM, x.c(), o);
      EXPECT_EQ(bits(prefixes.values.back()), bits(want));
      for (std::size_t i = 0; i < n; i += 1 + n / 7) {
        const float prefix = *inclusive_entry(plus{}, std::span<const float>(x.values), i);
        ASSERT_EQ(bits(prefixes.values[i]), bits(prefix)) << "entry " << i << " of " << n;
      }
    }
}

TEST(Results, TypesOfSums) {
  EXPECT_EQ(
      run<std::int64_t>(RUNG_SUM, array<std::int8_t>({100, 100, 100}).c(), defaults()).values[0],
      300);
  EXPECT_EQ(run<std::uint64_t>(RUNG_SUM, array<std::uint8_t>(std::vector<std::uint8_t>(300, 1)).c(),
                               defaults())
                .values[0],
            300u);
  EXPECT_EQ(run<std::int64_t>(RUNG_SUM, array<bool>({0, 0, 1, 7}).c(), defaults()).values[0], 2);
  EXPECT_EQ(run<double>(RUNG_MEAN, array<bool>({0, 0, 1, 1}).c(), defaults()).values[0], 0.5);
  EXPECT_EQ(run<f16>(RUNG_SUM, array<f16>(std::vector<f16>(4096, f16(1.0f))).c(), defaults())
                .values[0]
                .bits,
            f16(4096.0f).bits);
  rung_options o = defaults();
  o.accumulate = RUNG_F32;
  EXPECT_EQ(run<float>(RUNG_SUM, array<f16>(std::vector<f16>(3, f16(40000.0f))).c(), o).values[0],
            120000.0f);
  EXPECT_EQ(run<f16>(RUNG_MEAN, array<f16>(std::vector<f16>(3, f16(40000.0f))).c(), defaults())
                .values[0]
                .bits,
            f16(40000.0f).bits);
}

TEST(Results, ExtremesAndTheirPlaces) {
  array<float> x({3, 3}, {3, 1, 2, nan, 0, 5, -inf, -inf, 4});
  rung_options o = defaults();
  const std::int32_t last = -1;
  o.axes = &last, o.axis_count = 1;
  EXPECT_EQ(run<std::int64_t>(RUNG_ARGMIN, x.c(), o).values, (std::vector<std::int64_t>{1, 0, 0}));
  EXPECT_EQ(run<std::int64_t>(RUNG_ARGMAX, x.c(), o).values, (std::vector<std::int64_t>{0, 0, 2}));
  o.skip_nan = 1;
  EXPECT_EQ(run<std::int64_t>(RUNG_ARGMIN, x.c(), o).values, (std::vector<std::int64_t>{1, 1, 0}));
  const auto both = run<float>(RUNG_MINMAX, x.c(), o);
  EXPECT_EQ(both.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(both.values, (std::vector<float>{1, 0, -inf, 3, 5, 4}));
  o.keepdims = 1;
  EXPECT_EQ(run<float>(RUNG_MINMAX, x.c(), o).shape, (std::vector<std::int64_t>{2, 3, 1}));
  o.keepdims = o.skip_nan = 0;
  EXPECT_EQ(bits(run<float>(RUNG_MAX, x.c(), o).values[1]), 0x7fc00000u)
      << "a NaN result is the one quiet NaN";
}

TEST(Results, SkippedNaNLeavesEmptyResults) {
  array<double> x({nan, nan});
  rung_options o = defaults();
  o.skip_nan = 1;
  EXPECT_EQ(bits(run<double>(RUNG_SUM, x.c(), o).values[0]), bits(-0.0) & 0) << "+0";
  EXPECT_EQ(run<double>(RUNG_PROD, x.c(), o).values[0], 1);
  EXPECT_TRUE(std::isnan(run<double>(RUNG_MIN, x.c(), o).values[0]));
  EXPECT_TRUE(std::isnan(run<double>(RUNG_MEAN, x.c(), o).values[0]));
  EXPECT_TRUE(std::isnan(run<double>(RUNG_VAR, x.c(), o).values[0]));
  EXPECT_EQ(run<double>(RUNG_LOGSUMEXP, x.c(), o).values[0], -inf);
  EXPECT_EQ(run<std::int64_t>(RUNG_COUNT, x.c(), o).values[0], 0);
  array<double> y({1, nan, 3});
  EXPECT_EQ(run<double>(RUNG_MEAN, y.c(), o).values[0], 2);
  EXPECT_EQ(run<double>(RUNG_VAR, y.c(), o).values[0], 1);
}

TEST(Results, ReversedScansAreThoseOfTheValuesTurnedRound) {
  array<float> x({6, 70}, noise(420)), turned(x.values);
  std::reverse(turned.values.begin(), turned.values.end());
  rung_options o = defaults();
  for (const int exclusive : {0, 1}) {
    o.exclusive = exclusive, o.reverse = 0;
    auto want = run<float>(RUNG_CUMSUM, turned.c(), o).values;
    std::reverse(want.begin(), want.end());
    o.reverse = 1;
    EXPECT_EQ(run<float>(RUNG_CUMSUM, x.c(), o).values, want);
  }
  o.exclusive = 0;
  const std::int32_t columns = 0;
  o.axes = &columns, o.axis_count = 1;
  array<float> two({2, 2}, {1, 2, 30, 40});
  EXPECT_EQ(run<float>(RUNG_CUMSUM, two.c(), o).values, (std::vector<float>{31, 42, 30, 40}));
}

TEST(Results, InitialValuesStandOnceAtTheLeft) {
  array<std::int64_t> x({std::int64_t((1ull << 63) - 2), 1, 0});
  rung_options o = defaults();
  const std::int8_t zero = 0;
  o.init = &zero, o.init_type = RUNG_I8, o.exclusive = 1;
  EXPECT_EQ(run<std::int64_t>(RUNG_CUMSUM, x.c(), o).values,
            (std::vector<std::int64_t>{0, std::int64_t((1ull << 63) - 2),
                                       std::int64_t((1ull << 63) - 1)}));
  array<float> y(noise(5000));
  o = defaults();
  const float start = 0.3f;
  o.init = &start, o.init_type = RUNG_F32;
  const float want = *fold(plus{}, std::span<const float>(y.values), std::optional(start));
  EXPECT_EQ(bits(run<float>(RUNG_SUM, y.c(), o).values[0]), bits(want));
  EXPECT_EQ(bits(run<float>(RUNG_CUMSUM, y.c(), o).values.back()), bits(want));
  array<float> nothing(std::vector<float>{});
  EXPECT_EQ(run<float>(RUNG_MIN, nothing.c(), o).values[0], start) << "no values, but a start";
}

TEST(Results, SwappedAndStridedInputs) {
  std::vector<std::uint32_t> swapped;
  for (float v : noise(1000)) swapped.push_back(__builtin_bswap32(std::bit_cast<std::uint32_t>(v)));
  const auto plain = noise(1000);
  const std::int64_t n = 1000;
  rung_array a{swapped.data(), RUNG_F32, 1, 1, &n, nullptr};
  const rung_options o = defaults();
  EXPECT_EQ(bits(run<float>(RUNG_SUM, a, o).values[0]),
            bits(*fold(plus{}, std::span<const float>(plain))));

  std::vector<float> reversed(plain.rbegin(), plain.rend());
  const std::int64_t back = -4;
  rung_array r{const_cast<float*>(plain.data()) + 999, RUNG_F32, 0, 1, &n, &back};
  EXPECT_EQ(bits(run<float>(RUNG_SUM, r, o).values[0]),
            bits(*fold(plus{}, std::span<const float>(reversed))));
  // Elements at an odd address, as they may lie in a file.
  std::vector<std::byte> file(4001);
  std::memcpy(file.data() + 1, plain.data(), 4000);
  rung_array odd{file.data() + 1, RUNG_F32, 0, 1, &n, nullptr};
  EXPECT_EQ(bits(run<float>(RUNG_SUM, odd, o).values[0]),
            bits(*fold(plus{}, std::span<const float>(plain))));
  EXPECT_EQ(bits(run<float>(RUNG_CUMSUM, odd, o).values[999]),
            bits(*fold(plus{}, std::span<const float>(plain))));
}

TEST(Results, Products) {
  array<std::uint8_t> a({250, 7, 180});
  array<bool> b({1, 0, 1});
  const rung_array cb = b.c();
  EXPECT_EQ(run<std::uint64_t>(RUNG_DOT, a.c(), defaults(), &cb).values[0], 430u);
  array<complex<double>> p({2}, {{1, 1}, {2, -3}}), q({2}, {{4, -2}, {0, 1}});
  const rung_array cq = q.c();
  EXPECT_EQ(run<complex<double>>(RUNG_DOT, p.c(), defaults(), &cq).values[0],
            complex<double>(9, 4));
  EXPECT_EQ(run<complex<double>>(RUNG_VDOT, p.c(), defaults(), &cq).values[0],
            complex<double>(-1, -4));
  const auto x = noise(10007), y = noise(10008);
  std::vector<float> products(10007), y2(y.begin(), y.end() - 1);
  for (std::size_t i = 0; i < products.size(); i++) products[i] = x[i] * y2[i];
  array<float> ax(x), ay(y2);
  const rung_array cy = ay.c();
  EXPECT_EQ(bits(run<float>(RUNG_DOT, ax.c(), defaults(), &cy).values[0]),
            bits(*fold(plus{}, std::span<const float>(products))));
}

TEST(Results, EveryOperationOnNoValues) {
  array<double> x({0, 3}, {});
  rung_options o = defaults();
  const std::int32_t rows = 0, columns = 1;
  o.axes = &rows, o.axis_count = 1;
  EXPECT_EQ(run<double>(RUNG_SUM, x.c(), o).values, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(run<double>(RUNG_NORM, x.c(), o).values, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(run<bool>(RUNG_ALL, x.c(), o).values, (std::vector<unsigned char>{1, 1, 1}));
  EXPECT_EQ(run<bool>(RUNG_ANY, x.c(), o).values, (std::vector<unsigned char>{0, 0, 0}));
  EXPECT_TRUE(std::isnan(run<double>(RUNG_MEAN, x.c(), o).values[2]));
  EXPECT_TRUE(std::isnan(run<double>(RUNG_STD, x.c(), o).values[2]));
  EXPECT_EQ(run<double>(RUNG_CUMSUM, x.c(), o).shape, (std::vector<std::int64_t>{0, 3}));
  o.axes = &columns;
  for (int op = RUNG_SUM; op <= RUNG_LOGSUMEXP; op++)
    if (op != RUNG_DOT && op != RUNG_VDOT) {
      rung_type type;
      std::int32_t rank;
      std::int64_t shape[17];
      const rung_array a = x.c();
      EXPECT_EQ(rung_result(rung_op(op), &a, nullptr, &o, &type, &rank, shape), RUNG_OK)
          << rung_op_name(rung_op(op));
      EXPECT_EQ(shape[rank - 1], 0);
    }
}

TEST(Results, RunningLogSumExpIsThatOfEveryPrefix) {
  array<double> x({-1000, -1000, -inf, 3, 700});
  const auto got = run<double>(RUNG_CUMLOGSUMEXP, x.c(), defaults()).values;
  EXPECT_NEAR(got[1], -999.3068528194401, 1e-12);
  EXPECT_EQ(got[2], got[1]);
  EXPECT_EQ(got[3], 3);
  EXPECT_EQ(bits(got[4]), bits(run<double>(RUNG_LOGSUMEXP, x.c(), defaults()).values[0]));
}

}  // namespace
