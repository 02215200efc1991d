// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches for nvcc: one checked cudaLaunchKernelExC per call, and the memory that tests and
// examples use. Nothing here waits for the GPU except synchronize() and the copies to and from the
// host.
#pragma once
#include <cuda_runtime.h>

#include <string>

#include "../error.hpp"
#include "../gpu_types.hpp"

namespace rung {
inline namespace on_cuda {

using stream_type = cudaStream_t;

/// Throws with CUDA's own words if a call failed.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  fail(status == cudaErrorMemoryAllocation ? error_code::no_memory : error_code::device,
       std::string(what) + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) +
           ")");
}

/// Why no kernel can run on this machine, in a line; empty if one can.
inline std::string gpu_problem() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return {};
  cudaGetLastError();
  return std::string("no GPU that CUDA can use: ") +
         (status == cudaSuccess ? "there is no device" : cudaGetErrorString(status)) +
         "; compiled without nvcc this program runs on the virtual GPU";
}

namespace launching {

inline std::string shape_text(const char* name, dims d) {
  return std::string(" ") + name + " " + std::to_string(d.x) + " x " + std::to_string(d.y) + " x " +
         std::to_string(d.z);
}

inline void launch_bytes(const launch_options& options, const void* kernel, dims grid, dims block,
                         std::size_t scratch_bytes, cudaStream_t stream, void** arguments) {
  cudaLaunchAttribute attributes[3];
  unsigned count = 0;
  if (options.cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count++].val.clusterDim = {options.cluster, 1, 1};
  }
  if (options.cooperative) {
    attributes[count].id = cudaLaunchAttributeCooperative;
    attributes[count++].val.cooperative = 1;
  }
  if (options.early) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = {grid.x, grid.y, grid.z};
  config.blockDim = {block.x, block.y, block.z};
  config.dynamicSmemBytes = scratch_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;

  cudaError_t status = cudaSuccess;
  if (scratch_bytes > 48 * 1024)  // more than this has to be asked for
    status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(scratch_bytes));
  if (status == cudaSuccess && options.cluster > 8)
    status = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  if (status == cudaSuccess) status = cudaLaunchKernelExC(&config, kernel, arguments);
  if (status == cudaSuccess) return;
  const char* name = "?";
  cudaFuncGetName(&name, kernel);
  const std::string what =
      std::string("launch of ") + name + shape_text("grid", grid) + shape_text("block", block) +
      " scratch " + std::to_string(scratch_bytes) + " cluster " + std::to_string(options.cluster);
  check(status, what.c_str());
}

}  // namespace launching

/// Starts `kernel` on the stream with grid x block threads and `scratch_bytes` bytes of scratch per
/// block, and throws if it cannot start. Arguments are converted to the kernel's parameter types.
template <class... Parameters, class... Arguments>
void launch_with(const launch_options& options, void (*kernel)(Parameters...), dims grid,
                 dims block, std::size_t scratch_bytes, stream_type stream,
                 Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "launch: as many arguments as the kernel has parameters");
  [&](Parameters... values) {
    void* addresses[] = {const_cast<void*>(static_cast<const void*>(&values))..., nullptr};
    launching::launch_bytes(options, reinterpret_cast<const void*>(kernel), grid, block,
                            scratch_bytes, stream, addresses);
  }(Parameters(static_cast<Arguments&&>(arguments))...);
}
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dims grid, dims block, std::size_t scratch_bytes,
            stream_type stream, Arguments&&... arguments) {
  launch_with({}, kernel, grid, block, scratch_bytes, stream,
              static_cast<Arguments&&>(arguments)...);
}

/// How many blocks of a kernel the GPU runs at the same time.
template <class... Parameters>
unsigned most_resident_blocks(void (*kernel)(Parameters...), dims block,
                              std::size_t scratch_bytes) {
  int gpu = 0, processors = 0, each = 0;
  check(cudaGetDevice(&gpu), "most_resident_blocks");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu),
        "most_resident_blocks");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, int(block.count()),
                                                      scratch_bytes),
        "most_resident_blocks");
  return unsigned(processors) * unsigned(each);
}

/// Waits for everything on the stream; throws what a kernel did wrong.
inline void synchronize(stream_type stream = nullptr) {
  check(cudaStreamSynchronize(stream), "synchronize");
}

/// Device memory, not initialized.
inline void* gpu_allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes == 0 ? 1 : bytes),
        ("gpu_allocate of " + std::to_string(bytes) + " bytes").c_str());
  return memory;
}
inline void gpu_free(void* memory) noexcept { cudaFree(memory); }
inline void copy_to_gpu(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy_to_gpu");
}
inline void copy_from_gpu(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy_from_gpu");
}

}  // namespace on_cuda
}  // namespace rung
