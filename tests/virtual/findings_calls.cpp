// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Broken kernels: calls with arguments that no GPU takes, and counts that do not come out. Some of
// these findings need an order that not every seed brings.
#include "virtual/expect.hpp"

namespace rung {
namespace {

struct places {
  shared<int[32]> value;
  alignas(16) shared<float[64]> tile;
  shared<transfer_barrier> full;
};

/// How many of 40 seeds bring a finding with this piece.
int seeds_that_find(const std::string& piece, const std::function<void()>& f) {
  int found = 0;
  for_seeds(40, [&] { found += finding(f).find(piece) != std::string::npos; });
  return found;
}

TEST(virtual_findings, a_named_barrier_that_somebody_comes_to_twice) {
  const std::string here = line_below(3);
  const auto kernel = +[] {
    for (int i = 0; i < 2; ++i)
      if (warp_rank() == 0) barrier_arrive(1, 64);
  };
  expect_finding([&] { launch(kernel, 1, 64, 0, nullptr); },
                 {"the thread comes twice to the same barrier_arrive, which others have not "
                  "reached",
                  here});
}

TEST(virtual_findings, a_named_barrier_that_too_many_come_to) {
  const auto kernel = +[] { barrier_sync(1, 64); };
  EXPECT_GT(seeds_that_find("barrier 1: more threads come than the 64 it is called with",
                            [&] { launch(kernel, 1, 96, 0, nullptr); }),
            3);
}

TEST(virtual_findings, a_lane_leaves_while_others_wait_for_it) {
  const auto kernel = +[] {
    if (lane() == 9) return;
    any_lane(true);
  };
  const auto run = [&] { launch(kernel, 1, 32, 0, nullptr); };
  EXPECT_GT(seeds_that_find("lane 9 is missing: it leaves the kernel, but lane", run), 3);
  EXPECT_GT(seeds_that_find("missing: the mask 0xffffffff of any_lane names lane 9, and that has "
                            "left the kernel",
                            run),
            0);
}

TEST(virtual_findings, a_transfer_barrier_that_too_many_arrive_at) {
  const auto kernel = +[] {
    auto& s = scratch<places>();
    if (thread_rank() == 0) init_transfer(s.full, 2);
    block_barrier();
    if (thread_rank() == 0) expect_transfer(s.full, 16);  // never comes: the phase stays
    block_barrier();
    if (thread_rank() < 2) arrive_transfer(s.full);
  };
  expect_finding([&] { launch(kernel, 1, 32, sizeof(places), nullptr); },
                 {"more arrivals at a transfer barrier than the 2 it was made for"});
}

TEST(virtual_findings, bulk_copies_race_like_any_other_access) {
  const auto written = +[](global<float> y) {
    auto& s = scratch<places>();
    s.tile[thread_rank()] = 1;  // no barrier
    if (thread_rank() == 0) bulk_store(y[0], s.tile[0], 256);
    block_barrier();
  };
  const auto brought = +[](global<float> y) {
    auto& s = scratch<places>();
    s.tile[thread_rank()] = 1;  // no barrier
    copy_async(s.tile[63 - thread_rank()], y[thread_rank()]);
    copy_async_wait();
  };
  const gpu_array<float> y(std::vector<float>(64, 0.0f));
  const auto run = [&](auto kernel) { launch(kernel, 1, 64, sizeof(places), nullptr, y); };
  expect_finding([&] { run(written); }, {"shared memory", "(bulk_store)"});
  expect_finding([&] { run(brought); }, {"virtual GPU: ", "shared memory", "block 0"});
}

TEST(virtual_findings, a_store_to_another_block_where_there_is_none) {
  const auto kernel = +[] {
    auto& s = scratch<places>();
    if (thread_rank() != 0) return;
    init_transfer(s.full, 1);
    expect_transfer(s.full, 4);
    send_async(s.value[0], 1, s.full, 0);
  };
  expect_finding([&] { launch(kernel, 2, 32, sizeof(places), nullptr); },
                 {"send_async needs a cluster of 2 blocks or more"});
}

TEST(virtual_findings, places_and_sizes_that_a_word_does_not_take) {
  const auto outside = +[] {
    int local = 0;
    remote(reinterpret_cast<shared<int>&>(local), 0);
  };
  const auto odd_prefetch = +[](global<float> y) { prefetch(y[1], 64); };
  const auto odd_bytes = +[](global<float> y) { prefetch(y[0], 20); };
  const gpu_array<float> y(std::vector<float>(64, 0.0f));
  expect_finding([&] { launch(outside, 1, 32, sizeof(places), nullptr); },
                 {"out of bounds: remote() of a place that is not in the block's scratch"});
  for (const auto kernel : {+odd_prefetch, +odd_bytes})
    expect_finding([&] { launch(kernel, 1, 32, 0, nullptr, y); },
                   {"prefetch takes a place aligned to 16 bytes and a multiple of 16 bytes"});
}

TEST(virtual_findings, more_blocks_at_the_same_time_than_there_are) {
  const auto kernel = +[] {};
  expect_finding(
      [&] { launch_with({.cooperative = true}, kernel, 100, 1024, 0, nullptr); },
      {"100 blocks of 1024 threads do not fit at the same time", "grid 100, block 1024"});
}

}  // namespace
}  // namespace rung
