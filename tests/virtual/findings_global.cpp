// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Broken kernels: global memory out of bounds, freed, misaligned, or raced on. (Messages without
// release or acquire are in sync.cpp.)
#include "virtual/expect.hpp"

namespace rung {
namespace {

TEST(virtual_findings, global_memory_out_of_bounds) {
  const std::string here = line_below(1);
  const auto write = +[](global<int> x) { x[thread_rank()] = 1; };
  const auto read = +[](global<const int> x) { EXPECT_EQ(int(x[-1]), 0); };
  const auto packs = +[](global<const int> x) { load_streaming(as<const pack<int, 4>>(x)[7]); };
  const auto word = +[](global<int> x) { atomic_add(x[30], 1); };
  const auto bulk = +[](global<const int> x) {
    auto& barrier = scratch<shared<transfer_barrier>>(256);
    init_transfer(barrier, 1);
    bulk_load(scratch_array<int>(64)[0], x[0], 128, barrier);
  };
  const gpu_array<int> x(30), behind(30);
  expect_finding(
      [&] { launch(write, 1, 32, 0, nullptr, x); },
      {"global memory out of bounds: 4 bytes at byte 12", " of an allocation of 120 bytes",
       "warp 0, lane 3", "at " + here + " (global memory)"});
  expect_finding([&] { launch(read, 1, 1, 0, nullptr, x); }, {"out of bounds: 4 bytes at byte -4"});
  expect_finding([&] { launch(packs, 1, 1, 0, nullptr, x); },
                 {"out of bounds: 16 bytes at byte 112", "(load_streaming)"});
  expect_finding([&] { launch(word, 1, 1, 0, nullptr, x); },
                 {"out of bounds: 4 bytes at byte 120", "(atomic_add)"});
  expect_finding([&] { launch(bulk, 1, 1, 1024, nullptr, x); },
                 {"out of bounds: 128 bytes at byte 0", "(bulk_load)"});
}

TEST(virtual_findings, pointers_that_are_no_memory_of_the_gpu) {
  const auto kernel = +[](global<int> x) { x[0] = 1; };
  int on_the_host = 0;
  int* freed = gpu_array<int>(10).data();
  expect_finding([&] { launch(kernel, 1, 1, 0, nullptr, &on_the_host); },
                 {"out of bounds: an address that is no memory of the virtual GPU"});
  expect_finding([&] { launch(kernel, 1, 1, 0, nullptr, nullptr); },
                 {"a null pointer to global memory"});
  expect_finding([&] { launch(kernel, 1, 1, 0, nullptr, freed); },
                 {"no memory of the virtual GPU"});
  const auto stale = [&] {
    auto x = std::make_unique<gpu_array<int>>(10);
    const global<int> kept = x->data();
    x.reset();
    launch(kernel, 1, 1, 0, nullptr, kept);
  };
  expect_finding(stale, {"an access to global memory that has been freed"});
}

TEST(virtual_findings, misaligned_global_memory) {
  const auto packs =
      +[](global<const float> x) { load_read_only(as<const pack<float, 4>>(x + 1)[0]); };
  const auto bulk = +[](global<const float> x) {
    auto& barrier = scratch<shared<transfer_barrier>>(256);
    init_transfer(barrier, 1);
    bulk_load(scratch_array<float>(64)[0], x[1], 128, barrier);
  };
  const gpu_array<float> x(100);
  expect_finding([&] { launch(packs, 1, 1, 0, nullptr, x); },
                 {"misaligned: a global value that needs 16 bytes", "(load_read_only)"});
  expect_finding([&] { launch(bulk, 1, 1, 512, nullptr, x); },
                 {"misaligned: bulk_load takes places aligned to 16 bytes"});
}

TEST(virtual_findings, threads_of_a_block_race_on_global_memory) {
  const std::string here = line_below(3);
  const auto kernel = +[](global<int> x) {
    x[thread_rank()] = 1;
    const int v = x[thread_rank() ^ 32];
    EXPECT_EQ(v, v);
  };
  const auto right = +[](global<int> x) {
    x[thread_rank()] = 1;
    block_barrier();
    EXPECT_EQ(int(x[thread_rank() ^ 32]), 1);
  };
  const gpu_array<int> x(64);
  for_seeds(10, [&] { launch(right, 1, 64, 0, nullptr, x); });
  int found = 0;  // the kernel is right for the thread that reads before the other writes
  for_seeds(20, [&] {
    const std::string text = finding([&] { launch(kernel, 1, 64, 0, nullptr, x); });
    found += text.find("race on global memory") != text.npos && text.find(here) != text.npos;
  });
  EXPECT_GT(found, 15);
}

TEST(virtual_findings, a_read_only_load_of_what_the_kernel_writes) {
  const auto kernel = +[](global<int> x) {
    x[thread_rank()] = 1;
    EXPECT_EQ(load_read_only(x[thread_rank()]), 1);
  };
  const gpu_array<int> x(64);
  expect_finding([&] { launch(kernel, 1, 64, 0, nullptr, x); },
                 {"load_read_only of memory that this kernel writes: block 0, thread "});
}

TEST(virtual_findings, a_bulk_store_of_memory_that_changes) {
  struct one_tile {
    alignas(16) shared<float[64]> tile;
  };
  const auto kernel = +[](global<float> y) {
    auto& s = scratch<one_tile>();
    s.tile[lane()] = 1;
    warp_barrier();
    if (lane() == 0) {
      bulk_store(y[0], s.tile[0], 128);
      bulk_store_commit();
      s.tile[3] = 2;
      bulk_store_wait_read();
    }
  };
  const gpu_array<float> y(64);
  expect_finding([&] { launch(kernel, 1, 32, sizeof(one_tile), nullptr, y); },
                 {"shared memory has changed while a bulk store, started at "});
}

TEST(virtual_findings, an_early_launch_that_does_not_wait) {
  const auto kernel = +[](bool wait, global<int> x) {
    allow_next_launch();
    if (wait) wait_for_previous_launch();
    x[thread_rank()] = 1;
  };
  const gpu_array<int> x(32);
  for_seeds(3, [&] { launch_with({.early = true}, kernel, 1, 32, 0, nullptr, true, x); });
  expect_finding([&] { launch_with({.early = true}, kernel, 1, 32, 0, nullptr, false, x); },
                 {"an early launch touches global memory before wait_for_previous_launch()"});
}

}  // namespace
}  // namespace rung
