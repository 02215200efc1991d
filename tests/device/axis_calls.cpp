// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Folds and scans along axes on the device rung as users call them: transformations, axes from the
// back, kept dimensions, no values, and what is refused.
#include "device/axis_cases.hpp"
#include "rung/device/axis_scan.cuh"

namespace rung::tests {
namespace {

TEST(device_axis_calls, transformations_of_several_arrays) {
  const device gpu;
  constexpr std::size_t n = 40, m = 24;
  const auto a = some_values<float>(n * m, 1), b = some_values<float>(m, 2);
  const gpu_array<float> x(a), y(b), dots(n), sums(n * m);
  const view<const float> vx(x.data(), {n, m}), row(y.data(), {m});
  // A matrix times a vector that is the same for all rows: stride 0.
  const auto products = transform(product{}, vx, row.broadcast(0, n));
  reduce(gpu, products, plus{}, axes{-1}, into(view<float>(dots.data(), {n})));
  inclusive_scan(gpu, products, view<float>(sums.data(), {n, m}), plus{}, axis{0});
  const auto got = dots.to_host(), scanned = sums.to_host();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<float> line;
    for (std::size_t j = 0; j < m; ++j) line.push_back(mul(a[i * m + j], b[j]));
    EXPECT_TRUE(same(got[i], *fold(plus{}, std::span<const float>(line)))) << i;
  }
  for (std::size_t j = 0; j < m; ++j) {
    std::vector<float> line;
    for (std::size_t i = 0; i < n; ++i) {
      line.push_back(mul(a[i * m + j], b[j]));
      EXPECT_TRUE(same(scanned[i * m + j], *fold(plus{}, std::span<const float>(line))));
    }
  }
}

TEST(device_axis_calls, results_of_other_types_and_kept_dimensions) {
  const device gpu;
  const auto a = some_values<std::int8_t>(6 * 50 * 4, 3);
  const gpu_array<std::int8_t> x(a);
  const view<const std::int8_t> v(x.data(), {6, 50, 4});
  const gpu_array<std::int64_t> wide(24);
  const gpu_array<std::int32_t> narrow(6);
  reduce(gpu, v, plus{}, axes{1}, into(view<std::int64_t>(wide.data(), {6, 1, 4})));
  reduce(gpu, v, maximum{}, axes{1, 2}, into(view<std::int32_t>(narrow.data(), {6})));
  const auto sums = wide.to_host();
  const auto most = narrow.to_host();
  for (std::size_t i = 0; i < 6; ++i) {
    int best = -128;
    for (std::size_t k = 0; k < 4; ++k) {
      std::int64_t sum = 0;
      for (std::size_t j = 0; j < 50; ++j) {
        sum += a[(i * 50 + j) * 4 + k];
        best = std::max(best, int(a[(i * 50 + j) * 4 + k]));
      }
      EXPECT_EQ(sums[i * 4 + k], sum);
    }
    EXPECT_EQ(most[i], best);
  }
}

TEST(device_axis_calls, every_axis_and_none) {
  const device gpu;
  const auto a = some_values<float>(60, 4);
  const gpu_array<float> x(a), all(1), same_again(60);
  const view<const float> v(x.data(), {3, 4, 5});
  reduce(gpu, v, plus{}, axes(), 2.5f, into(all.data()));
  EXPECT_TRUE(
      same(all.to_host()[0], *fold(plus{}, std::span<const float>(a), std::optional(2.5f))));
  reduce(gpu, v.transposed({2, 1, 0}), plus{}, axes::none(),
         into(view<float>(same_again.data(), {5, 4, 3})));
  const auto got = same_again.to_host();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 5; ++k)
        EXPECT_EQ(got[(k * 4 + j) * 3 + i], a[(i * 4 + j) * 5 + k]);
}

TEST(device_axis_calls, no_values) {
  const device gpu;
  const gpu_array<float> x(1), out(std::vector<float>(3, 7.0f));
  const view<const float> none(x.data(), {3, 0});
  const view<float> three(out.data(), {3});
  reduce(gpu, none, multiplies{}, axes{1}, into(three));
  EXPECT_EQ(out.to_host(), std::vector<float>(3, 1.0f));
  reduce(gpu, none, maximum{}, axes{1}, 4.0f, into(three));
  EXPECT_EQ(out.to_host(), std::vector<float>(3, 4.0f));
  auto text = error_of([&] { reduce(gpu, none, maximum{}, axes{1}, into(three)); });
  EXPECT_NE(text.find("axis 1 of shape (3, 0)"), std::string::npos) << text;
  reduce(gpu, none, plus{}, axes{0}, into(view<float>(out.data(), {0})));
  inclusive_scan(gpu, none, view<float>(out.data(), {3, 0}), plus{}, axis{1});
  EXPECT_EQ(out.to_host(), std::vector<float>(3, 4.0f));
}

