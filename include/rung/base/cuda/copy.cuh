// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the vocabulary for nvcc that move memory while the threads go on: copies per thread
// (cp.async), bulk copies with their transfer barriers (cp.async.bulk, compute capability 9.0), and
// the words of a cluster: barrier, remote shared memory, asynchronous remote stores.
#pragma once
#include "memory.cuh"
#include "sync.cuh"

namespace rung {

namespace detail {

RUNG_DEVICE std::uint32_t shared_address(const void* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}
RUNG_DEVICE std::uint32_t cluster_address(const void* place, unsigned rank) {
  std::uint32_t mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(mapped)
      : "r"(shared_address(place)), "r"(rank));
  return mapped;
}

}  // namespace detail

// ---------------------------------------------------------------- copies of one thread

/// to = from, later: 4, 8 or 16 bytes from global to shared memory.
template <class T>
RUNG_DEVICE void copy_async(T& to, const T& from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "copy_async moves 4, 8 or 16 bytes");
  static_assert(alignof(T) == sizeof(T),
                "copy_async needs values aligned to their size: use a pack");
  if constexpr (sizeof(T) == 16)
    asm volatile(
        "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(detail::shared_address(&to)),
        "l"(__cvta_generic_to_global(&from))
        : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(detail::shared_address(&to)),
                 "l"(__cvta_generic_to_global(&from)), "n"(int(sizeof(T)))
                 : "memory");
}
/// Closes the group of copies that this thread has started since the last commit.
RUNG_DEVICE void copy_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most N groups of this thread are under way. Others see the values after a
/// barrier.
template <int N = 0>
RUNG_DEVICE void copy_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// ---------------------------------------------------------------- transfer barriers

/// A phase of the barrier ends after `arrivals` arrivals and all bytes that were announced.
/// One thread calls it; a block barrier follows before anyone else uses the barrier.
RUNG_DEVICE void init_transfer(transfer_barrier& barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(detail::shared_address(&barrier)),
               "r"(arrivals)
               : "memory");
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
RUNG_DEVICE void arrive_transfer(transfer_barrier& barrier) {
  asm volatile("{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [%0]; }" ::"r"(
                   detail::shared_address(&barrier))
               : "memory");
}
/// Arrives, and announces `bytes` bytes that copies will bring in this phase.
RUNG_DEVICE void expect_transfer(transfer_barrier& barrier, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(detail::shared_address(&barrier)),
      "r"(bytes)
      : "memory");
#else
  __trap();
#endif
}
/// Has the phase of this parity (0, 1, 0, ...) ended? May sleep a little before it says no. What
/// others of the scope did before they arrived is visible then; a wider scope than the block's
/// costs the first-level cache.
template <scope S = scope::cluster>
RUNG_DEVICE bool test_transfer(transfer_barrier& barrier, unsigned parity) {
  unsigned ended;
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.acquire%3.shared::cta.b64 p, [%1], %2; "
      "selp.u32 %0, 1, 0, p; }"
      : "=r"(ended)
      : "r"(detail::shared_address(&barrier)), "r"(parity), "C"(detail::scope_text<S>)
      : "memory");
#else
  asm volatile(
      "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(ended)
      : "r"(detail::shared_address(&barrier)), "r"(parity)
      : "memory");
#endif
  return ended != 0;
}
template <scope S = scope::cluster>
RUNG_DEVICE void wait_transfer(transfer_barrier& barrier, unsigned parity) {
  while (!test_transfer<S>(barrier, parity)) {
  }
}

// ---------------------------------------------------------------- bulk copies, by one thread

/// `bytes` bytes from global to shared memory; they count on the barrier. Both places are aligned
/// to 16 bytes, and the size is a multiple of 16.
template <class T, class U>
RUNG_DEVICE void bulk_load(T& to, const U& from, unsigned bytes, transfer_barrier& barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(detail::shared_address(&to)),
      "l"(__cvta_generic_to_global(&from)), "r"(bytes), "r"(detail::shared_address(&barrier))
      : "memory");
#else
  __trap();
#endif
}
/// `bytes` bytes from shared to global memory. fence_before_bulk() and a barrier come between the
/// writes to shared memory and this.
template <class T, class U>
RUNG_DEVICE void bulk_store(U& to, const T& from, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(&to)),
               "r"(detail::shared_address(&from)), "r"(bytes)
               : "memory");
#else
  __trap();
#endif
}
RUNG_DEVICE void bulk_store_commit() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
}
/// Waits until at most N groups of bulk stores of this thread still read shared memory.
template <int N = 0>
RUNG_DEVICE void bulk_store_wait_read() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
#endif
}
/// Waits until at most N groups of bulk stores of this thread are unfinished.
template <int N = 0>
RUNG_DEVICE void bulk_store_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
#endif
}
/// Orders this thread's own accesses to shared memory before bulk copies of it.
RUNG_DEVICE void fence_before_bulk() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

// ---------------------------------------------------------------- cluster

RUNG_DEVICE unsigned cluster_rank() {
  unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  return rank;
}
RUNG_DEVICE unsigned cluster_blocks() {
  unsigned blocks = 1;
#if __CUDA_ARCH__ >= 900
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
#endif
  return blocks;
}
/// Counts as having come to the cluster's barrier; what came before is visible after the wait. Not
/// the `.aligned` form, which lanes that a loop has parted must not use; the code is the same.
RUNG_DEVICE void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#endif
}
RUNG_DEVICE void cluster_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#else
  __syncthreads();  // a cluster of one block
#endif
}
RUNG_DEVICE void cluster_barrier() {
  cluster_arrive();
  cluster_wait();
}
/// The same place in the shared memory of block `rank` of the cluster.
template <class T>
RUNG_DEVICE T& remote(T& place, unsigned rank) {
#if __CUDA_ARCH__ >= 900
  T* mapped;
  asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(&place), "r"(rank));
  return *mapped;
#else
  return place;
#endif
}
/// Writes 4 or 8 bytes to the same place of block `rank`, later; they count on its barrier. Only
/// in clusters of 2 blocks or more: alone, the GPU takes it for an illegal instruction.
template <class T>
RUNG_DEVICE void send_async(T& place, const std::type_identity_t<T>& value,
                            transfer_barrier& barrier, unsigned rank) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "send_async moves 4 or 8 bytes");
#if __CUDA_ARCH__ >= 900
  const std::uint32_t to = detail::cluster_address(&place, rank);
  const std::uint32_t count = detail::cluster_address(&barrier, rank);
  if constexpr (sizeof(T) == 4)
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
        "r"(__builtin_bit_cast(std::uint32_t, value)), "r"(count)
        : "memory");
  else
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to),
        "l"(__builtin_bit_cast(std::uint64_t, value)), "r"(count)
        : "memory");
#else
  __trap();
#endif
}

}  // namespace rung
