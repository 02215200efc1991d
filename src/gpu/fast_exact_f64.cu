// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums and means of f64 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_exact_f64(const device& where, const resident_call& call) {
  fast_exact<double>(where, call);
}

}  // namespace rung::runtime
