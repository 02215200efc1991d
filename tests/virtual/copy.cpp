// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous copies on the virtual GPU: per thread with groups, bulk copies with transfer
// barriers.
#include <numeric>

#include "virtual/expect.hpp"

namespace rung {
namespace {

std::vector<float> counting(std::size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

struct ring {
  alignas(16) shared<float[3][256]> stage;
};

/// Three stages per thread, two groups under way.
RUNG_KERNEL(64) void twice_by_copy_async(global<const float> x, global<float> y, int tiles) {
  auto& s = scratch<ring>();
  const int me = int(thread_rank());
  const auto load = [&](int tile) {
    if (tile < tiles)
      copy_async(as<pack<float, 4>>(s.stage[tile % 3])[me],
                 as<const pack<float, 4>>(x + tile * 256)[me]);
    copy_async_commit();
  };
  load(0);
  load(1);
  for (int tile = 0; tile < tiles; ++tile) {
    load(tile + 2);
    copy_async_wait<2>();
    block_barrier();
    for (int i = 0; i < 4; ++i) {
      const float v = s.stage[tile % 3][255 - me * 4 - i];
      y[tile * 256 + me * 4 + i] = 2 * v;
    }
    block_barrier();
  }
}

TEST(virtual_copy, copies_of_a_thread_arrive_after_their_wait) {
  const auto input = counting(7 * 256);
  const gpu_array<float> x(input);
  for_seeds(10, [&] {
    const gpu_array<float> y(7 * 256);
    launch(twice_by_copy_async, 1, 64, sizeof(ring), nullptr, x, y, 7);
    const auto host = y.to_host();
    for (std::size_t i = 0; i < host.size(); ++i)
      EXPECT_EQ(host[i], 2 * float(i / 256 * 256 + 255 - i % 256));
  });
}

struct bulk_ring {
  alignas(16) shared<float[2][512]> stage;
  alignas(16) shared<float[512]> result;
  shared<transfer_barrier[2]> full;
};

/// One thread brings tiles by bulk copies, all threads work, one thread stores the result in bulk.
RUNG_KERNEL(128) void twice_by_bulk(global<const float> x, global<float> y, int tiles) {
  auto& s = scratch<bulk_ring>();
  const int me = int(thread_rank());
  if (me == 0) {
    init_transfer(s.full[0], 1);
    init_transfer(s.full[1], 1);
  }
  block_barrier();
  const auto load = [&](int tile) {
    if (me != 0 || tile >= tiles) return;
    expect_transfer(s.full[tile % 2], 2048);
    bulk_load(s.stage[tile % 2][0], x[tile * 512], 1024, s.full[tile % 2]);
    bulk_load(s.stage[tile % 2][256], x[tile * 512 + 256], 1024, s.full[tile % 2]);
  };
  load(0);
  load(1);
  for (int tile = 0; tile < tiles; ++tile) {
    wait_transfer(s.full[tile % 2], unsigned(tile / 2 % 2));
    if (me == 0) bulk_store_wait_read<0>();
    block_barrier();
    for (int i = me; i < 512; i += 128) s.result[i] = 2 * float(s.stage[tile % 2][511 - i]);
    fence_before_bulk();
    block_barrier();
    load(tile + 2);
    if (me == 0) {
      bulk_store(y[tile * 512], s.result[0], 2048);
      bulk_store_commit();
    }
  }
}

TEST(virtual_copy, bulk_copies_count_on_their_barrier) {
  const auto input = counting(9 * 512);
  const gpu_array<float> x(input);
  for_seeds(20, [&] {
    const gpu_array<float> y(9 * 512);
    launch(twice_by_bulk, 1, 128, sizeof(bulk_ring), nullptr, x, y, 9);
    const auto host = y.to_host();
    for (std::size_t i = 0; i < host.size(); ++i)
      EXPECT_EQ(host[i], 2 * float(i / 512 * 512 + 511 - i % 512));
  });
}

struct several {
  shared<transfer_barrier> all;
  shared<int[128]> value;
};

TEST(virtual_copy, threads_can_arrive_at_a_transfer_barrier) {
  const auto kernel = +[](int rounds) {
    auto& s = scratch<several>();
    const int me = int(thread_rank());
    if (me == 0) init_transfer(s.all, block_threads());
    block_barrier();
    for (int i = 0; i < rounds; ++i) {
      s.value[me] = me + i;
      arrive_transfer(s.all);
      if (i % 2 == 0) wait_transfer(s.all, unsigned(i % 2));
      else
        while (!test_transfer(s.all, unsigned(i % 2))) {
        }
      EXPECT_EQ(int(s.value[127 - me]), 127 - me + i);
      block_barrier();
    }
  };
  for_seeds(10, [&] { launch(kernel, 2, 128, sizeof(several), nullptr, 5); });
}

}  // namespace
}  // namespace rung
