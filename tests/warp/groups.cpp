// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Every kind of lane group, for a few operators.
#define RUNG_TEST_ALL_GROUPS 1
#include "warp/sweep.hpp"

namespace rung::tests {
using pairs = testing::Types<over<float, plus>, over<int, plus>, over<twelve, tangle>>;
INSTANTIATE_TYPED_TEST_SUITE_P(groups, warp_sweep, pairs);
}  // namespace rung::tests
