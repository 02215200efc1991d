// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls whose arrays lie in GPU memory, in plain C++: gpu/resident.cu answers, or without_gpu.cpp
// in a build without CUDA. Everything is put on the caller's stream, and the calls return.
#pragma once
#include "../recipe.hpp"

namespace rung::runtime {

/// Offsets, or positions.
struct integer_line {
  host::array_ref array;  ///< one axis
  rung_type type{};
};

struct resident_call {
  const recipe& how;
  double ddof = 0;
  const void* init = nullptr;     ///< a state in host memory that stands before everything, or null
  const void* nothing = nullptr;  ///< the state of no values, in host memory
  bool exclusive = false;
  bool is_plain = false;  ///< no initial value, no other state than the type's own, nothing skipped
  std::int32_t gpu = -1;  ///< or the current one
  void* stream = nullptr;

  int arrays = 1;
  std::array<host::array_ref, 2> in{};
  std::array<source_type, 2> types{};
  std::array<bool, max_rank> folded{};
  /// One for each plane. Of axes: with strides for all axes of the input.
  std::array<host::array_ref, 2> out{};

  /// Segments of a line, where they are given; the line is in[0] in this order, if there is one.
  const integer_line* offsets = nullptr;
  const integer_line* order = nullptr;
};

void reduce_resident(const resident_call& call);
void scan_resident(const resident_call& call);
/// The linear recurrence of in[0] (factors) and in[1]; init: the value before the first.
struct recurrence_call {
  resident_call common;
  packed held{};
  rung_type result{};
};
void recurrence_resident(const recurrence_call& call);

// ---------------------------------------------------------------- for libraries of arrays

/// A stream of rung's own.
void* own_stream(std::int32_t gpu);
/// What comes later on the stream `then` waits for what is on `first` so far.
void hold_back(std::int32_t gpu, void* first, void* then);
void* allocate_resident(std::int32_t gpu, std::size_t bytes, void* stream);
void free_resident(std::int32_t gpu, void* memory, void* stream) noexcept;
/// A mark behind what is on the stream so far; whether the GPU has passed it, which ends the mark.
void* mark(std::int32_t gpu, void* stream);
bool has_passed(void* mark) noexcept;

}  // namespace rung::runtime
