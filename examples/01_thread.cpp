// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The thread rung: each thread of a kernel folds and scans five values of its own, and the host
// does the same. Runs on the GPU, or on the virtual GPU where there is no nvcc or no GPU.
#include <cstdio>
#include <rung/rung.hpp>
#include <vector>

#include "on_some_gpu.hpp"

RUNG_KERNEL(32)
void five_each(rung::global<const float> x, rung::global<float> sums, rung::global<float> running) {
  const unsigned t = rung::thread_rank();
  float mine[5];
  for (unsigned i = 0; i < 5; ++i) mine[i] = x[5 * t + i];
  sums[t] = rung::reduce(rung::this_thread, mine, rung::plus{});
  rung::inclusive_scan(rung::this_thread, mine, rung::plus{});  // in place
  for (unsigned i = 0; i < 5; ++i) running[5 * t + i] = mine[i];
}

int main() {
  on_some_gpu();  // the virtual one if need be
  std::vector<float> values(32 * 5);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0f / float(i + 1);

  const rung::gpu_array<float> x(values), sums(32), running(values.size());
  rung::launch(five_each, 1, 32, 0, nullptr, x, sums, running);
  const std::vector<float> in_kernel = sums.to_host(), prefixes = running.to_host();

  bool same = true;
  for (std::size_t t = 0; t < 32; ++t) {
    const float* v = &values[5 * t];
    const float by_hand = ((v[0] + v[1]) + (v[2] + v[3])) + v[4];
    const float mine[5] = {v[0], v[1], v[2], v[3], v[4]};
    same = same && in_kernel[t] == by_hand;
    same = same && rung::reduce(rung::this_thread, mine, rung::plus{}) == by_hand;
    same = same && prefixes[5 * t + 4] == by_hand;
  }
  std::printf("kernel, host and by hand: %s\n", same ? "the same bits" : "different bits");
  return same ? 0 : 1;
}
