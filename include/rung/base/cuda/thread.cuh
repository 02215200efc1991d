// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the vocabulary for nvcc: who am I, bits, barriers of warp and block, time. Each is the
// plain instruction.
#pragma once
#include "../gpu_types.hpp"

namespace rung {

// ---------------------------------------------------------------- who am I

RUNG_DEVICE dims thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
RUNG_DEVICE dims block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
RUNG_DEVICE dims block_shape() { return {blockDim.x, blockDim.y, blockDim.z}; }
RUNG_DEVICE dims grid_shape() { return {gridDim.x, gridDim.y, gridDim.z}; }

RUNG_DEVICE unsigned thread_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
RUNG_DEVICE unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
RUNG_DEVICE std::uint64_t block_rank() {
  return blockIdx.x +
         std::uint64_t(gridDim.x) * (blockIdx.y + std::uint64_t(gridDim.y) * blockIdx.z);
}
RUNG_DEVICE std::uint64_t grid_blocks() { return grid_shape().count(); }

RUNG_DEVICE int lane() {
  int id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}
RUNG_DEVICE unsigned warp_rank() { return thread_rank() / warp_size; }
RUNG_DEVICE unsigned block_warps() { return (block_threads() + warp_size - 1) / warp_size; }

RUNG_DEVICE lane_mask lanes_below() {
  lane_mask mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
RUNG_DEVICE lane_mask lanes_above() {
  lane_mask mask;
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(mask));
  return mask;
}

// ---------------------------------------------------------------- bits

template <class Bits>
RUNG_DEVICE int bit_count(Bits bits) {
  static_assert(std::is_unsigned_v<Bits>, "bit_count takes unsigned integers");
  if constexpr (sizeof(Bits) == 8) return __popcll(bits);
  else return __popc(bits);
}
/// The number of the lowest bit that is set, -1 if none is.
template <class Bits>
RUNG_DEVICE int lowest_bit(Bits bits) {
  static_assert(std::is_unsigned_v<Bits>, "lowest_bit takes unsigned integers");
  if constexpr (sizeof(Bits) == 8) return __ffsll(static_cast<long long>(bits)) - 1;
  else return __ffs(static_cast<int>(bits)) - 1;
}
/// The number of the highest bit that is set, -1 if none is.
template <class Bits>
RUNG_DEVICE int highest_bit(Bits bits) {
  static_assert(std::is_unsigned_v<Bits>, "highest_bit takes unsigned integers");
  if constexpr (sizeof(Bits) == 8) return 63 - __clzll(static_cast<long long>(bits));
  else return 31 - __clz(static_cast<int>(bits));
}

/// The same bits as another type of the same size.
template <class To, class From>
RUNG_DEVICE To bits_as(const From& value) {
  static_assert(sizeof(To) == sizeof(From), "bits_as needs two types of the same size");
  return __builtin_bit_cast(To, value);
}

// ---------------------------------------------------------------- barriers

RUNG_DEVICE void warp_barrier(lane_mask mask = whole_warp) { __syncwarp(mask); }
RUNG_DEVICE void block_barrier() { __syncthreads(); }

/// Barrier `id` (1 to 15) of `threads` threads, a multiple of 32: wait for all of them.
RUNG_DEVICE void barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
/// Counts as having come to barrier `id`, and goes on.
RUNG_DEVICE void barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/// Ends the kernel with an error: what it was asked for cannot be done.
RUNG_DEVICE void give_up(const char*) { __trap(); }

// ---------------------------------------------------------------- time

/// Gives way to others for about this many nanoseconds; every spinning loop calls it.
RUNG_DEVICE void back_off(unsigned nanoseconds = 32) { __nanosleep(nanoseconds); }
RUNG_DEVICE std::int64_t cycle_clock() { return clock64(); }
RUNG_DEVICE std::uint64_t nanosecond_clock() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace rung
