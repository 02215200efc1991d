// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Maxima of f32 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_max_f32(const device& where, const resident_call& call) {
  fast_reduce<float, float>(where, call, maximum{});
}

}  // namespace rung::runtime
