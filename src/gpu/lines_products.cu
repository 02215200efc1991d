// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Products of many lines, on the GPU.
#include "lines.cuh"

namespace rung::runtime {

gpu_lines find_product_lines(kernel_op op, packed type) {
  return find_lines_among<multiplies>(op, type);
}

}  // namespace rung::runtime
