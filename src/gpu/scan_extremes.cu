// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Running extremes, on the GPU.
#include "scan.cuh"

namespace rung::runtime {

gpu_scan find_extreme_scan(kernel_op op, packed type) {
  return find_scan_among<minimum, maximum, minimum_number, maximum_number>(op, type);
}

}  // namespace rung::runtime
