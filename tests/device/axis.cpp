// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce along axes on the device rung: shapes that take each way through the kernels, and random
// ones with any strides, against fold; what is refused.
#include "device/axis_cases.hpp"

namespace rung::tests {
namespace {

template <class T, class Op>
void check_reduce(const device& gpu, const test::placement& place, const std::vector<bool>& folded,
                  unsigned seed, const tune::axis_limits& limits, bool has_init) {
  using S = state_t<Op, T>;
  using R = result_t<Op, T>;
  const Op op{};
  tests::source from(seed);
  from.special = seed % 5 == 0;
  const placed_array<T> x(place, from);
  const S init = lift(op, from.next<T>(), 0);
  lengths kept;
  std::vector<std::int64_t> list_of_axes;
  for (std::size_t d = 0; d < folded.size(); ++d)
    if (folded[d]) list_of_axes.push_back(std::int64_t(d));
    else kept.push_back(place.shape[d]);
  const std::int64_t results = test::count(place.shape, folded, false);
  test::generator rng(seed);
  const auto to = test::random_placement(rng, kept, false);
  const device_values<R> out(list<R>(std::size_t(to.size), R{}));
  const auto target = to.over<R>(static_cast<R*>(out));
  const axes over{std::span<const std::int64_t>(list_of_axes)};
  const std::string what = "shape " + text_of(place.shape) + ", strides " + text_of(place.strides) +
                           ", axes " + text_of(list_of_axes) + ", seed " + std::to_string(seed) +
                           (has_init ? ", init" : "");
  reseed(seed);
  const auto go = [&](const auto& start) {
    detail::reduce_axes(gpu, x.on_gpu(), op, over, start, into(target), limits);
  };
  if (has_init) go(init);
  else go(std::nullopt);
  const auto got = out.to_host();
  lengths index(folded.size()), at(kept.size());
  for (std::int64_t r = 0; r < results; ++r) {
    test::set_index(index, place.shape, folded, false, r);
    test::set_index(at, kept, std::vector<bool>(kept.size()), false, r);
    const auto line = along(x, folded, index);
    auto want = fold(op, std::span<const T>(line.data(), line.size()),
                     has_init ? std::optional<S>(init) : std::nullopt);
    if constexpr (has_empty<Op, S>)
      if (!want) want = empty_state<S>(op);
    ASSERT_TRUE(same(got[std::size_t(to.at(at))], result_of<Op, T>(op, *want)))
        << "result " << r << " of " << what;
  }
}

template <class Pair>
class device_axis : public testing::Test {};
TYPED_TEST_SUITE_P(device_axis);

/// Shapes that are folded along each set of axes, in C order and transposed.
TYPED_TEST_P(device_axis, every_kernel_gives_the_fold) {
  using T = typename TypeParam::state;
  using Op = typename TypeParam::op;
  const device gpu;
  const lengths shapes[] = {{3, 4},     {16, 33},    {40, 4},      {150, 8}, {9, 132},
                            {5, 256},   {3, 2500},   {2, 5000},    {300, 6}, {70, 12, 3},
                            {6, 32, 8}, {2, 37, 64}, {4, 3, 8, 2}, {260, 1}, {3000, 4},
                            {7, 100},   {1, 4097}};
  unsigned seed = 0;
  for (const auto& limits : small_limits)
    for (const lengths& shape : shapes)
      for (unsigned set = 1; set < 1u << shape.size(); ++set) {
        std::vector<bool> folded;
        for (std::size_t d = 0; d < shape.size(); ++d) folded.push_back((set >> d & 1) != 0);
        ++seed;
        ASSERT_NO_FATAL_FAILURE((check_reduce<T, Op>(gpu, dense(shape, seed % 3 == 0), folded, seed,
                                                     limits, seed % 4 == 0)));
      }
}
/// Where joins are slow, parts of several groups per warp, then of one, then what is left.
TEST(device_axis_parts, of_slow_joins) {
  const device gpu;
  for (const std::int64_t n : {16384, 20000})
    ASSERT_NO_FATAL_FAILURE((check_reduce<float, moments>(gpu, dense({3, n}), {false, true}, 5,
                                                          small_limits[1], false)));
}
/// Where folding takes long, a warp asks for more rows before it folds some; whole rows, and rows
/// that leave lanes without values; the second seed has values that are not finite.
TEST(device_axis_parts, of_many_short_rows) {
  const device gpu;
  for (const unsigned seed : {3, 5})
    for (const lengths& shape : {lengths{70, 1024}, lengths{150, 512}, lengths{1030, 64},
                                 lengths{4100, 8}, lengths{520, 96}}) {
      ASSERT_NO_FATAL_FAILURE((check_reduce<float, moments>(gpu, dense(shape), {false, true}, seed,
                                                            small_limits[1], false)));
      ASSERT_NO_FATAL_FAILURE((check_reduce<float, arg_max>(gpu, dense(shape), {false, true}, seed,
                                                            small_limits[1], true)));
    }
}
TYPED_TEST_P(device_axis, any_strides_give_the_fold) {
  using T = typename TypeParam::state;
  using Op = typename TypeParam::op;
  const device gpu;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    test::generator rng(seed);
    const lengths shape = test::random_shape(rng, 3000);
    const auto place = test::random_placement(rng, shape, true);
    std::vector<bool> folded;
    for (std::size_t d = 0; d < shape.size(); ++d) folded.push_back(test::one_in(rng, 2));
    using S = state_t<Op, T>;
    const bool none = test::count(shape, folded, true) == 0;
    const bool needs_init = none && (!has_empty<Op, S> || host::is_extreme<Op>);
    ASSERT_NO_FATAL_FAILURE((check_reduce<T, Op>(gpu, place, folded, seed, small_limits[seed % 2],
                                                 needs_init || seed % 3 == 0)));
  }
}
REGISTER_TYPED_TEST_SUITE_P(device_axis, every_kernel_gives_the_fold, any_strides_give_the_fold);

using pairs = testing::Types<over<float, plus>, over<twelve, tangle>, over<float, arg_max>,
                             over<f16, plus>, over<float, variance>>;
INSTANTIATE_TYPED_TEST_SUITE_P(all, device_axis, pairs);

}  // namespace
}  // namespace rung::tests
