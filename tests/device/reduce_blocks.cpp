// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce on the device rung: operators that have blocks (op/facts.hpp), on values that blocks hold
// for and on others.
#include "device/reduce_sweep.hpp"

namespace rung::tests {
using blocks = testing::Types<over<float, moments>, over<f16, moments>, over<float, log_sum_exp>,
                              over<float, fuse<plus, minimum, moments, arg_max>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(blocks, device_reduce, blocks);
}  // namespace rung::tests
