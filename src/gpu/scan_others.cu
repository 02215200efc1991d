// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Running sums that leave NaNs out, and running log_sum_exp, on the GPU.
#include "scan.cuh"

namespace rung::runtime {

gpu_scan find_other_scan(kernel_op op, packed type) {
  return find_scan_among<mean_number, log_sum_exp>(op, type);
}

}  // namespace rung::runtime
