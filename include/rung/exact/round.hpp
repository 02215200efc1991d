// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// From a wide number to a float, rounded once: to nearest, ties to even, to infinity only beyond
// the largest number and half its last place, subnormals in their coarser steps. Data flow: the
// leading 128 bits and whether anything is below them -> (square root) -> 64 bits -> P bits.
#pragma once
#include "../base/half.hpp"
#include "limbs.hpp"

namespace rung::detail {

/// A binary format: precision bits, the smallest subnormal 2^least, numbers below 2^above.
template <class T>
struct float_format;
template <>
struct float_format<f16> {
  using bits = std::uint16_t;
  static constexpr int precision = 11, least = -24, above = 16;
};
template <>
struct float_format<bf16> {
  using bits = std::uint16_t;
  static constexpr int precision = 8, least = -133, above = 128;
};
template <>
struct float_format<float> {
  using bits = std::uint32_t;
  static constexpr int precision = 24, least = -149, above = 128;
};
template <>
struct float_format<double> {
  using bits = std::uint64_t;
  static constexpr int precision = 53, least = -1074, above = 1024;
};
template <class T>
inline constexpr int fraction_bits = float_format<T>::precision - 1;
template <class T>
inline constexpr std::uint64_t infinity_bits = (std::uint64_t(1) << (8 * sizeof(T) - 1)) -
                                               (std::uint64_t(1) << fraction_bits<T>);

template <class T>
RUNG_HD constexpr T float_from_bits(std::uint64_t bits, bool negative = false) {
  const std::uint64_t sign = std::uint64_t(negative) << (8 * sizeof(T) - 1);
  return bit_cast<T>(typename float_format<T>::bits(bits | sign));
}
template <class T>
RUNG_HD constexpr std::uint64_t bits_of(T x) {
  return bit_cast<typename float_format<T>::bits>(x);
}

/// (high * 2^64 + low) * 2^exponent and less than one unit more; zero, or the top bit is set.
struct leading_bits {
  std::uint64_t high, low;
  int exponent;
  bool has_rest;
};

RUNG_HD constexpr int leading_zeros(std::uint32_t x) {
  int zeros = 0;
  for (int step = 16; step > 0; step /= 2)
    if (x >> (32 - step) == 0) zeros += step, x <<= step;
  return zeros;
}
/// The five digits from the highest on that is not zero, and whether one below them is not zero.
struct leading_digits {
  std::uint32_t digit[5];
  int top;
  bool has_rest;
};
template <int N>
RUNG_HD constexpr leading_digits find_leading(const std::uint32_t (&digit)[N]) {
  leading_digits found{{}, -1, false};
  if constexpr (N <= 24) {  // in registers: no index depends on the digits
    std::uint32_t below = 0;
    RUNG_UNROLL
    for (int i = 0; i < N; ++i) {
      if (i >= 5) below |= digit[i - 5];
      if (digit[i] != 0) {
        RUNG_UNROLL
        for (int k = 0; k < 5; ++k) found.digit[k] = i >= k ? digit[i - k] : 0;
        found.top = i, found.has_rest = below != 0;
      }
    }
  } else {
    int top = N - 1;
    while (top >= 0 && digit[top] == 0) --top;
    found.top = top;
    for (int k = 0; k < 5 && k <= top; ++k) found.digit[k] = digit[top - k];
    for (int i = top - 5; i >= 0 && !found.has_rest; --i) found.has_rest = digit[i] != 0;
  }
  return found;
}

template <int N>
RUNG_HD constexpr leading_bits leading(const wide_number<N>& w) {
  const leading_digits d = find_leading(w.digit);
  if (d.top < 0) return {0, 0, 0, w.has_rest};
  const int shift = leading_zeros(d.digit[0]);
  const std::uint64_t next = std::uint64_t(d.digit[4]) << shift;
  const uint128 whole = (uint128(d.digit[0]) << 96 | uint128(d.digit[1]) << 64 |
                         std::uint64_t(d.digit[2]) << 32 | d.digit[3])
                            << shift |
                        next >> 32;
  const bool rest = w.has_rest || d.has_rest || std::uint32_t(next) != 0;
  return {std::uint64_t(whole >> 64), std::uint64_t(whole), w.exponent + 32 * (d.top - 3) - shift,
          rest};
}

/// The square root, as the leading 64 bits (in high) and whether anything is below them.
RUNG_HD constexpr leading_bits root(leading_bits x) {
  if (x.high == 0) return x;
  if (x.exponent % 2 != 0) {
    x.has_rest = x.has_rest || (x.low & 1) != 0;
    x.low = x.low >> 1 | x.high << 63, x.high >>= 1, x.exponent += 1;
  }
  uint128 value = uint128(x.high) << 64 | x.low, rest = 0;
  std::uint64_t result = 0;
  for (int i = 0; i < 64; ++i, value <<= 2) {
    rest = rest << 2 | value >> 126;
    const uint128 trial = uint128(result) << 2 | 1;
    result <<= 1;
    if (rest >= trial) rest -= trial, result |= 1;
  }
  return {result, 0, x.exponent / 2 - 64, x.has_rest || rest != 0};
}

/// The nearest R. x is not zero.
template <class R>
RUNG_HD constexpr R round_leading(const leading_bits& x, bool negative) {
  using format = float_format<R>;
  const bool rest = x.has_rest || x.low != 0;
  const int exponent = x.exponent + 64, normal = exponent + 64 - format::precision;
  int last = normal > format::least ? normal : format::least;  // of the last bit that is kept
  const int dropped = last - exponent;                         // at least 11
  std::uint64_t kept = dropped < 64 ? x.high >> dropped : 0;
  if (dropped <= 64) {
    const std::uint64_t below = dropped < 64 ? x.high << (64 - dropped) : x.high;
    constexpr std::uint64_t half = std::uint64_t(1) << 63;
    if (below > half || (below == half && (rest || (kept & 1) != 0))) ++kept;
  }
  if (kept >> format::precision != 0) kept >>= 1, ++last;
  if (last > format::above - format::precision)
    return float_from_bits<R>(infinity_bits<R>, negative);
  const bool is_normal = kept >> fraction_bits<R> != 0;
  const auto field = std::uint64_t(is_normal ? last - format::least + 1 : 0);
  const std::uint64_t fraction = kept & ((std::uint64_t(1) << fraction_bits<R>)-1);
  return float_from_bits<R>(field << fraction_bits<R> | fraction, negative);
}
template <class R>
RUNG_HD constexpr R round_wide(const leading_bits& x, bool negative) {
  if (x.high != 0) return round_leading<R>(x, negative);
  return float_from_bits<R>(0);
}

}  // namespace rung::detail
