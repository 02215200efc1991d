// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans on the device rung: sums and extremes of numbers.
#include "device/scan_sweep.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using scan_numbers = testing::Types<over<float, plus>, over<double, plus>, over<f16, plus>,
                                    over<std::int8_t, plus>, over<float, arg_max>>;
#else
using scan_numbers =
    testing::Types<over<float, plus>, over<std::int16_t, plus>, over<float, arg_max>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(numbers, device_scan, scan_numbers);
}  // namespace rung::tests
