// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Run-time types and operators, and how to get from a code to a C++ type: visit(type, f) calls
// f(tag<T>{}). packed: the six types that values are held in while they are folded. kernel_op: what
// the kernels can join.
#pragma once
#include <rung/rung.h>

#include <rung/base/error.hpp>
#include <rung/cpu/compiled.hpp>
#include <string>

namespace rung::runtime {

using host::kernel_op;
using host::packed;

template <class T>
struct tag {
  using type = T;
};

/// Calls f(tag<T>{}) for the C++ type of a type code.
template <class F>
decltype(auto) visit(rung_type type, F&& f) {
  switch (type) {
    case RUNG_BOOL:
      return f(tag<bool>{});
    case RUNG_I8:
      return f(tag<std::int8_t>{});
    case RUNG_I16:
      return f(tag<std::int16_t>{});
    case RUNG_I32:
      return f(tag<std::int32_t>{});
    case RUNG_I64:
      return f(tag<std::int64_t>{});
    case RUNG_U8:
      return f(tag<std::uint8_t>{});
    case RUNG_U16:
      return f(tag<std::uint16_t>{});
    case RUNG_U32:
      return f(tag<std::uint32_t>{});
    case RUNG_U64:
      return f(tag<std::uint64_t>{});
    case RUNG_F16:
      return f(tag<f16>{});
    case RUNG_BF16:
      return f(tag<bf16>{});
    case RUNG_F32:
      return f(tag<float>{});
    case RUNG_F64:
      return f(tag<double>{});
    case RUNG_C64:
      return f(tag<complex<float>>{});
    case RUNG_C128:
      return f(tag<complex<double>>{});
    default:
      break;
  }
  fail(error_code::bad_type, "rung: there is no type with code " + std::to_string(int(type)));
}

template <class F>
decltype(auto) visit(packed type, F&& f) {
  switch (type) {
    case packed::i64:
      return f(tag<std::int64_t>{});
    case packed::u64:
      return f(tag<std::uint64_t>{});
    case packed::f32:
      return f(tag<float>{});
    case packed::f64:
      return f(tag<double>{});
    case packed::c64:
      return f(tag<complex<float>>{});
    case packed::c128:
      return f(tag<complex<double>>{});
  }
  fail(error_code::internal, "rung: no such packed type");
}

inline bool is_bool_or_signed(rung_type t) { return t <= RUNG_I64; }
inline bool is_unsigned(rung_type t) { return t >= RUNG_U8 && t <= RUNG_U64; }
inline bool is_integer(rung_type t) { return t <= RUNG_U64; }
inline bool is_complex_type(rung_type t) { return t == RUNG_C64 || t == RUNG_C128; }
inline bool is_float(rung_type t) { return t >= RUNG_F16 && t <= RUNG_F64; }

/// The accumulator of a type (see accumulator_t).
inline packed accumulator_of(rung_type t) {
  if (is_bool_or_signed(t)) return packed::i64;
  if (is_unsigned(t)) return packed::u64;
  if (t == RUNG_F64) return packed::f64;
  if (t == RUNG_C64) return packed::c64;
  if (t == RUNG_C128) return packed::c128;
  return packed::f32;
}
/// The type code of a packed type.
inline rung_type code_of(packed p) {
  constexpr rung_type codes[] = {RUNG_I64, RUNG_U64, RUNG_F32, RUNG_F64, RUNG_C64, RUNG_C128};
  return codes[int(p)];
}

}  // namespace rung::runtime
