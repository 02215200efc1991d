// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums: scans of lines and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/scan_plus.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
/// Plain loops would write states, not results.
template <class E>
const host::scan_kernels* scan_of_half() {
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
  return scan_table<rung::plus, E>();
#else
  return nullptr;
#endif
}
const host::scan_kernels* scan_plus(packed type) {
  switch (type) {
    case packed::i64:
    case packed::u64:
      return scan_table<rung::plus, std::int64_t>();
    case packed::f32:
      return scan_table<rung::plus, float>();
    case packed::f64:
      return scan_table<rung::plus, double>();
    case packed::c64:
      return scan_table<rung::plus, complex<float>>();
    case packed::c128:
      return scan_table<rung::plus, complex<double>>();
    case packed::f16:
      return scan_of_half<rung::f16>();
    case packed::bf16:
      return scan_of_half<rung::bf16>();
    case packed::i32:
      return scan_table<rung::plus, std::int32_t>();
  }
  return nullptr;
}
}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(scan_plus);
const host::scan_kernels* scan_plus(packed type) { return HWY_DYNAMIC_DISPATCH(scan_plus)(type); }
}  // namespace rung::simd
#endif
