// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches on the virtual GPU: arguments, sizes, residency, errors, seeds, and the arrays of tests.
#include <stdexcept>
#include <thread>

#include "virtual/expect.hpp"

namespace rung {
namespace {

struct settings_of_a_kernel {
  int factor;
  global<float> out;
};

TEST(virtual_launch, arguments_are_converted_and_copied) {
  const auto kernel = +[](settings_of_a_kernel s, global<const float> x, long long n) {
    const auto i = (long long)(thread_rank());
    if (i >= n) return;
    const float v = x[i];
    s.out[i] = v * float(s.factor);
    s.factor = 0;  // a copy: other threads do not see it
  };
  const gpu_array<float> x(std::vector<float>{1, 2, 3}), y(3);
  for_seeds(3, [&] {
    launch(kernel, 1, 32, 0, nullptr, settings_of_a_kernel{7, y.data()}, x, 3);
    synchronize();
    EXPECT_EQ(y.to_host(), (std::vector<float>{7, 14, 21}));
  });
}

TEST(virtual_launch, there_is_always_a_gpu) { EXPECT_EQ(gpu_problem(), ""); }

template <class T>
RUNG_KERNEL(64)
void store_one(global<T> x) {
  x[0] = T(1);
}

TEST(virtual_launch, a_finding_names_kernel_sizes_and_seed) {
  const gpu_array<double> x(0);
  virtual_gpu::configure({.seed = 77});
  const std::string text =
      finding([&] { launch(store_one<double>, dims(3, 2), dims(4, 4, 2), 16, nullptr, x); });
  EXPECT_NE(
      text.find("kernel rung::(anonymous namespace)::store_one<double>, grid 3 x 2, block 4 x 4 "
                "x 2, scratch 16 bytes, seed 77, launch 1"),
      text.npos)
      << text;
  virtual_gpu::configure({});
}

TEST(virtual_launch, sizes_are_checked) {
  const auto kernel = +[] {};
  const auto text = [&](dims grid, dims block, std::size_t scratch, unsigned cluster) {
    return finding(
        [&] { launch_with({.cluster = cluster}, kernel, grid, block, scratch, nullptr); });
  };
  EXPECT_EQ(text(2, 1024, 227 * 1024, 2), "");
  EXPECT_NE(text(0, 32, 0, 1).find("without threads"), std::string::npos);
  EXPECT_NE(text(1, dims(32, 0), 0, 1).find("without threads"), std::string::npos);
  EXPECT_NE(text(1, 1025, 0, 1).find("a block of 1025 threads; the most is 1024"),
            std::string::npos);
  EXPECT_NE(text(1, dims(1, 1, 65), 0, 1).find("64 in z"), std::string::npos);
  EXPECT_NE(text(dims(1, 65536), 32, 0, 1).find("65535 in y and z"), std::string::npos);
  EXPECT_NE(text(1, 32, 228 * 1024, 1).find("scratch of 233472 bytes"), std::string::npos);
  EXPECT_NE(text(3, 32, 0, 2).find("clusters of 2 blocks"), std::string::npos);
}

TEST(virtual_launch, residency_is_what_was_asked_for) {
  static unsigned running = 0, most = 0;
  const auto kernel = +[] {
    if (thread_rank() == 0) most = std::max(most, ++running);
    for (int i = 0; i < 10; ++i) block_barrier();
    if (thread_rank() == 0) --running;
  };
  for (const unsigned resident : {1u, 2u, 5u}) {
    most = 0;
    for_seeds(10, [&] { launch(kernel, 20, 32, 0, nullptr); }, {.resident_blocks = resident});
    EXPECT_EQ(most, resident);
  }
  const std::string text = finding([&] {
    virtual_gpu::configure({.resident_blocks = 3});
    launch_with({.cooperative = true}, kernel, 20, 32, 0, nullptr);
  });
  virtual_gpu::configure({});
  EXPECT_NE(text.find("a cooperative launch of 20 blocks, but only 3 fit"), text.npos) << text;
}

TEST(virtual_launch, the_order_of_blocks_and_lanes_follows_from_the_seed) {
  static std::vector<int> order;
  const auto kernel = +[] { order.push_back(int(block_rank() * 64 + thread_rank())); };
  const auto run = [&](std::uint64_t seed, bool drift) {
    order.clear();
    virtual_gpu::configure({.seed = seed, .drift = drift});
    launch(kernel, 20, 64, 0, nullptr);
    return order;
  };
  EXPECT_EQ(run(5, true), run(5, true));
  EXPECT_NE(run(5, true), run(6, true));
  EXPECT_EQ(run(5, false)[0], 0);
  virtual_gpu::configure({});
}

TEST(virtual_launch, exceptions_of_a_kernel_come_out_of_the_launch) {
  const auto kernel = +[] {
    if (thread_rank() == 40) throw std::runtime_error("thread 40");
    block_barrier();
  };
  for_seeds(5, [&] { EXPECT_THROW(launch(kernel, 2, 64, 0, nullptr), std::runtime_error); });
  const auto fine = +[] { block_barrier(); };
  launch(fine, 2, 64, 0, nullptr);
}

TEST(virtual_launch, words_outside_of_a_kernel_are_an_error) {
  EXPECT_THROW(block_barrier(), error);
  EXPECT_THROW(lane(), error);
  const auto kernel = +[] {
    const auto inner = +[] {};
    launch(inner, 1, 1, 0, nullptr);
  };
  EXPECT_THROW(launch(kernel, 1, 1, 0, nullptr), error);
}

TEST(virtual_launch, arrays_know_their_bounds) {
  gpu_array<int> x(std::vector<int>{1, 2, 3});
  EXPECT_EQ(x.size(), 3u);
  EXPECT_EQ(x.to_host(), (std::vector<int>{1, 2, 3}));
  EXPECT_THROW(x.assign(std::vector<int>{1, 2}), error);
  EXPECT_THROW(copy_from_gpu(x.data(), x.data() + 1, 12), error);
  EXPECT_THROW(copy_to_gpu(&x, x.data(), 4), error);
  const gpu_array<int> moved = std::move(x);
  EXPECT_EQ(moved.to_host()[2], 3);
  EXPECT_EQ(gpu_array<int>(0).to_host(), std::vector<int>{});
  const std::vector<bool> bits{true, false, true};
  EXPECT_EQ(gpu_array<bool>(bits).to_host(), bits);
}

TEST(virtual_launch, host_threads_may_launch_at_the_same_time) {
  const auto kernel = +[](global<int> x) { atomic_add(x[0], 1); };
  gpu_array<int> x(1);
  x.fill(0);
  std::vector<std::thread> hosts;
  for (int i = 0; i < 4; ++i)
    hosts.emplace_back([&] {
      for (int j = 0; j < 10; ++j) launch(kernel, 4, 64, 0, nullptr, x);
    });
  for (auto& host : hosts) host.join();
  EXPECT_EQ(x.to_host()[0], 4 * 10 * 256);
}

}  // namespace
}  // namespace rung
