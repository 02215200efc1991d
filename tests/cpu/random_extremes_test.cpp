// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Random reductions and scans with operators that are exact in any order (their axes may be visited
// in another order) and with those that look at positions (theirs may not).
#include "cpu/random_call.hpp"

namespace rung::test {
namespace {

TEST(RandomExtremes, Minimum) { sweep<bf16>(minimum{}, 50); }
TEST(RandomExtremes, MaximumOfIntegers) { sweep<std::uint16_t>(maximum{}, 60); }
TEST(RandomExtremes, MaximumInPlace) {
  generator rng(5);
  for (int i = 0; i < 40; i++)
    ASSERT_NO_FATAL_FAILURE(check_in_place<std::uint16_t>(rng, maximum{}));
}
TEST(RandomExtremes, MinimumNumber) { sweep<double>(minimum_number{}, 60); }
TEST(RandomExtremes, PlaceOfTheMinimum) { sweep<std::int8_t, false>(arg_min{}, 60); }
TEST(RandomExtremes, PlaceOfTheMaximum) { sweep<float>(arg_max{}, 60); }
TEST(RandomExtremes, Both) { sweep<std::int32_t, false>(min_max{}, 50); }
TEST(RandomExtremes, AllOfBools) { sweep<std::uint8_t, false>(all{}, 40); }
TEST(RandomExtremes, Count) { sweep<f16, false>(count_nonzero{}, 40); }

}  // namespace
}  // namespace rung::test
