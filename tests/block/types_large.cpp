// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States of 24 and 64 bytes.
#include "block/every_state.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using large = testing::Types<over<words<6>, tangle>, over<words<16>, tangle>>;
#else
using large = testing::Types<over<words<16>, tangle>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(large, block_sweep, large);
}  // namespace rung::tests
