// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The device rung: arrays on one GPU. Several results from one pass, a dot product that is never
// stored, a result that stays on the GPU, running sums, the axes of a matrix; and the CPU gives the
// same bits. Runs on the GPU, or on the virtual GPU where there is no nvcc or no GPU.
#include <cstdio>
#include <rung/rung.hpp>
#include <vector>

#include "on_some_gpu.hpp"

struct product {
  RUNG_HD float operator()(float a, float b) const { return rung::mul(a, b); }
};

int main() {
  on_some_gpu();  // the virtual one if need be
  const std::size_t n = 20001;
  std::vector<float> a(n), b(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = 1.0f / float(i + 1), b[i] = float(i % 7) - 3;
  const rung::gpu_array<float> x(a), y(b);
  const rung::view<const float> vx(x.data(), {20001}), vy(y.data(), {20001});
  const rung::view<float> vy_itself(y.data(), {20001});

  const rung::device gpu;  // a stream, and the workspace that its calls share
  const auto [sum, largest, spread] =
      rung::reduce(gpu, vx, rung::fuse(rung::plus{}, rung::arg_max{}, rung::moments{}));
  const float dot = rung::reduce(gpu, rung::transform(product{}, vx, vy), rung::plus{});

  const rung::gpu_array<float> total(1);
  rung::reduce(gpu, vy, rung::plus{}, rung::into(total.data()));  // returns before it is done
  gpu.wait();

  const rung::gpu_array<float> sums(n);
  const rung::view<float> out(sums.data(), {20001});
  rung::inclusive_scan(gpu, vx, out, rung::plus{});
  rung::exclusive_scan(gpu, vy, vy_itself, rung::plus{}, rung::init_at(total.data()));  // in place

  // The same values as a matrix: the sums of its columns, and running sums along its rows.
  const rung::view<const float> matrix(x.data(), {339, 59});
  const rung::gpu_array<float> by_column(59), along_rows(n);
  const rung::view<float> columns(by_column.data(), {59}), rows(along_rows.data(), {339, 59});
  rung::reduce(gpu, matrix, rung::plus{}, rung::axes{0}, rung::into(columns));
  rung::inclusive_scan(gpu, matrix, rows, rung::plus{}, rung::axis{1});

  const float on_cpu = rung::reduce(rung::cpu, a, rung::plus{});
  const float dot_on_cpu = rung::reduce(rung::cpu, rung::transform(product{}, a, b), rung::plus{});
  const float total_on_cpu = rung::reduce(rung::cpu, b, rung::plus{});
  std::vector<float> sums_on_cpu(n), after_total(n);
  rung::inclusive_scan(rung::cpu, a, sums_on_cpu, rung::plus{});
  rung::exclusive_scan(rung::cpu, b, after_total, rung::plus{}, total_on_cpu);
  std::vector<float> columns_on_cpu(59), rows_on_cpu(n);
  const rung::view<const float> a_matrix(a.data(), {339, 59});
  rung::reduce(rung::cpu, a_matrix, rung::plus{}, rung::axes{0}, rung::into(columns_on_cpu));
  rung::inclusive_scan(rung::cpu, a_matrix, rung::view<float>(rows_on_cpu.data(), {339, 59}),
                       rung::plus{}, rung::axis{1});
  const bool scans = sums.to_host() == sums_on_cpu && y.to_host() == after_total;
  const bool axes = by_column.to_host() == columns_on_cpu && along_rows.to_host() == rows_on_cpu;
  const bool same =
      scans && axes && sum == on_cpu && dot == dot_on_cpu && total.to_host()[0] == total_on_cpu;
  std::printf("sum %g, largest at %lld, variance %g, dot %g: %s on the CPU\n", double(sum),
              static_cast<long long>(largest.index), spread.variance(), double(dot),
              same ? "the same bits" : "different bits");
  return same ? 0 : 1;
}
