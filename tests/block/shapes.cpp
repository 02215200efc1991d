// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Every block shape and number of values per thread, for a few operators.
#include "block/sweep.hpp"

namespace rung::tests {

TYPED_TEST_SUITE_P(block_sweep);

TYPED_TEST_P(block_sweep, one_value_per_thread) {
  this->template any_shape<1>(
      {1, 2, 31, 32, 33, 48, 64, 96, 100, 255, 256, {7, 5, 3}, {16, 16}, {1, 1, 33}});
  this->template any_shape<1>({1000, 1024});
}
TYPED_TEST_P(block_sweep, neighbours) {
  this->template any_shape<2>({1, 33, 48, 256, {7, 5, 3}});
  this->template any_shape<3>({1, 31, 64, 100, {5, 4, 3}});
  this->template any_shape<4>({2, 32, 96, 255});
  this->template any_shape<8>({1, 33, 100, 128});
}
TYPED_TEST_P(block_sweep, striped) {
  this->template any_shape<1, true>({33, 64});
  this->template any_shape<3, true>({31, 96});
  this->template any_shape<4, true>({1, 48, {7, 5, 3}});
  this->template any_shape<8, true>({128});
}
TYPED_TEST_P(block_sweep, known_shapes) {
  using S = typename TypeParam::state;
  this->template known<lean_block<S, 32>, 1>(32);
  this->template known<lean_block<S, 32>, 8>(32);
  this->template known<lean_block<S, 256>, 1>(256);
  this->template known<lean_block<S, 256>, 8>(256);
  this->template known<lean_block<S, 1024>, 1>(1024);
  this->template known<lean_block<S, 48>, 2>(48);
  this->template known<known_block<S, 3, 96>, 3>(96);
  this->template known<known_block<S, 4, 7, 5, 3>, 4, true>({7, 5, 3});
  this->template known<known_block<S, 4, 8, 4, 2>, 4, true>({8, 4, 2});
}
REGISTER_TYPED_TEST_SUITE_P(block_sweep, one_value_per_thread, neighbours, striped, known_shapes);

using pairs = testing::Types<over<float, plus>, over<twelve, tangle>>;
INSTANTIATE_TYPED_TEST_SUITE_P(shapes, block_sweep, pairs);

}  // namespace rung::tests
