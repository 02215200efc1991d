// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Every state, through a few shapes.
#include "block/sweep.hpp"

namespace rung::tests {

TYPED_TEST_SUITE_P(block_sweep);

TYPED_TEST_P(block_sweep, every_state) {
  using S = typename TypeParam::state;
  this->template any_shape<1>({33, 256, {7, 5, 3}});
  this->template any_shape<2>({48});
  this->template any_shape<3, true>({100});
  this->template known<lean_block<S, 128>, 4>(128);
}
REGISTER_TYPED_TEST_SUITE_P(block_sweep, every_state);

#if defined(__CUDACC__)
using small = testing::Types<over<std::int8_t, plus>, over<std::uint8_t, plus>, over<bool, any>,
                             over<f16, tangle>, over<bf16, tangle>, over<bytes<1>, tangle>,
                             over<bytes<3>, tangle>, over<std::uint32_t, tangle>>;
using large = testing::Types<over<int, plus>, over<std::int64_t, plus>, over<double, plus>,
                             over<float, minimum>, over<complex<float>, multiplies>,
                             over<affine_map<float>, affine>, over<affine_map<double>, affine>,
                             over<moments_state<double>, moments>, over<words<6>, tangle>,
                             over<words<16>, tangle>>;
#else
using small = testing::Types<over<bool, any>, over<bytes<3>, tangle>>;
using large = testing::Types<over<int, plus>, over<double, plus>, over<affine_map<float>, affine>,
                             over<words<16>, tangle>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(small, block_sweep, small);
INSTANTIATE_TYPED_TEST_SUITE_P(large, block_sweep, large);

}  // namespace rung::tests
