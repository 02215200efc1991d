// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The barrier of the whole grid, on the virtual GPU.
#include <rung/base/grid_barrier.cuh>

#include "virtual/expect.hpp"

namespace rung {
namespace {

RUNG_KERNEL() void pass_around(int rounds, global<int> ring, global<std::uint64_t> count) {
  const auto n = int(grid_blocks()), me = int(block_rank());
  int mine = me;
  for (int i = 0; i < rounds; ++i) {
    if (thread_rank() == 5) ring[me] = mine;
    grid_barrier(count);
    mine = ring[(me + 1) % n];
    grid_barrier(count);
  }
  if (thread_rank() == 6) ring[me] = mine;
}

TEST(virtual_grid, a_barrier_of_all_blocks) {
  for_seeds(10, [] {
    gpu_array<std::uint64_t> count(1);
    count.fill(0);
    const gpu_array<int> ring(9);
    for (const int blocks : {9, 1, 4, 9}) {  // one word serves them all
      launch_with({.cooperative = true}, pass_around, blocks, 40, 0, nullptr, 5, ring, count);
      const auto got = ring.to_host();
      for (int i = 0; i < blocks; ++i) EXPECT_EQ(got[std::size_t(i)], (i + 5) % blocks);
    }
    EXPECT_EQ(count.to_host()[0], std::uint64_t(4 * 10) << 32);
  });
}

TEST(virtual_grid, a_launch_that_does_not_promise_all_blocks_is_stuck) {
  expect_finding(
      [] {
        gpu_array<std::uint64_t> count(1);
        count.fill(0);
        const gpu_array<int> ring(9);
        launch(pass_around, 9, 40, 0, nullptr, 5, ring, count);
      },
      {"nothing can progress",
       "grid_barrier.cuh:", "blocks have not started: 4 fit at the same time"},
      {.resident_blocks = 4});
}

}  // namespace
}  // namespace rung
