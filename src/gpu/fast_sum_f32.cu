// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums and means of f32 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_sum_f32(const device& where, const resident_call& call) {
  fast_sum<float, float>(where, call);
}

}  // namespace rung::runtime
