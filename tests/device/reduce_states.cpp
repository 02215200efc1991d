// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce on the device rung: states of all sizes, operators that show any change of order.
#include "device/reduce_sweep.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using states = testing::Types<over<twelve, tangle>, over<bytes<1>, tangle>, over<bytes<3>, tangle>,
                              over<words<2>, tangle>, over<words<4>, tangle>,
                              over<words<16>, tangle>, over<affine_map<float>, affine>,
                              over<complex<double>, plus>, over<double, moments>>;
#else
using states = testing::Types<over<twelve, tangle>, over<bytes<3>, tangle>, over<words<5>, tangle>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(states, device_reduce, states);
}  // namespace rung::tests
