// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Values side by side added to exact sums: in SIMD if the library was built with it.
#pragma once
#include <rung/cpu/exact_lines.hpp>
#if defined(RUNG_WITH_SIMD)
#include "simd/exact_lines.hpp"
#endif

namespace rung::runtime {

template <class T>
void sum_line(exact_state<T>& s, const T* x, std::size_t n) {
#if defined(RUNG_WITH_SIMD)
  if constexpr (std::is_same_v<T, float>) return simd::exact_lines().sum_f32(s, x, n);
  if constexpr (std::is_same_v<T, double>) return simd::exact_lines().sum_f64(s, x, n);
#endif
  host::add_line(s, x, n);
}
template <class T>
void square_line(exact_state<exact_product<T>>& s, const T* x, std::size_t n) {
#if defined(RUNG_WITH_SIMD)
  if constexpr (std::is_same_v<T, float>) return simd::exact_lines().squares_f32(s, x, n);
  if constexpr (std::is_same_v<T, double>) return simd::exact_lines().squares_f64(s, x, n);
#endif
  host::add_squares(s, x, n);
}
template <class T>
void product_line(exact_state<exact_product<T>>& s, const exact_product<T>* x, std::size_t n) {
#if defined(RUNG_WITH_SIMD)
  if constexpr (std::is_same_v<T, float>) return simd::exact_lines().products_f32(s, x, n);
  if constexpr (std::is_same_v<T, double>) return simd::exact_lines().products_f64(s, x, n);
#endif
  host::add_line(s, x, n);
}

}  // namespace rung::runtime
