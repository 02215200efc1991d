// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Places of minima of f32 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_argmin_f32(const device& where, const resident_call& call) {
  fast_reduce<float, std::int64_t>(where, call, place_alone<arg_min>{});
}

}  // namespace rung::runtime
