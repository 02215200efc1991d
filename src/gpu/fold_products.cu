// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Products on the GPU.
#include "fold.cuh"

namespace rung::runtime {

gpu_fold find_product(kernel_op op, packed type) { return find_among<multiplies>(op, type); }

}  // namespace rung::runtime
