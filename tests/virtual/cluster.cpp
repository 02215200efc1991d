// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters on the virtual GPU: their barrier, shared memory of other blocks, asynchronous stores.
#include "virtual/expect.hpp"

namespace rung {
namespace {

struct team_scratch {
  shared<int[16]> totals;
  shared<int> sum;
  shared<transfer_barrier> full;
};

/// Every block adds up its ranks; all blocks read all totals.
TEST(virtual_cluster, blocks_read_each_others_shared_memory) {
  const auto kernel = +[](global<int> out) {
    auto& s = scratch<team_scratch>();
    const unsigned me = cluster_rank(), n = cluster_blocks();
    if (thread_rank() == 0) s.sum = int(block_rank());
    cluster_barrier();
    if (thread_rank() < n) {
      const int theirs = remote(s, thread_rank()).sum;
      EXPECT_EQ(theirs, int(block_rank() - me + thread_rank()));
      s.totals[thread_rank()] = theirs;
    }
    block_barrier();
    if (thread_rank() == 0) {
      int total = 0;
      for (unsigned i = 0; i < n; ++i) total += int(s.totals[i]);
      out[block_rank()] = total;
    }
    cluster_barrier();  // nobody leaves while others still read
  };
  for (const unsigned size : {1u, 2u, 8u, 16u})
    for_seeds(5, [&] {
      const gpu_array<int> out(32);
      launch_with({.cluster = size}, kernel, 32, 48, sizeof(team_scratch), nullptr, out);
      const auto host = out.to_host();
      for (int i = 0; i < 32; ++i) {
        const int first = i / int(size) * int(size), n = int(size);
        EXPECT_EQ(host[std::size_t(i)], n * first + n * (n - 1) / 2);
      }
    });
}

TEST(virtual_cluster, blocks_write_to_each_other_between_arrive_and_wait) {
  const auto kernel = +[] {
    auto& s = scratch<team_scratch>();
    const unsigned me = cluster_rank(), n = cluster_blocks();
    cluster_arrive();  // everyone's shared memory is there
    cluster_wait();
    if (thread_rank() < n) remote(s.totals, thread_rank())[me] = int(me * 10 + thread_rank());
    cluster_barrier();
    if (thread_rank() < n) {
      EXPECT_EQ(int(s.totals[thread_rank()]), int(thread_rank() * 10 + me));
    }
  };
  for_seeds(10, [&] { launch_with({.cluster = 4}, kernel, 8, 32, sizeof(team_scratch), nullptr); });
}

/// All blocks send their value to block 0, which waits for the bytes.
TEST(virtual_cluster, asynchronous_stores_count_on_the_barrier_of_their_block) {
  const auto kernel = +[](global<int> out) {
    auto& s = scratch<team_scratch>();
    const unsigned me = cluster_rank(), n = cluster_blocks();
    if (me == 0 && thread_rank() == 0) {
      init_transfer(s.full, 1);
      expect_transfer(s.full, n * sizeof(int));
    }
    cluster_barrier();
    if (thread_rank() == 0) send_async(s.totals[me], int(block_rank() + 1), s.full, 0);
    if (me != 0) return;
    wait_transfer(s.full, 0);
    if (thread_rank() == 0) {
      int total = 0;
      for (unsigned i = 0; i < n; ++i) total += int(s.totals[i]);
      out[block_rank() / n] = total;
    }
  };
  for_seeds(20, [&] {
    const gpu_array<int> out(3);
    launch_with({.cluster = 8}, kernel, 24, 32, sizeof(team_scratch), nullptr, out);
    EXPECT_EQ(out.to_host(), (std::vector<int>{36, 100, 164}));
  });
}

}  // namespace
}  // namespace rung
