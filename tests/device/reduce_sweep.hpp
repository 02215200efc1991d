// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The sweep of the device rung's reduce for one type and operator: every kernel, sizes around all
// edges, aligned and not, backwards, with and without init, against fold. The test programs choose
// the types.
#pragma once
#include <algorithm>

#include "rung/device/reduce.cuh"
#include "warp/values.hpp"

namespace rung::tests {

using reduce_kernel = tune::reduce_plan::kernel;

/// The operator of a state, on values that are states already.
template <class T, class Op>
struct device_sweep_of {
  using S = state_t<Op, T>;
  Op op{};

  /// reduce of x[shift ..], through one kernel.
  void once(const list<T>& all, std::size_t shift, std::size_t n, const tune::reduce_plan& plan,
            std::optional<S> init, bool count_on_device, bool back, unsigned seed) {
    const std::string what = "n = " + std::to_string(n) + ", shift " + std::to_string(shift) +
                             ", kernel " + std::to_string(int(plan.which)) + ", warps " +
                             std::to_string(plan.warps) + ", log groups " +
                             std::to_string(plan.log_groups) + (init ? ", init" : "") +
                             (count_on_device ? ", counted" : "") + (back ? ", backwards" : "") +
                             ", seed " + std::to_string(seed);
    const std::span<const T> x(all.data() + shift, n);
    list<T> brought(all.begin(), all.begin() + std::ptrdiff_t(shift + n));
    if (back) std::reverse(brought.begin() + std::ptrdiff_t(shift), brought.end());
    const device_values<T> on_gpu(brought);
    const std::size_t spare = count_on_device ? n / 3 : 0;  // the most that the count may say
    const view<const T> array(static_cast<T*>(on_gpu) + shift, {std::int64_t(n)});
    const auto source = detail::device_source(back ? array.reversed(0) : array);
    const gpu_array<std::int64_t> count(std::vector<std::int64_t>{std::int64_t(n - spare)});
    const auto want = fold(op, x.first(n - spare), init);
    const gpu_array<S> out(std::vector<S>{S{}});
    reseed(seed);
    for (int again = 0; again < 2; ++again) {  // the workspace as the last call left it
      const auto go = [&](const auto& values) {
        const detail::state_into<S> into_out{out.data()};
        if (init)
          detail::launch_reduce(where, values, op, detail::start_value<S>{*init}, into_out, plan);
        else detail::launch_reduce(where, values, op, detail::no_start<S>{}, into_out, plan);
      };
      if (count_on_device) go(detail::with_count(source, count));
      else go(source);
      const auto got = out.to_host();
      if (want) {
        ASSERT_TRUE(same(got[0], *want)) << what;
      } else if constexpr (has_empty<Op, S>) {
        ASSERT_TRUE(same(got[0], empty_state<S>(op))) << what;
      }
    }
  }

  void all_kernels(unsigned seed, bool special) {
    constexpr std::size_t row = warp_size * detail::common_pack<T>();
    tests::source from(seed);
    from.special = special;  // infinities and NaN: what blocks do not hold for
    const std::size_t most = 2 * row * 8 * 4 * 2 + 7 * row + 100;
    const auto x = from.many<T>(most);
    const S init = lift(op, from.next<T>(), 0);
    const auto each = [&](const tune::reduce_plan& plan, std::vector<std::size_t> sizes) {
      for (const std::size_t n : sizes) {
        if (n + 1 > most) continue;
        const bool odd = ++seed % 2 != 0;
        ASSERT_NO_FATAL_FAILURE(
            once(x, seed % 3 == 0, n, plan, odd ? std::optional<S>(init) : std::nullopt,
                 plan.which != reduce_kernel::one_block && seed % 4 == 1, seed % 5 < 2, seed));
      }
    };
    for (const std::size_t n : {0ul, 1ul, 2ul, 3ul, row - 1, row, row + 1, 2 * row, 3 * row + 5,
                                7 * row + row / 2, 7 * row + 33, 31 * row + 5, 32 * row})
      for (const std::size_t packs : {1, 4, 8})
        each(
            {reduce_kernel::one_block, n < row ? 1 : int((n + packs * row - 1) / (packs * row)), 0},
            {n});
    each({reduce_kernel::one_block, 8, 0}, {61 * row + 9, 64 * row});
    const std::size_t tile_of_2 = 2 * 4 * row;
    each({reduce_kernel::few_tiles, 2, 0},
         {0, 1, row + 3, tile_of_2 - 1, tile_of_2, tile_of_2 + 1, 2 * tile_of_2,
          3 * tile_of_2 + 3 * row + 17, 5 * tile_of_2 - 2});
    const std::size_t long_of_2 = 2 * 8 * row;
    each({reduce_kernel::tiles, 2, 1},
         {0, 5, long_of_2, 2 * long_of_2, 3 * long_of_2 + 9 * row + 3, 2 * long_of_2 - 1});
    each({reduce_kernel::tiles, 1, 2}, {4 * 8 * row + 3 * 8 * row + 11, 8 * 8 * row});
  }
  device where;
};

template <class Pair>
class device_reduce : public testing::Test {};
TYPED_TEST_SUITE_P(device_reduce);
TYPED_TEST_P(device_reduce, every_kernel_gives_the_fold) {
  device_sweep_of<typename TypeParam::state, typename TypeParam::op> sweep;
  for (unsigned seed = 1; seed <= 2; ++seed) {
    sweep.all_kernels(1000 * seed, seed == 1);
    if (this->HasFatalFailure()) return;
  }
}
REGISTER_TYPED_TEST_SUITE_P(device_reduce, every_kernel_gives_the_fold);

}  // namespace rung::tests
