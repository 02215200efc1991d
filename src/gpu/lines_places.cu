// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Places of the smallest and the largest value of many lines, on the GPU.
#include "lines.cuh"

namespace rung::runtime {

gpu_lines find_place_lines(kernel_op op, packed type) {
  return find_lines_among<arg_min, arg_max, arg_min_number, arg_max_number>(op, type);
}

}  // namespace rung::runtime
