// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions on the way in: elements -> packed values.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/convert_load.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/convert-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

/// Integers and bool to 64 bits.
convert_rows widening_to_integer(element from) {
  using to = std::int64_t;
  switch (from) {
    case element::boolean:
      return convert_all<to, boolean>;
    case element::i8:
      return convert_all<to, std::int8_t>;
    case element::i16:
      return convert_all<to, std::int16_t>;
    case element::i32:
      return convert_all<to, std::int32_t>;
    case element::u8:
      return convert_all<to, std::uint8_t>;
    case element::u16:
      return convert_all<to, std::uint16_t>;
    case element::u32:
      return convert_all<to, std::uint32_t>;
    case element::i64:
    case element::u64:
      return convert_all<to, std::int64_t>;
    default:
      return nullptr;
  }
}
/// All real types.
template <class To>
convert_rows widening_to(element from) {
  switch (from) {
    case element::boolean:
      return convert_all<To, boolean>;
    case element::i8:
      return convert_all<To, std::int8_t>;
    case element::i16:
      return convert_all<To, std::int16_t>;
    case element::i32:
      return convert_all<To, std::int32_t>;
    case element::i64:
      return convert_all<To, std::int64_t>;
    case element::u8:
      return convert_all<To, std::uint8_t>;
    case element::u16:
      return convert_all<To, std::uint16_t>;
    case element::u32:
      return convert_all<To, std::uint32_t>;
    case element::u64:
      return convert_all<To, std::uint64_t>;
    case element::f16:
      return convert_all<To, rung::f16>;
    case element::bf16:
      return convert_all<To, rung::bf16>;
    case element::f32:
      return convert_all<To, float>;
    case element::f64:
      return convert_all<To, double>;
    default:
      return nullptr;
  }
}
template <class To>
convert_rows widening_to_complex(element from) {
  if (from == element::c64) return convert_all<To, complex<float>>;
  if (from == element::c128) return convert_all<To, complex<double>>;
  return widening_to<To>(from);
}

convert_rows find_widening(element from, packed to) {
  switch (to) {
    case packed::i64:
    case packed::u64:
      return widening_to_integer(from);
    case packed::f32:
      return widening_to<float>(from);
    case packed::f64:
      return widening_to<double>(from);
    case packed::c64:
      return widening_to_complex<complex<float>>(from);
    case packed::c128:
      return widening_to_complex<complex<double>>(from);
    default:
      return nullptr;
  }
  return nullptr;
}

template <class From>
convert_rows nonzero_of(bool number) {
  return number ? nonzero_all<From, true> : nonzero_all<From, false>;
}
convert_rows find_nonzero(element from, bool number) {
  switch (from) {
    case element::boolean:
    case element::i8:
    case element::u8:
      return nonzero_all<boolean>;
    case element::i16:
    case element::u16:
      return nonzero_all<std::uint16_t>;
    case element::i32:
    case element::u32:
      return nonzero_all<std::uint32_t>;
    case element::i64:
    case element::u64:
      return nonzero_all<std::uint64_t>;
    case element::f16:
      return nonzero_of<rung::f16>(number);
    case element::bf16:
      return nonzero_of<rung::bf16>(number);
    case element::f32:
      return nonzero_of<float>(number);
    case element::f64:
      return nonzero_of<double>(number);
    case element::c64:
      return nonzero_of<complex<float>>(number);
    case element::c128:
      return nonzero_of<complex<double>>(number);
  }
  return nullptr;
}

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(find_widening);
HWY_EXPORT(find_nonzero);
convert_rows find_widening(element from, packed to) {
  return HWY_DYNAMIC_DISPATCH(find_widening)(from, to);
}
convert_rows find_nonzero(element from, bool number) {
  return HWY_DYNAMIC_DISPATCH(find_nonzero)(from, number);
}
}  // namespace rung::simd
#endif
