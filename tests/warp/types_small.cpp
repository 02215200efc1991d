// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States of 1, 2, 3 and 4 bytes.
#include "warp/sweep.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using small_pairs =
    testing::Types<over<std::int8_t, plus>, over<std::uint8_t, minimum>, over<bool, any>,
                   over<bool, all>, over<f16, tangle>, over<bf16, tangle>, over<bytes<1>, tangle>,
                   over<bytes<3>, tangle>, over<std::uint32_t, tangle>, over<int, bit_xor>,
                   over<unsigned, bit_and>, over<int, maximum>>;
#else
using small_pairs = testing::Types<over<std::int8_t, plus>, over<bool, any>, over<bytes<3>, tangle>,
                                   over<std::uint32_t, tangle>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(small, warp_sweep, small_pairs);
}  // namespace rung::tests
