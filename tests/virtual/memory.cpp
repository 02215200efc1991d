// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared and global memory on the virtual GPU: places read and write like values, packs, views,
// hints.
#include <numeric>

#include "virtual/expect.hpp"

namespace rung {
namespace {

struct point {
  float x;
  int tag;
  short small_part;
  bool operator==(const point&) const = default;
};

struct mixed {
  shared<float[4][33]> grid;
  shared<bool> flag;
  shared<point[8]> points;
  alignas(16) shared<float[64]> tile;
};

TEST(virtual_memory, shared_values_read_and_write_like_values) {
  static_assert(sizeof(shared<point>) == sizeof(point));
  static_assert(sizeof(shared<float[4][33]>) == sizeof(float[4][33]));
  const auto kernel = +[] {
    auto& s = scratch<mixed>();
    const int me = lane();
    for (int row = 0; row < 4; ++row) s.grid[row][me] = float(row * 100 + me);
    if (me == 0) s.flag = true;
    if (me < 8) s.points[me] = point{float(me), me, short(-me)};
    s.tile[2 * me] = 1.5f;
    s.tile[2 * me + 1] = s.grid[3][me];
    warp_barrier();
    EXPECT_TRUE(bool(s.flag));
    EXPECT_EQ(float(s.grid[2][31 - me]), float(231 - me));
    const point p = s.points[me % 8];
    EXPECT_EQ(p, (point{float(me % 8), me % 8, short(-(me % 8))}));
    const pack<float, 4> four = as<pack<float, 4>>(s.tile)[me % 16];
    EXPECT_EQ(four[0], 1.5f);
    EXPECT_EQ(four[3], float(300 + me % 16 * 2 + 1));
    const float sum = s.tile[0] + s.tile[2];
    EXPECT_EQ(sum, 3.0f);
    warp_barrier();
    s.tile[me] += 2;
    EXPECT_EQ(float(s.tile[me]), me % 2 == 0 ? 3.5f : 302.0f + float(me / 2));
  };
  for_seeds(5, [&] { launch(kernel, 1, 32, sizeof(mixed), nullptr); });
}

/// A function that works on any part of shared memory.
RUNG_DEVICE float first_and_last(shared_view<float> values, int n) {
  return values[0] + values[n - 1];
}

TEST(virtual_memory, views_and_arrays_of_run_time_size) {
  const auto kernel = +[](int n) {
    auto values = scratch_array<float>(std::size_t(n), 64);
    for (int i = lane(); i < n; i += 32) values[i] = float(i);
    warp_barrier();
    EXPECT_EQ(first_and_last(values, n), float(n - 1));
    EXPECT_EQ(first_and_last(values + 10, 5), 24.0f);
  };
  for_seeds(3, [&] { launch(kernel, 1, 32, 64 + 1000 * 4, nullptr, 1000); });
}

TEST(virtual_memory, global_memory_reads_and_writes_like_an_array) {
  const auto kernel = +[](global<const float> x, global<float> y, global<point> p, std::size_t n) {
    const std::size_t i = block_rank() * block_threads() + thread_rank();
    if (i >= n) return;
    float v = x[i];
    v += load_streaming(x[i]) + load_read_only(x[i]) + load_uncached((x + 1)[i - 1]);
    y[i] = v;
    y[i] += 1;
    store_streaming(y[i + n], 2 * v);
    const point old = p[i];
    p[i] = point{v, old.tag + 1, old.small_part};
    EXPECT_TRUE(bool(x));
    EXPECT_EQ(y + 3 - y, 3);
    prefetch(x[0], 64);
  };
  std::vector<float> input(1000);
  std::iota(input.begin(), input.end(), 0.0f);
  const gpu_array<float> x(input);
  const std::vector<point> points(1000, point{0, 41, 7});
  for_seeds(5, [&] {
    const gpu_array<float> y(2000);
    const gpu_array<point> p(points);
    launch(kernel, 8, 128, 0, nullptr, x, y, p, 1000);
    const auto host = y.to_host();
    const auto tags = p.to_host();
    for (std::size_t i = 0; i < 1000; ++i) {
      EXPECT_EQ(host[i], 4 * float(i) + 1);
      EXPECT_EQ(host[i + 1000], 8 * float(i));
      EXPECT_EQ(tags[i], (point{4 * float(i), 42, 7}));
    }
  });
}

TEST(virtual_memory, packs_move_neighbours_together) {
  static_assert(sizeof(pack<float, 4>) == 16 && alignof(pack<float, 4>) == 16);
  static_assert(sizeof(pack<double, 4>) == 32 && alignof(pack<double, 4>) == 16);
  static_assert(sizeof(pack<point, 2>) == 24 && alignof(pack<point, 2>) == 8);
  static_assert(sizeof(pack<short, 2>) == 4 && alignof(pack<short, 2>) == 4);
  const auto kernel = +[](global<const float> x, global<float> y) {
    pack<float, 4> v = as<const pack<float, 4>>(x)[thread_rank()];
    for (int i = 0; i < 4; ++i) v[i] *= 2;
    as<pack<float, 4>>(y)[thread_rank()] = v;
  };
  std::vector<float> input(256), twice(256);
  std::iota(input.begin(), input.end(), 1.0f);
  for (std::size_t i = 0; i < 256; ++i) twice[i] = 2 * input[i];
  const gpu_array<float> x(input), y(256);
  for_seeds(3, [&] {
    launch(kernel, 1, 64, 0, nullptr, x, y);
    EXPECT_EQ(y.to_host(), twice);
  });
}

TEST(virtual_memory, is_full_of_poison_at_first) {
  const auto bytes = gpu_array<unsigned char>(100).to_host();
  EXPECT_EQ(bytes, std::vector<unsigned char>(100, virtual_gpu::poison));
}

}  // namespace
}  // namespace rung
