// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays for the C interface that own their memory, and calls that fail the test on an error.
#pragma once
#include <gtest/gtest.h>
#include <rung/rung.h>

#include <cstdint>
#include <rung/order.hpp>
#include <vector>

namespace capi {

template <class T>
inline constexpr rung_type code = RUNG_F32;
template <>
inline constexpr rung_type code<bool> = RUNG_BOOL;
template <>
inline constexpr rung_type code<std::int8_t> = RUNG_I8;
template <>
inline constexpr rung_type code<std::int16_t> = RUNG_I16;
template <>
inline constexpr rung_type code<std::int32_t> = RUNG_I32;
template <>
inline constexpr rung_type code<std::int64_t> = RUNG_I64;
template <>
inline constexpr rung_type code<std::uint8_t> = RUNG_U8;
template <>
inline constexpr rung_type code<std::uint16_t> = RUNG_U16;
template <>
inline constexpr rung_type code<std::uint32_t> = RUNG_U32;
template <>
inline constexpr rung_type code<std::uint64_t> = RUNG_U64;
template <>
inline constexpr rung_type code<rung::f16> = RUNG_F16;
template <>
inline constexpr rung_type code<rung::bf16> = RUNG_BF16;
template <>
inline constexpr rung_type code<double> = RUNG_F64;
template <>
inline constexpr rung_type code<rung::complex<float>> = RUNG_C64;
template <>
inline constexpr rung_type code<rung::complex<double>> = RUNG_C128;

/// A C-order array; bool is held in bytes.
template <class T>
struct array {
  using stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  std::vector<stored> values;
  std::vector<std::int64_t> shape;

  array(std::vector<std::int64_t> s, std::vector<stored> v)
      : values(std::move(v)), shape(std::move(s)) {}
  explicit array(std::vector<stored> v)
      : values(std::move(v)), shape{std::int64_t(values.size())} {}
  rung_array c() {
    return {values.data(), code<T>, 0, std::int32_t(shape.size()), shape.data(), nullptr};
  }
};

inline rung_options defaults() {
  rung_options o;
  rung_options_default(&o);
  return o;
}

/// The result of a call, checked to have type R and the shape that rung_result tells.
template <class R>
array<R> run(rung_op op, const rung_array& a, const rung_options& o,
             const rung_array* b = nullptr) {
  rung_type type;
  std::int32_t rank = 0;
  std::int64_t shape[17];
  EXPECT_EQ(rung_result(op, &a, b, &o, &type, &rank, shape), RUNG_OK) << rung_last_error();
  EXPECT_EQ(rung_type_name(type), rung_type_name(code<R>));
  std::int64_t size = 1;
  for (int d = 0; d < rank; d++) size *= shape[d];
  array<R> out(std::vector<std::int64_t>(shape, shape + rank),
               std::vector<typename array<R>::stored>(std::size_t(size)));
  const rung_array c = out.c();
  const int code = rung_op_is_scan(op) ? rung_scan(op, &a, &o, &c) : rung_reduce(op, &a, b, &o, &c);
  EXPECT_EQ(code, RUNG_OK) << rung_last_error();
  return out;
}

}  // namespace capi
