// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One long line: chunks, look-back and the joins of their results, with 1, 2, 3 and 8 threads.
#include "cpu/long_lines.hpp"

namespace rung::test {
namespace {

constexpr std::int64_t two_million = std::int64_t(1) << 21;

TEST(LongLine, OfFloats) { check_long_line<float>(plus{}, two_million + 12345, 1); }
TEST(LongLine, OfFloatsThatFillTheirChunks) { check_long_line<float>(plus{}, 1 << 20, 2); }
TEST(LongLine, OfFloatsOneOverAChunk) { check_long_line<float>(plus{}, (1 << 19) + 1, 3); }
TEST(LongLine, OfHalves) { check_long_line<f16>(plus{}, 600000 + 4099, 4); }
TEST(LongLine, OfIntegers) { check_long_line<std::int32_t>(plus{}, (1 << 20) - 1, 5); }
TEST(LongLine, OfAffineMaps) { check_long_line<affine_map<double>>(affine{}, 300007, 6); }
TEST(LongLine, OfMaxima) { check_long_line<double>(maximum{}, 700003, 7); }

TEST(LongLine, PlacesOfTheMinimum) {
  const block<std::uint8_t> x = random_block<std::uint8_t>(two_million + 77, 8);  // full of ties
  const block<float> f = random_block<float>(two_million + 77, 9, specials::some);
  for (const int threads : thread_counts) {
    const auto where = cpu.with_threads(threads);
    EXPECT_EQ(reduce(where, x.all(), arg_min{}).index,
              std::min_element(x.begin(), x.end()) - x.begin());
    EXPECT_EQ(reduce(where, f.all(), arg_max{}).index,
              std::find_if(f.begin(), f.end(), [](float v) { return v != v; }) - f.begin());
  }
}

/// Functions of three long arrays, one of them backwards.
TEST(LongLine, OfAFunctionOfThreeArrays) {
  constexpr std::int64_t n = 700001;
  const block<float> a = random_block<float>(n, 10);
  const block<double> b = random_block<double>(n, 11);
  const block<std::int16_t> c = random_block<std::int16_t>(n, 12);
  const auto f = [](float x, double y, std::int16_t z) { return x * y + z; };
  const auto what = transform(f, a.all(), view<const double>(b.data(), {n}).reversed(0), c.all());
  block<double> values(n), out(n);
  for (std::int64_t i = 0; i < n; i++) values[i] = f(a[i], b[n - 1 - i], c[i]);
  const block<double> want = all_prefixes(plus{}, values.all());
  for (const int threads : thread_counts) {
    const auto where = cpu.with_threads(threads);
    ASSERT_PRED_FORMAT2(same, reduce(where, what, plus{}), want[n]);
    inclusive_scan(where, what, std::span<double>(out.data(), std::size_t(n)), plus{});
    ASSERT_NO_FATAL_FAILURE(expect_entries([&](std::int64_t i) { return out[i]; }, want, n, 1));
  }
}

/// Many runs, one answer.
TEST(LongLine, SameBitsEveryTime) {
  const block<float> x = random_block<float>(500000, 13);
  block<float> first(x.size()), again(x.size());
  const auto scan = [&](block<float>& out) {
    inclusive_scan(cpu.with_threads(3), x.all(),
                   std::span<float>(out.data(), std::size_t(x.size())), plus{});
  };
  scan(first);
  for (int i = 0; i < 60; i++) {
    scan(again);
    ASSERT_EQ(std::memcmp(first.data(), again.data(), std::size_t(x.size()) * sizeof(float)), 0);
  }
}

}  // namespace
}  // namespace rung::test
