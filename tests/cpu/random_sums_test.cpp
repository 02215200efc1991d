// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Random reductions and scans with plus over types of every size, against fold.
#include <complex>

#include "cpu/random_call.hpp"

namespace rung::test {
namespace {

TEST(RandomSums, OfSmallIntegers) { sweep<std::int8_t>(plus{}, 60); }
TEST(RandomSums, OfBools) { sweep<bool, false>(plus{}, 30); }
TEST(RandomSums, OfHalves) { sweep<f16>(plus{}, 60); }
TEST(RandomSums, OfFloats) { sweep<float>(plus{}, 120); }
TEST(RandomSums, OfStandardComplexNumbers) { sweep<std::complex<float>>(plus{}, 60); }
TEST(RandomSums, OfFloatsInPlace) {
  generator rng(2);
  for (int i = 0; i < 60; i++) ASSERT_NO_FATAL_FAILURE(check_in_place<float>(rng, plus{}));
}

}  // namespace
}  // namespace rung::test
