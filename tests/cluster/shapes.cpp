// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Every number of blocks, and blocks that are one cell and that are not.
#include "cluster/clusters.hpp"

namespace rung::tests {

TYPED_TEST_SUITE_P(cluster_sweep);

TYPED_TEST_P(cluster_sweep, aligned_blocks) {
  using S = typename TypeParam::state;
  this->template clusters<known_cluster<S, 0, 64>, 2>({1, 2, 3, 7}, 64);
  this->template clusters<known_cluster<S, 0, 4, 2>, 1>({4, 16}, {4, 2}, 2);
}
TYPED_TEST_P(cluster_sweep, ragged_blocks) {
  using S = typename TypeParam::state;
  this->template clusters<known_cluster<S, 144, 48>, 3>({1, 2, 3, 5}, 48);
}
TYPED_TEST_P(cluster_sweep, blocks_of_run_time_shape) {
  using S = typename TypeParam::state;
  using any = any_cluster<S, 420>;
  for (const dims shape : {dims(1), dims(2), dims(3), dims(7), dims(33), dims(64), dims(7, 5, 3)})
    this->template clusters<any, 1>({1, 4}, shape);
  this->template clusters<any, 1>({16}, 7);
  this->template clusters<any, 4>({3}, {7, 5, 3});
}
REGISTER_TYPED_TEST_SUITE_P(cluster_sweep, aligned_blocks, ragged_blocks, blocks_of_run_time_shape);

using pairs = testing::Types<over<float, plus>, over<twelve, tangle>>;
INSTANTIATE_TYPED_TEST_SUITE_P(shapes, cluster_sweep, pairs);

}  // namespace rung::tests
