// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The GPU's side of the compiled runtime (job.hpp): whether there is a GPU, what it is, and jobs.
#include <cstdio>

#include "lines_run.cuh"
#include "scan_chunks.cuh"

namespace rung::runtime {
gpu_fold find_gpu_fold(kernel_op op, packed type) {
  for (const auto find : {find_sum, find_product, find_extreme, find_both_extremes, find_place,
                          find_moments, find_norm})
    if (const gpu_fold f = find(op, type); f.fold != nullptr) return f;
  fail(error_code::bad_type, "rung: no kernel for this operation and type on the GPU");
}

gpu_lines find_gpu_lines(kernel_op op, packed type) {
  for (const auto find :
       {find_sum_lines, find_product_lines, find_minimum_lines, find_maximum_lines,
        find_place_lines, find_moments_lines, find_both_lines, find_norm_lines})
    if (const gpu_lines l = find(op, type); l.fold != nullptr) return l;
  fail(error_code::bad_type, "rung: no kernel for this operation and type on the GPU");
}

namespace {

gpu_scan find_gpu_scan(kernel_op op, packed type) {
  for (const auto find : {find_sum_scan, find_product_scan, find_extreme_scan, find_other_scan})
    if (gpu_scan s = find(op, type); s.scan != nullptr) {
      s.fold = find_gpu_fold(op, type);
      return s;
    }
  fail(error_code::bad_type, "rung: no kernel for this scan and type on the GPU");
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}
int attribute(cudaDeviceAttr which, int gpu) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, gpu) != cudaSuccess) cudaGetLastError();
  return value;
}
std::string name_of(int gpu) {
  cudaDeviceProp facts{};
  check(cudaGetDeviceProperties(&facts, gpu), "rung: GPU");
  return facts.name;
}

/// Why the current GPU cannot run the kernels of this build; empty if it can.
std::string kernel_refusal() {
  cudaFuncAttributes facts{};
  const cudaError_t status =
      cudaFuncGetAttributes(&facts, reinterpret_cast<const void*>(load_values<float>));
  if (status == cudaSuccess) return {};
  cudaGetLastError();
  return std::string("this build's kernels are for sm_" RUNG_GPU_ARCHITECTURES
                     ", which this GPU cannot run: ") +
         cudaGetErrorString(status);
}

std::string line_of(int gpu) {
  check(cudaSetDevice(gpu), "rung: GPU");
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "rung: GPU");
  const double kilohertz = attribute(cudaDevAttrMemoryClockRate, gpu);
  const double bytes = attribute(cudaDevAttrGlobalMemoryBusWidth, gpu) / 8.0;
  const double rate = 2 * kilohertz * 1e3 * bytes / 1e9;  // two transfers per clock
  char text[256];
  std::snprintf(text, sizeof text,
                ", compute capability %d.%d, %d multiprocessors, %.1f GiB of memory (%.1f free)",
                attribute(cudaDevAttrComputeCapabilityMajor, gpu),
                attribute(cudaDevAttrComputeCapabilityMinor, gpu),
                attribute(cudaDevAttrMultiProcessorCount, gpu), double(total) / (1 << 30),
                double(free) / (1 << 30));
  std::string line = "  gpu " + std::to_string(gpu) + ": " + name_of(gpu) + text;
  std::snprintf(text, sizeof text, ", %.0f GB/s by its data sheet", rate);
  if (rate > 0) line += text;
  const std::string refusal = kernel_refusal();
  return line + (refusal.empty() ? "\n" : "\n    " + refusal + "\n");
}

}  // namespace

std::string gpu_refusal() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) cudaGetLastError();
  if (status != cudaSuccess || count == 0)
    return std::string("there is no GPU that CUDA can use (") +
           (status == cudaSuccess ? "no device" : cudaGetErrorString(status)) + ")";
  return kernel_refusal();
}

int gpu_count() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "rung: GPU");
  return count;
}
void use_gpu(int number) {
  check(cudaSetDevice(number), ("rung: GPU " + std::to_string(number)).c_str());
}

void fold_on_gpu(const gpu_job& job) { run_on_gpu(job, find_gpu_fold(job.op, job.held)); }

void run_scan_on_gpu(const gpu_scan_job& job) { scan_chunks(job, find_gpu_scan(job.op, job.held)); }

void run_lines_on_gpu(const gpu_lines_job& job) {
  run_lines(job, find_gpu_lines(job.op, job.held));
}

std::string gpu_name() {
  int gpu = 0;
  check(cudaGetDevice(&gpu), "rung: GPU");
  return name_of(gpu);
}

std::string gpu_text() {
  int driver = 0, count = 0, current = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) cudaGetLastError();
  std::string text =
      "cuda: kernels for sm_" RUNG_GPU_ARCHITECTURES ", CUDA " + version_text(CUDART_VERSION) +
      (driver > 0 ? ", driver for CUDA " + version_text(driver) : ", no driver") + "\n";
  const std::string refusal = gpu_refusal();
  if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError(), count = 0;
  if (count == 0) return text + "  " + refusal + "\n";
  check(cudaGetDevice(&current), "rung: GPU");
  for (int gpu = 0; gpu < count; ++gpu) text += line_of(gpu);
  check(cudaSetDevice(current), "rung: GPU");
  return text;
}

}  // namespace rung::runtime
