// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cub/cub.cuh>
#include <cub/version.cuh>
#if CCCL_VERSION >= 3002000
#include <cuda/execution>
#endif

#include "cub_peer.hpp"

namespace rung::bench::BENCH_CUB {
namespace {

void* temporary() {
  static void* memory = [] {
    void* m = nullptr;
    cudaMalloc(&m, std::size_t(256) << 20);
    return m;
  }();
  return memory;
}
constexpr std::size_t room = std::size_t(256) << 20;

/// f(pointer to values, value of the type that sums are held in)
template <class F>
bool by_type(char type, const void* x, F&& f) {
  switch (type) {
    case 'f':
      return f(static_cast<const float*>(x), float()), true;
    case 'd':
      return f(static_cast<const double*>(x), double()), true;
    case 'h':
      return f(static_cast<const __half*>(x), __half()), true;
    case 'b':
      return f(static_cast<const __nv_bfloat16*>(x), __nv_bfloat16()), true;
    case 'c':
      return f(static_cast<const signed char*>(x), int()), true;
    case 'i':
      return f(static_cast<const int*>(x), int()), true;
    case 'l':
      return f(static_cast<const long long*>(x), static_cast<long long>(0)), true;
    default:
      return false;
  }
}

bool sum(char type, const void* x, void* out, std::int64_t n, cudaStream_t s) {
  return by_type(type, x, [&](auto* values, auto held) {
    std::size_t bytes = room;
    cub::DeviceReduce::Sum(temporary(), bytes, values, static_cast<decltype(held)*>(out), n, s);
  });
}
bool max(char type, const void* x, void* out, std::int64_t n, cudaStream_t s) {
  if (type != 'f') return false;
  std::size_t bytes = room;
  cub::DeviceReduce::Max(temporary(), bytes, static_cast<const float*>(x), static_cast<float*>(out),
                         n, s);
  return true;
}
bool arg_max(char type, const void* x, void* out, std::int64_t n, cudaStream_t s) {
  if (type != 'f') return false;
  std::size_t bytes = room;
  cub::DeviceReduce::ArgMax(temporary(), bytes, static_cast<const float*>(x),
                            static_cast<float*>(out), static_cast<std::int64_t*>(out) + 1, n, s);
  return true;
}
bool sum_gpu_to_gpu(char type, const void* x, void* out, std::int64_t n, cudaStream_t s) {
#if CCCL_VERSION >= 3002000
  const auto env = cuda::std::execution::env{
      cuda::stream_ref{s}, cuda::execution::require(cuda::execution::determinism::gpu_to_gpu)};
  const auto sum_of = [&](auto zero) {
    using T = decltype(zero);
    (void)cub::DeviceReduce::Reduce(static_cast<const T*>(x), static_cast<T*>(out), n,
                                    cuda::std::plus<>{}, zero, env);
    return true;
  };
  if (type == 'f') return sum_of(0.0f);
  if (type == 'd') return sum_of(0.0);
#endif
  return false;
}

}  // namespace

const cub_calls cub{BENCH_CUB_NAME, CCCL_VERSION, sum, max, arg_max, sum_gpu_to_gpu};

}  // namespace rung::bench::BENCH_CUB
