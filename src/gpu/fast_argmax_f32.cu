// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Places of maxima of f32 values, in GPU memory.
#include "fast.cuh"

namespace rung::runtime {

void fast_argmax_f32(const device& where, const resident_call& call) {
  fast_reduce<float, std::int64_t>(where, call, place_alone<arg_max>{});
}

}  // namespace rung::runtime
