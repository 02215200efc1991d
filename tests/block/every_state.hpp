// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Every state, through a few shapes; the files types_*.cpp bring the states.
#pragma once
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

}  // namespace rung::tests
