// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States of 1 to 64 bytes through a grid, aligned and ragged.
#include "grid/grids.hpp"

namespace rung::tests {

TYPED_TEST_SUITE_P(grid_sweep);

TYPED_TEST_P(grid_sweep, every_state) {
  using S = typename TypeParam::state;
  this->template grids<known_grid<S, 0, 64>, 2>({1, 5}, 64);
  this->template grids<known_grid<S, 33, 11>, 3>({4}, 11);
}
REGISTER_TYPED_TEST_SUITE_P(grid_sweep, every_state);

#if defined(__CUDACC__)
using largest = words<6>;  // nvcc takes minutes for more
#else
using largest = words<16>;
#endif
using states =
    testing::Types<over<bytes<3>, tangle>, over<std::uint32_t, tangle>, over<int, plus>,
                   over<double, plus>, over<affine_map<float>, affine>, over<largest, tangle>>;
INSTANTIATE_TYPED_TEST_SUITE_P(types, grid_sweep, states);

}  // namespace rung::tests
