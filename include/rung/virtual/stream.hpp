// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the device rung asks of streams, on the virtual GPU: every launch and copy has ended when it
// returns, and nothing is captured.
#pragma once
#include "launch.hpp"

namespace rung {
inline namespace on_virtual_gpu {

/// Memory that is there for what comes later on the stream.
inline void* stream_allocate(std::size_t bytes, stream_type) { return gpu_allocate(bytes); }
inline void stream_free(void* memory, stream_type) noexcept { gpu_free(memory); }
inline void stream_zero(void* memory, std::size_t bytes, stream_type) {
  check_copy("stream_zero", memory, bytes);
  std::memset(memory, 0, bytes);
}

inline bool is_capturing(stream_type) { return false; }
inline void* allocate_beside_capture(std::size_t bytes) {
  void* memory = gpu_allocate(bytes);
  stream_zero(memory, bytes, nullptr);
  return memory;
}

/// Host memory that kernels write; *on_gpu: its address there.
inline void* allocate_shared_with_host(std::size_t bytes, void** on_gpu) {
  return *on_gpu = gpu_allocate(bytes);
}
inline void free_shared_with_host(void* memory) noexcept { gpu_free(memory); }

/// Whether a kernel can read and write there; nullptr: yes.
inline bool gpu_reaches(const void* p) {
  return p == nullptr || virtual_gpu::allocations::all().find(p) != nullptr;
}
/// Throws if a kernel cannot read or write there.
inline void check_device_pointer(const void* p, const char* what) {
  if (!gpu_reaches(p))
    fail(error_code::bad_argument,
         std::string("rung: ") + what +
             " lies in host memory, where the GPU cannot reach it: copy it to the device first");
}

// ---------------------------------------------------------------- copies beside kernels

/// A stream of one's own.
class gpu_stream {
 public:
  gpu_stream() = default;
  gpu_stream(const gpu_stream&) = delete;
  operator stream_type() const { return nullptr; }
};
/// A point in a stream that another stream, or the host, waits for: it has passed already.
class gpu_event {
 public:
  gpu_event() = default;
  gpu_event(const gpu_event&) = delete;
  void record(stream_type) { recorded_ = true; }
  void hold_back(stream_type) const { wait(); }
  void wait() const {
    if (!recorded_) fail(error_code::device, "virtual GPU: wait for an event before its record");
  }

 private:
  bool recorded_ = false;
};

/// Host memory that copies reach without the processor.
inline void* allocate_pinned(std::size_t bytes) { return ::operator new(bytes); }
inline void free_pinned(void* memory) noexcept { ::operator delete(memory); }
/// From pinned memory and to it, in stream order.
inline void copy_to_gpu_later(void* to, const void* from, std::size_t bytes, stream_type) {
  copy_to_gpu(to, from, bytes);
}
inline void copy_from_gpu_later(void* to, const void* from, std::size_t bytes, stream_type) {
  copy_from_gpu(to, from, bytes);
}

}  // namespace on_virtual_gpu
}  // namespace rung
