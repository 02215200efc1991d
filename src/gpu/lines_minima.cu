// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Smallest values of many lines, on the GPU.
#include "lines.cuh"

namespace rung::runtime {

gpu_lines find_minimum_lines(kernel_op op, packed type) {
  return find_lines_among<minimum, minimum_number>(op, type);
}

}  // namespace rung::runtime
