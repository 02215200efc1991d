// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions on the way out, packed states -> elements, and what else is done to rows of values.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/convert_store.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"
//
#include "simd/convert-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

convert_rows narrowing_of_integer(element to) {
  using from = std::int64_t;
  switch (to) {
    case element::boolean:
      return convert_all<boolean, from>;
    case element::i8:
    case element::u8:
      return convert_all<std::uint8_t, from>;
    case element::i16:
    case element::u16:
      return convert_all<std::uint16_t, from>;
    case element::i32:
    case element::u32:
      return convert_all<std::uint32_t, from>;
    case element::i64:
    case element::u64:
      return convert_all<std::uint64_t, from>;
    default:
      return nullptr;
  }
}
template <class From>
convert_rows narrowing_of_float(element to) {
  switch (to) {
    case element::f16:
      return convert_all<rung::f16, From>;
    case element::bf16:
      return convert_all<rung::bf16, From>;
    case element::f32:
      return convert_all<float, From>;
    case element::f64:
      return convert_all<double, From>;
    default:
      return nullptr;
  }
}
template <class From>
convert_rows narrowing_of_complex(element to) {
  if (to == element::c64) return convert_all<complex<float>, From>;
  if (to == element::c128) return convert_all<complex<double>, From>;
  return nullptr;
}

convert_rows find_narrowing(packed from, element to) {
  switch (from) {
    case packed::i64:
    case packed::u64:
      return narrowing_of_integer(to);
    case packed::f32:
      return narrowing_of_float<float>(to);
    case packed::f64:
      return narrowing_of_float<double>(to);
    case packed::c64:
      return narrowing_of_complex<complex<float>>(to);
    case packed::c128:
      return narrowing_of_complex<complex<double>>(to);
    default:
      return nullptr;
  }
  return nullptr;
}

template <class V, bool conjugated>
void multiply(void* values, const void* others, size_t n) {
  V* __restrict x = static_cast<V*>(values);
  const V* __restrict y = static_cast<const V*>(others);
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
  if constexpr (is_complex<V>) {  // by hand: see scan_functions in tables-inl.hpp
    using L = decltype(V().re);
    L* p = reinterpret_cast<L*>(x);
    const L* q = reinterpret_cast<const L*>(y);
    const full<L> d;
    const size_t lanes = 2 * n, step = vector_bytes / sizeof(L);
    size_t i = 0;
    for (; i + step <= lanes; i += step)
      hn::StoreU(complex_product<conjugated>(hn::LoadU(d, p + i), hn::LoadU(d, q + i)), d, p + i);
    if (const size_t m = lanes - i; m > 0)
      store_first(complex_product<conjugated>(load_first(p + i, m), load_first(q + i, m)), p + i,
                  m);
    return;
  }
#endif
  for (size_t i = 0; i < n; i++) {
    if constexpr (conjugated) x[i] = rung::mul(V(x[i].re, -x[i].im), y[i]);
    else x[i] = rung::mul(x[i], y[i]);
  }
}

multiply_values find_product(packed type, bool conjugated) {
  switch (type) {
    case packed::i64:
    case packed::u64:
      return multiply<std::int64_t, false>;
    case packed::f32:
      return multiply<float, false>;
    case packed::f64:
      return multiply<double, false>;
    case packed::c64:
      return conjugated ? multiply<complex<float>, true> : multiply<complex<float>, false>;
    case packed::c128:
      return conjugated ? multiply<complex<double>, true> : multiply<complex<double>, false>;
    default:
      return nullptr;
  }
  return nullptr;
}

template <class V>
void replace_nan(void* values, size_t n, const void* instead) {
  V* x = static_cast<V*>(values);
  const V y = *static_cast<const V*>(instead);
  for (size_t i = 0; i < n; i++) x[i] = rung::is_nan(x[i]) ? y : x[i];
}

replace_values find_nan_replacement(packed type) {
  switch (type) {
    case packed::f32:
      return replace_nan<float>;
    case packed::f64:
      return replace_nan<double>;
    case packed::c64:
      return replace_nan<complex<float>>;
    case packed::c128:
      return replace_nan<complex<double>>;
    default:
      return nullptr;
  }
}

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(find_narrowing);
HWY_EXPORT(find_product);
HWY_EXPORT(find_nan_replacement);
convert_rows find_narrowing(packed from, element to) {
  return HWY_DYNAMIC_DISPATCH(find_narrowing)(from, to);
}
multiply_values find_product(packed type, bool conjugated) {
  return HWY_DYNAMIC_DISPATCH(find_product)(type, conjugated);
}
replace_values find_nan_replacement(packed type) {
  return HWY_DYNAMIC_DISPATCH(find_nan_replacement)(type);
}
}  // namespace rung::simd
#endif
