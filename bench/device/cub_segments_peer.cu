// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include "cub_segments_peer.hpp"

#include <cub/cub.cuh>
#include <cub/version.cuh>
#if __has_include(<cub/device/device_segmented_scan.cuh>)
#include <cub/device/device_segmented_scan.cuh>
#define BENCH_SEGMENTED_SCAN 1
#else
#define BENCH_SEGMENTED_SCAN 0
#endif

namespace rung::bench::BENCH_CUB {
namespace {

constexpr std::size_t room = std::size_t(512) << 20;
void* temporary() {
  static void* memory = [] {
    void* m = nullptr;
    cudaMalloc(&m, room);
    return m;
  }();
  return memory;
}

bool reduce(const float* x, const std::int32_t* offsets, float* out, std::int64_t segments,
            cudaStream_t s) {
  std::size_t bytes = room;
  return cub::DeviceSegmentedReduce::Sum(temporary(), bytes, x, out, segments, offsets, offsets + 1,
                                         s) == cudaSuccess;
}
bool reduce_fixed(const float* x, std::int64_t length, float* out, std::int64_t segments,
                  cudaStream_t s) {
#if CCCL_VERSION >= 3002000
  std::size_t bytes = room;
  return cub::DeviceSegmentedReduce::Sum(temporary(), bytes, x, out, segments, int(length), s) ==
         cudaSuccess;
#else
  return false;
#endif
}
bool scan(const float* x, const std::int32_t* offsets, float* y, std::int64_t segments,
          cudaStream_t s) {
#if BENCH_SEGMENTED_SCAN
  std::size_t bytes = room;
  return cub::DeviceSegmentedScan::InclusiveSegmentedSum(temporary(), bytes, x, y, offsets,
                                                         offsets + 1, segments, s) == cudaSuccess;
#else
  return false;
#endif
}
bool reduce_by_key(const std::int32_t* keys, const float* x, std::int32_t* run_keys, float* out,
                   std::int32_t* runs, std::int64_t n, cudaStream_t s) {
  std::size_t bytes = room;
  return cub::DeviceReduce::ReduceByKey(temporary(), bytes, keys, run_keys, x, out, runs,
                                        cuda::std::plus<>{}, n, s) == cudaSuccess;
}
bool scan_by_key(const std::int32_t* keys, const float* x, float* y, std::int64_t n,
                 cudaStream_t s) {
  std::size_t bytes = room;
  return cub::DeviceScan::InclusiveSumByKey(temporary(), bytes, keys, x, y, n,
                                            cuda::std::equal_to<>{}, s) == cudaSuccess;
}

}  // namespace

const cub_segments segments{BENCH_CUB_NAME, CCCL_VERSION,  reduce,     reduce_fixed,
                            scan,           reduce_by_key, scan_by_key};

}  // namespace rung::bench::BENCH_CUB
