// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// log_sum_exp of f32 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_logsumexp_f32(const device& where, const resident_call& call) {
  fast_reduce<float, float>(where, call, log_sum_exp{});
}

}  // namespace rung::runtime
