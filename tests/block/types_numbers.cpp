// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of 4 and 8 bytes.
#include "block/every_state.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using numbers = testing::Types<over<int, plus>, over<std::int64_t, plus>, over<double, plus>,
                               over<float, minimum>, over<complex<float>, multiplies>>;
#else
using numbers = testing::Types<over<int, plus>, over<double, plus>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(numbers, block_sweep, numbers);
}  // namespace rung::tests
