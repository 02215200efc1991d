// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Norms of f32 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_norm_f32(const device& where, const resident_call& call) {
  fast_reduce<float, float>(where, call, norm{});
}

}  // namespace rung::runtime
