// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimum, maximum and both at once: trees over lines and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/fold_extremes.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
const host::fold_kernels* fold_extremes(kernel_op op, packed type) {
  switch (op) {
    case kernel_op::minimum:
      return fold_of_ordered<rung::minimum, rung::minimum>(type);
    case kernel_op::maximum:
      return fold_of_ordered<rung::maximum, rung::maximum>(type);
    case kernel_op::minimum_number:
      return fold_of_ordered<rung::minimum_number, rung::minimum>(type);
    case kernel_op::maximum_number:
      return fold_of_ordered<rung::maximum_number, rung::maximum>(type);
    case kernel_op::min_max:
      return fold_of_ordered<rung::min_max, rung::min_max>(type);
    case kernel_op::min_max_number:
      return fold_of_ordered<rung::min_max_number, rung::min_max>(type);
    default:
      return nullptr;
  }
}
}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(fold_extremes);
const host::fold_kernels* fold_extremes(kernel_op op, packed type) {
  return HWY_DYNAMIC_DISPATCH(fold_extremes)(op, type);
}
}  // namespace rung::simd
#endif
