// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Broken kernels: shared memory that is read before it is written, raced on, left, or still on its
// way. The virtual GPU names both sides.
#include "virtual/expect.hpp"

namespace rung {
namespace {

struct few {
  shared<int[64]> value;
  shared<int> one;
  alignas(16) shared<float[64]> tile;
  shared<transfer_barrier> full;
};

void run(void (*kernel)(), unsigned threads = 64) {
  launch(kernel, 2, threads, sizeof(few), nullptr);
}

TEST(virtual_findings, shared_memory_read_before_it_is_written) {
  const std::string here = line_below(4);
  const auto kernel = +[] {
    auto& s = scratch<few>();
    if (thread_rank() != 7) s.value[thread_rank()] = 1;
    const int v = s.value[thread_rank()];
    EXPECT_EQ(v, 1);
  };
  expect_finding(
      [&] { run(kernel); },
      {"shared memory is read before it is written: 4 bytes at byte 28 of the scratch of "
       "block ",
       "warp 0, lane 7 (thread 7) at " + here + " (shared memory)"});
}

TEST(virtual_findings, shared_memory_of_an_earlier_launch_is_not_there) {
  const auto write = +[] { scratch<few>().value[thread_rank()] = 1; };
  const auto read = +[] { EXPECT_EQ(int(scratch<few>().value[thread_rank()]), 1); };
  expect_finding(
      [&] {
        run(write);
        run(read);
      },
      {"shared memory is read before it is written"});
}

TEST(virtual_findings, a_read_without_a_barrier_after_the_write) {
  const std::string writing = line_below(3), reading = line_below(4);
  const auto kernel = +[] {
    auto& s = scratch<few>();
    s.value[thread_rank()] = 1;
    const int v = s.value[thread_rank() ^ 32];
    EXPECT_EQ(v, 1);
  };
  for_seeds(20, [&] {
    const std::string text = finding([&] { run(kernel); });
    const bool race = text.find("race on shared memory: 4 bytes at byte ") != text.npos;
    const bool early = text.find("read before it is written") != text.npos;
    EXPECT_TRUE(race || early) << text;
    EXPECT_TRUE(!race || text.find(writing) != text.npos) << text;
    EXPECT_NE(text.find(reading), text.npos) << text;
  });
}

TEST(virtual_findings, a_write_without_a_barrier_after_the_read) {
  const std::string reading = line_below(5), writing = line_below(6);
  const auto kernel = +[] {
    auto& s = scratch<few>();
    s.value[thread_rank()] = 1;
    block_barrier();
    const int v = s.value[thread_rank() ^ 32];
    s.value[thread_rank()] = v + 1;
  };
  expect_finding([&] { run(kernel); }, {"race on shared memory: 4 bytes at byte ",
                                        "with no barrier between", "(thread ", reading, writing});
}

TEST(virtual_findings, a_write_that_many_have_read) {
  const auto kernel = +[] {
    auto& s = scratch<few>();
    if (thread_rank() == 0) s.one = 1;
    block_barrier();
    if (thread_rank() < 32) {
      const int v = s.one;
      EXPECT_EQ(v, 1);
      warp_barrier();
    }
    if (thread_rank() == 0) s.one = 2;   // all that have read it have met
    if (thread_rank() == 32) s.one = 3;  // this thread has met none of them
  };
  expect_finding([&] { run(kernel); }, {"race on shared memory: 4 bytes at byte 256"});
}

TEST(virtual_findings, two_writes_without_a_barrier) {
  const auto kernel = +[] { scratch<few>().one = int(thread_rank()); };
  expect_finding([&] { run(kernel); }, {"race on shared memory: 4 bytes at byte 256 of the scratch",
                                        "written here and "
                                        "written by block "});
}

TEST(virtual_findings, lanes_of_a_warp_race_too) {
  const auto kernel = +[] {
    auto& s = scratch<few>();
    s.value[lane()] = lane();
    shuffle(lane(), 0);  // a shuffle orders no memory
    const int v = s.value[31 - lane()];
    EXPECT_EQ(v, 31 - lane());
  };
  expect_finding([&] { run(kernel, 32); }, {"race on shared memory", "written by block "});
}

TEST(virtual_findings, a_warp_barrier_is_not_enough_for_a_block) {
  const auto kernel = +[] {
    auto& s = scratch<few>();
    if (thread_rank() == 0) s.one = 1;
    warp_barrier();
    if (thread_rank() == 1 || thread_rank() == 40) {
      EXPECT_EQ(int(s.one), 1);
    }
  };
  for_seeds(10, [&] {
    const std::string text = finding([&] { run(kernel); });
    EXPECT_NE(text.find("warp 1, lane 8 (thread 40)"), text.npos) << text;
  });
}

TEST(virtual_findings, an_atomic_and_a_plain_access) {
  const auto kernel = +[] {
    auto& s = scratch<few>();
    if (thread_rank() == 0) s.one = 0;
    block_barrier();
    atomic_add(s.one, 1);
    if (thread_rank() == 0) {
      EXPECT_GT(int(s.one), 0);
    }
  };
  expect_finding([&] { run(kernel); }, {"race on shared memory"});
}

TEST(virtual_findings, bytes_of_a_word_are_told_apart) {
  struct flags {
    shared<bool[64]> set;
  };
  const auto right = +[] {
    auto& s = scratch<flags>();
    s.set[thread_rank()] = thread_rank() % 3 == 0;
    EXPECT_EQ(bool(s.set[thread_rank()]), thread_rank() % 3 == 0);
  };
  for_seeds(5, [&] { launch(right, 1, 64, sizeof(flags), nullptr); });
}

TEST(virtual_findings, shared_memory_out_of_bounds) {
  const std::string here = line_below(1);
  const auto index = +[] { scratch<few>().value[thread_rank() + 1] = 0; };
  const auto negative = +[] { scratch<few>().value[-1] = 0; };
  const auto view = +[] { shared_view<int>(scratch<few>().value)[64] = 0; };
  const auto large = +[] { scratch<few>(16); };
  const auto array = +[] { scratch_array<int>(1000); };
  const auto elsewhere = +[] {
    int local = 0;
    reinterpret_cast<shared<int>&>(local) = 3;
  };
  expect_finding([&] { run(index); }, {"shared memory out of bounds: index 64 of an array of 64",
                                       "warp 1, lane 31 (thread 63) at " + here});
  expect_finding([&] { run(negative); }, {"out of bounds: index -1 of an array of 64"});
  expect_finding([&] { run(view); }, {"out of bounds: index 64 of a view of 64"});
  expect_finding([&] { run(large); },
                 {"out of bounds: scratch of ", "bytes at byte 16, but the launch"});
  expect_finding([&] { run(array); }, {"out of bounds: scratch of 4000 bytes at byte 0"});
  expect_finding([&] { run(elsewhere); }, {"does not lie in the block's scratch"});
}

TEST(virtual_findings, misaligned_shared_memory) {
  const auto kernel = +[] { scratch<few>(4); };
  const auto packs = +[] { as<pack<int, 2>>(shared_view<int>(scratch<few>().value) + 1)[0] = {}; };
  expect_finding([&] { launch(kernel, 1, 32, sizeof(few) + 16, nullptr); },
                 {"misaligned: scratch that needs 16 bytes at byte 4"});
  expect_finding([&] { run(packs); }, {"misaligned: a shared value that needs 8 bytes"});
}

TEST(virtual_findings, a_copy_that_is_not_waited_for) {
  const auto read = +[](global<const float> x) {
    auto& s = scratch<few>();
    copy_async(s.tile[thread_rank()], x[thread_rank()]);
    copy_async_commit();
    const float v = s.tile[thread_rank()];
    EXPECT_EQ(v, 0.0f);
  };
  const auto no_barrier = +[](global<const float> x) {
    auto& s = scratch<few>();
    copy_async(s.tile[thread_rank()], x[thread_rank()]);
    copy_async_commit();
    copy_async_wait();
    const float v = s.tile[63 - thread_rank()];
    EXPECT_EQ(v, 0.0f);
  };
  const gpu_array<float> x(std::vector<float>(64, 0.0f));
  expect_finding([&] { launch(read, 1, 64, sizeof(few), nullptr, x); },
                 {"shared memory is read without waiting for the asynchronous copy that brings it",
                  "started by block 0"});
  expect_finding([&] { launch(no_barrier, 1, 64, sizeof(few), nullptr, x); },
                 {"shared memory", "(shared memory)"});
}

TEST(virtual_findings, bulk_copies_without_their_wait) {
  const auto read = +[](global<const float> x) {
    auto& s = scratch<few>();
    if (thread_rank() == 0) init_transfer(s.full, 1);
    block_barrier();
    if (thread_rank() == 0) {
      expect_transfer(s.full, 256);
      bulk_load(s.tile[0], x[0], 256, s.full);
    }
    block_barrier();
    const float v = s.tile[thread_rank()];
    EXPECT_EQ(v, 0.0f);
  };
  const auto no_init = +[] { arrive_transfer(scratch<few>().full); };
  const auto unmet = +[] {
    auto& s = scratch<few>();
    if (thread_rank() == 0) init_transfer(s.full, 64);
    arrive_transfer(s.full);
  };
  const auto many = +[] {
    auto& s = scratch<few>();
    if (thread_rank() == 0) init_transfer(s.full, 40);
    block_barrier();
    arrive_transfer(s.full);
    wait_transfer(s.full, 0);
    wait_transfer(s.full, 1);
  };
  const auto ends = +[](global<const float> x) {
    auto& s = scratch<few>();
    if (thread_rank() != 0) return;
    init_transfer(s.full, 1);
    bulk_load(s.tile[0], x[0], 256, s.full);
  };
  const gpu_array<float> x(std::vector<float>(64, 0.0f));
  int under_way = 0;
  for_seeds(20, [&] {
    const std::string text = finding([&] { launch(ends, 3, 64, sizeof(few), nullptr, x); });
    under_way += text.find("the block ends while an asynchronous copy") != text.npos;
  });
  EXPECT_GT(under_way, 3);  // where chance has not let it arrive
  for_seeds(10, [&] {
    const std::string text = finding([&] { launch(read, 1, 64, sizeof(few), nullptr, x); });
    EXPECT_NE(
        text.find("shared memory is read without waiting for the asynchronous copy that brings "
                  "it: 4 bytes at byte "),
        text.npos)
        << text;
  });
  expect_finding([&] { run(no_init); },
                 {"shared memory is read before it is written", "(arrive_transfer)"});
  expect_finding([&] { run(unmet); }, {"(arrive_transfer)"});
  expect_finding([&] { run(many); }, {"nothing can progress", "(wait_transfer)"});
}

TEST(virtual_findings, shared_memory_of_a_block_that_has_ended_or_not_begun) {
  const auto early = +[] {
    if (cluster_rank() == 0) remote(scratch<few>().one, 1) = 3;
  };
  const auto late = +[] {
    auto& s = scratch<few>();
    if (thread_rank() == 0) s.one = 3;
    cluster_barrier();
    if (cluster_rank() == 0 && thread_rank() == 0) {
      const int v = remote(s.one, 1);
      EXPECT_EQ(v, 3);
    }
  };
  const auto none = +[] { remote(scratch<few>().one, 2) = 3; };
  expect_finding([&] { launch_with({.cluster = 2}, early, 2, 32, sizeof(few), nullptr); },
                 {"shared memory of block 1 before the first cluster barrier"});
  int found = 0;
  for_seeds(50, [&] {
    const auto run = [&] { launch_with({.cluster = 2}, late, 2, 32, sizeof(few), nullptr); };
    found += finding(run).find("block 1 of the cluster has ended, and its shared memory with it") !=
             std::string::npos;
  });
  EXPECT_GT(found, 5);
  expect_finding([&] { launch_with({.cluster = 2}, none, 2, 32, sizeof(few), nullptr); },
                 {"out of bounds: block 2 of a cluster of 2"});
}

}  // namespace
}  // namespace rung
