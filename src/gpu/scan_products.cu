// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Running products, on the GPU.
#include "scan.cuh"

namespace rung::runtime {

gpu_scan find_product_scan(kernel_op op, packed type) {
  return find_scan_among<multiplies>(op, type);
}

}  // namespace rung::runtime
