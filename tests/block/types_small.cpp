// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States of 1, 2, 3 and 4 bytes.
#include "block/every_state.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using small = testing::Types<over<std::int8_t, plus>, over<std::uint8_t, plus>, over<bool, any>,
                             over<f16, tangle>, over<bf16, tangle>, over<bytes<1>, tangle>,
                             over<bytes<3>, tangle>, over<std::uint32_t, tangle>>;
#else
using small = testing::Types<over<bool, any>, over<bytes<3>, tangle>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(small, block_sweep, small);
}  // namespace rung::tests
