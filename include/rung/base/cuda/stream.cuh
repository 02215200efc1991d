// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the device rung asks of CUDA's streams: memory in stream order, host memory that the GPU
// reads and writes, copies that streams do on their own, and whether a stream is being captured
// into a graph.
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

/// Whether a kernel can read and write there; nullptr: yes.
inline bool gpu_reaches(const void* p, const char* what = "an array") {
  cudaPointerAttributes found{};
  if (p == nullptr) return true;
  check(cudaPointerGetAttributes(&found, p), what);
  if (found.type != cudaMemoryTypeUnregistered) return true;
  int device = 0, reads_any = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&reads_any, cudaDevAttrPageableMemoryAccess, device);
  return reads_any != 0;
}
/// Throws if a kernel cannot read or write there.
inline void check_device_pointer(const void* p, const char* what) {
  if (!gpu_reaches(p, what))
    fail(error_code::bad_argument,
         std::string("rung: ") + what +
             " lies in host memory, where the GPU cannot reach it: copy it to the device first");
}

// ---------------------------------------------------------------- copies beside kernels

/// A stream of one's own, which does not wait for the default one.
class gpu_stream {
 public:
  gpu_stream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "rung: a stream");
  }
  gpu_stream(const gpu_stream&) = delete;
  ~gpu_stream() { cudaStreamDestroy(stream_); }
  operator stream_type() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A point in a stream that another stream, or the host, waits for.
class gpu_event {
 public:
  gpu_event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "rung: event"); }
  gpu_event(const gpu_event&) = delete;
  ~gpu_event() { cudaEventDestroy(event_); }
  void record(stream_type stream) { check(cudaEventRecord(event_, stream), "rung: event"); }
  /// What comes later on the stream waits for the point.
  void hold_back(stream_type stream) const {
    check(cudaStreamWaitEvent(stream, event_, 0), "rung: event");
  }
  /// The host waits; throws what went wrong before the point.
  void wait() const { check(cudaEventSynchronize(event_), "rung: the GPU"); }
  /// Whether the GPU is behind the point, or failed before it.
  bool has_passed() const noexcept { return cudaEventQuery(event_) != cudaErrorNotReady; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Host memory that copies reach without the processor.
inline void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable),
        ("rung: pinned host memory of " + std::to_string(bytes) + " bytes").c_str());
  return memory;
}
inline void free_pinned(void* memory) noexcept { cudaFreeHost(memory); }
/// From pinned memory and to it, in stream order.
inline void copy_to_gpu_later(void* to, const void* from, std::size_t bytes, stream_type stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "rung: copy to the GPU");
}
inline void copy_from_gpu_later(void* to, const void* from, std::size_t bytes, stream_type stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream),
        "rung: copy from the GPU");
}

}  // namespace on_cuda
}  // namespace rung
