// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the device rung asks of streams, on the virtual GPU: every launch has ended when it returns,
// and nothing is captured.
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

/// Throws if a kernel cannot read or write there.
inline void check_device_pointer(const void* p, const char* what) {
  if (p != nullptr && virtual_gpu::allocations::all().find(p) == nullptr)
    fail(error_code::bad_argument,
         std::string("rung: ") + what +
             " lies in host memory, where the GPU cannot reach it: copy it to the device first");
}

}  // namespace on_virtual_gpu
}  // namespace rung
