// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce(device, ...) as users call it: what can be folded, where results go, what is refused, and
// a workspace that many calls share.
#include "device/calls.hpp"
#include "rung/device/reduce.cuh"

namespace rung::tests {
namespace {

struct left_one {  // an operator that has nothing to say about no values
  RUNG_HD float operator()(float left, float) const { return left; }
};

TEST(device_reduce_calls, arrays_transformations_and_indices) {
  const device gpu;
  const std::size_t n = 5000;
  const auto a = some_values<float>(n, 1), b = some_values<float>(n, 2);
  const gpu_array<float> x(a), y(b);
  const view<const float> vx(x.data(), {std::int64_t(n)}), vy(y.data(), {std::int64_t(n)});
  std::vector<float> products;
  for (std::size_t i = 0; i < n; ++i) products.push_back(mul(a[i], b[i]));

  const std::span<const float> host(a), joined(products);
  EXPECT_TRUE(same(reduce(gpu, x, plus{}), *fold(plus{}, host)));
  EXPECT_TRUE(same(reduce(gpu, vx, plus{}, 7.5f), *fold(plus{}, host, std::optional(7.5f))));
  EXPECT_TRUE(same(reduce(gpu, transform(product{}, vx, vy), plus{}), *fold(plus{}, joined)));
  EXPECT_EQ(reduce(gpu, transform(square{}, counting{100}), plus{}), 328350);
  EXPECT_EQ(reduce(gpu, counting{10, 5}, maximum{}), 14);
  EXPECT_TRUE(same(reduce(gpu, vx, norm{}), result_of<norm, float>({}, *fold(norm{}, host))));

  const auto [sum, least, most, spread] =
      reduce(gpu, vx, fuse(plus{}, minimum{}, arg_max{}, moments{}));
  EXPECT_TRUE(same(sum, *fold(plus{}, host)));
  EXPECT_TRUE(same(least, *fold(minimum{}, host)));
  EXPECT_TRUE(same(most, *fold(arg_max{}, host)));
  EXPECT_TRUE(same(spread, *fold(moments{}, host)));
}

TEST(device_reduce_calls, backwards) {
  const device gpu;
  const auto a = some_values<float>(5000, 11), b = some_values<float>(5000, 12);
  const gpu_array<float> x(a), y(b);
  for (const std::int64_t n : {5000, 4999, 700, 1}) {
    const view<const float> vx(x.data(), {n}), vy(y.data(), {n});
    std::vector<float> turned, products;
    for (std::int64_t i = 0; i < n; ++i) {
      turned.push_back(a[std::size_t(n - 1 - i)]);
      products.push_back(mul(turned.back(), b[std::size_t(i)]));
    }
    EXPECT_TRUE(
        same(reduce(gpu, vx.reversed(0), plus{}), *fold(plus{}, std::span<const float>(turned))));
    EXPECT_TRUE(same(reduce(gpu, vx.reversed(0), arg_max{}),
                     *fold(arg_max{}, std::span<const float>(turned))));
    EXPECT_TRUE(same(reduce(gpu, transform(product{}, vx.reversed(0), vy), plus{}),
                     *fold(plus{}, std::span<const float>(products))));
  }
}

TEST(device_reduce_calls, results_in_device_memory_and_counts_from_there) {
  const device gpu;
  const auto a = some_values<double>(3000, 3);
  const gpu_array<double> x(a);
  const gpu_array<float> narrow(1);
  const gpu_array<double> wide(1);
  const view<const double> v(x.data(), {3000});
  reduce(gpu, v, plus{}, into(narrow.data()));
  reduce(gpu, v, plus{}, 1.0, into(wide.data()));
  gpu.wait();
  const std::span<const double> host(a);
  EXPECT_TRUE(same(narrow.to_host()[0], float(*fold(plus{}, host))));
  EXPECT_TRUE(same(wide.to_host()[0], *fold(plus{}, host, std::optional(1.0))));
  for (const std::int64_t n : {3000, 2999, 513, 1, 0}) {
    const gpu_array<std::int64_t> count(std::vector<std::int64_t>{n});
    const double got = reduce(gpu, counted(v, count.data()), plus{});
    const auto want = fold(plus{}, host.first(std::size_t(n)));
    EXPECT_TRUE(same(got, want ? *want : 0.0)) << n;
  }
}

TEST(device_reduce_calls, no_values) {
  const device gpu;
  const view<const float> none(static_cast<const float*>(nullptr), {0});
  EXPECT_TRUE(same(reduce(gpu, none, plus{}), 0.0f));
  EXPECT_TRUE(same(reduce(gpu, none, plus{}, -2.0f), -2.0f));
  EXPECT_TRUE(same(reduce(gpu, none, multiplies{}), 1.0f));
  const auto text = error_of([&] { reduce(gpu, none, left_one{}); });
  EXPECT_NE(text.find("no values"), std::string::npos) << text;
}

TEST(device_reduce_calls, wrong_arguments_are_refused_before_anything_runs) {
  const device gpu;
  const gpu_array<float> x(100), y(100);
  const std::vector<float> host(100);
  const view<const float> vx(x.data(), {100}), vy(y.data(), {99});
  auto text = error_of([&] { reduce(gpu, view<const float>(host), plus{}); });
  EXPECT_NE(text.find("host memory"), std::string::npos) << text;
  text = error_of([&] { reduce(gpu, transform(product{}, vx, vy), plus{}); });
  EXPECT_NE(text.find("100 and 99"), std::string::npos) << text;
  text = error_of([&] { reduce(gpu, view<const float>(x.data(), {10}, {2}), plus{}); });
  EXPECT_NE(text.find("without gaps"), std::string::npos) << text;
  float there = 0;
  text = error_of([&] { reduce(gpu, vx, plus{}, into(&there)); });
  EXPECT_NE(text.find("host memory"), std::string::npos) << text;
  text = error_of([&] { reduce(gpu, vx, plus{}, into(view<float>(y.data(), {2}))); });
  EXPECT_NE(text.find("one result"), std::string::npos) << text;
}

/// Results of all widths through the one slot, none of them the one of a call before.
TEST(device_reduce_calls, results_come_to_the_host) {
  const device gpu;
  const auto a = some_values<float>(3000, 8);
  const gpu_array<float> x(a);
  for (int i = 0; i < 60; ++i) {
    const std::size_t n = std::size_t(3000 - i * 41);
    const std::span<const float> host(a.data(), n);
    const view<const float> v(x.data(), {std::int64_t(n)});
    if (i % 3 == 0) ASSERT_TRUE(same(reduce(gpu, v, plus{}), *fold(plus{}, host))) << n;
    else if (i % 3 == 1) ASSERT_TRUE(same(reduce(gpu, v, moments{}), *fold(moments{}, host))) << n;
    else ASSERT_TRUE(same(reduce(gpu, v, arg_max{}), *fold(arg_max{}, host))) << n;
  }
  const gpu_array<std::int64_t> none(std::vector<std::int64_t>{0});
  const view<const float> v(x.data(), {3000});
  const auto text = error_of([&] { reduce(gpu, counted(v, none.data()), left_one{}); });
  EXPECT_NE(text.find("there is no result"), std::string::npos) << text;
  EXPECT_TRUE(same(reduce(gpu, v, plus{}), *fold(plus{}, std::span<const float>(a))));
}

/// Calls of all sizes and state widths after each other, as they share one workspace.
TEST(device_reduce_calls, calls_share_a_workspace) {
  device gpu;
  gpu.overlap();
  const auto a = some_values<float>(40000, 5);
  const gpu_array<float> x(a);
  for (int i = 0; i < 30; ++i) {
    const std::size_t n = std::size_t(i * 7919 % 40000 + 1);
    const std::span<const float> host(a.data(), n);
    const view<const float> v(x.data(), {std::int64_t(n)});
    reseed(unsigned(i));
    if (i % 2 == 0) ASSERT_TRUE(same(reduce(gpu, v, plus{}), *fold(plus{}, host))) << n;
    else ASSERT_TRUE(same(reduce(gpu, v, arg_min{}), *fold(arg_min{}, host))) << n;
  }
}

/// So many tiles that the last block folds their trees in several rounds.
TEST(device_reduce_calls, more_tiles_than_a_round_takes) {
  const device gpu;
  const auto a = some_values<float>(310 * 8 * 4 * 32 + 77, 9);
  const gpu_array<float> x(a);
  const std::span<const float> host(a);
  const auto source = detail::device_source(x);
  const auto check = [&](const auto& op) {
    using S = state_t<std::remove_cvref_t<decltype(op)>, float>;
    const gpu_array<S> out(1);
    for (const int warps : {1, 2}) {
      detail::launch_reduce(gpu, source, op, detail::no_start<S>{},
                            detail::state_into<S>{out.data()},
                            {tune::reduce_plan::kernel::tiles, warps, 0});
      ASSERT_TRUE(same(out.to_host()[0], *fold(op, host))) << warps;
    }
  };
  check(plus{}), check(moments{}), check(arg_max{});
}

/// When all stamps have been used, they start again without a word of theirs being left.
TEST(device_reduce_calls, stamps_start_again) {
  const device gpu;
  const auto a = some_values<float>(20000, 6);
  const gpu_array<float> x(a);
  const view<const float> v(x.data(), {20000});
  const auto want = *fold(plus{}, std::span<const float>(a));
  ASSERT_TRUE(same(reduce(gpu, v, plus{}), want));
  auto* turn = static_cast<std::uint64_t*>(gpu.workspace(0, 1));
  const std::uint64_t almost = std::uint64_t(0xfffffffd) << 32;
  copy_to_gpu(turn, &almost, sizeof almost);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(same(reduce(gpu, v, plus{}), want)) << i;
  std::uint64_t now = 0;
  copy_from_gpu(&now, turn, sizeof now);
  EXPECT_EQ(now >> 32, 3u);
}

/// States that do not fill the words they travel in, or have padding, round after round: what comes
/// is of this round, all of it.
TEST(device_reduce_calls, states_arrive_whole) {
  const device gpu;
  tests::source from(9);
#if defined(__CUDACC__)
  const int rounds = 1000;
#else
  const int rounds = 20;
#endif
  for (int i = 0; i < rounds; ++i) {
    const auto x = from.many<words<4>>(1278);
    const gpu_array<words<4>> on_gpu(x);
    const view<const words<4>> v(on_gpu.data(), {1278});
    reseed(unsigned(i));
    ASSERT_TRUE(same(reduce(gpu, v, tangle{}), *fold(tangle{}, std::span<const words<4>>(x)))) << i;
    const auto a = some_values<float>(5000, unsigned(i));
    const gpu_array<float> floats(a);
    ASSERT_TRUE(same(reduce(gpu, floats, arg_max{}), *fold(arg_max{}, std::span<const float>(a))))
        << i;
  }
}

#if defined(__CUDACC__)
RUNG_KERNEL(32) void failing_kernel() { give_up("on purpose"); }

/// What went wrong before on the stream is said, and nobody waits for ever. In a process of its
/// own, since no CUDA call works there afterwards.
TEST(device_reduce_calls_death, earlier_errors_are_thrown_where_a_result_is_waited_for) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const gpu_array<float> x(std::vector<float>(1000, 1.0f));
        const device gpu;
        if (reduce(gpu, x, plus{}) != 1000) std::exit(1);
        launch(failing_kernel, 1, 32, 0, nullptr);
        const auto text = error_of([&] { reduce(gpu, x, plus{}); });
        std::_Exit(text.find("cudaError") != std::string::npos ? 0 : 2);
      },
      testing::ExitedWithCode(0), "");
}
TEST(device_reduce_calls, captured_into_graphs_that_run_at_the_same_time) {
  const std::size_t n = 300001;
  cudaStream_t streams[2];
  cudaGraphExec_t graphs[2];
  gpu_array<float> x(n), y(n);
  const gpu_array<float> sums(2);
  cudaStream_t capture;
  ASSERT_EQ(cudaStreamCreate(&capture), cudaSuccess);
  const device gpu(capture);
  for (int g = 0; g < 2; ++g) {
    const view<const float> v(g == 0 ? x.data() : y.data(), {std::int64_t(n)});
    cudaGraph_t graph;
    ASSERT_EQ(cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    reduce(gpu, v, plus{}, into(sums.data() + g));
    EXPECT_NE(error_of([&] { reduce(gpu, v, plus{}); }).find("into"), std::string::npos);
    ASSERT_EQ(cudaStreamEndCapture(capture, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&graphs[g], graph, 0), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&streams[g]), cudaSuccess);
  }
  for (unsigned round = 0; round < 20; ++round) {  // other data each time
    const auto a = some_values<float>(n, 10 + round), b = some_values<float>(n, 50 + round);
    x.assign(a), y.assign(b);
    for (int again = 0; again < 5; ++again)
      for (int g = 0; g < 2; ++g) ASSERT_EQ(cudaGraphLaunch(graphs[g], streams[g]), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const auto got = sums.to_host();
    ASSERT_TRUE(same(got[0], *fold(plus{}, std::span<const float>(a)))) << round;
    ASSERT_TRUE(same(got[1], *fold(plus{}, std::span<const float>(b)))) << round;
  }
}

TEST(device_reduce_calls, more_than_2_to_the_32_values) {
  const std::int64_t n = (std::int64_t(1) << 32) + 12345;
  std::int8_t* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, std::size_t(n)), cudaSuccess);
  ASSERT_EQ(cudaMemset(x, 1, std::size_t(n)), cudaSuccess);
  const std::int8_t high = 100;
  ASSERT_EQ(cudaMemcpy(x + n - 77, &high, 1, cudaMemcpyHostToDevice), cudaSuccess);
  const device gpu;
  const view<const std::int8_t> v(x, {n});
  EXPECT_EQ(reduce(gpu, v, plus{}), n + 99);
  EXPECT_EQ(reduce(gpu, v, arg_max{}).index, n - 77);
  EXPECT_EQ(reduce(gpu, view<const std::int8_t>(x + 1, {n - 1}), arg_max{}).index, n - 78);
  cudaFree(x);
}
#endif

}  // namespace
}  // namespace rung::tests
