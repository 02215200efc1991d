// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixed-point numbers wide enough for any sum, in two forms. Digits: 32 bits each, lowest first,
// two's complement; one form per number. Limbs: limb[i] * 2^(32 i), signed and 64 bits wide, so
// that 2^30 deposits, and 2^31 numbers limb by limb, can be added before carries must move; the
// accumulators of loops, and what collectives of int64 sums take. Cost: a deposit touches three
// limbs.
#pragma once
#include <cstdint>

#include "../base/machine.hpp"

namespace rung::detail {

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

inline constexpr std::uint64_t limb_mask = 0xffffffffu;

/// a + b; wraps instead of overflowing, so that bytes from anywhere can do no harm.
RUNG_HD constexpr std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return std::int64_t(std::uint64_t(a) + std::uint64_t(b));
}

/// Adds magnitude * 2^position units, or subtracts them. Carries stay where they are.
template <int N>
RUNG_HD constexpr void deposit(std::int64_t (&limb)[N], std::uint64_t magnitude, int position,
                               bool negative) {
  const uint128 shifted = uint128(magnitude) << (position & 31);
  const int first = position >> 5;
  for (int i = 0; i < 3; ++i) {
    const auto digit = std::int64_t(std::uint64_t(shifted >> (32 * i)) & limb_mask);
    limb[first + i] = wrapping_add(limb[first + i], negative ? -digit : digit);
  }
}
template <int N>
RUNG_HD constexpr void deposit(std::int64_t (&limb)[N], std::int64_t value, int position) {
  const bool negative = value < 0;
  deposit(limb, negative ? 0 - std::uint64_t(value) : std::uint64_t(value), position, negative);
}

/// digits += limbs, both of N; carries out of the last are dropped.
template <int N>
RUNG_HD constexpr void add_limbs(std::uint32_t (&digit)[N], const std::int64_t (&limb)[N]) {
  std::int64_t carry = 0;
  for (int i = 0; i < N; ++i) {
    const auto sum = wrapping_add(wrapping_add(limb[i], carry), digit[i]);
    digit[i] = std::uint32_t(sum);
    carry = sum >> 32;
  }
}
/// a += b.
template <int N>
RUNG_HD constexpr void add_digits(std::uint32_t (&a)[N], const std::uint32_t (&b)[N]) {
  std::uint64_t carry = 0;
  for (int i = 0; i < N; ++i) {
    carry += std::uint64_t(a[i]) + b[i];
    a[i] = std::uint32_t(carry);
    carry >>= 32;
  }
}

/// Sign and magnitude: digit[i] * 2^(exponent + 32 i), summed up. Whatever is left of exact values
/// below the last digit is known as one bit.
template <int N>
struct wide_number {
  std::uint32_t digit[N];
  int exponent;
  bool negative, has_rest;
};

/// Digits in units of 2^unit, with Extra more below for what a division leaves.
template <int Extra, int N>
RUNG_HD constexpr wide_number<N + Extra> wide_of(const std::uint32_t (&digit)[N], int unit) {
  wide_number<N + Extra> w{};
  w.exponent = unit - 32 * Extra, w.negative = digit[N - 1] >> 31 != 0;
  std::uint64_t carry = w.negative ? 1 : 0;
  RUNG_UNROLL
  for (int i = 0; i < N; ++i) {
    carry += w.negative ? ~digit[i] : digit[i];
    w.digit[Extra + i] = std::uint32_t(carry);
    carry >>= 32;
  }
  return w;
}

/// w / divisor, which is not 0.
template <int N>
RUNG_HD constexpr void divide(wide_number<N>& w, std::uint64_t divisor) {
  uint128 rest = 0;
  for (int i = N - 1; i >= 0; --i) {
    rest = rest << 32 | w.digit[i];
    w.digit[i] = std::uint32_t(rest / divisor);
    rest %= divisor;
  }
  w.has_rest = w.has_rest || rest != 0;
}

/// to += a * b, digit by digit; to has room.
template <int N, int M, int K>
RUNG_HD constexpr void add_product(std::uint32_t (&to)[N], const std::uint32_t (&a)[M],
                                   const std::uint32_t (&b)[K]) {
  for (int i = 0; i < M; ++i) {
    std::uint64_t carry = 0;
    for (int j = 0; i + j < N; ++j) {
      if (j >= K && carry == 0) break;
      carry += std::uint64_t(to[i + j]) + (j < K ? std::uint64_t(a[i]) * b[j] : 0);
      to[i + j] = std::uint32_t(carry);
      carry >>= 32;
    }
  }
}
/// to -= a; the difference is not negative.
template <int N, int M>
RUNG_HD constexpr void subtract_from(std::uint32_t (&to)[N], const std::uint32_t (&a)[M]) {
  std::uint64_t borrow = 0;
  for (int i = 0; i < N; ++i) {
    const std::uint64_t difference = std::uint64_t(to[i]) - (i < M ? a[i] : 0u) - borrow;
    to[i] = std::uint32_t(difference);
    borrow = difference >> 63;
  }
}

}  // namespace rung::detail
