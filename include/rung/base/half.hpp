// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// f16 and bf16: 16-bit floats as they lie in memory. They hold bits and convert; all arithmetic is
// done in f32. Conversion to float is exact. Conversion from float rounds to nearest, ties to even,
// overflows to infinity and makes every NaN the one quiet NaN (0x7e00, 0x7fc0). Source: IEEE
// 754-2019 section 4.3.1; bfloat16 is binary32 without its low 16 bits.
#pragma once
#include <cstdint>

#include "machine.hpp"

namespace rung {

namespace detail {
/// std::bit_cast, also on the device.
template <class To, class From>
RUNG_HD constexpr To bit_cast(const From& x) {
  return __builtin_bit_cast(To, x);
}
}  // namespace detail

/// IEEE binary16: 1 sign, 5 exponent, 10 fraction bits.
struct f16 {
  std::uint16_t bits = 0;
  f16() = default;
  RUNG_HD constexpr explicit f16(float x) : bits(from_float(x)) {}
  RUNG_HD constexpr explicit operator float() const { return to_float(bits); }
  static RUNG_HD constexpr f16 from_bits(std::uint16_t b) {
    f16 h(0.0f);
    h.bits = b;
    return h;
  }

 private:
  static RUNG_HD constexpr float to_float(std::uint16_t h) {
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) {
      float x;
      asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
      return x;
    }
#endif
    // Shift exponent and fraction into place, then let one exact product correct the exponent bias:
    // this also normalises subnormals. Infinity and NaN get the top exponent by hand.
    const std::uint32_t magnitude = std::uint32_t(h & 0x7fffu) << 13;
    const float scaled = detail::bit_cast<float>(magnitude) * 0x1p112f;
    std::uint32_t u = detail::bit_cast<std::uint32_t>(scaled);
    if ((h & 0x7c00u) == 0x7c00u) u = magnitude | 0x7f800000u;
    return detail::bit_cast<float>(u | std::uint32_t(h & 0x8000u) << 16);
  }
  static RUNG_HD constexpr std::uint16_t from_float(float x) {
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) {
      std::uint16_t rounded;
      asm("cvt.rn.f16.f32 %0, %1;" : "=h"(rounded) : "f"(x));
      return x != x ? std::uint16_t(0x7e00) : rounded;  // the instruction makes 0x7fff
    }
#endif
    const std::uint32_t u = detail::bit_cast<std::uint32_t>(x), magnitude = u & 0x7fffffffu;
    const std::uint32_t sign = u >> 16 & 0x8000u;
    std::uint32_t h = 0;
    if (magnitude > 0x7f800000u) return 0x7e00u;  // the one NaN
    if (magnitude >= 0x47800000u) h = 0x7c00u;    // at least 2^16: infinity
    else if (magnitude < 0x38800000u) {  // below 2^-14: subnormal, counted in units of 2^-24
      const float units =
          detail::bit_cast<float>(magnitude) + 0.5f;  // ulp(0.5) = 2^-24: the sum rounds for us
      h = detail::bit_cast<std::uint32_t>(units) - 0x3f000000u;
    } else h = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    return std::uint16_t(h | sign);
  }
};

/// bfloat16: 1 sign, 8 exponent, 7 fraction bits.
struct bf16 {
  std::uint16_t bits = 0;
  bf16() = default;
  RUNG_HD constexpr explicit bf16(float x) : bits(from_float(x)) {}
  RUNG_HD constexpr explicit operator float() const {
    return detail::bit_cast<float>(std::uint32_t(bits) << 16);
  }
  static RUNG_HD constexpr bf16 from_bits(std::uint16_t b) {
    bf16 h(0.0f);
    h.bits = b;
    return h;
  }

 private:
  static RUNG_HD constexpr std::uint16_t from_float(float x) {
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) {
      std::uint16_t rounded;
      asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded) : "f"(x));
      return x != x ? std::uint16_t(0x7fc0) : rounded;  // the instruction makes 0x7fff
    }
#endif
    const std::uint32_t u = detail::bit_cast<std::uint32_t>(x);
    if ((u & 0x7fffffffu) > 0x7f800000u) return 0x7fc0u;
    return std::uint16_t((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
  }
};

static_assert(sizeof(f16) == 2 && sizeof(bf16) == 2);

}  // namespace rung
