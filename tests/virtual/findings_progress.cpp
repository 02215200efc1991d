// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Broken kernels: nothing can progress. Deadlocks, threads that look at memory that nobody changes,
// blocks that wait for a block that does not run yet.
#include "virtual/expect.hpp"

namespace rung {
namespace {

TEST(virtual_findings, two_warps_wait_for_each_other) {
  const std::string first = line_below(3), second = line_below(6);
  const auto kernel = +[] {
    if (warp_rank() == 0) {
      barrier_sync(1, 64);
      barrier_sync(2, 64);
    } else {
      barrier_sync(2, 64);
      barrier_sync(1, 64);
    }
  };
  expect_finding([&] { launch(kernel, 1, 64, 0, nullptr); },
                 {"nothing can progress: everybody waits (deadlock)",
                  "block 0, warp 0, lanes 0-31: waiting at " + first + " (barrier_sync)",
                  "block 0, warp 1, lanes 0-31: waiting at " + second + " (barrier_sync)"});
}

TEST(virtual_findings, a_transfer_that_never_comes) {
  const std::string here = line_below(6);
  const auto kernel = +[] {
    auto& barrier = scratch<shared<transfer_barrier>>();
    if (thread_rank() == 0) init_transfer(barrier, 1);
    block_barrier();
    if (thread_rank() == 0) expect_transfer(barrier, 16);
    wait_transfer(barrier, 0);
  };
  expect_finding([&] { launch(kernel, 1, 32, 8, nullptr); },
                 {"nothing can progress", "lanes 0-31: waiting at " + here + " (wait_transfer)"});
}

TEST(virtual_findings, a_flag_that_nobody_sets) {
  const std::string here = line_below(3);
  const auto kernel = +[](global<unsigned> flag) {
    if (thread_rank() == 3)
      while (load_acquire(flag[0]) == 0) back_off();
    block_barrier();
  };
  gpu_array<unsigned> flag(1);
  flag.fill(0);
  expect_finding([&] { launch(kernel, 2, 64, 0, nullptr, flag); },
                 {"nothing can progress: everybody waits, or looks again and again at memory that "
                  "nobody changes",
                  "warp 0, lane 3: at " + here, "(block_barrier)"});
}

TEST(virtual_findings, a_flag_in_shared_memory_that_nobody_sets) {
  const auto kernel = +[] {
    auto& flag = scratch<shared<int>>();
    if (thread_rank() == 0) store_relaxed(flag, 0);
    block_barrier();
    while (load_relaxed(flag) == 0) {  // no back-off: the look itself lets others run
    }
  };
  expect_finding([&] { launch(kernel, 1, 64, 4, nullptr); },
                 {"looks again and again", "(load_relaxed)"});
}

TEST(virtual_findings, a_poll_that_all_lanes_agree_on) {
  const auto kernel = +[](global<unsigned> flags) {
    while (!all_lanes(load_relaxed(flags[lane()]) != 0)) back_off();
  };
  gpu_array<unsigned> flags(32);
  flags.fill(0);
  expect_finding([&] { launch(kernel, 1, 32, 0, nullptr, flags); }, {"nothing can progress"});
}

TEST(virtual_findings, a_lock_that_lanes_of_a_warp_can_share) {
  const auto kernel = +[](global<unsigned> lock, global<int> sum) {
    while (atomic_exchange<order::acquire>(lock[0], 1u) != 0) back_off();
    sum[0] += 1;
    store_release(lock[0], 0u);
  };
  for_seeds(10, [&] {
    gpu_array<unsigned> lock(1);
    gpu_array<int> sum(1);
    lock.fill(0);
    sum.fill(0);
    launch(kernel, 3, 33, 0, nullptr, lock, sum);
    EXPECT_EQ(sum.to_host()[0], 99);
  });
}

/// Waits for the block before it by block number: right only if that one is running.
RUNG_KERNEL() void chain(global<unsigned> done) {
  if (thread_rank() != 0) return;
  if (block_rank() > 0)
    while (load_acquire(done[block_rank() - 1]) == 0) back_off();
  store_release(done[block_rank()], 1u);
}

TEST(virtual_findings, look_back_at_a_block_that_does_not_run) {
  int found = 0;
  for_seeds(30,
            [&] {
              gpu_array<unsigned> done(8);
              done.fill(0);
              const std::string text = finding([&] { launch(chain, 8, 32, 0, nullptr, done); });
              if (text.empty()) return;  // the blocks have started in order
              ++found;
              EXPECT_NE(text.find("nothing can progress"), text.npos) << text;
              EXPECT_NE(
                  text.find("blocks have not started: 2 fit at the same time, and nothing promises "
                            "more"),
                  text.npos)
                  << text;
            },
            {.resident_blocks = 2});
  EXPECT_GT(found, 10);
}

TEST(virtual_findings, look_back_among_resident_blocks_is_right) {
  for_seeds(30, [&] {
    gpu_array<unsigned> done(8);
    done.fill(0);
    launch_with({.cooperative = true}, chain, 8, 32, 0, nullptr, done);
    launch_with({.resident_blocks = 8}, chain, 8, 32, 0, nullptr, done);
    EXPECT_EQ(done.to_host(), std::vector<unsigned>(8, 1));
  });
}

TEST(virtual_findings, long_work_beside_a_look_is_progress) {
  const auto kernel = +[](global<unsigned> flag) {
    if (block_rank() == 0) {
      int v = lane();
      for (int i = 0; i < 3000; ++i) v = shuffle_xor(v, 1);
      if (lane() == 0) store_release(flag[0], 1u);
    } else {
      while (load_acquire(flag[0]) == 0) back_off();
    }
  };
  for_seeds(5, [&] {
    gpu_array<unsigned> flag(1);
    flag.fill(0);
    launch_with({.cooperative = true}, kernel, 4, 32, 0, nullptr, flag);
  });
}

}  // namespace
}  // namespace rung
