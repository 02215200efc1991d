// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include "cub_scan_peer.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>
#include <cub/cub.cuh>
#include <cub/version.cuh>
#if CCCL_VERSION >= 3005000
#include <cuda/execution>
#endif

namespace rung::bench::BENCH_CUB {
namespace {

struct three {
  int a, b, c;
};
struct add {
  __host__ __device__ float2 operator()(float2 l, float2 r) const { return {l.x + r.x, l.y + r.y}; }
  __host__ __device__ three operator()(three l, three r) const {
    return {l.a + r.a, l.b + r.b, l.c + r.c};
  }
};
struct compose {
  __host__ __device__ float2 operator()(float2 l, float2 r) const {
    return {r.x * l.x, r.x * l.y + r.y};
  }
};
struct larger {
  __host__ __device__ float operator()(float l, float r) const { return l < r ? r : l; }
};

constexpr std::size_t room = std::size_t(256) << 20;
void* temporary() {
  static void* memory = [] {
    void* m = nullptr;
    cudaMalloc(&m, room);
    return m;
  }();
  return memory;
}

template <class T>
bool sum(const void* x, void* y, std::int64_t n, cudaStream_t s) {
  std::size_t bytes = room;
  cub::DeviceScan::InclusiveSum(temporary(), bytes, static_cast<const T*>(x), static_cast<T*>(y), n,
                                s);
  return true;
}
template <class T, class Op>
bool with(Op op, const void* x, void* y, std::int64_t n, cudaStream_t s) {
  std::size_t bytes = room;
  cub::DeviceScan::InclusiveScan(temporary(), bytes, static_cast<const T*>(x), static_cast<T*>(y),
                                 op, n, s);
  return true;
}

bool inclusive(const char* what, char type, const void* x, void* y, std::int64_t n,
               cudaStream_t s) {
  if (std::strcmp(what, "max") == 0 && type == 'f') return with<float>(larger{}, x, y, n, s);
  if (std::strcmp(what, "affine") == 0) return with<float2>(compose{}, x, y, n, s);
  if (std::strcmp(what, "sum") != 0) return false;
  switch (type) {
    case 'f':
      return sum<float>(x, y, n, s);
    case 'd':
      return sum<double>(x, y, n, s);
    case 'h':
      return sum<__half>(x, y, n, s);
    case 'b':
      return sum<__nv_bfloat16>(x, y, n, s);
    case 'c':
      return sum<signed char>(x, y, n, s);
    case 's':
      return sum<short>(x, y, n, s);
    case 'i':
      return sum<int>(x, y, n, s);
    case 'l':
      return sum<long long>(x, y, n, s);
    case 'x':
      return with<float2>(add{}, x, y, n, s);
    case 't':
      return with<three>(add{}, x, y, n, s);
    default:
      return false;
  }
}

#if CCCL_VERSION >= 3005000
template <class T>
bool stable_sum(const void* x, void* y, std::int64_t n, cudaStream_t s) {
  const auto env = cuda::std::execution::env{
      cuda::stream_ref{s}, cuda::execution::require(cuda::execution::determinism::run_to_run)};
  return cub::DeviceScan::InclusiveSum(static_cast<const T*>(x), static_cast<T*>(y), n, env) ==
         cudaSuccess;
}
bool sum_run_to_run(char type, const void* x, void* y, std::int64_t n, cudaStream_t s) {
  if (type == 'f') return stable_sum<float>(x, y, n, s);
  if (type == 'd') return stable_sum<double>(x, y, n, s);
  return false;  // integers: the same as ever; others: not offered
}
#else
constexpr bool (*sum_run_to_run)(char, const void*, void*, std::int64_t, cudaStream_t) = nullptr;
#endif

}  // namespace

const cub_scans scans{BENCH_CUB_NAME, CCCL_VERSION, inclusive, sum_run_to_run};

}  // namespace rung::bench::BENCH_CUB
