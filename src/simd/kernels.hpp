// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The SIMD kernels of the compiled library: which there are, and how to find them. Every function
// picks the best instruction set of this machine when it is asked; all sets give the same bits.
// A lookup that has no meaning gives nullptr (or a kernel whose function is nullptr).
#pragma once
#include <cstdint>

#include "rung/cpu/kernels.hpp"

namespace rung::simd {

/// What a kernel folds. A state is that of the operator struct over the same C++ type.
enum class packed : std::uint8_t { i64, u64, f32, f64, c64, c128 };

enum class kernel_op : std::uint8_t {
  plus,
  multiplies,
  minimum,
  maximum,
  minimum_number,
  maximum_number,
  min_max,
  min_max_number,
  arg_min,
  arg_max,
  arg_min_number,
  arg_max_number,
  moments,
  moments_number,  ///< rung::moments whose values that are NaN count as none
  norm,
  log_sum_exp,
  bit_or,
  bit_and,
};

/// The operator object that the kernels take is ignored: they know it.
const host::fold_kernels* find_fold(kernel_op, packed);
/// plus, multiplies, log_sum_exp, minimum, maximum and their number-preferring twins.
const host::scan_kernels* find_scan(kernel_op, packed);

/// The instruction set that was chosen, e.g. "AVX3".
const char* target_name();

}  // namespace rung::simd
