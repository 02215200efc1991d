// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums of lines, and of squares and products: the loops of cpu/exact_lines.hpp, compiled for
// each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/exact_lines.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/exact_lines.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
[[gnu::flatten]] void sum_f32(exact_state<float>& s, const float* x, std::size_t n) {
  host::add_line(s, x, n);
}
[[gnu::flatten]] void sum_f64(exact_state<double>& s, const double* x, std::size_t n) {
  host::add_line(s, x, n);
}
[[gnu::flatten]] void squares_f32(exact_state<exact_product<float>>& s, const float* x,
                                  std::size_t n) {
  host::add_squares(s, x, n);
}
[[gnu::flatten]] void squares_f64(exact_state<exact_product<double>>& s, const double* x,
                                  std::size_t n) {
  host::add_squares(s, x, n);
}
[[gnu::flatten]] void products_f32(exact_state<exact_product<float>>& s,
                                   const exact_product<float>* x, std::size_t n) {
  host::add_line(s, x, n);
}
[[gnu::flatten]] void products_f64(exact_state<exact_product<double>>& s,
                                   const exact_product<double>* x, std::size_t n) {
  host::add_line(s, x, n);
}
const exact_line_functions* exact_lines() {
  static constexpr exact_line_functions all{sum_f32,     sum_f64,      squares_f32,
                                            squares_f64, products_f32, products_f64};
  return &all;
}
}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(exact_lines);
const exact_line_functions& exact_lines() { return *HWY_DYNAMIC_DISPATCH(exact_lines)(); }
}  // namespace rung::simd
#endif
