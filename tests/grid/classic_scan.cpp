// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The classic scans of an array, every entry against the fold of its prefix: sizes around the
// tiles' edges, states and operators that show any change of order, with and without init, in
// place, unaligned, hundreds of schedules, also of one block at a time.
#include "rung/grid/classic_scan.cuh"

#include "device/scan_sweep.hpp"

namespace rung::tests {
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(device_scan);

template <class Pair>
class grid_classic_scan : public testing::Test {
 protected:
  using T = typename Pair::state;
  using Op = typename Pair::op;
  static_assert(std::is_same_v<T, state_t<Op, T>>);
  static constexpr int packs = device_scan_sweep<T, Op>::packs < 2 ? 1 : 2;
  static constexpr std::size_t row = device_scan_sweep<T, Op>::row, tile = packs * row;  // a warp's

  struct call {
    std::size_t n;
    int warps = 1;
    unsigned resident = 0;  ///< blocks at the same time; 0: as the seed likes
    friend std::ostream& operator<<(std::ostream& out, const call& c) {
      return out << c.n << " values, tiles of " << c.warps << " warps, " << c.resident
                 << " resident";
    }
  };
  template <class Method>
  void once(const Method& method, const call& c) {
    ++seed;
    SCOPED_TRACE(testing::Message() << c << ", seed " << seed);
    const bool in_place = seed % 3 == 0, has_init = seed % 2 == 0;
    const std::size_t shift = seed % 5 == 0, out_shift = in_place ? shift : seed % 7 < 2;
    const std::span<const T> values(all.data() + shift, c.n);
    const device_values<T> x(list<T>(all.begin(), all.begin() + std::ptrdiff_t(shift + c.n)));
    const device_values<T> y(list<T>(out_shift + c.n + 1, T{}));
    const view<const T> what(static_cast<T*>(x) + shift, {std::int64_t(c.n)});
    const view<T> out((in_place ? static_cast<T*>(x) : static_cast<T*>(y)) + out_shift,
                      {std::int64_t(c.n)});
#if !defined(__CUDACC__)
    virtual_gpu::configure({.seed = seed, .resident_blocks = c.resident});
#endif
    if (has_init) method(gpu, what, out, Op{}, init, c.warps);
    else method(gpu, what, out, Op{}, std::nullopt, c.warps);
    gpu.wait();
    const auto want = prefix_folds<T>(Op{}, values, has_init ? std::optional(init) : std::nullopt);
    const auto got = in_place ? x.to_host() : y.to_host();
    for (std::size_t i = 0; i < c.n; ++i)
      ASSERT_TRUE(same(T(got[out_shift + i]), *want[i + 1])) << "entry " << i;
    if (!in_place) {
      ASSERT_TRUE(same(T(got[out_shift + c.n]), T{})) << "behind the end";
    }
  }
  template <class Method>
  void sweep(const Method& method) {
    const auto go = [&](const call& c) { once(method, c); };
    for (const unsigned resident : {1u, 0u}) {
      for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(2), row - 1, tile - 1,
                                  tile, tile + 1, 5 * tile, 8 * tile + row / 2 + 1})
        ASSERT_NO_FATAL_FAILURE(go({n, 1, resident}));
      for (const std::size_t n : {3 * tile + 5, 8 * tile, 13 * tile - 1})
        ASSERT_NO_FATAL_FAILURE(go({n, 2, resident}));
    }
    ASSERT_NO_FATAL_FAILURE(go({17 * tile + row + 3, 8}));
  }
  /// More trees than the block that scans them takes at a time, which is 128 here.
  template <class Method>
  void many_tiles(const Method& method) {
    for (const std::size_t tiles : {127u, 128u, 300u})
      ASSERT_NO_FATAL_FAILURE(once(method, {tiles * tile + tiles % 2}));
  }
  /// From one tile to 34: every place in the blocks of up to 32.
  template <class Method>
  void schedules(const Method& method) {
    for (std::size_t i = 0; i < 50; ++i)
      ASSERT_NO_FATAL_FAILURE(once(method, {(i * 7 % 34 + 1) * tile - i % 3, 1, unsigned(i % 4)}));
  }
  void SetUp() override {
    tests::source from(17);
    from.special = false;  // entries behind a NaN have nothing to say
    all = from.many<T>(300 * tile + 2);
    init = from.next<T>();
    if constexpr (std::is_same_v<T, affine_map<float>>)  // factors that neither vanish nor explode
      for (T& m : all) m.a = 1 + std::remainder(m.a, 0.2f);
  }
  list<T> all;
  T init;
  unsigned seed = 0;
  device gpu;
};

