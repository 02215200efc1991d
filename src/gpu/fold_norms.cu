// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Norms and logarithms of sums of exponentials, on the GPU.
#include "fold.cuh"

namespace rung::runtime {

gpu_fold find_norm(kernel_op op, packed type) { return find_among<norm, log_sum_exp>(op, type); }

}  // namespace rung::runtime
