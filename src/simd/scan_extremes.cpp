// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimum and maximum: scans of lines and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/scan_extremes.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
const host::scan_kernels* scan_extremes(kernel_op op, packed type) {
  switch (op) {
    case kernel_op::minimum:
      return scan_of_ordered<rung::minimum, rung::minimum>(type);
    case kernel_op::maximum:
      return scan_of_ordered<rung::maximum, rung::maximum>(type);
    case kernel_op::minimum_number:
      return scan_of_ordered<rung::minimum_number, rung::minimum>(type);
    case kernel_op::maximum_number:
      return scan_of_ordered<rung::maximum_number, rung::maximum>(type);
    default:
      return nullptr;
  }
}
}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(scan_extremes);
const host::scan_kernels* scan_extremes(kernel_op op, packed type) {
  return HWY_DYNAMIC_DISPATCH(scan_extremes)(op, type);
}
}  // namespace rung::simd
#endif
