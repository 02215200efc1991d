// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Running sums of bf16 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_cumsum_bf16(const device& where, const resident_call& call) {
  fast_cumsum<bf16, bf16>(where, call);
}

}  // namespace rung::runtime
