// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Grids of blocks that are one cell and that are not; more blocks than a block's threads wait for
// at once.
#include "grid/grids.hpp"

namespace rung::tests {

TYPED_TEST_SUITE_P(grid_sweep);

TYPED_TEST_P(grid_sweep, aligned_blocks) {
  using S = typename TypeParam::state;
  this->template grids<known_grid<S, 0, 32>, 2>({1, 2, 3, 7}, 32);
  this->template grids<known_grid<S, 0, 2, 1>, 1>({40}, 2);
}
TYPED_TEST_P(grid_sweep, ragged_blocks) {
  using S = typename TypeParam::state;
  this->template grids<known_grid<S, 144, 48>, 3>({1, 2, 3, 5}, 48);
}
TYPED_TEST_P(grid_sweep, blocks_of_run_time_shape) {
  using S = typename TypeParam::state;
  using any = any_grid<S, 105>;
  for (const dims shape : {dims(1), dims(2), dims(3), dims(33), dims(64), dims(7, 5, 3)})
    this->template grids<any, 1>({1, 4}, shape);
  this->template grids<any, 1>({39}, 3);
}
REGISTER_TYPED_TEST_SUITE_P(grid_sweep, aligned_blocks, ragged_blocks, blocks_of_run_time_shape);

using pairs = testing::Types<over<float, plus>, over<twelve, tangle>>;
INSTANTIATE_TYPED_TEST_SUITE_P(shapes, grid_sweep, pairs);

}  // namespace rung::tests
