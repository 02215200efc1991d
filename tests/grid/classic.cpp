// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The classic reductions of an array, each against fold: sizes around the tiles' edges, states and
// operators that show any change of order, as few blocks at the same time as each can do with.
#include "rung/grid/classic.cuh"

#include "warp/values.hpp"

namespace rung::tests {

template <class Pair>
class grid_classic : public testing::Test {
 protected:
  using T = typename Pair::state;
  using Op = typename Pair::op;
  using S = state_t<Op, T>;
  static constexpr std::int64_t row = warp_size * detail::common_pack<T>();

  /// One method on all sizes, with one workspace; resident: blocks at the same time, 0: as the seed
  /// likes.
  template <class Method>
  void sweep(const Method& method, std::initializer_list<unsigned> resident) {
    using which = tune::reduce_plan::kernel;
    struct tiles_and_sizes {
      std::optional<tune::reduce_plan> plan;
      std::vector<std::int64_t> sizes;
    };
    // Blocks of 16 rows; then long tiles, two groups of 8 rows for a warp.
    const std::int64_t tile = 16 * row;
    const tiles_and_sizes points[] = {
        {{}, {0, 1, 2, row + 3, tile - 1, tile, tile + 1, 8 * tile, 18 * tile + 5 * row + 7}},
        {tune::reduce_plan{which::tiles, 1, 1}, {3, tile, 5 * tile - row / 2, 19 * tile + 9}}};
    tests::source from(7);
    const auto values = from.template many<T>(std::size_t(20 * tile));
    const device_values<T> x(values);
    const gpu_array<S> out(1);
    for (const unsigned blocks : resident) {
      for (const auto& [plan, sizes] : points)
        for (const std::int64_t n : sizes) {
          if (n == 0 && !has_empty<Op, S>) continue;
          ++seed;
#if !defined(__CUDACC__)
          virtual_gpu::configure({.seed = seed, .resident_blocks = blocks});
#endif
          const std::int64_t shift = seed % 3 == 0;
          const auto want = fold(Op{}, std::span<const T>(values.data() + shift, std::size_t(n)));
          method(gpu, view<const T>(static_cast<T*>(x) + shift, {n}), Op{}, into(out.data()), plan);
          gpu.wait();
          const S got = out.to_host()[0];
          if (want) {
            ASSERT_TRUE(same(got, S(result_of<Op, T>(Op{}, *want))))
                << n << " values, " << blocks << " resident, seed " << seed;
          } else if constexpr (has_empty<Op, S>) {
            ASSERT_TRUE(same(got, empty_state<S>(Op{})));
          }
        }
    }
  }
  unsigned seed = 0;
  device gpu;
};

TYPED_TEST_SUITE_P(grid_classic);
TYPED_TEST_P(grid_classic, two_kernels) {
  this->sweep([](const auto&... a) { classic::reduce_two_kernels(a...); }, {1, 0});
  this->gpu.overlap();
  this->sweep([](const auto&... a) { classic::reduce_two_kernels(a...); }, {0});
}
TYPED_TEST_P(grid_classic, last_block) {
  this->sweep([](const auto&... a) { classic::reduce_last_block(a...); }, {1, 0});
}
TYPED_TEST_P(grid_classic, cooperative) {
  this->sweep([](const auto&... a) { classic::reduce_cooperative(a...); }, {1, 6});
}
TYPED_TEST_P(grid_classic, cluster) {
  this->sweep([](const auto&... a) { classic::reduce_cluster(a...); }, {0});
  this->sweep([](const auto&... a) { classic::reduce_cluster<2>(a...); }, {0});
}
REGISTER_TYPED_TEST_SUITE_P(grid_classic, two_kernels, last_block, cooperative, cluster);

#if defined(__CUDACC__)
using pairs = testing::Types<over<std::int16_t, plus>, over<twelve, tangle>>;
#else
using pairs = testing::Types<over<float, plus>, over<std::int16_t, plus>, over<twelve, tangle>,
                             over<words<5>, tangle>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(pairs, grid_classic, pairs);

}  // namespace rung::tests
