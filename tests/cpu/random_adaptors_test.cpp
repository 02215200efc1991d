// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Random reductions and scans with states that are structs: means, moments, norms (of types that
// they are not held in too), and operators made from others.
#include "cpu/random_call.hpp"

namespace rung::test {
namespace {

f16 often_missing(generator& rng, specials) {
  return f16(one_in(rng, 3) ? quiet_nan<float> : random_value<float>(rng));
}

TEST(RandomAdaptors, Mean) { sweep<std::int32_t, false>(mean{}, 40); }
TEST(RandomAdaptors, Moments) { sweep<float, false>(moments{}, 50); }
TEST(RandomAdaptors, Norm) { sweep<double>(norm{}, 50); }
TEST(RandomAdaptors, NormOfHalves) { sweep<f16, false>(norm{}, 30); }
TEST(RandomAdaptors, MomentsOfHalves) { sweep<bf16, false>(moments{}, 30); }
TEST(RandomAdaptors, LogSumExpOfIntegers) { sweep<std::int16_t, false>(log_sum_exp{}, 30); }
TEST(RandomAdaptors, SkipNan) { sweep<f16>(skip_nan{plus{}}, 50, often_missing); }
TEST(RandomAdaptors, AccumulateIn) { sweep<float, false>(accumulate_in<double>(plus{}), 40); }
TEST(RandomAdaptors, Fuse) {
  const float limit = 0.25f;
  sweep<float, false>(fuse(plus{}, count_if{[limit](float x) { return x > limit; }}, arg_min{}),
                      50);
}
TEST(RandomAdaptors, UserOperatorWithIdentity) {
  sweep<std::int16_t>(make_operator([](std::int64_t l, std::int64_t r) { return l ^ r; },
                                    identity_is{std::int64_t(0)}, exact_in_any_order{}),
                      50);
}

}  // namespace
}  // namespace rung::test
