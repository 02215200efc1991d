// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The cluster rung: rows that are too long for one block are normalised, mean 0 and mean square 1,
// without leaving the registers of four. Compiled by nvcc it runs on the GPU (Hopper and later), by
// any other compiler on the virtual GPU.
#include <cmath>
#include <cstdio>
#include <rung/rung.hpp>
#include <vector>

#include "on_some_gpu.hpp"

constexpr int blocks = 4, threads = 64, each = 8;

RUNG_KERNEL(threads)
void normalise(rung::global<const float> x, int n, rung::global<float> y) {
  auto& s = rung::scratch<rung::cluster_scratch<float>>();
  const auto row = rung::cluster_of<threads>(s).first(n);  // 4 blocks of 64 threads of 8 values
  const int first = int(rung::cluster_rank() * threads + rung::thread_rank()) * each;
  const int begin = int(rung::block_rank() / blocks) * n;  // of this cluster's row
  float mine[each] = {}, squares[each];
  for (int i = 0; i < each; ++i)
    if (first + i < n) mine[i] = x[begin + first + i];

  const float mean = rung::reduce(row, mine, rung::plus{}) / float(n);
  for (int i = 0; i < each; ++i) {
    mine[i] -= mean;
    squares[i] = mine[i] * mine[i];
  }
  const float scale = 1 / std::sqrt(rung::reduce(row, squares, rung::plus{}) / float(n));
  for (int i = 0; i < each; ++i)
    if (first + i < n) y[begin + first + i] = mine[i] * scale;
}

int main() {
  on_some_gpu();  // the virtual one if need be
  const int rows = 3, n = 2000;
  std::vector<float> values(rows * n), expected;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i * 2654435761u % 1000) / 7;

  const rung::gpu_array<float> x(values), y(values.size());
  rung::launch_with({.cluster = blocks}, normalise, rows * blocks, threads,
                    sizeof(rung::cluster_scratch<float>), nullptr, x, n, y);

  for (int row = 0; row < rows; ++row) {  // the same on the host, by one thread
    std::vector<float> v(values.begin() + row * n, values.begin() + (row + 1) * n), squares;
    const float mean = rung::reduce(rung::this_thread, std::span(v), rung::plus{}) / float(n);
    for (float& value : v) value -= mean, squares.push_back(value * value);
    const float all = rung::reduce(rung::this_thread, std::span(squares), rung::plus{});
    for (const float value : v) expected.push_back(value * (1 / std::sqrt(all / float(n))));
  }
  const bool same = y.to_host() == expected;
  std::printf("%d rows of %d values, by clusters and by the host: %s\n", rows, n,
              same ? "the same bits" : "different bits");
  return same ? 0 : 1;
}
