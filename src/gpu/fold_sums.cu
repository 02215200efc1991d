// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums, and the bit operators behind any and all, on the GPU.
#include "fold.cuh"

namespace rung::runtime {

gpu_fold find_sum(kernel_op op, packed type) { return find_among<plus, bit_or, bit_and>(op, type); }

}  // namespace rung::runtime
