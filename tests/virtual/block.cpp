// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Barriers of warp and block on the virtual GPU, and shared memory handed over at them.
#include "virtual/expect.hpp"

namespace rung {
namespace {

struct turns {
  shared<int[1024]> value;
};

TEST(virtual_block, a_barrier_hands_shared_memory_over) {
  const auto kernel = +[](int rounds) {
    auto& s = scratch<turns>();
    const unsigned n = block_threads(), me = thread_rank();
    s.value[me] = int(me);
    for (int i = 1; i <= rounds; ++i) {
      block_barrier();
      const int neighbour = s.value[(me + 1) % n];
      block_barrier();
      s.value[me] = neighbour;
    }
    EXPECT_EQ(int(s.value[me]), int((me + unsigned(rounds)) % n));
  };
  for (const dims block : {dims(1), dims(31), dims(48), dims(7, 5, 3), dims(1024)})
    for_seeds(5, [&] { launch(kernel, 3, block, sizeof(turns), nullptr, 5); });
}

TEST(virtual_block, a_warp_barrier_hands_shared_memory_over_inside_the_warp) {
  const auto kernel = +[] {
    auto& s = scratch<turns>();
    const unsigned me = thread_rank(), first = warp_rank() * 32;
    for (unsigned d = 1; d < 32; d *= 2) {
      s.value[me] = lane();
      warp_barrier();
      EXPECT_EQ(int(s.value[first + (unsigned(lane()) ^ d)]), lane() ^ int(d));
      warp_barrier();
    }
    if (lane() < 8) {
      s.value[me] = 100 + lane();
      warp_barrier(0xff);
      EXPECT_EQ(int(s.value[first + 7 - unsigned(lane())]), 107 - lane());
    }
  };
  for_seeds(10, [&] { launch(kernel, 2, 128, sizeof(turns), nullptr); });
}

struct pipeline {
  shared<int[2][64]> stage;
  shared<int[4]> sums;
};

/// Two warps produce, two consume, through two stages with a full and an empty barrier each.
TEST(virtual_block, named_barriers_hand_over_between_warps) {
  const auto kernel = +[](int rounds, global<int> out) {
    auto& s = scratch<pipeline>();
    const int me = int(thread_rank()) % 64;
    if (warp_rank() < 2) {
      for (int i = 0; i < rounds; ++i) {
        if (i >= 2) barrier_sync(3 + i % 2, 128);
        s.stage[i % 2][me] = i * 1000 + me;
        barrier_arrive(1 + i % 2, 128);
      }
      return;
    }
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
      barrier_sync(1 + i % 2, 128);
      const int got = s.stage[i % 2][63 - me];
      sum += got;
      if (i + 2 < rounds) barrier_arrive(3 + i % 2, 128);
    }
    out[me] = sum;
  };
  gpu_array<int> out(64);
  for_seeds(20, [&] {
    launch(kernel, 1, 128, sizeof(pipeline), nullptr, 7, out);
    const auto sums = out.to_host();
    for (int i = 0; i < 64; ++i) EXPECT_EQ(sums[std::size_t(i)], 21000 + 7 * (63 - i));
  });
}

TEST(virtual_block, a_named_barrier_counts_whole_warps) {
  const auto kernel = +[] {
    auto& s = scratch<turns>();
    s.value[thread_rank()] = 1;
    barrier_sync(7, 64);  // 48 threads are two warps
    EXPECT_EQ(int(s.value[(thread_rank() + 20) % 48]), 1);
  };
  for_seeds(5, [&] { launch(kernel, 2, 48, sizeof(turns), nullptr); });
}

TEST(virtual_block, warps_may_leave_when_nobody_waits_for_them) {
  const auto kernel = +[](global<int> out) {
    auto& s = scratch<turns>();
    if (lane() == 0) s.value[warp_rank()] = 1;
    block_barrier();
    if (warp_rank() != 0) return;
    const int one = s.value[unsigned(lane()) % block_warps()];
    const int sum = redux_add(one);
    if (lane() == 0) out[block_rank()] = sum;
  };
  gpu_array<int> out(5);
  for_seeds(5, [&] {
    launch(kernel, 5, 256, sizeof(turns), nullptr, out);
    EXPECT_EQ(out.to_host(), std::vector<int>(5, 32));
  });
}

}  // namespace
}  // namespace rung
