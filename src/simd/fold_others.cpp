// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Products, bits, moments, norms, places of extremes, log_sum_exp: trees over lines and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/fold_others.cpp"
#include "simd/moments_number.hpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/all-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class Op>
const host::fold_kernels* of_integers(packed type) {
  if (type == packed::i64 || type == packed::u64) return fold_table<Op, std::int64_t>();
  return nullptr;
}
template <class Op>
const host::fold_kernels* of_reals(packed type) {
  if (type == packed::f32) return fold_table<Op, float>();
  if (type == packed::f64) return fold_table<Op, double>();
  return nullptr;
}
template <class Op>
const host::fold_kernels* of_floats(packed type) {
  if (type == packed::c64) return fold_table<Op, complex<float>>();
  if (type == packed::c128) return fold_table<Op, complex<double>>();
  return of_reals<Op>(type);
}
template <class Op, class IntegerOp>
const host::fold_kernels* of_ordered(packed type) {
  if (type == packed::i64) return fold_table<IntegerOp, std::int64_t>();
  if (type == packed::u64) return fold_table<IntegerOp, std::uint64_t>();
  return of_reals<Op>(type);
}

const host::fold_kernels* fold_others(kernel_op op, packed type) {
  const bool integer = type == packed::i64 || type == packed::u64;
  switch (op) {
    case kernel_op::multiplies:
      return integer ? of_integers<rung::multiplies>(type) : of_floats<rung::multiplies>(type);
    case kernel_op::bit_or:
      return of_integers<rung::bit_or>(type);
    case kernel_op::bit_and:
      return of_integers<rung::bit_and>(type);
    case kernel_op::arg_min:
      return of_ordered<rung::arg_min, rung::arg_min>(type);
    case kernel_op::arg_max:
      return of_ordered<rung::arg_max, rung::arg_max>(type);
    case kernel_op::arg_min_number:
      return of_ordered<rung::arg_min_number, rung::arg_min>(type);
    case kernel_op::arg_max_number:
      return of_ordered<rung::arg_max_number, rung::arg_max>(type);
    case kernel_op::moments:
      return of_floats<rung::moments>(type);
    case kernel_op::moments_number:
      return of_floats<moments_number>(type);
    case kernel_op::norm:
      return of_floats<rung::norm>(type);
    case kernel_op::log_sum_exp:
      return of_reals<rung::log_sum_exp>(type);
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
