// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Smallest and largest value of many lines in one pass, on the GPU.
#include "lines.cuh"

namespace rung::runtime {

gpu_lines find_both_lines(kernel_op op, packed type) {
  return find_lines_among<min_max, min_max_number>(op, type);
}

}  // namespace rung::runtime
