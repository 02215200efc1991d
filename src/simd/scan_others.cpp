// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Products, extremes and log_sum_exp: scans of lines and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/scan_others.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
template <class Op, class IntegerOp>
const host::scan_kernels* of_ordered(packed type) {
  switch (type) {
    case packed::i64:
      return scan_table<IntegerOp, std::int64_t>();
    case packed::u64:
      return scan_table<IntegerOp, std::uint64_t>();
    case packed::f32:
      return scan_table<Op, float>();
    case packed::f64:
      return scan_table<Op, double>();
    default:
      return nullptr;
  }
}
const host::scan_kernels* scan_multiplies(packed type) {
  switch (type) {
    case packed::i64:
    case packed::u64:
      return scan_table<rung::multiplies, std::int64_t>();
    case packed::f32:
      return scan_table<rung::multiplies, float>();
    case packed::f64:
      return scan_table<rung::multiplies, double>();
    case packed::c64:
      return scan_table<rung::multiplies, complex<float>>();
    case packed::c128:
      return scan_table<rung::multiplies, complex<double>>();
  }
  return nullptr;
}
const host::scan_kernels* scan_log_sum_exp(packed type) {
  if (type == packed::f32) return scan_table<rung::log_sum_exp, float>();
  if (type == packed::f64) return scan_table<rung::log_sum_exp, double>();
  return nullptr;
}

const host::scan_kernels* scan_others(kernel_op op, packed type) {
  switch (op) {
    case kernel_op::multiplies:
      return scan_multiplies(type);
    case kernel_op::log_sum_exp:
      return scan_log_sum_exp(type);
    case kernel_op::minimum:
      return of_ordered<rung::minimum, rung::minimum>(type);
    case kernel_op::maximum:
      return of_ordered<rung::maximum, rung::maximum>(type);
    case kernel_op::minimum_number:
      return of_ordered<rung::minimum_number, rung::minimum>(type);
    case kernel_op::maximum_number:
      return of_ordered<rung::maximum_number, rung::maximum>(type);
    default:
      return nullptr;
  }
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
