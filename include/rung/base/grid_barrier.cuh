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

/// `rounds` is one word in global memory, 0 before its first use; launches of any sizes may use it
/// one after another. Its upper half counts rounds: in each, the blocks add up to 2^32.
RUNG_DEVICE void grid_barrier(global<std::uint64_t> rounds) {
  block_barrier();
  if (thread_rank() == 0) {
    const std::uint64_t others = grid_blocks() - 1, round = std::uint64_t(1) << 32;
    const std::uint64_t mine = block_rank() == 0 ? round - others : 1;
    const std::uint64_t before = atomic_add<order::acq_rel>(rounds[0], mine);
    while (load_acquire(rounds[0]) >> 32 == before >> 32 && others > 0) back_off();
  }
  block_barrier();
}

}  // namespace rung
