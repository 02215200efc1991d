// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the compiled runtime asks of the GPU, in plain C++: gpu/gpu.cu answers, or without_gpu.cpp
// in a build without CUDA.
#pragma once
#include <functional>
#include <string>

#include "../tables.hpp"

namespace rung::runtime {

/// The fold of an array, or of the products of two, that the host hands over chunk by chunk.
struct gpu_job {
  kernel_op op = kernel_op::none;
  packed held{};
  meaning read = meaning::value;
  packed_value nan{};  ///< what a NaN is read as, where `read` says so
  int arrays = 1;
  source_type types[2]{};
  std::int64_t count = 0;
  std::int64_t chunk = 1;  ///< values, a power of two

  /// Elements first .. first + n - 1 of an array, side by side, to memory of the host.
  std::function<void(int array, std::int64_t first, std::int64_t n, void* to)> fill;
  /// The state of the next `n` values, a power of two.
  std::function<void(const void* state, std::int64_t n)> take;
  /// The fold of all states taken, after the initial value; null if there are neither.
  std::function<const void*()> so_far;
};

/// Why nothing can run on a GPU here, in a line that an error or `rung info` shows; empty if
/// something can.
std::string gpu_refusal();
/// *state = the fold of job.count > 0 values, the same bits as the CPU's. Throws rung::error.
void fold_on_gpu(const gpu_job& job, void* state);
/// The GPU that would be used, for people.
std::string gpu_name();
/// What the build has for GPUs and which there are, in lines.
std::string gpu_text();

}  // namespace rung::runtime