constexpr auto run_three_kernels = [](const auto&... a) { classic::scan_three_kernels(a...); };
constexpr auto run_chained = [](const auto&... a) { classic::scan_chained(a...); };
constexpr auto run_look_back = [](const auto&... a) { classic::scan_look_back(a...); };

TYPED_TEST_SUITE_P(grid_classic_scan);
TYPED_TEST_P(grid_classic_scan, three_kernels) {
  this->many_tiles(run_three_kernels);
  this->sweep(run_three_kernels);
  this->gpu.overlap();
  this->sweep(run_three_kernels);
}
TYPED_TEST_P(grid_classic_scan, chained) {
  this->sweep(run_chained);
  this->schedules(run_chained);
}
TYPED_TEST_P(grid_classic_scan, look_back) {
  this->sweep(run_look_back);
  this->gpu.overlap();
  this->schedules(run_look_back);
}
REGISTER_TYPED_TEST_SUITE_P(grid_classic_scan, three_kernels, chained, look_back);
using pairs = testing::Types<over<float, plus>, over<twelve, tangle>, over<words<5>, tangle>,
                             over<affine_map<float>, affine>>;
INSTANTIATE_TYPED_TEST_SUITE_P(pairs, grid_classic_scan, pairs);

namespace {

/// Arguments beside arrays of states: a transformation, an accumulator wider than the values, a
/// result narrower than it, an init in device memory; and what is refused.
struct square {
  RUNG_HD std::int64_t operator()(std::int64_t i) const { return i * i; }
};
TEST(grid_classic_scan_calls, arguments) {
  const device gpu;
  const gpu_array<std::int64_t> init(std::vector<std::int64_t>{5});
  gpu_array<std::int32_t> out(1000);
  const view<std::int32_t> to(out.data(), {1000});
  const auto is_right = [&](const auto& method) {
    method(gpu, transform(square{}, counting{1000}), to, plus{}, init_at(init.data()));
    std::int64_t sum = 5;
    const auto got = out.to_host();
    for (std::int64_t i = 0; i < 1000; ++i) {
      sum += i * i;
      ASSERT_EQ(got[std::size_t(i)], std::int32_t(sum)) << i;
    }
    out.fill(0);
    EXPECT_THROW(method(gpu, counting{999}, to, plus{}), error);
    EXPECT_THROW(method(gpu, counting{1000}, to, plus{}, std::nullopt, 3), error);
  };
  is_right(run_three_kernels);
  is_right(run_chained);
  is_right(run_look_back);
}

/// When all stamps have been used, they start again without a word of theirs being left.
TEST(grid_classic_scan_calls, stamps_start_again) {
  const device gpu;
  source from(3);
  from.special = false;
  const auto values = from.many<float>(5000);
  const gpu_array<float> x(values), y(5000);
  const auto want = prefix_folds<float>(plus{}, std::span<const float>(values), {});
  const auto is_right = [&] {
    classic::scan_look_back(gpu, x, view<float>(y.data(), {5000}), plus{}, std::nullopt, 1);
    const auto got = y.to_host();
    for (std::size_t i = 0; i < 5000; ++i) ASSERT_TRUE(same(got[i], *want[i + 1])) << i;
  };
  is_right();
  auto* turn = static_cast<std::uint64_t*>(gpu.workspace(4, 1));
  const std::uint64_t almost = std::uint64_t(0xfffffffd) << 32;
  copy_to_gpu(turn, &almost, sizeof almost);
  for (unsigned i = 0; i < 5; ++i) {
    reseed(i);
    is_right();
  }
  std::uint64_t now = 0;
  copy_from_gpu(&now, turn, sizeof now);
  EXPECT_EQ(now >> 32, 3u);
}

}  // namespace
}  // namespace rung::tests