TEST(device_axis_calls, wrong_arguments_are_refused_before_anything_runs) {
  const device gpu;
  const gpu_array<float> x(12), y(12);
  const std::vector<float> host(12);
  const view<const float> v(x.data(), {3, 4});
  const view<float> three(y.data(), {3});
  auto text = error_of([&] { reduce(gpu, v, plus{}, axes{2}, into(three)); });
  EXPECT_NE(text.find("axis 2"), std::string::npos) << text;
  text = error_of([&] { reduce(gpu, v, plus{}, axes{0}, into(three)); });
  EXPECT_NE(text.find("the result has shape (4,)"), std::string::npos) << text;
  text = error_of([&] {
    reduce(gpu, view<const float>(host.data(), {3, 4}), plus{}, axes{1}, into(three));
  });
  EXPECT_NE(text.find("host memory"), std::string::npos) << text;
  text = error_of([&] { reduce(gpu, v, plus{}, axes{1}, into(view<float>(x.data(), {3}))); });
  EXPECT_NE(text.find("shares memory"), std::string::npos) << text;
  text = error_of([&] {
    inclusive_scan(gpu, v, view<float>(x.data() + 1, {2, 4}), plus{}, axis{1});
  });
  EXPECT_NE(text.find("the scan has shape (3, 4)"), std::string::npos) << text;
  text = error_of([&] {
    inclusive_scan(gpu, view<const float>(x.data(), {2, 4}), view<float>(x.data() + 1, {2, 4}),
                   plus{}, axis{1});
  });
  EXPECT_NE(text.find("shares memory"), std::string::npos) << text;
}

#if defined(__CUDACC__)
TEST(device_axis_calls, more_than_2_to_the_32_values) {
  const std::int64_t rows = 65539, columns = 65541, n = rows * columns;
  std::int8_t* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, std::size_t(n)), cudaSuccess);
  ASSERT_EQ(cudaMemset(x, 1, std::size_t(n)), cudaSuccess);
  const view<const std::int8_t> v(x, {rows, columns});
  const device gpu;
  const gpu_array<std::int64_t> down{std::size_t(columns)}, across{std::size_t(rows)};
  reduce(gpu, v, plus{}, axes{0}, into(view<std::int64_t>(down.data(), {columns})));
  reduce(gpu, v, plus{}, axes{1}, into(view<std::int64_t>(across.data(), {rows})));
  EXPECT_EQ(down.to_host(), std::vector<std::int64_t>(columns, rows));
  EXPECT_EQ(across.to_host(), std::vector<std::int64_t>(rows, columns));
  cudaFree(x);

  // Ones among zeros.
  float* y = nullptr;
  const std::int64_t row = 40000, column = 7;
  ASSERT_EQ(cudaMalloc(&y, std::size_t(n) * sizeof(float)), cudaSuccess);
  const view<float> w(y, {rows, columns});
  for (const int along : {0, 1}) {
    ASSERT_EQ(cudaMemset(y, 0, std::size_t(n) * sizeof(float)), cudaSuccess);
    const float one = 1;
    for (const std::int64_t at : {std::int64_t(0), row * columns + column, n - 1})
      ASSERT_EQ(cudaMemcpy(y + at, &one, sizeof one, cudaMemcpyHostToDevice), cudaSuccess);
    inclusive_scan(gpu, view<const float>(y, {rows, columns}), w, plus{}, axis{along});
    for (const std::int64_t r : {std::int64_t(0), row - 1, row, rows - 2, rows - 1})
      for (const std::int64_t c : {std::int64_t(0), column - 1, column, columns - 2, columns - 1}) {
        const bool first = along == 0 ? c == 0 : r == 0, last = r == rows - 1 && c == columns - 1,
                   second = along == 0 ? c == column && r >= row : r == row && c >= column;
        float got = -1;
        copy_from_gpu(&got, y + r * columns + c, sizeof got);
        EXPECT_EQ(got, float(first + second + last)) << r << " " << c << " along " << along;
      }
  }
  cudaFree(y);
}
#endif

}  // namespace
}  // namespace rung::tests
