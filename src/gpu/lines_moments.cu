// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Counted means and variances of many lines, on the GPU.
#include "lines.cuh"

namespace rung::runtime {

gpu_lines find_moments_lines(kernel_op op, packed type) {
  return find_lines_among<moments, moments_number, mean_number>(op, type);
}

}  // namespace rung::runtime
