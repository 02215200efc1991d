// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Running sums, on the GPU.
#include "scan.cuh"

namespace rung::runtime {

gpu_scan find_sum_scan(kernel_op op, packed type) { return find_scan_among<plus>(op, type); }

}  // namespace rung::runtime
