// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums: trees over lines and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/fold_plus.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
const host::fold_kernels* fold_plus(packed type) {
  switch (type) {
    case packed::i64:
    case packed::u64:
      return fold_table<rung::plus, std::int64_t>();
    case packed::f32:
      return fold_table<rung::plus, float>();
    case packed::f64:
      return fold_table<rung::plus, double>();
    case packed::c64:
      return fold_table<rung::plus, complex<float>>();
    case packed::c128:
      return fold_table<rung::plus, complex<double>>();
    case packed::f16:
      return fold_table<rung::plus, rung::f16>();
    case packed::bf16:
      return fold_table<rung::plus, rung::bf16>();
    case packed::i32:
      return fold_table<rung::plus, std::int32_t>();
  }
  return nullptr;
}
}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(fold_plus);
const host::fold_kernels* fold_plus(packed type) { return HWY_DYNAMIC_DISPATCH(fold_plus)(type); }
}  // namespace rung::simd
#endif
