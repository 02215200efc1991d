// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Random reductions and scans where the sides of a join matter: products, affine maps, a 12-byte
// state of the user's own, log_sum_exp.
#include "cpu/random_call.hpp"

namespace rung::test {
namespace {

TEST(RandomProducts, OfUnsignedIntegers) {
  sweep<std::uint32_t>(multiplies{}, 60, random_factor<std::uint32_t>);
}
TEST(RandomProducts, OfDoubles) { sweep<double>(multiplies{}, 80, random_factor<double>); }
TEST(RandomProducts, OfComplexNumbers) {
  sweep<complex<double>>(multiplies{}, 60, random_factor<complex<double>>);
}
TEST(RandomProducts, OfAffineMaps) { sweep<affine_map<double>>(affine{}, 80); }
TEST(RandomProducts, OfAffineMapsInPlace) {
  generator rng(3);
  for (int i = 0; i < 40; i++)
    ASSERT_NO_FATAL_FAILURE(check_in_place<affine_map<double>>(rng, affine{}));
}

/// First, last and a checksum of how often sides were joined: any swap, loss or repeat shows.
struct seen {
  float first, last;
  std::uint32_t mix;
};
struct track {
  seen lift(float x, std::int64_t position) const {
    return {x, x, std::uint32_t(position) * 2654435761u + 1};
  }
  seen operator()(seen l, seen r) const {
    return {l.first, r.last, (l.mix * 2246822519u) ^ (r.mix + 374761393u)};
  }
};
TEST(RandomProducts, OfATwelveByteStateWithoutIdentity) {
  static_assert(sizeof(seen) == 12);
  generator rng(4);
  for (int i = 0; i < 60; i++) {
    const lengths shape = random_shape(rng, 20000);
    const placement p = random_placement(rng, shape, true);
    std::vector<float> memory(std::size_t(p.size));
    for (float& v : memory) v = float(std::uint32_t(rng() >> 40));
    const view<const float> what = p.over<const float>(memory.data());
    const auto at = [&](const lengths& index) { return memory[std::size_t(p.at(index))]; };
    const subject<float, view<const float>, decltype(at)> in{shape, what, at};
    ASSERT_NO_FATAL_FAILURE((check_reduce<false>(rng, track{}, in)));
  }
}

TEST(RandomProducts, OfExponentials) { sweep<bf16, false>(log_sum_exp{}, 50); }

}  // namespace
}  // namespace rung::test
