// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine vocabulary: the words that kernels are written in. nvcc compiles each to its
// instruction (cuda/), any other compiler to a checked call of the virtual GPU (../virtual/).
//
//   RUNG_KERNEL(256) void sum(global<const float> x, global<float> y);   launch(sum, 10, 256, ...);
//
// who       thread_index() block_index() block_shape() grid_shape()           as dims {x, y, z}
//           thread_rank() block_threads() block_rank() grid_blocks()          x runs fastest
//           lane() warp_rank() block_warps() lanes_below() lanes_above() active_lanes()
// warp      shuffle(v, lane) shuffle_up(v, n) shuffle_down(v, n) shuffle_xor(v, bits)
//           match_any(v)                         v: trivially copyable, 1 to 1024 bytes
//           lanes_where(p) any_lane(p) all_lanes(p) warp_barrier()
//           redux_add redux_min redux_max(int, unsigned) redux_and redux_or redux_xor(unsigned)
//           the last argument is the mask: lanes that come, the caller too; all 32 by default.
//           Shuffles take a width after it: groups of 2, 4, 8, 16 lanes
// block     block_barrier()      barrier_sync(id, threads) barrier_arrive(id, threads): id 1 to 15
// shared    struct S { shared<float[32]> totals; shared<bool> last; };  auto& s = scratch<S>();
//           scratch_array<T>(count, byte)        shared_view<T>: an array as an argument
// global    global<T> x: x[i] reads and writes   as<pack<T, 4>>(x)[i]: four in one access
//           load_streaming(x[i]) load_read_only(x[i]) load_uncached(x[i]) store_streaming(x[i], v)
//           store_wide(x[i], v)
//           prefetch(x[i], bytes)
// words     load_relaxed(w) load_acquire(w) store_relaxed(w, v) store_release(w, v) fence()
//           w: x[i] or a shared<T>, of 2, 4, 8 or 16 bytes; all take a <scope>, device by default
// atomics   atomic_add atomic_min atomic_max atomic_and atomic_or atomic_xor atomic_exchange(w, v)
//           atomic_compare_exchange(w, expected, desired)    <order::relaxed, scope::device>
//           The old value comes back. Float sums in global memory flush subnormals: no folds
// copies    copy_async(s.tile[i], x[j]) copy_async_commit() copy_async_wait<n>()
//           shared<transfer_barrier> b: init_transfer(b, arrivals) arrive_transfer(b)
//           expect_transfer(b, bytes) wait_transfer(b, parity) test_transfer(b, parity)
//           bulk_load(s.tile[0], x[i], bytes, b)       bulk_store(x[i], s.tile[0], bytes)
//           bulk_store_commit() bulk_store_wait<n>() bulk_store_wait_read<n>()
//           fence_before_bulk(): between a thread's writes to shared memory and bulk copies of it
// cluster   cluster_rank() cluster_blocks() cluster_arrive() cluster_wait() cluster_barrier()
//           remote(s, rank): the same place in another block    send_async(place, v, b, rank)
// errors    give_up("why")         ends the kernel: a trap; the virtual GPU says why
// time      back_off(ns) cycle_clock() nanosecond_clock()
// launches  wait_for_previous_launch() allow_next_launch()
// bits      bit_count(m) lowest_bit(m) highest_bit(m) bits_as<T>(v)
//
// Write `T v = x[i];`, not `auto v = x[i];`: on the virtual GPU x[i] is a place, not a value.
#pragma once
#if defined(__CUDACC__)
#include "cuda/copy.cuh"
#include "cuda/memory.cuh"
#include "cuda/sync.cuh"
#include "cuda/thread.cuh"
#include "cuda/warp.cuh"
#elif __has_include(<boost/context/detail/fcontext.hpp>)
#include "../virtual/words.hpp"
#else
#error "rung: kernels are compiled by nvcc, or, for the virtual GPU, need Boost.Context"
#endif
