// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums on the device rung against the state's own additions, bit for bit: every kind of hard
// data, sizes around a row, arrays that are not aligned, sums, products, means, norms, moments.
#include "device/calls.hpp"
#include "exact/hard_values.hpp"
#include "rung/device/reduce.cuh"

namespace rung::tests {
namespace {

using test::hard;

template <class T>
std::vector<T> hard_data(int kind, std::size_t n, unsigned seed) {
  test::hard_source from(seed);
  return from.many<T>(hard(kind), n);
}
template <class Op, class T, class What>
void expect_exact(const device& gpu, const What& what, const std::vector<T>& values, int kind) {
  using S = state_t<Op, T>;
  const Op op;
  S want{};
  for (const T& x : values) want = op(want, lift(op, x, 0));
  EXPECT_TRUE(same(reduce(gpu, what, op), result_of<Op, T>(op, want)))
      << "kind " << kind << ", " << values.size() << " values";
  const S start = lift(op, T{values[0]}, 0);
  gpu_array<result_t<Op, T>> place(1);
  reduce(gpu, what, op, start, into(place.data()));
  EXPECT_TRUE(same(place.to_host()[0], result_of<Op, T>(op, op(start, want))))
      << "kind " << kind << ", " << values.size() << " values after one";
}
template <class T>
view<const T> all_of(const gpu_array<T>& x, int first = 0) {
  return {x.data() + first, {std::int64_t(x.size()) - first}};
}

template <class T>
void sums_are_exact() {
  const device gpu;
  for (int kind = 0; kind < test::hard_kinds; ++kind)
    for (const std::size_t n : {1, 129, 3000}) {
      const auto x = hard_data<T>(kind, n, unsigned(kind) + 1);
      const gpu_array<T> there(x);
      expect_exact<exact_plus>(gpu, there, x, kind);
      if (n < 129) continue;
      const std::vector<T> second(x.begin() + 1, x.end());
      expect_exact<exact_plus>(gpu, all_of(there, 1), second, kind);
      expect_exact<exact_norm>(gpu, all_of(there, 1), second, kind);
      expect_exact<exact_mean>(gpu, there, x, kind);
    }
}
TEST(device_exact, f64) { sums_are_exact<double>(); }
TEST(device_exact, f32) { sums_are_exact<float>(); }
TEST(device_exact, bf16) { sums_are_exact<bf16>(); }
TEST(device_exact, f16) { sums_are_exact<f16>(); }

template <class T>
void products_are_exact() {
  const device gpu;
  for (int kind = 0; kind < test::hard_kinds; ++kind) {
    const auto x = hard_data<T>(kind, 2000, 1), y = hard_data<T>(kind / 2, 2000, 2);
    const gpu_array<T> a(x), b(y);
    std::vector<exact_product<T>> products;
    for (std::size_t i = 0; i < x.size(); ++i) products.push_back({x[i], y[i]});
    expect_exact<exact_plus>(gpu, transform(as_exact_product{}, all_of(a), all_of(b)), products,
                             kind);
    std::vector<exact_product<T>> squares;
    for (const T& v : x) squares.push_back({v, v});
    expect_exact<exact_plus>(gpu, transform(as_exact_square{}, all_of(a)), squares, kind);
  }
}
TEST(device_exact, products_f64) { products_are_exact<double>(); }
TEST(device_exact, products_f32) { products_are_exact<float>(); }

TEST(device_exact, moments) {
  const device gpu;
  for (int kind = 0; kind < test::hard_kinds; ++kind) {
    const auto x = hard_data<float>(kind, 3000, 3);
    const gpu_array<float> there(x);
    const auto want = *fold(exact_moments{}, std::span<const float>(x));
    const auto got = reduce(gpu, there, exact_moments{});
    EXPECT_TRUE(got.sum == want.sum && got.squares == want.squares && got.count == want.count);
    EXPECT_TRUE(same(got.variance(1), want.variance(1))) << kind;
  }
}

/// Doubles of all exponents, enough of them for bins: by one block on the virtual GPU.
TEST(device_exact, wild) {
#if !defined(__CUDACC__)
  virtual_gpu::configure({.resident_blocks = 1});
  const std::size_t n = 40000;
#else
  const std::size_t n = 4000000;
#endif
  const device gpu;
  for (const int kind : {0, 4, 7}) {  // any bits, subnormals, infinities
    auto x = hard_data<double>(kind, n, 11);
    const gpu_array<double> there(x);
    expect_exact<exact_plus>(gpu, all_of(there, 1), std::vector<double>(x.begin() + 1, x.end()),
                             kind);
  }
#if !defined(__CUDACC__)
  virtual_gpu::configure({});
#endif
}

/// What a warp's window of levels does not hold, for a while or for good, is not lost.
TEST(device_exact, windows_move) {
  const device gpu;
  std::vector<double> x(20000);
  test::hard_source from(9);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = from.value<double>(500 + int(i / 20), 30);
  for (std::size_t i = 0; i < x.size(); i += 997) x[i] = from.value<double>(0, 2047);
  const gpu_array<double> there(x);
  expect_exact<exact_plus>(gpu, there, x, 0);
  std::reverse(x.begin(), x.end());
  expect_exact<exact_plus>(gpu, gpu_array<double>(x), x, 1);
}

TEST(device_exact, empty) {
  const device gpu;
  const gpu_array<float> none(std::vector<float>{});
  EXPECT_TRUE(same(reduce(gpu, none, exact_plus{}), 0.0f));
  EXPECT_TRUE(same(reduce(gpu, none, exact_norm{}), 0.0f));
  EXPECT_TRUE(same(reduce(gpu, none, exact_mean{}), quiet_nan<float>));
  EXPECT_TRUE(same(reduce(gpu, none, exact_plus{}, 2.5f), 2.5f));
}

}  // namespace
}  // namespace rung::tests
