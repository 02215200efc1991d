// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A long array in host memory, folded on the GPU chunk by chunk. A chunk is an aligned power of two
// of values, so its fold is one block of the one order, and the host joins the blocks. Data flow:
//   host array --fill--> pinned buffer --copy stream--> GPU buffer --fold stream--> state --> host
// Two buffers of each: while one chunk is copied and folded, the host fills the other. What is
// behind the last whole chunk comes in smaller ones.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <rung/device/device.cuh>

#include "job.hpp"

namespace rung::runtime {

/// Sizes in bytes; value is 0 where elements are values as they are.
struct chunk_sizes {
  int arrays;
  std::size_t element[2];
  std::size_t value, state;
};

/// Memory with an owner.
template <void (*Free)(void*) noexcept>
struct freed_by {
  void operator()(void* memory) const noexcept { Free(memory); }
};
using gpu_memory = std::unique_ptr<void, freed_by<gpu_free>>;
using pinned_memory = std::unique_ptr<void, freed_by<free_pinned>>;
using shared_memory = std::unique_ptr<void, freed_by<free_shared_with_host>>;

/// A chunk on its way to the GPU.
struct chunk_input {
  pinned_memory pinned[2];
  gpu_memory elements[2];
  gpu_memory values;
  gpu_event copied;

  chunk_input(const chunk_sizes& size, std::int64_t length) {
    for (int a = 0; a < size.arrays; ++a) {
      const std::size_t bytes = std::size_t(length) * size.element[a];
      pinned[a].reset(allocate_pinned(bytes));
      elements[a].reset(gpu_allocate(bytes));
    }
    if (size.value > 0) values.reset(gpu_allocate(std::size_t(length) * size.value));
  }
  /// Fills the pinned buffers and copies them, before what comes later on the stream `then`.
  void bring(const gpu_input& job, const chunk_sizes& size, std::int64_t position, std::int64_t n,
             stream_type copies, stream_type then) {
    for (int a = 0; a < size.arrays; ++a) {
      job.fill(a, position, n, pinned[a].get());
      copy_to_gpu_later(elements[a].get(), pinned[a].get(), std::size_t(n) * size.element[a],
                        copies);
    }
    copied.record(copies);
    copied.hold_back(then);
  }
};
/// The same, and the state that comes back.
struct fold_buffer : chunk_input {
  shared_memory state;
  void* state_on_gpu = nullptr;
  gpu_event folded;
  std::int64_t values = 0;  // of the chunk that is in it
  fold_buffer(const chunk_sizes& size, std::int64_t length) : chunk_input(size, length) {
    state.reset(allocate_shared_with_host(size.state, &state_on_gpu));
  }
};

/// A power of two, no longer than needed.
inline std::int64_t chunk_length(const gpu_input& job) {
  std::int64_t length = job.chunk;
  while (length / 2 >= job.count) length /= 2;
  return length;
}

/// Hands over the states of the blocks of job.count > 0 values. fold(device, chunk, count,
/// position, out): a chunk in device memory; out is where the GPU writes.
template <class Fold>
void fold_chunks(const gpu_job& job, const chunk_sizes& size, const Fold& fold) {
  const std::int64_t length = chunk_length(job), end = job.begin + job.count;
  const gpu_stream copies, folds;
  const device where(folds);
  fold_buffer buffers[2] = {{size, length}, {size, length}};
  const auto take = [&](const fold_buffer& b) {
    if (b.values == 0) return;
    b.folded.wait();
    job.take(b.state.get(), b.values);
  };
  int next = 0;
  for (std::int64_t position = job.begin; position < end; next ^= 1) {
    fold_buffer& b = buffers[next];
    take(b);  // and it is free again
    b.values = std::min(length, std::int64_t(std::bit_floor(std::uint64_t(end - position))));
    b.bring(job, size, position, b.values, copies, folds);
    fold(where, b, b.values, position, b.state_on_gpu);
    b.folded.record(folds);
    position += b.values;
  }
  take(buffers[next]), take(buffers[next ^ 1]);
}

}  // namespace rung::runtime
