// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments on one GPU: a sparse matrix times a vector (each row is a segment of the stored values),
// stream compaction (a scan of flags says where each kept value goes), sums of equal keys wherever
// they stand, and a summed-area table from two scans, one along each axis. Runs on the GPU, or on
// the virtual GPU where there is no nvcc or no GPU.
#include <cstdio>
#include <rung/rung.hpp>
#include <vector>

#include "on_some_gpu.hpp"

/// Element of the matrix times the vector's entry of its column.
struct times_vector {
  rung::global<const float> vector;
  RUNG_DEVICE float operator()(float element, int column) const {
    const float entry = vector[column];
    return rung::mul(element, entry);
  }
};
struct is_positive {
  RUNG_HD std::int64_t operator()(float v) const { return v > 0; }
};
/// place[i]: how many values before i are kept.
RUNG_KERNEL(256)
void keep_positive(rung::global<const float> x, rung::global<const std::int64_t> place, int n,
                   rung::global<float> kept) {
  const int i = int(rung::block_index().x * 256 + rung::thread_index().x);
  if (i >= n) return;
  const float v = x[i];
  const std::int64_t to = place[i];
  if (v > 0) kept[to] = v;
}

int main() {
  on_some_gpu();  // the virtual one if need be
  const rung::device gpu;

  // A matrix of 4 rows in CSR: 0 2 0 1 / nothing / 3 0 0 0 / 1 1 1 1, times (1, 2, 3, 4).
  const rung::gpu_array<float> elements(std::vector<float>{2, 1, 3, 1, 1, 1, 1});
  const rung::gpu_array<int> columns(std::vector<int>{1, 3, 0, 0, 1, 2, 3});
  const rung::gpu_array<int> rows(std::vector<int>{0, 2, 2, 3, 7});
  const rung::gpu_array<float> vector(std::vector<float>{1, 2, 3, 4}), product(4);
  const rung::view<const float> e(elements.data(), {7});
  const rung::view<const int> c(columns.data(), {7});
  const rung::view<float> p(product.data(), {4});
  rung::segmented_reduce(gpu, rung::transform(times_vector{vector.data()}, e, c), rows,
                         rung::plus{}, rung::into(p));
  const std::vector<float> y = product.to_host();
  std::printf("matrix times vector: %g %g %g %g\n", double(y[0]), double(y[1]), double(y[2]),
              double(y[3]));

  // Compaction.
  const std::vector<float> host{3, -1, 4, -1, 5, -9, 2, -6};
  const rung::gpu_array<float> x(host), kept(8);
  const rung::gpu_array<std::int64_t> place(8), count(1);
  const rung::view<const float> vx(x.data(), {8});
  const rung::view<std::int64_t> places(place.data(), {8});
  rung::exclusive_scan(gpu, rung::transform(is_positive{}, vx), places, rung::plus{},
                       rung::total_into(count.data()));
  rung::launch(keep_positive, 1, 256, 0, gpu.stream(), x.data(), place.data(), 8, kept.data());
  gpu.wait();
  const auto total = count.to_host()[0];
  const std::vector<float> positive = kept.to_host();
  std::printf("%lld positive values, the last %g\n", static_cast<long long>(total),
              double(positive[std::size_t(total) - 1]));

  // Values of equal ids, in the order in which they stand, whatever the GPU.
  const rung::gpu_array<int> ids(std::vector<int>{2, 0, 2, 1, 0, 1, 2, 1});
  const rung::gpu_array<float> sums(3);
  rung::reduce_by_id(gpu, ids, vx, rung::plus{}, rung::into(rung::view<float>(sums.data(), {3})));
  const std::vector<float> g = sums.to_host();
  std::printf("groups: %g %g %g\n", double(g[0]), double(g[1]), double(g[2]));

  // A summed-area table: what stands above and left of each pixel, a scan along each axis.
  const rung::gpu_array<float> image(std::vector<float>{1, 2, 3, 4, 5, 6}), area(6);
  const rung::view<const float> in(image.data(), {2, 3});
  const rung::view<float> out(area.data(), {2, 3});
  rung::inclusive_scan(gpu, in, out, rung::plus{}, rung::axis{0});
  rung::inclusive_scan(gpu, out, out, rung::plus{}, rung::axis{1});
  const std::vector<float> table = area.to_host();
  std::printf("sum of the image: %g\n", double(table[5]));

  const bool right = y == std::vector<float>{8, 0, 3, 10} && total == 4 && positive[3] == 2 &&
                     g == std::vector<float>{4, -16, 9} && table[4] == 12 && table[5] == 21;
  return right ? 0 : 1;
}
