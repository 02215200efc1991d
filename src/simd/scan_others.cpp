// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Products and log_sum_exp: scans of lines and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/scan_others.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
const host::scan_kernels* scan_others(kernel_op op, packed type) {
  if (op == kernel_op::log_sum_exp) return scan_of_reals<rung::log_sum_exp>(type);
  if (op != kernel_op::multiplies) return nullptr;
  if (is_integer(type)) return scan_table<rung::multiplies, std::int64_t>();
  if (type == packed::c64) return scan_table<rung::multiplies, complex<float>>();
  if (type == packed::c128) return scan_table<rung::multiplies, complex<double>>();
  return scan_of_reals<rung::multiplies>(type);
}
}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(scan_others);
const host::scan_kernels* scan_others(kernel_op op, packed type) {
  return HWY_DYNAMIC_DISPATCH(scan_others)(op, type);
}
}  // namespace rung::simd
#endif
