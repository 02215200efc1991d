// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the device rung asks of CUDA's streams: memory in stream order, host memory that the GPU
// writes, and whether a stream is being captured into a graph.
#pragma once
#include "launch.cuh"

namespace rung {
inline namespace on_cuda {

/// Memory that is there for what comes later on the stream.
inline void* stream_allocate(std::size_t bytes, stream_type stream) {
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, bytes, stream),
        ("rung: allocation of " + std::to_string(bytes) + " bytes of workspace").c_str());
  return memory;
}
inline void stream_free(void* memory, stream_type stream) noexcept {
  cudaFreeAsync(memory, stream);
}
inline void stream_zero(void* memory, std::size_t bytes, stream_type stream) {
  check(cudaMemsetAsync(memory, 0, bytes, stream), "rung: clearing workspace");
}

inline bool is_capturing(stream_type stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &status), "rung: stream");
  return status != cudaStreamCaptureStatusNone;
}
/// Memory full of zeros while a stream is captured: it belongs to no graph.
inline void* allocate_beside_capture(std::size_t bytes) {
  auto mode = cudaStreamCaptureModeRelaxed;
  check(cudaThreadExchangeStreamCaptureMode(&mode), "rung: capture");
  void* memory = nullptr;
  cudaStream_t beside = nullptr;
  cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaSuccess) status = cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking);
  if (status == cudaSuccess) status = cudaMemsetAsync(memory, 0, bytes, beside);
  if (status == cudaSuccess) status = cudaStreamSynchronize(beside);
  if (beside != nullptr) cudaStreamDestroy(beside);
  cudaThreadExchangeStreamCaptureMode(&mode);
  check(status, "rung: workspace for a captured call");
  return memory;
}

/// Host memory that kernels write; *on_gpu: its address there.
inline void* allocate_shared_with_host(std::size_t bytes, void** on_gpu) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable),
        "rung: host memory for results");
  check(cudaHostGetDevicePointer(on_gpu, memory, 0), "rung: host memory for results");
  return memory;
}
inline void free_shared_with_host(void* memory) noexcept { cudaFreeHost(memory); }

/// Throws if a kernel cannot read or write there.
inline void check_device_pointer(const void* p, const char* what) {
  cudaPointerAttributes found{};
  if (p == nullptr) return;
  check(cudaPointerGetAttributes(&found, p), what);
  if (found.type != cudaMemoryTypeUnregistered) return;
  int device = 0, reads_any = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&reads_any, cudaDevAttrPageableMemoryAccess, device);
  if (reads_any == 0)
    fail(error_code::bad_argument,
         std::string("rung: ") + what +
             " lies in host memory, where the GPU cannot reach it: copy it to the device first");
}

}  // namespace on_cuda
}  // namespace rung
