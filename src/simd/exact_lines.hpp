// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Values side by side added to exact sums, by the best instruction set of this machine.
#pragma once
#include "rung/cpu/exact_lines.hpp"

namespace rung::simd {

struct exact_line_functions {
  template <class V, class X>
  using add = void (*)(exact_state<V>&, const X*, std::size_t);
  add<float, float> sum_f32;
  add<double, double> sum_f64;
  add<exact_product<float>, float> squares_f32;
  add<exact_product<double>, double> squares_f64;
  add<exact_product<float>, exact_product<float>> products_f32;
  add<exact_product<double>, exact_product<double>> products_f64;
};
const exact_line_functions& exact_lines();

}  // namespace rung::simd
