// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Both extremes, norms and logarithms of sums of exponentials of many lines, on the GPU.
#include "lines.cuh"

namespace rung::runtime {

gpu_lines find_other_lines(kernel_op op, packed type) {
  return find_lines_among<min_max, min_max_number, norm, log_sum_exp>(op, type);
}

}  // namespace rung::runtime
