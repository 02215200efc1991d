// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Values to text as Python spells them, and back, bit for bit.

#include "number.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "files/error.hpp"

namespace rung::cli {
namespace {

template <class T>
std::string shown(T value, rung_type type, spelling how = spelling::text) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof value);
  std::string text;
  append_value(text, bytes.data(), type, how);
  return text;
}

TEST(number, writes_floats_as_python_does) {
  const std::pair<double, const char*> cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {15, "15.0"},
      {0.1, "0.1"},
      {-2.5, "-2.5"},
      {1e16, "1e+16"},
      {1e15, "1000000000000000.0"},
      {9007199254740993.0, "9007199254740992.0"},
      {1e-4, "0.0001"},
      {0.00012345, "0.00012345"},
      {1e-5, "1e-05"},
      {123456.789, "123456.789"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {1.5e300, "1.5e+300"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(shown(value, RUNG_F64), text);
  EXPECT_EQ(shown(0.1F, RUNG_F32), "0.1");
  EXPECT_EQ(shown(0.1F, RUNG_F32, spelling::json), "0.10000000149011612");
}

TEST(number, writes_what_is_not_finite) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(shown(inf, RUNG_F64), "inf");
  EXPECT_EQ(shown(-inf, RUNG_F64, spelling::json), "\"-inf\"");
  EXPECT_EQ(shown(-std::nan(""), RUNG_F64, spelling::json), "\"NaN\"");
  EXPECT_EQ(shown(std::nan(""), RUNG_F64), "nan");
}

TEST(number, writes_complex_numbers_as_python_does) {
  using c = std::complex<double>;
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(shown(c(9, 4), RUNG_C128), "(9+4j)");
  EXPECT_EQ(shown(c(-1, -4), RUNG_C128, spelling::json), "\"(-1-4j)\"");
  EXPECT_EQ(shown(c(0, 4), RUNG_C128), "4j");
  EXPECT_EQ(shown(c(-0.0, -0.0), RUNG_C128), "(-0-0j)");
  EXPECT_EQ(shown(c(inf, -inf), RUNG_C128), "(inf-infj)");
  EXPECT_EQ(shown(c(std::nan(""), -std::nan("")), RUNG_C128), "(nan+nanj)");
  EXPECT_EQ(shown(std::complex<float>(0.1F, 1e20F), RUNG_C64), "(0.1+1e+20j)");
}

TEST(number, writes_integers_and_bools) {
  EXPECT_EQ(shown(std::int8_t{-128}, RUNG_I8), "-128");
  EXPECT_EQ(shown(std::numeric_limits<std::int64_t>::min(), RUNG_I64), "-9223372036854775808");
  EXPECT_EQ(shown(std::numeric_limits<std::uint64_t>::max(), RUNG_U64), "18446744073709551615");
  EXPECT_EQ(shown(std::uint8_t{1}, RUNG_BOOL), "true");
  EXPECT_EQ(shown(std::uint8_t{0}, RUNG_BOOL, spelling::json), "false");
}

TEST(number, writes_every_f16_and_bf16_exactly) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bool special = (bits >> 10 & 0x1f) == 0x1f;
    if (!special) {
      const int exponent = static_cast<int>(bits >> 10 & 0x1f);
      const double fraction = (bits & 0x3ff) + (exponent == 0 ? 0.0 : 1024.0);
      const double magnitude = std::ldexp(fraction, std::max(exponent, 1) - 25);
      const double want = (bits & 0x8000) != 0 ? -magnitude : magnitude;
      const auto value = static_cast<std::uint16_t>(bits);
      const std::string text = shown(value, RUNG_F16, spelling::json);
      EXPECT_EQ(std::strtod(text.c_str(), nullptr), want);
    }
    const float wide = std::bit_cast<float>(bits << 16);
    if (!std::isfinite(wide)) continue;
    const std::string text = shown(static_cast<std::uint16_t>(bits), RUNG_BF16, spelling::json);
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), static_cast<double>(wide));
  }
  EXPECT_EQ(shown(std::uint16_t{0x7c00}, RUNG_F16), "inf");
  EXPECT_EQ(shown(std::uint16_t{0xfe00}, RUNG_F16), "nan");
}

TEST(number, reads_back_every_float_that_it_writes) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    const auto wide = std::bit_cast<double>(random());
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(wide)) {
      const scalar back = read_scalar("x", shown(wide, RUNG_F64), RUNG_F64);
      EXPECT_EQ(std::memcmp(back.bytes.data(), &wide, sizeof wide), 0) << wide;
    }
    if (!std::isfinite(narrow)) continue;
    const scalar back = read_scalar("x", shown(narrow, RUNG_F32), RUNG_F32);
    EXPECT_EQ(std::memcmp(back.bytes.data(), &narrow, sizeof narrow), 0) << narrow;
    // A reader of JSON takes f64 and rounds to f32; the shortest f32 digits would not survive it.
    const std::string json = shown(narrow, RUNG_F32, spelling::json);
    EXPECT_EQ(static_cast<float>(std::strtod(json.c_str(), nullptr)), narrow);
  }
}

template <class T>
T read(const char* word, rung_type type) {
  const scalar value = read_scalar("--init", word, type);
  EXPECT_EQ(value.type, type);
  T result;
  std::memcpy(&result, value.bytes.data(), sizeof result);
  return result;
}

TEST(number, reads_start_values_exactly) {
  EXPECT_EQ(read<std::int64_t>("9223372036854775806", RUNG_I64), 9223372036854775806);
  EXPECT_EQ(read<std::int64_t>("-5", RUNG_I64), -5);
  EXPECT_EQ(read<std::int64_t>("+5", RUNG_I64), 5);
  EXPECT_EQ(read<std::uint64_t>("18446744073709551615", RUNG_U64), 18446744073709551615U);
  EXPECT_EQ(read<std::uint8_t>("true", RUNG_BOOL), 1);
  EXPECT_EQ(read<double>("1e300", RUNG_F64), 1e300);
  EXPECT_EQ(read<float>("-inf", RUNG_F32), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(read<double>("nan", RUNG_F64)));
  EXPECT_TRUE(std::signbit(read<double>("-0.0", RUNG_F64)));
  using c = std::complex<double>;
  EXPECT_EQ(read<c>("(9+4j)", RUNG_C128), c(9, 4));
  EXPECT_EQ(read<c>("1e-3-2.5e1j", RUNG_C128), c(1e-3, -25));
  EXPECT_EQ(read<c>("4j", RUNG_C128), c(0, 4));
  EXPECT_EQ(read<c>("-7", RUNG_C128), c(-7, 0));
}

TEST(number, refuses_start_values_of_another_type) {
  const std::pair<const char*, rung_type> cases[] = {
      {"", RUNG_I64},      {"0.5", RUNG_I64},
      {"1e3", RUNG_I64},   {"9223372036854775808", RUNG_I64},
      {"-1", RUNG_U64},    {"300", RUNG_I8},
      {"x", RUNG_F64},     {"1e400", RUNG_F64},
      {"1.5x", RUNG_F32},  {"1e39", RUNG_F32},
      {"2", RUNG_BOOL},    {"+-1", RUNG_I64},
      {"(1+2)", RUNG_C64}, {"1+j2", RUNG_C64},
      {"1+2j3", RUNG_C64}, {"++1", RUNG_F64}};
  for (const auto& [word, type] : cases) {
    EXPECT_THROW(read_scalar("--init", word, type), files::error) << word;
  }
}

}  // namespace
}  // namespace rung::cli
