// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums, and the bit operators behind any and all of many lines, on the GPU.
#include "lines.cuh"

namespace rung::runtime {

gpu_lines find_sum_lines(kernel_op op, packed type) {
  return find_lines_among<plus, bit_or, bit_and>(op, type);
}

}  // namespace rung::runtime
