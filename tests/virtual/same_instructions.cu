// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels in the vocabulary and the same written by hand: same_instructions.py compares what nvcc
// makes of each pair (words_X and hand_X).
#include <rung/base/gpu.cuh>

using namespace rung;

extern "C" {

RUNG_KERNEL(32) void words_warp_sum(global<const float> x, global<float> y) {
  float v = x[thread_index().x];
  RUNG_UNROLL
  for (int d = 1; d < 32; d *= 2) v += shuffle_xor(v, d);
  if (thread_index().x == 0) y[block_index().x] = v;
}
__global__ __launch_bounds__(32) void hand_warp_sum(const float* x, float* y) {
  float v = x[threadIdx.x];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}

struct words_scratch {
  shared<float[256]> value;
};
RUNG_KERNEL(256) void words_reverse(global<const float> x, global<float> y) {
  auto& s = scratch<words_scratch>();
  s.value[thread_index().x] = x[thread_index().x];
  block_barrier();
  y[thread_index().x] = s.value[255 - thread_index().x];
}
extern __shared__ __align__(1024) unsigned char hand_scratch[];
__global__ __launch_bounds__(256) void hand_reverse(const float* x, float* y) {
  float* value = reinterpret_cast<float*>(hand_scratch);
  value[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = value[255 - threadIdx.x];
}

RUNG_KERNEL() void words_poll(global<unsigned> flag, global<unsigned long long> out) {
  while (load_acquire(flag[0]) == 0) back_off(64);
  atomic_add(out[0], 1);
  store_release(flag[1], 1u);
}
__device__ __forceinline__ unsigned hand_load_acquire(const unsigned* word) {
  unsigned seen;
  asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(seen) : "l"(word) : "memory");
  return seen;
}
__device__ __forceinline__ unsigned long long hand_atomic_add(unsigned long long* word) {
  unsigned long long old;
  asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], 1;" : "=l"(old) : "l"(word) : "memory");
  return old;
}
__global__ void hand_poll(unsigned* flag, unsigned long long* out) {
  while (hand_load_acquire(flag) == 0) __nanosleep(64);
  hand_atomic_add(out);
  asm volatile("st.release.gpu.global.b32 [%0], 1;" ::"l"(flag + 1) : "memory");
}

}  // extern "C"
