// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans on the device rung as users call them: what can be scanned, where entries and totals go,
// what is refused, narrow results, a workspace that calls share, few blocks at a time.
#include "device/calls.hpp"
#include "device/scan_sweep.hpp"
#include "rung/op/extremes.hpp"

namespace rung::tests {
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(device_scan);
namespace {

struct later_one {  // an operator that has nothing to say about no values
  RUNG_HD float operator()(float, float right) const { return right; }
};

template <class T>
view<const T> read(const gpu_array<T>& x) {
  return {x.data(), {std::int64_t(x.size())}};
}
template <class T>
view<T> write(const gpu_array<T>& x) {
  return {x.data(), {std::int64_t(x.size())}};
}
/// Whether got[i] is the result of the prefix of i + 1 (or i) values, as R.
template <class R, class T, class Op>
testing::AssertionResult entries_are(const std::vector<R>& got, const std::vector<T>& x,
                                     const Op& op, bool exclusive,
                                     std::optional<state_t<Op, T>> init = {}) {
  const auto want = prefix_folds<T>(op, std::span<const T>(x), init);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto& prefix = want[i + !exclusive];
    const auto result = result_of<Op, T>(op, prefix ? *prefix : empty_state<state_t<Op, T>>(op));
    R expected;
    if constexpr (number<R>) expected = convert<R>(result);
    else expected = result;
    if (!same(got[i], expected)) return testing::AssertionFailure() << "entry " << i;
  }
  return testing::AssertionSuccess();
}

TEST(device_scan_calls, arrays_transformations_and_indices) {
  const device gpu;
  const std::size_t n = 3000;
  const auto a = some_values<float>(n, 1), b = some_values<float>(n, 2);
  const gpu_array<float> x(a), y(b), out(n);
  std::vector<float> products;
  for (std::size_t i = 0; i < n; ++i) products.push_back(mul(a[i], b[i]));

  inclusive_scan(gpu, x, write(out), plus{});
  EXPECT_TRUE(entries_are(out.to_host(), a, plus{}, false));
  exclusive_scan(gpu, read(x), write(out), plus{});
  EXPECT_TRUE(entries_are(out.to_host(), a, plus{}, true));
  EXPECT_FALSE(std::signbit(out.to_host()[0]));  // the sum of nothing
  inclusive_scan(gpu, transform(product{}, read(x), read(y)), write(out), plus{});
  EXPECT_TRUE(entries_are(out.to_host(), products, plus{}, false));
  inclusive_scan(gpu, read(x), write(out), maximum{}, 3.5f);
  EXPECT_TRUE(entries_are(out.to_host(), a, maximum{}, false, 3.5f));

  const gpu_array<std::int64_t> squares(100);
  inclusive_scan(gpu, transform(square{}, counting{100}), write(squares), plus{});
  EXPECT_EQ(squares.to_host()[99], 328350);
  exclusive_scan(gpu, counting{100, 5}, write(squares), plus{}, 7);
  EXPECT_EQ(squares.to_host()[2], 7 + 5 + 6);
}

template <class T>
std::vector<T> turned(std::vector<T> x) {
  std::reverse(x.begin(), x.end());
  return x;
}
TEST(device_scan_calls, backwards) {
  const device gpu;
  const std::int64_t n = 3001;
  const auto a = some_values<float>(std::size_t(n), 11), b = some_values<float>(std::size_t(n), 12);
  const gpu_array<float> x(a), y(b), out(3001), total(1);
  // A suffix scan: out[i] of x[n - 1], ..., x[i].
  inclusive_scan(gpu, read(x).reversed(0), write(out).reversed(0), plus{},
                 total_into(total.data()));
  EXPECT_TRUE(entries_are(turned(out.to_host()), turned(a), plus{}, false));
  EXPECT_TRUE(same(total.to_host()[0], out.to_host()[0]));
  exclusive_scan(gpu, read(x).reversed(0), write(out), plus{}, 0.5f);
  EXPECT_TRUE(entries_are(out.to_host(), turned(a), plus{}, true, 0.5f));
  inclusive_scan(gpu, x, write(out).reversed(0), plus{});
  EXPECT_TRUE(entries_are(turned(out.to_host()), a, plus{}, false));
  // Each array of a transformation for itself; aligned and not.
  for (const std::int64_t m : {n, n - 1}) {
    const view<const float> vx(x.data(), {m}), vy(y.data(), {m});
    std::vector<float> products;
    for (std::int64_t i = 0; i < m; ++i)
      products.push_back(mul(a[std::size_t(i)], b[std::size_t(m - 1 - i)]));
    inclusive_scan(gpu, transform(product{}, vx, vy.reversed(0)), view<float>(out.data(), {m}),
                   plus{});
    auto got = out.to_host();
    got.resize(std::size_t(m));
    EXPECT_TRUE(entries_are(got, products, plus{}, false)) << m;
  }
  // All axes of an array backwards are all of it backwards.
  const view<const float> rows = view<const float>(x.data(), {50, 60}).reversed(0).reversed(1);
  inclusive_scan(gpu, rows, view<float>(out.data(), {3000}), plus{});
  auto got = out.to_host();
  got.resize(3000);
  EXPECT_TRUE(
      entries_are(got, turned(std::vector<float>(a.begin(), a.begin() + 3000)), plus{}, false));
  inclusive_scan(gpu, read(x).reversed(0), write(x).reversed(0), plus{});  // in place
  EXPECT_TRUE(entries_are(turned(x.to_host()), turned(a), plus{}, false));
}

TEST(device_scan_calls, results_are_converted) {
  const device gpu;
  const auto a = some_values<float>(1000, 3);
  const gpu_array<float> x(a);
  const gpu_array<double> wide(1000);
  const gpu_array<f16> narrow(1000);
  inclusive_scan(gpu, x, write(wide), plus{});
  EXPECT_TRUE(entries_are(wide.to_host(), a, plus{}, false));
  inclusive_scan(gpu, x, write(narrow), plus{});
  EXPECT_TRUE(entries_are(narrow.to_host(), a, plus{}, false));
  const gpu_array<indexed<float>> places(1000);
  inclusive_scan(gpu, x, write(places), arg_max{});
  EXPECT_TRUE(entries_are(places.to_host(), a, arg_max{}, false));
}

/// Sums of integers may be made in fewer bits than the accumulator has, if those are left anyway.
TEST(device_scan_calls, narrow_integers) {
  const device gpu;
  const auto a = some_values<std::int8_t>(5000, 4);
  const gpu_array<std::int8_t> x(a), out(5000);
  inclusive_scan(gpu, x, write(out), plus{}, 1000);
  EXPECT_TRUE(entries_are(out.to_host(), a, plus{}, false, std::int64_t(1000)));
  inclusive_scan(gpu, x, write(x), plus{});  // in place
  EXPECT_TRUE(entries_are(x.to_host(), a, plus{}, false));
  const gpu_array<std::int64_t> wide(5000), total(1);
  x.to_host();
  const gpu_array<std::int8_t> again(a);
  exclusive_scan(gpu, again, write(wide), plus{}, total_into(total.data()));
  EXPECT_TRUE(entries_are(wide.to_host(), a, plus{}, true));
  EXPECT_EQ(total.to_host()[0], *fold(plus{}, std::span<const std::int8_t>(a)));
  exclusive_scan(gpu, again, write(out), plus{}, total_into(total.data()));
  EXPECT_EQ(total.to_host()[0], *fold(plus{}, std::span<const std::int8_t>(a)));
  for (const std::size_t n : {4992ul, 4999ul}) {  // packs of 16 that are aligned, or not
    const view<const std::int8_t> part(again.data(), {std::int64_t(n)});
    inclusive_scan(gpu, part.reversed(0),
                   view<std::int8_t>(out.data(), {std::int64_t(n)}).reversed(0), plus{});
    auto got = out.to_host(), values = a;
    got.resize(n), values.resize(n);
    EXPECT_TRUE(entries_are(turned(got), turned(values), plus{}, false)) << n;
  }
  const gpu_array<bool> flags(5000);
  inclusive_scan(gpu, again, write(flags), plus{});
  EXPECT_TRUE(entries_are(flags.to_host(), a, plus{}, false));
}

TEST(device_scan_calls, inits_totals_and_counts_in_device_memory) {
  const device gpu;
  const std::size_t n = 2500;
  const auto a = some_values<double>(n, 5);
  const gpu_array<double> x(a), init(std::vector<double>{0.75}), total(1);
  gpu_array<double> out(n);
  exclusive_scan(gpu, x, write(out), plus{}, init_at(init.data()), total_into(total.data()));
  EXPECT_TRUE(entries_are(out.to_host(), a, plus{}, true, 0.75));
  EXPECT_TRUE(
      same(total.to_host()[0], *fold(plus{}, std::span<const double>(a), std::optional(0.75))));
  for (const std::int64_t there : {2500, 2499, 513, 1, 0}) {
    const gpu_array<std::int64_t> count(std::vector<std::int64_t>{there});
    out.fill(-1.0);
    inclusive_scan(gpu, counted(read(x), count.data()), write(out), plus{},
                   total_into(total.data()));
    const auto got = out.to_host();
    const std::span<const double> part(a.data(), std::size_t(there));
    const std::vector<double> entries(got.begin(), got.begin() + there);
    EXPECT_TRUE(entries_are(entries, a, plus{}, false)) << there;
    for (std::size_t i = std::size_t(there); i < n; ++i) ASSERT_EQ(got[i], -1.0);
    EXPECT_TRUE(same(total.to_host()[0], there == 0 ? 0.0 : *fold(plus{}, part))) << there;
  }
}

TEST(device_scan_calls, no_values) {
  const device gpu;
  const gpu_array<float> none(0), total(std::vector<float>{5.0f});
  inclusive_scan(gpu, read(none), write(none), plus{}, total_into(total.data()));
  EXPECT_TRUE(same(total.to_host()[0], 0.0f));
  exclusive_scan(gpu, read(none), write(none), plus{}, 2.0f, total_into(total.data()));
  EXPECT_TRUE(same(total.to_host()[0], 2.0f));
  inclusive_scan(gpu, read(none), write(none), later_one{});
}

TEST(device_scan_calls, nan_is_canonical_in_every_entry) {
  const device gpu;
  std::vector<float> a(300, 1.0f);
  a[7] = __builtin_bit_cast(float, 0xffc12345u);
  const gpu_array<float> x(a), out(300);
  inclusive_scan(gpu, x, write(out), plus{});
  const auto got = out.to_host();
  for (std::size_t i = 7; i < 300; ++i)
    ASSERT_EQ(__builtin_bit_cast(std::uint32_t, got[i]), 0x7fc00000u) << i;
}

TEST(device_scan_calls, wrong_arguments_are_refused_before_anything_runs) {
  const device gpu;
  const gpu_array<float> x(100), y(100);
  const gpu_array<double> wide(100);
  const std::vector<float> host(100);
  std::vector<float> host_out(100);
  auto text = error_of([&] { inclusive_scan(gpu, view<const float>(host), write(y), plus{}); });
  EXPECT_NE(text.find("host memory"), std::string::npos) << text;
  text = error_of([&] { inclusive_scan(gpu, x, view<float>(host_out), plus{}); });
  EXPECT_NE(text.find("host memory"), std::string::npos) << text;
  text = error_of([&] { inclusive_scan(gpu, x, view<float>(y.data(), {99}), plus{}); });
  EXPECT_NE(text.find("100"), std::string::npos) << text;
  text = error_of(
      [&] { inclusive_scan(gpu, view<const float>(x.data(), {50}, {2}), write(y), plus{}); });
  EXPECT_NE(text.find("without gaps"), std::string::npos) << text;
  text = error_of([&] {
    inclusive_scan(gpu, view<const float>(x.data(), {99}), view<float>(x.data() + 1, {99}), plus{});
  });
  EXPECT_NE(text.find("part of its input"), std::string::npos) << text;
  text =
      error_of([&] { inclusive_scan(gpu, x, view<float>(x.data(), {100}).reversed(0), plus{}); });
  EXPECT_NE(text.find("the other way round"), std::string::npos) << text;
  text = error_of([&] {
    inclusive_scan(gpu, view<const float>(x.data(), {10, 10}).reversed(1), write(y), plus{});
  });
  EXPECT_NE(text.find("backwards"), std::string::npos) << text;
  text = error_of([&] {  // the same begin, but entries are longer than values
    inclusive_scan(gpu, view<const float>(reinterpret_cast<float*>(wide.data()), {100}),
                   write(wide), plus{});
  });
  EXPECT_NE(text.find("part of its input"), std::string::npos) << text;
}

/// Calls of all sizes and state widths after each other, as they share workspaces.
TEST(device_scan_calls, calls_share_a_workspace) {
  device gpu;
  gpu.overlap();
  const auto a = some_values<float>(20000, 6);
  const gpu_array<float> x(a), out(20000);
  const gpu_array<indexed<float>> places(20000);
  for (int i = 0; i < 24; ++i) {
    const std::size_t n = std::size_t(i * 7919 % 20000 + 1);
    const std::vector<float> part(a.begin(), a.begin() + std::ptrdiff_t(n));
    const view<const float> v(x.data(), {std::int64_t(n)});
    reseed(unsigned(i));
    if (i % 3 != 0) {
      inclusive_scan(gpu, v, view<float>(out.data(), {std::int64_t(n)}), plus{});
      const auto got = out.to_host();
      ASSERT_TRUE(entries_are(std::vector<float>(got.begin(), got.begin() + std::ptrdiff_t(n)),
                              part, plus{}, false))
          << n;
    } else {
      inclusive_scan(gpu, v, view<indexed<float>>(places.data(), {std::int64_t(n)}), arg_min{});
      const auto got = places.to_host();
      ASSERT_TRUE(
          entries_are(std::vector<indexed<float>>(got.begin(), got.begin() + std::ptrdiff_t(n)),
                      part, arg_min{}, false))
          << n;
    }
  }
}

/// When all stamps have been used, they start again without a word of theirs being left.
TEST(device_scan_calls, stamps_start_again) {
  device_scan_sweep<float, plus> sweep;
  sweep.x = source(7).many<float>(20000);
  for (const auto kernel : {scan_kernel::few_tiles, scan_kernel::tiles}) {
    scan_case c{20000, {kernel, kernel == scan_kernel::tiles ? 2 : 4, 4}};
    ASSERT_NO_FATAL_FAILURE(sweep.once<false>(c));
    auto* turn = static_cast<std::uint64_t*>(sweep.where.workspace(2, 1));
    const std::uint64_t almost = std::uint64_t(0xfffffffd) << 32;
    copy_to_gpu(turn, &almost, sizeof almost);
    for (unsigned i = 0; i < 5; ++i) {
      c.seed = i, c.in_place = i == 1;  // whose stamp is the last
      ASSERT_NO_FATAL_FAILURE(sweep.once<false>(c));
    }
    std::uint64_t now = 0;
    copy_from_gpu(&now, turn, sizeof now);
    EXPECT_EQ(now >> 32, 3u);
  }
}

#if !defined(__CUDACC__)
/// No order of blocks, no number of them at a time (one for few tiles, two for many) may keep a
/// scan from ending, or change a bit.
TEST(device_scan_calls, many_schedules) {
  device_scan_sweep<float, plus> sums;
  device_scan_sweep<affine_map<float>, affine> maps;
  sums.x = source(8).many<float>(12000);
  maps.x = source(9).many<affine_map<float>>(3000);
  for (unsigned seed = 0; seed < 350; ++seed) {
    scan_case c{seed % 3 == 0 ? 1500u : 260u, {scan_kernel::few_tiles, 1, 2}};
    c.seed = seed, c.patience = int(seed % 4), c.in_place = seed % 5 == 0;
    ASSERT_NO_FATAL_FAILURE(sums.once<false>(c));
    c.plan = {scan_kernel::tiles, 1, 4};
    c.n = seed % 20 == 0 ? 12000u : 2200u + seed % 5 * 256;
    ASSERT_NO_FATAL_FAILURE(sums.once<true>(c));
    c.n = c.n / 4;
    if (seed % 3 != 0) continue;
    ASSERT_NO_FATAL_FAILURE(maps.once<false>(c));
  }
}
#else
TEST(device_scan_calls, captured_into_graphs_that_run_at_the_same_time) {
  for (const std::size_t n : {300001ul, 5000001ul}) {
    cudaStream_t streams[2], capture;
    cudaGraphExec_t graphs[2];
    gpu_array<float> x[2] = {gpu_array<float>(n), gpu_array<float>(n)};
    gpu_array<float> y[2] = {gpu_array<float>(n), gpu_array<float>(n)};
    ASSERT_EQ(cudaStreamCreate(&capture), cudaSuccess);
    const device gpu(capture);
    for (int g = 0; g < 2; ++g) {
      cudaGraph_t graph;
      ASSERT_EQ(cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal), cudaSuccess);
      inclusive_scan(gpu, x[g], write(y[g]), plus{});
      ASSERT_EQ(cudaStreamEndCapture(capture, &graph), cudaSuccess);
      ASSERT_EQ(cudaGraphInstantiate(&graphs[g], graph, 0), cudaSuccess);
      ASSERT_EQ(cudaStreamCreate(&streams[g]), cudaSuccess);
    }
    for (unsigned round = 0; round < 3; ++round) {  // other data each time
      const std::vector<float> a[2] = {some_values<float>(n, 10 + round),
                                       some_values<float>(n, 50 + round)};
      for (int g = 0; g < 2; ++g) x[g].assign(a[g]);
      for (int again = 0; again < 5; ++again)
        for (int g = 0; g < 2; ++g) ASSERT_EQ(cudaGraphLaunch(graphs[g], streams[g]), cudaSuccess);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      for (int g = 0; g < 2; ++g)
        ASSERT_TRUE(entries_are(y[g].to_host(), a[g], plus{}, false)) << n << " " << round;
    }
  }
}

