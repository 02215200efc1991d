// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast the virtual GPU is: fiber switches per second of processor time, and what a meeting, a
// block and an access cost. Prints one line per kernel, the median of nine seeds.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <functional>
#include <rung/base/gpu.cuh>
#include <rung/base/launch.cuh>

using namespace rung;

namespace {

struct box {
  shared<float[1024]> value;
};

RUNG_KERNEL() void shuffles(global<float> y, int n) {
  float v = float(lane());
  for (int i = 0; i < n; ++i) v = shuffle_xor(v, 1 + i % 16);
  y[block_rank() * block_threads() + thread_rank()] = v;
}
RUNG_KERNEL() void barriers(global<float>, int n) {
  for (int i = 0; i < n; ++i) block_barrier();
}
RUNG_KERNEL() void nothing(global<float>, int) {}
RUNG_KERNEL() void shared_accesses(global<float>, int n) {
  auto& s = scratch<box>();
  s.value[thread_rank()] = 0;
  for (int i = 0; i < n; ++i) s.value[thread_rank()] += 1;
}
RUNG_KERNEL() void global_accesses(global<float> y, int n) {
  for (int i = 0; i < n; ++i) y[block_threads() * unsigned(i) + thread_rank()] = 1;
}

void measure(const char* name, void (*kernel)(global<float>, int), unsigned blocks,
             unsigned threads, int n) {
  const gpu_array<float> y(std::size_t(1) << 20);
  std::array<double, 9> seconds = {};
  std::uint64_t switches = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    virtual_gpu::configure({.seed = i});
    const std::uint64_t before = virtual_gpu::current_statistics().switches;
    const std::clock_t start = std::clock();
    launch(kernel, blocks, threads, sizeof(box), nullptr, y, n);
    seconds[i] = double(std::clock() - start) / CLOCKS_PER_SEC;
    switches = virtual_gpu::current_statistics().switches - before;
  }
  std::nth_element(seconds.begin(), seconds.begin() + 4, seconds.end());
  const double units = double(blocks) * threads * std::max(n, 1);
  std::printf("%-16s %5u x %4u threads  %6.1f ns per thread and step  %5.1f M switches/s\n", name,
              blocks, threads, seconds[4] / units * 1e9, double(switches) / seconds[4] * 1e-6);
}

}  // namespace

int main() {
  measure("shuffles", shuffles, 16, 256, 500);
  measure("shuffles", shuffles, 4, 1024, 500);
  measure("barriers", barriers, 16, 256, 500);
  measure("blocks", nothing, 4096, 256, 0);
  measure("shared +=", shared_accesses, 4, 256, 500);
  measure("global stores", global_accesses, 1, 1024, 500);
}
