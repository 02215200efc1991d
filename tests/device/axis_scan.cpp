// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans along an axis on the device rung: shapes that take each way through the kernels, and random
// ones with any strides, in place too, against fold.
#include "rung/device/axis_scan.cuh"
#include "device/axis_cases.hpp"

namespace rung::tests {
namespace {

template <class T, class Op>
struct scan_check {
  using S = state_t<Op, T>;
  using R = result_t<Op, T>;
  const device& gpu;
  tune::axis_limits limits;
  unsigned seed;
  Op op{};

  void operator()(const test::placement& place, int axis, bool exclusive, bool has_init) const {
    tests::source from(seed);
    from.special = seed % 5 == 0;
    const placed_array<T> x(place, from);
    const S init = lift(op, from.next<T>(), 0);
    test::generator rng(seed);
    const bool in_place = std::is_same_v<T, R> && seed % 3 == 0;
    const auto to = in_place ? place : test::random_placement(rng, place.shape, false);
    const device_values<R> other(list<R>(std::size_t(to.size), R{}));
    R* memory = static_cast<R*>(other);
    if constexpr (std::is_same_v<T, R>)
      if (in_place) memory = static_cast<T*>(x.memory);
    const auto target = to.over<R>(memory);
    const std::string what = "shape " + text_of(place.shape) + ", strides " +
                             text_of(place.strides) + ", output strides " + text_of(to.strides) +
                             ", axis " + std::to_string(axis) + ", seed " + std::to_string(seed) +
                             (exclusive ? ", exclusive" : "") + (has_init ? ", init" : "") +
                             (in_place ? ", in place" : "");
    reseed(seed);
    const auto go = [&](const auto& start) {
      if (exclusive) {
        if constexpr (has_empty<Op, S> || std::is_same_v<decltype(start), const S&>)
          detail::scan_axis<true>(gpu, x.on_gpu(), target, op, axis, start, limits);
      } else {
        detail::scan_axis<false>(gpu, x.on_gpu(), target, op, axis, start, limits);
      }
    };
    for (int again = 0; again < (in_place ? 1 : 2); ++again) {  // a second round of words
      if (has_init) go(init);
      else go(std::nullopt);
    }
    list<R> got = other.to_host();
    if constexpr (std::is_same_v<T, R>)
      if (in_place) got = x.memory.to_host();
    std::vector<bool> folded(place.shape.size());
    folded[std::size_t(axis)] = true;
    lengths index(folded.size());
    const std::int64_t lines = test::count(place.shape, folded, false);
    for (std::int64_t l = 0; l < lines; ++l) {
      test::set_index(index, place.shape, folded, false, l);
      const auto line = along(x, folded, index);
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (i > 40 && i % 151 != 0 && i + 9 < line.size() && ((i + 1) & i) > 1) continue;
        auto want = fold(op, std::span<const T>(line.data(), i + !exclusive),
                         has_init ? std::optional<S>(init) : std::nullopt);
        if constexpr (has_empty<Op, S>)
          if (!want) want = empty_state<S>(op);
        index[std::size_t(axis)] = std::int64_t(i);
        ASSERT_TRUE(same(got[std::size_t(to.at(index))], result_of<Op, T>(op, *want)))
            << "entry " << i << " of line " << l << " of " << what;
      }
      if (lines > 20 && l > 2) l += lines / 7;
    }
  }
};

template <class Pair>
class device_axis_scan : public testing::Test {};
TYPED_TEST_SUITE_P(device_axis_scan);

TYPED_TEST_P(device_axis_scan, every_kernel_gives_the_fold) {
  using T = typename TypeParam::state;
  using Op = typename TypeParam::op;
  constexpr bool empty = has_empty<Op, state_t<Op, T>>;
  const device gpu;
  const lengths shapes[] = {{3, 4},     {16, 36},    {40, 4},   {150, 8}, {9, 132},
                            {5, 256},   {3, 2500},   {2, 9000}, {300, 6}, {70, 12, 3},
                            {6, 32, 8}, {2, 37, 64}, {700, 3},  {260, 1}, {7, 100}};
  unsigned seed = 0;
  for (const auto& limits : small_limits)
    for (const lengths& shape : shapes)
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        ++seed;
        const bool init = seed % 4 == 0, exclusive = seed % 3 == 1 && (init || empty);
        ASSERT_NO_FATAL_FAILURE((scan_check<T, Op>{gpu, limits, seed}(dense(shape, seed % 5 == 0),
                                                                      int(axis), exclusive, init)));
      }
}
TYPED_TEST_P(device_axis_scan, any_strides_give_the_fold) {
  using T = typename TypeParam::state;
  using Op = typename TypeParam::op;
  constexpr bool empty = has_empty<Op, state_t<Op, T>>;
  const device gpu;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    test::generator rng(seed);
    lengths shape = test::random_shape(rng, 2000);
    if (shape.empty()) shape = {5};
    // In place no element may stand twice.
    const auto place = test::random_placement(rng, shape, seed % 3 != 0);
    const bool init = seed % 4 == 0, exclusive = test::one_in(rng, 2) && (init || empty);
    ASSERT_NO_FATAL_FAILURE((scan_check<T, Op>{gpu, small_limits[seed % 2], seed}(
        place, int(rng() % shape.size()), exclusive, init)));
  }
}
REGISTER_TYPED_TEST_SUITE_P(device_axis_scan, every_kernel_gives_the_fold,
                            any_strides_give_the_fold);

using pairs =
    testing::Types<over<float, plus>, over<twelve, tangle>, over<float, arg_max>, over<f16, plus>>;
INSTANTIATE_TYPED_TEST_SUITE_P(all, device_axis_scan, pairs);

}  // namespace
}  // namespace rung::tests