/// Other kernels hold most of the GPU while scans run; in the end all is right.
__global__ void occupy(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}
TEST(device_scan_calls, beside_other_work) {
  cudaStream_t busy, mine;
  ASSERT_EQ(cudaStreamCreate(&busy), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking), cudaSuccess);
  const device gpu(mine);
  for (const std::size_t n : {100003ul, 1000003ul, 7000001ul}) {
    const auto a = some_values<float>(n, unsigned(n));
    const gpu_array<float> x(a), y(n);
    for (const unsigned blocks : {64u, 128u, 131u, 500u, 2000u}) {
      occupy<<<blocks, 1024, 100 * 1024, busy>>>(100000);
      if (cudaGetLastError() != cudaSuccess) {
        ASSERT_EQ(
            cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024),
            cudaSuccess);
        occupy<<<blocks, 1024, 100 * 1024, busy>>>(100000);
      }
      inclusive_scan(gpu, x, write(y), plus{});
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      ASSERT_TRUE(entries_are(y.to_host(), a, plus{}, false)) << n << " " << blocks;
    }
  }
}

/// Blocks that fill a multiprocessor each, until the host lets them go, or has forgotten them.
__global__ void hold(volatile int* held, volatile int* let_go) {
  if (threadIdx.x != 0) return;
  atomicAdd_system(const_cast<int*>(held), 1);
  const long long begin = clock64();
  while (*let_go == 0 && clock64() - begin < 10'000'000'000) {
  }
  if (*let_go == 0) *held = -1;
}
/// All multiprocessors but one (few tiles) or two (many) are held until the scan has ended.
TEST(device_scan_calls, few_blocks_at_a_time) {
  int all = 0, room = 0;
  cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  ASSERT_EQ(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, room),
            cudaSuccess);
  int* words = nullptr;  // [0] how many are held, [1] let go
  ASSERT_EQ(cudaHostAlloc(&words, 2 * sizeof(int), cudaHostAllocMapped), cudaSuccess);
  cudaStream_t busy, mine;
  ASSERT_EQ(cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking), cudaSuccess);
  const device gpu(mine);
  volatile int* const seen = words;
  for (const std::size_t n : {100003ul, 3000001ul}) {
    const auto a = some_values<float>(n, unsigned(n));
    const gpu_array<float> x(a), y(n);
    for (const bool warm : {true, false}) {  // the first call allocates, which waits for the GPU
      seen[0] = 0;
      seen[1] = 0;
      const int held = n < 1000000 ? all - 1 : all - 2;
      if (!warm) {
        hold<<<held, 32, room, busy>>>(words, words + 1);
        while (seen[0] >= 0 && seen[0] < held && cudaStreamQuery(busy) == cudaErrorNotReady) {
        }
        ASSERT_EQ(seen[0], held);
      }
      inclusive_scan(gpu, x, write(y), plus{});
      ASSERT_EQ(cudaStreamSynchronize(mine), cudaSuccess);
      ASSERT_GE(seen[0], 0) << "the scan waited for multiprocessors that were held";
      seen[1] = 1;
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      ASSERT_TRUE(entries_are(y.to_host(), a, plus{}, false)) << n;
    }
  }
  cudaFreeHost(words);
}

TEST(device_scan_calls, more_than_2_to_the_32_values) {
  const std::int64_t n = (std::int64_t(1) << 32) + 12345;
  std::int8_t* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, std::size_t(n)), cudaSuccess);
  ASSERT_EQ(cudaMemset(x, 1, std::size_t(n)), cudaSuccess);
  const device gpu;
  inclusive_scan(gpu, view<const std::int8_t>(x, {n}), view<std::int8_t>(x, {n}), plus{});
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<std::int8_t> some(13000);
  for (const std::int64_t first : {std::int64_t(0), (std::int64_t(1) << 31) - 1000,
                                   (std::int64_t(1) << 32) - 1000, n - 13000}) {
    ASSERT_EQ(cudaMemcpy(some.data(), x + first, some.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    for (std::size_t i = 0; i < some.size(); ++i)
      ASSERT_EQ(some[i], std::int8_t(first + std::int64_t(i) + 1)) << first << " " << i;
  }
  cudaFree(x);
}
#endif

}  // namespace
}  // namespace rung::tests
