// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The block rung: a block of 48 threads takes 100 counts, makes offsets of them and finds the
// largest. Runs on the GPU, or on the virtual GPU where there is no nvcc or no GPU.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <rung/rung.hpp>
#include <vector>

#include "on_some_gpu.hpp"

struct offsets_scratch {
  rung::block_scratch<int> sums;
};

RUNG_KERNEL(48)
void offsets(rung::global<const int> counts, int n, rung::global<int> begin,
             rung::global<int> total, rung::global<int> largest) {
  auto& s = rung::scratch<offsets_scratch>();
  const auto block = rung::block_of<48>(s.sums).first(n);  // 48 threads of 4 values: 192 places
  const int first = 4 * int(rung::thread_rank());
  int mine[4] = {};
  for (int i = 0; i < 4; ++i)
    if (first + i < n) mine[i] = counts[first + i];

  const auto most = rung::reduce_to_one(block, mine, rung::maximum{});
  if (most) largest[0] = *most;

  rung::block_barrier();  // the scratch is used again
  int all = 0;
  rung::exclusive_scan(block, mine, rung::plus{}, rung::total_to(all));
  for (int i = 0; i < 4; ++i)
    if (first + i < n) begin[first + i] = mine[i];
  if (rung::thread_rank() == 0) total[0] = all;
}

int main() {
  on_some_gpu();  // the virtual one if need be
  const int n = 100;
  std::vector<int> values(n), expected(n);
  for (int i = 0; i < n; ++i) values[std::size_t(i)] = i * 29 % 17;
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);

  const rung::gpu_array<int> counts(values), begin(n), total(1), largest(1);
  rung::launch(offsets, 1, 48, sizeof(offsets_scratch), nullptr, counts, n, begin, total, largest);

  const int all = total.to_host()[0], most = largest.to_host()[0];
  std::printf("%d counts: %d in all, at most %d\n", n, all, most);
  const bool right = begin.to_host() == expected && all == expected.back() + values.back() &&
                     most == *std::max_element(values.begin(), values.end());
  return right ? 0 : 1;
}
