// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The grid rung: the Poisson equation on a square, solved by conjugate gradients in one kernel that
// stays until it is done. Its dot products are reductions of the whole grid. Compiled by nvcc it
// runs on the GPU, by any other compiler on the virtual GPU.
#include <cstdio>
#include <rung/rung.hpp>
#include <vector>

#include "on_some_gpu.hpp"

constexpr int side = 20, n = side * side;  // points inside the square; 0 on its edge
constexpr int blocks = 4, threads = 128;   // one point per thread

/// Minus the Laplacian of v at point i: 4 v(i), less the neighbours.
template <class Values>
RUNG_HD float laplacian(Values v, int i) {
  float sum = 4 * v[i];
  if (i % side > 0) sum -= v[i - 1];
  if (i % side < side - 1) sum -= v[i + 1];
  if (i >= side) sum -= v[i - side];
  if (i < n - side) sum -= v[i + side];
  return sum;
}

RUNG_KERNEL(threads)
void solve(rung::global<const float> b, rung::global<float> x, rung::global<float> p,
           rung::global<int> steps, rung::global<std::uint64_t> barrier,
           rung::grid_memory<float> memory) {
  auto& s = rung::scratch<rung::grid_scratch<float>>();
  const auto grid = rung::grid_of<threads>(s, memory).first(n);
  const int i = int(rung::block_rank() * threads + rung::thread_rank());
  float xi = 0, ri = i < n ? float(b[i]) : 0, pi = ri, qi = 0;

  float rr = rung::reduce(grid, ri * ri, rung::plus{});
  const float enough = rr * 1e-10f;
  int step = 0;
  for (; rr > enough && step < n; ++step) {
    if (i < n) p[i] = pi;
    rung::grid_barrier(barrier);  // the neighbours' are there
    if (i < n) qi = laplacian(p, i);
    const float alpha = rr / rung::reduce(grid, pi * qi, rung::plus{});
    xi += alpha * pi;
    ri -= alpha * qi;
    const float next = rung::reduce(grid, ri * ri, rung::plus{});
    pi = ri + next / rr * pi;
    rr = next;
  }
  if (i < n) x[i] = xi;
  if (i == 0) steps[0] = step;
}

/// The same on the host. The order of its sums is the same, so every bit is.
int solve_on_host(const std::vector<float>& b, std::vector<float>& x) {
  const auto dot = [](const std::vector<float>& u, const std::vector<float>& v) {
    std::vector<float> products;
    for (int i = 0; i < n; ++i) products.push_back(u[i] * v[i]);
    return rung::reduce(rung::this_thread, std::span<const float>(products), rung::plus{});
  };
  std::vector<float> r = b, p = b, q(n);
  float rr = dot(r, r);
  const float enough = rr * 1e-10f;
  int step = 0;
  for (; rr > enough && step < n; ++step) {
    for (int i = 0; i < n; ++i) q[i] = laplacian(p.data(), i);
    const float alpha = rr / dot(p, q);
    for (int i = 0; i < n; ++i) x[i] += alpha * p[i], r[i] -= alpha * q[i];
    const float next = dot(r, r);
    for (int i = 0; i < n; ++i) p[i] = r[i] + next / rr * p[i];
    rr = next;
  }
  return step;
}

int main() {
  on_some_gpu();  // the virtual one if need be
  std::vector<float> source(n), expected(n);
  source[side * 5 + 7] = 1, source[side * 14 + 3] = -0.5f;
  const int expected_steps = solve_on_host(source, expected);

  const rung::gpu_array<float> b(source), x(n), p(n);
  const rung::gpu_array<int> steps(1);
  const rung::gpu_array<std::uint64_t> barrier(std::vector<std::uint64_t>(1));
  const rung::gpu_array<rung::grid_word> words(
      std::vector<rung::grid_word>(rung::grid_memory<float>::size(blocks)));
  rung::launch_with({.cooperative = true}, solve, blocks, threads,
                    sizeof(rung::grid_scratch<float>), nullptr, b, x, p, steps, barrier,
                    rung::grid_memory<float>{words.data(), blocks});

  const int taken = steps.to_host()[0];
  const bool same = x.to_host() == expected && taken == expected_steps;
  std::printf("%d points, %d steps in one kernel and on the host: %s\n", n, taken,
              same ? "the same bits" : "different bits");
  return same ? 0 : 1;
}
