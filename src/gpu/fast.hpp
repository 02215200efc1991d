// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The device rung's own kernels for common operations and types of arrays in GPU memory, which read
// elements as they are stored, once, and write results: one source file each, so that none takes
// long to compile. Calls have no initial value, skip nothing and have values. Another pair: a file
// like fast_sum_f32.cu, its name here, and a line in the table of resident.cu.
#pragma once
#include <rung/device/device.cuh>

#include "resident.hpp"

namespace rung::runtime {

using fast_function = void(const device& where, const resident_call& call);

// sum and mean
fast_function fast_sum_f32, fast_sum_f64, fast_sum_f16, fast_sum_bf16, fast_sum_i32, fast_sum_i64;
fast_function fast_min_f32, fast_max_f32, fast_argmin_f32, fast_argmax_f32;
fast_function fast_spread_f32;                                                  // var and std
fast_function fast_exact_f32, fast_exact_f64, fast_exact_f16, fast_exact_bf16;  // sum and mean
fast_function fast_norm_f32, fast_logsumexp_f32;
fast_function fast_cumsum_f32, fast_cumsum_f64, fast_cumsum_f16, fast_cumsum_bf16, fast_cumsum_i32,
    fast_cumsum_i64;

}  // namespace rung::runtime
