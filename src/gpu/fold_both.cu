// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Smallest and largest value in one pass, on the GPU.
#include "fold.cuh"

namespace rung::runtime {

gpu_fold find_both_extremes(kernel_op op, packed type) {
  return find_among<min_max, min_max_number>(op, type);
}

}  // namespace rung::runtime
