// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A long array in host memory, folded on the GPU chunk by chunk. A chunk is an aligned power of two
// of values, so its fold is one block of the one order, and the host joins the blocks. Data flow:
//   host array --fill--> pinned buffer --copy stream--> GPU buffer --fold stream--> state --> host
// Two buffers of each: while one chunk is copied and folded, the host fills the other. What is
// behind the last whole chunk is folded after all that stands before it, as its start.
#pragma once
#include <algorithm>
#include <cstring>
#include <rung/device/device.cuh>

#include "job.hpp"

namespace rung::runtime {

/// Sizes in bytes; value is 0 where elements are values as they are.
struct chunk_sizes {
  int arrays;
  std::size_t element[2];
  std::size_t value, state;
};

class chunk_buffer {
 public:
  chunk_buffer(const chunk_sizes& size, std::int64_t length) {
    try {
      for (int a = 0; a < size.arrays; ++a) {
        const std::size_t bytes = std::size_t(length) * size.element[a];
        pinned[a] = allocate_pinned(bytes);
        elements[a] = gpu_allocate(bytes);
      }
      if (size.value > 0) values = gpu_allocate(std::size_t(length) * size.value);
      state = allocate_shared_with_host(size.state, &state_on_gpu);
    } catch (...) {
      release();
      throw;
    }
  }
  chunk_buffer(const chunk_buffer&) = delete;
  ~chunk_buffer() { release(); }

  void* pinned[2] = {};
  void* elements[2] = {};
  void* values = nullptr;
  void* state = nullptr;
  void* state_on_gpu = nullptr;
  gpu_event copied, folded;

 private:
  void release() {
    for (void* p : pinned)
      if (p != nullptr) free_pinned(p);
    for (void* p : {elements[0], elements[1], values})
      if (p != nullptr) gpu_free(p);
    if (state != nullptr) free_shared_with_host(state);
  }
};

/// *state = the fold of job.count > 0 values. fold(device, elements, values, count, position,
/// start, out): a chunk in device memory; start is on the host or null, out is where the GPU
/// writes.
template <class Fold>
void fold_chunks(const gpu_job& job, const chunk_sizes& size, const Fold& fold, void* state) {
  std::int64_t length = job.chunk;  // no longer than needed
  while (length / 2 >= job.count) length /= 2;
  const gpu_stream copies, folds;
  const device where(folds);
  chunk_buffer buffers[2] = {{size, length}, {size, length}};
  const auto take = [&](std::int64_t chunk) {
    const chunk_buffer& b = buffers[chunk & 1];
    b.folded.wait();
    job.take(b.state, length);
  };

  const std::int64_t whole = job.count / length, rest = job.count % length;
  const std::int64_t chunks = whole + (rest > 0);
  for (std::int64_t k = 0; k < chunks; ++k) {
    chunk_buffer& b = buffers[k & 1];
    if (k >= 2) take(k - 2);  // and the buffer is free again
    const std::int64_t position = k * length, n = std::min(length, job.count - position);
    for (int a = 0; a < size.arrays; ++a) {
      job.fill(a, position, n, b.pinned[a]);
      copy_to_gpu_later(b.elements[a], b.pinned[a], std::size_t(n) * size.element[a], copies);
    }
    b.copied.record(copies);
    b.copied.hold_back(folds);
    const void* start = nullptr;
    if (n < length) {
      if (k >= 1) take(k - 1);
      start = job.so_far();
    }
    fold(where, b.elements, b.values, n, position, start, b.state_on_gpu);
    b.folded.record(folds);
  }
  if (rest > 0) {
    const chunk_buffer& b = buffers[(chunks - 1) & 1];
    b.folded.wait();
    std::memcpy(state, b.state, size.state);
  } else {
    for (std::int64_t k = std::max<std::int64_t>(0, chunks - 2); k < chunks; ++k) take(k);
    std::memcpy(state, job.so_far(), size.state);
  }
}

}  // namespace rung::runtime
