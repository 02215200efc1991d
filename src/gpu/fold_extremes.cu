// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Smallest and largest values on the GPU.
#include "fold.cuh"

namespace rung::runtime {

gpu_fold find_extreme(kernel_op op, packed type) {
  return find_among<minimum, maximum, minimum_number, maximum_number>(op, type);
}

}  // namespace rung::runtime
