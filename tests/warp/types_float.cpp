// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Floating-point states: sums, products, extremes, complex numbers, linear recurrences, moments.
#include "warp/sweep.hpp"

namespace rung::tests {
#if defined(__CUDACC__)
using float_pairs =
    testing::Types<over<double, plus>, over<float, multiplies>, over<float, minimum>,
                   over<float, maximum_number>, over<double, maximum>, over<double, minimum_number>,
                   over<complex<float>, plus>, over<complex<float>, multiplies>,
                   over<affine_map<float>, affine>, over<affine_map<double>, affine>,
                   over<moments_state<double>, moments>>;
#else
using float_pairs =
    testing::Types<over<double, plus>, over<float, minimum>, over<complex<float>, multiplies>,
                   over<affine_map<float>, affine>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(floats, warp_sweep, float_pairs);
}  // namespace rung::tests
