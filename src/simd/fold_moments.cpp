// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Moments and norms: trees over lines and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/fold_moments.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
const host::fold_kernels* fold_moments(kernel_op op, packed type) {
  switch (op) {
    case kernel_op::moments:
      return fold_of_floats<rung::moments>(type);
    case kernel_op::moments_number:
      return fold_of_floats<moments_number>(type);
    case kernel_op::norm:
      return fold_of_floats<rung::norm>(type);
    default:
      return nullptr;
  }
}
}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(fold_moments);
const host::fold_kernels* fold_moments(kernel_op op, packed type) {
  return HWY_DYNAMIC_DISPATCH(fold_moments)(op, type);
}
}  // namespace rung::simd
#endif
