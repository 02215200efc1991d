// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Broken kernels: lanes and threads that miss a meeting point. The virtual GPU names the place.
#include "virtual/expect.hpp"

namespace rung {
namespace {

TEST(virtual_findings, a_lane_misses_a_shuffle) {
  const std::string here = line_below(3);
  const auto kernel = +[] {
    if (lane() == 5) return;
    shuffle_xor(lane(), 1);
  };
  expect_finding([&] { launch(kernel, 2, 64, 0, nullptr); },
                 {"virtual GPU: ", "missing", "lane 5", "shuffle_xor", here, ", warp ",
                  "\n  kernel ", "grid 2, block 64", "seed "});
}

TEST(virtual_findings, lanes_of_a_warp_wait_at_different_places) {
  const std::string shuffling = line_below(2), waiting = line_below(3);
  const auto kernel = +[] {
    if (lane() < 16) shuffle_xor(lane(), 1);
    else block_barrier();
  };
  expect_finding([&] { launch(kernel, 1, 32, 0, nullptr); },
                 {"nothing can progress: everybody waits (deadlock)",
                  "block 0, warp 0, lanes 0-15: waiting at " + shuffling +
                      " (shuffle_xor), mask 0xffffffff, missing lanes 16-31",
                  "block 0, warp 0, lanes 16-31: waiting at " + waiting + " (block_barrier)"});
}

TEST(virtual_findings, a_block_of_48_threads_with_the_full_mask) {
  const std::string here = line_below(1);
  const auto kernel = +[] { redux_add(1); };
  expect_finding(
      [&] { launch(kernel, 1, 48, 0, nullptr); },
      {"the mask 0xffffffff of redux_add names lanes 16-31, which do not exist: the block "
       "has 48 threads",
       "block 0, warp 1, lane ", here});
}

TEST(virtual_findings, a_lane_outside_of_its_mask) {
  const std::string here = line_below(1);
  const auto kernel = +[] { shuffle(lane(), 0, 0xffff); };
  expect_finding([&] { launch(kernel, 1, 32, 0, nullptr); },
                 {"the lane is not in the mask 0x0000ffff that it calls shuffle with", here});
}

TEST(virtual_findings, a_shuffle_from_outside_of_the_mask) {
  const std::string here = line_below(2);
  const auto kernel = +[] {
    if (lane() < 8) shuffle_down(lane(), 1, 0xff);
  };
  expect_finding([&] { launch(kernel, 1, 32, 0, nullptr); },
                 {"shuffle_down reads from lane 8, which is not in the mask 0x000000ff",
                  "block 0, warp 0, lane 7 (thread 7) at " + here});
}

TEST(virtual_findings, lanes_of_one_mask_at_different_words) {
  const std::string voting = line_below(3);
  const auto kernel = +[] {
    if (lane() == 3) lanes_where(true);
    else shuffle_up(1.0, 1);
  };
  expect_finding([&] { launch(kernel, 1, 32, 0, nullptr); },
                 {"lanes of one mask are at different words: ", "lanes_where of 4 bytes",
                  "shuffle_up of 8 bytes", voting});
}

TEST(virtual_findings, a_width_that_is_no_power_of_two) {
  const auto kernel = +[] { shuffle(1, 0, whole_warp, 12); };
  expect_finding([&] { launch(kernel, 1, 32, 0, nullptr); },
                 {"shuffle in groups of 12 lanes: the width is a power of two"});
}

TEST(virtual_findings, a_barrier_in_divergent_code) {
  const std::string even = line_below(2), odd = line_below(3);
  const auto kernel = +[] {
    if (thread_rank() % 2 == 0) block_barrier();
    else block_barrier();
  };
  for_seeds(10, [&] {
    const std::string text = finding([&] { launch(kernel, 1, 64, 0, nullptr); });
    EXPECT_NE(text.find("divergent barrier: lane"), text.npos) << text;
    EXPECT_NE(text.find(even), text.npos) << text;
    EXPECT_NE(text.find(odd), text.npos) << text;
  });
}

TEST(virtual_findings, a_barrier_that_not_every_thread_reaches) {
  const std::string here = line_below(2);
  const auto kernel = +[] {
    if (thread_rank() < 40) block_barrier();
  };
  expect_finding([&] { launch(kernel, 3, 64, 0, nullptr); },
                 {"divergent barrier: ", "the kernel", here});
}

TEST(virtual_findings, a_barrier_after_threads_have_left) {
  const std::string here = line_below(3);
  const auto kernel = +[] {
    if (thread_rank() >= 32) return;
    block_barrier();
  };
  expect_finding([&] { launch(kernel, 1, 96, 0, nullptr); },
                 {"divergent barrier: ", "the kernel", here});
}

TEST(virtual_findings, a_named_barrier_in_divergent_code) {
  const auto kernel = +[] {
    if (lane() < 7) barrier_sync(2, 64);
  };
  expect_finding([&] { launch(kernel, 1, 64, 0, nullptr); },
                 {"divergent barrier: ", "the kernel without"});
}

TEST(virtual_findings, named_barriers_with_wrong_numbers) {
  const auto id = +[] { barrier_sync(16, 32); };
  const auto count = +[] { barrier_sync(1, 48); };
  const auto differ = +[] { barrier_sync(1, warp_rank() == 0 ? 64 : 96); };
  const auto many = +[] { barrier_sync(1, 64); };
  const auto few = +[] {
    if (warp_rank() != 0) barrier_sync(1, 96);
  };
  expect_finding([&] { launch(id, 1, 32, 0, nullptr); },
                 {"barrier 16 does not exist: their numbers are 1 to 15"});
  expect_finding([&] { launch(count, 1, 64, 0, nullptr); },
                 {"barrier 1 of 48 threads: it takes a multiple of 32, at most the block's 64"});
  expect_finding([&] { launch(differ, 1, 96, 0, nullptr); },
                 {"threads, but others came to it as of "});
  expect_finding([&] { launch(many, 1, 96, 0, nullptr); }, {"(barrier_sync)"});
  expect_finding(
      [&] { launch(few, 1, 96, 0, nullptr); },
      {"nothing can progress", "(barrier_sync)", "warp 0, lanes 0-31: has left the kernel"});
}

TEST(virtual_findings, a_cluster_barrier_that_a_block_misses) {
  const auto kernel = +[] {
    if (cluster_rank() != 1) cluster_barrier();
  };
  const auto twice = +[] {
    cluster_arrive();
    cluster_arrive();
  };
  const auto never = +[] { cluster_wait(); };
  expect_finding([&] { launch_with({.cluster = 2}, kernel, 4, 32, 0, nullptr); },
                 {"nothing can progress", "(cluster_barrier)", "has left the kernel"});
  expect_finding([&] { launch_with({.cluster = 2}, twice, 2, 32, 0, nullptr); },
                 {"cluster_arrive twice without cluster_wait between"});
  expect_finding([&] { launch_with({.cluster = 2}, never, 2, 32, 0, nullptr); },
                 {"cluster_wait without cluster_arrive before"});
}

}  // namespace
}  // namespace rung
