// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Products, bits, places of extremes, log_sum_exp: trees over lines and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/fold_others.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
const host::fold_kernels* fold_others(kernel_op op, packed type) {
  switch (op) {
    case kernel_op::multiplies:
      if (is_integer(type)) return fold_table<rung::multiplies, std::int64_t>();
      return fold_of_floats<rung::multiplies>(type);
    case kernel_op::bit_or:
      return is_integer(type) ? fold_table<rung::bit_or, std::int64_t>() : nullptr;
    case kernel_op::bit_and:
      return is_integer(type) ? fold_table<rung::bit_and, std::int64_t>() : nullptr;
    case kernel_op::arg_min:
      return fold_of_ordered<rung::arg_min, rung::arg_min>(type);
    case kernel_op::arg_max:
      return fold_of_ordered<rung::arg_max, rung::arg_max>(type);
    case kernel_op::arg_min_number:
      return fold_of_ordered<rung::arg_min_number, rung::arg_min>(type);
    case kernel_op::arg_max_number:
      return fold_of_ordered<rung::arg_max_number, rung::arg_max>(type);
    case kernel_op::log_sum_exp:
      return fold_of_reals<rung::log_sum_exp>(type);
    default:
      return nullptr;
  }
}
}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(fold_others);
const host::fold_kernels* fold_others(kernel_op op, packed type) {
  return HWY_DYNAMIC_DISPATCH(fold_others)(op, type);
}
}  // namespace rung::simd
#endif
