// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Norms and logarithms of sums of exponentials of many lines, on the GPU.
#include "lines.cuh"

namespace rung::runtime {

gpu_lines find_norm_lines(kernel_op op, packed type) {
  return find_lines_among<norm, log_sum_exp>(op, type);
}

}  // namespace rung::runtime
