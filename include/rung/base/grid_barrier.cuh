// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A barrier of the whole grid, for kernels that are launched with launch_options::cooperative: all
// threads of all blocks come, and see what any of them wrote before. Cost: two block barriers, one
// atomic per block on one word, and a poll of that word; about a round trip to the second-level
// cache after the last block has come.
#pragma once
#include "gpu.cuh"

namespace rung {

/// `count` is one word in global memory, 0 before its first use; a later launch with the same
/// number of blocks goes on counting where the last one stopped.
RUNG_DEVICE void grid_barrier(global<std::uint64_t> count) {
  block_barrier();
  if (thread_rank() == 0) {
    const std::uint64_t blocks = grid_blocks();
    const std::uint64_t before = atomic_add<order::acq_rel>(count[0], 1);
    const std::uint64_t everyone = (before / blocks + 1) * blocks;
    while (load_acquire(count[0]) < everyone) back_off();
  }
  block_barrier();
}

}  // namespace rung
