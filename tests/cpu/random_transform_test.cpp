// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Random reductions and scans of functions of one to three arrays, each of its own type and lying
// in memory in its own way.
#include "cpu/random_call.hpp"

namespace rung::test {
namespace {

template <class T>
struct array_somewhere {
  placement place;
  block<T> memory;

  array_somewhere(generator& rng, const lengths& shape)
      : place(random_placement(rng, shape, true)), memory(place.size) {
    fill_randomly(rng, memory, rarely(rng));
  }
  view<const T> all() const { return place.over<const T>(memory.data()); }
  T at(const lengths& index) const { return memory[place.at(index)]; }
};

template <class Op, class F, class... Ts>
void sweep_function(const Op& op, const F& f, int rounds) {
  generator rng(6);
  for (int round = 0; round < rounds; round++) {
    const lengths shape = random_shape(rng, one_in(rng, 8) ? 100000 : 6000);
    const std::tuple arrays(array_somewhere<Ts>(rng, shape)...);
    std::apply(
        [&](const auto&... array) {
          const auto what = transform(f, array.all()...);
          const auto at = [&](const lengths& index) { return f(array.at(index)...); };
          using T = decltype(at({}));
          const subject<T, std::remove_const_t<decltype(what)>, decltype(at)> in{shape, what, at};
          SCOPED_TRACE("round " + std::to_string(round) + " of shape " +
                       rung::detail::shape_text(shape));
          ASSERT_NO_FATAL_FAILURE((check_reduce<false>(rng, op, in)));
          ASSERT_NO_FATAL_FAILURE((check_scan<false>(rng, op, in)));
        },
        arrays);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(RandomTransform, SquaresOfOneArray) {
  const auto square = [](f16 x) { return float(x) * float(x); };
  sweep_function<plus, decltype(square), f16>({}, square, 50);
}
TEST(RandomTransform, ProductsOfTwoArrays) {
  const auto dot = [](float a, std::int16_t b) { return a * double(b); };
  sweep_function<plus, decltype(dot), float, std::int16_t>({}, dot, 50);
}
TEST(RandomTransform, AffineMapsFromThreeArrays) {
  const auto map = [](double a, float b, bool use) {
    return affine_map<double>{use ? 1 + a / 64 : 1.0, double(b)};
  };
  sweep_function<affine, decltype(map), double, float, bool>({}, map, 50);
}
TEST(RandomTransform, PlacesInAFunctionOfTwoArrays) {
  const auto distance = [](std::int32_t a, std::int8_t b) { return std::int64_t(a) - b; };
  sweep_function<arg_max, decltype(distance), std::int32_t, std::int8_t>({}, distance, 40);
}

}  // namespace
}  // namespace rung::test
