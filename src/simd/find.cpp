// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Which table serves an operator over a type.
#include <hwy/highway.h>

#include "simd/tables.hpp"

namespace rung::simd {

const host::fold_kernels* find_fold(kernel_op op, packed type) {
  switch (op) {
    case kernel_op::plus:
      return fold_plus(type);
    case kernel_op::minimum:
    case kernel_op::maximum:
    case kernel_op::minimum_number:
    case kernel_op::maximum_number:
    case kernel_op::min_max:
    case kernel_op::min_max_number:
      return fold_extremes(op, type);
    case kernel_op::moments:
    case kernel_op::moments_number:
    case kernel_op::norm:
      return fold_moments(op, type);
    default:
      return fold_others(op, type);
  }
}

std::vector<std::int64_t> targets() {
  hwy::SetSupportedTargetsForTest(0);
  return hwy::SupportedAndGeneratedTargets();
}
void use_target(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

const host::scan_kernels* find_scan(kernel_op op, packed type) {
  switch (op) {
    case kernel_op::plus:
      return scan_plus(type);
    case kernel_op::multiplies:
    case kernel_op::log_sum_exp:
      return scan_others(op, type);
    default:
      return scan_extremes(op, type);
  }
}

}  // namespace rung::simd
