// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans on the device rung: states of all sizes, operators that show any change of order.
#include "device/scan_sweep.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using scan_states =
    testing::Types<over<twelve, tangle>, over<bytes<3>, tangle>, over<words<4>, tangle>,
                   over<words<16>, tangle>, over<affine_map<float>, affine>>;
#else
using scan_states = testing::Types<over<twelve, tangle>, over<bytes<3>, tangle>,
                                   over<words<5>, tangle>, over<affine_map<float>, affine>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(states, device_scan, scan_states);
}  // namespace rung::tests
