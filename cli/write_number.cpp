// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Values to text; see number.hpp. to_chars finds the shortest digits; only their layout (where
// the point stands, when the exponent shows) is decided here.

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "number.hpp"

namespace rung::cli {
namespace {

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

float from_f16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16, exponent = bits >> 10 & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  if (exponent == 0) {  // zero and subnormals: fraction * 2^-24
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 0x1f ? 0xffU : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

template <class T>
void append_float(std::string& to, T value, bool with_point) {
  if (std::isnan(value)) {
    to += "nan";
    return;
  }
  if (std::signbit(value)) to += '-';
  if (std::isinf(value)) {
    to += "inf";
    return;
  }
  std::array<char, 40> buffer;
  char* const begin = buffer.data();
  char* const end = std::to_chars(begin, begin + buffer.size(), std::abs(value),
                                  std::chars_format::scientific)
                        .ptr;  // d.ddde[+-]dd
  const std::string_view all(begin, static_cast<std::size_t>(end - begin));
  const std::size_t e = all.find('e');
  const int exponent = std::atoi(std::string(all.substr(e + 1)).c_str());
  std::string digits(all.substr(0, 1));
  if (e > 2) digits += all.substr(2, e - 2);
  const int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    to += all;
  } else if (exponent < 0) {
    to.append("0.").append(static_cast<std::size_t>(-1 - exponent), '0') += digits;
  } else if (count > exponent + 1) {
    to += digits.insert(static_cast<std::size_t>(exponent) + 1, 1, '.');
  } else {
    (to += digits).append(static_cast<std::size_t>(exponent + 1 - count), '0');
    if (with_point) to += ".0";
  }
}

template <class T>
void append_real(std::string& to, T value, spelling how) {
  if (how == spelling::json && std::isnan(value)) {
    to += "\"NaN\"";
  } else if (how == spelling::json && std::isinf(value)) {
    to += value > 0 ? "\"inf\"" : "\"-inf\"";
  } else {
    append_float(to, value, true);
  }
}

template <class T>
void append_complex(std::string& to, T real, T imaginary, spelling how) {
  if (how == spelling::json) to += '"';
  const bool no_real = real == 0 && !std::signbit(real);  // Python writes 4j then
  if (!no_real) {
    to += '(';
    append_float(to, real, false);
    if (std::isnan(imaginary) || !std::signbit(imaginary)) to += '+';
  }
  append_float(to, imaginary, false);
  to += no_real ? "j" : "j)";
  if (how == spelling::json) to += '"';
}

}  // namespace

void append_value(std::string& to, const std::byte* at, rung_type type, spelling how) {
  const bool widen = how == spelling::json;
  const auto single = [&](float value) {
    widen ? append_real(to, static_cast<double>(value), how) : append_real(to, value, how);
  };
  switch (type) {
    case RUNG_BOOL:
      to += load<std::uint8_t>(at) != 0 ? "true" : "false";
      return;
    case RUNG_I8:
      to += std::to_string(load<std::int8_t>(at));
      return;
    case RUNG_I16:
      to += std::to_string(load<std::int16_t>(at));
      return;
    case RUNG_I32:
      to += std::to_string(load<std::int32_t>(at));
      return;
    case RUNG_I64:
      to += std::to_string(load<std::int64_t>(at));
      return;
    case RUNG_U8:
      to += std::to_string(load<std::uint8_t>(at));
      return;
    case RUNG_U16:
      to += std::to_string(load<std::uint16_t>(at));
      return;
    case RUNG_U32:
      to += std::to_string(load<std::uint32_t>(at));
      return;
    case RUNG_U64:
      to += std::to_string(load<std::uint64_t>(at));
      return;
    case RUNG_F16:
      single(from_f16(load<std::uint16_t>(at)));
      return;
    case RUNG_BF16:
      single(from_bf16(load<std::uint16_t>(at)));
      return;
    case RUNG_F32:
      single(load<float>(at));
      return;
    case RUNG_F64:
      append_real(to, load<double>(at), how);
      return;
    case RUNG_C64: {
      const float real = load<float>(at), imaginary = load<float>(at + sizeof(float));
      if (widen) {
        append_complex(to, static_cast<double>(real), static_cast<double>(imaginary), how);
      } else {
        append_complex(to, real, imaginary, how);
      }
      return;
    }
    case RUNG_C128:
      append_complex(to, load<double>(at), load<double>(at + sizeof(double)), how);
      return;
    case RUNG_TYPE_IS_32_BITS:
      return;
  }
}

}  // namespace rung::cli
