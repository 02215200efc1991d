// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States of 1 to 64 bytes through a cluster, aligned and ragged.
#include "cluster/clusters.hpp"

namespace rung::tests {

TYPED_TEST_SUITE_P(cluster_sweep);

TYPED_TEST_P(cluster_sweep, every_state) {
  using S = typename TypeParam::state;
  this->template clusters<known_cluster<S, 0, 64>, 2>({1, 5}, 64);
  this->template clusters<known_cluster<S, 33, 11>, 3>({4}, 11);
}
REGISTER_TYPED_TEST_SUITE_P(cluster_sweep, every_state);

#if defined(__CUDACC__)
using largest = words<6>;  // nvcc takes minutes for more
#else
using largest = words<16>;
#endif
using states =
    testing::Types<over<bytes<3>, tangle>, over<std::uint32_t, tangle>, over<int, plus>,
                   over<double, plus>, over<affine_map<float>, affine>, over<largest, tangle>>;
INSTANTIATE_TYPED_TEST_SUITE_P(types, cluster_sweep, states);

}  // namespace rung::tests
