// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States of 8 to 64 bytes, and 64-bit integers, which the warp's instructions take in parts.
#include "warp/sweep.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using large_pairs =
    testing::Types<over<std::int64_t, plus>, over<std::int64_t, minimum>,
                   over<std::uint64_t, maximum>, over<std::int64_t, bit_or>,
                   over<indexed<float>, arg_min>, over<words<6>, tangle>, over<words<16>, tangle>>;
#else
using large_pairs = testing::Types<over<std::int64_t, plus>, over<indexed<float>, arg_min>,
                                   over<words<16>, tangle>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(large, warp_sweep, large_pairs);
}  // namespace rung::tests
