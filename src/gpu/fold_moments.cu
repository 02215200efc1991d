// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Counted means and variances on the GPU.
#include "fold.cuh"

namespace rung::runtime {

gpu_fold find_moments(kernel_op op, packed type) {
  return find_among<moments, moments_number, mean_number>(op, type);
}

}  // namespace rung::runtime
