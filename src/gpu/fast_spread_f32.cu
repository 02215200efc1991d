// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Variances and standard deviations of f32 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_spread_f32(const device& where, const resident_call& call) {
  spread op;
  op.ddof = call.ddof, op.root = call.how.what == outcome::deviation;
  fast_reduce<float, float>(where, call, op);
}

}  // namespace rung::runtime
