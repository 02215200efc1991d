// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Running sums of i32 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_cumsum_i32(const device& where, const resident_call& call) {
  fast_cumsum<std::int32_t, std::int64_t>(where, call);
}

}  // namespace rung::runtime
