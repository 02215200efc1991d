// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States that join several numbers.
#include "block/every_state.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using joined = testing::Types<over<affine_map<float>, affine>, over<affine_map<double>, affine>,
                              over<moments_state<double>, moments>>;
#else
using joined = testing::Types<over<affine_map<float>, affine>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(joined, block_sweep, joined);
}  // namespace rung::tests
