// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums and means of bf16 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_exact_bf16(const device& where, const resident_call& call) {
  fast_exact<bf16>(where, call);
}

}  // namespace rung::runtime
