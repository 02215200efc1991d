// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the compiled runtime asks of the GPU, in plain C++: gpu/gpu.cu answers, or without_gpu.cpp
// in a build without CUDA.
#pragma once
#include <array>
#include <functional>
#include <rung/base/layout.hpp>
#include <string>

#include "../tables.hpp"

namespace rung::runtime {

/// An array, or two whose products are meant, that the host hands over chunk by chunk.
struct gpu_input {
  kernel_op op = kernel_op::none;
  packed held{};
  meaning read = meaning::value;
  packed_value nan{};  ///< what a NaN is read as, where `read` says so
  int arrays = 1;
  source_type types[2]{};
  std::int64_t begin = 0, count = 0;  ///< positions; of a fold, begin is a multiple of chunk
  std::int64_t chunk = 1;             ///< values, a power of two

  /// Elements first .. first + n - 1 of an array, side by side, to memory of the host.
  std::function<void(int array, std::int64_t first, std::int64_t n, void* to)> fill;
};
/// The fold of it.
struct gpu_job : gpu_input {
  /// The state of the next `n` values, an aligned block.
  std::function<void(const void* state, std::int64_t n)> take;
};
/// The scan of one array.
struct gpu_scan_job : gpu_input {
  bool exclusive = false;
  const void* init = nullptr;  ///< a state that stands before everything, or null
  rung_type result{};          ///< what entries are rounded to

  /// Entries first .. first + n - 1, side by side in memory of the host, to where they belong.
  std::function<void(std::int64_t first, std::int64_t n, const void* from)> drain;
};

/// Where elements stand that are counted in C order, if lines come one after the other: a loop per
/// axis, innermost first. No loops: where they are counted.
struct line_places {
  struct loop {
    std::int64_t length, step;
  };
  int count = 0;
  std::array<loop, max_rank> loops{};
};
/// The folds, or the scans, of many lines of values.
struct gpu_lines_job : gpu_input {
  line_places places;
  std::int64_t lines = 0;
  std::int64_t length = 0;  ///< of every line; 0: line s is positions offset s to offset s + 1
  bool scan = false, exclusive = false;
  const void* init = nullptr;     ///< a state that stands before every line, or null
  const void* nothing = nullptr;  ///< the state of no values
  rung_type result{};             ///< what entries are rounded to

  /// Offsets first .. first + n - 1, where lines have lengths of their own, to memory of the host.
  std::function<void(std::int64_t first, std::int64_t n, std::int64_t* to)> fill_offsets;
  /// The states of lines first .. first + n - 1.
  std::function<void(std::int64_t first, std::int64_t n, const void* states)> take;
  /// Entries first .. first + n - 1 of a scan, counted as the elements are.
  std::function<void(std::int64_t first, std::int64_t n, const void* from)> drain;
};

/// Why nothing can run on a GPU here, in a line that an error or `rung info` shows; empty if
/// something can.
std::string gpu_refusal();
/// How many GPUs there are, and which one this thread uses from now on.
int gpu_count();
void use_gpu(int number);
/// The states of the blocks of job.count > 0 values, the same bits as the CPU's. Throws
/// rung::error.
void fold_on_gpu(const gpu_job& job);
/// Every entry of job.count > 0 values, likewise.
void run_scan_on_gpu(const gpu_scan_job& job);
/// The state of every line, or every entry; job.count > 0. All values are on the GPU at a time.
void run_lines_on_gpu(const gpu_lines_job& job);
/// The GPU that would be used, for people.
std::string gpu_name();
/// What the build has for GPUs and which there are, in lines.
std::string gpu_text();

}  // namespace rung::runtime
