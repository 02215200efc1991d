// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters for the sweep of teams.
#pragma once
#include "cluster/sweep.hpp"

namespace rung::tests {

/// Blocks of any shape; with Positions also ragged ones.
template <class S, int Positions>
struct any_cluster {
  using scratch_type = cluster_scratch<S, Positions>;
  using memory = int;
  static RUNG_DEVICE auto find(int) { return this_cluster(scratch<scratch_type>()); }
  static RUNG_DEVICE int number() { return int(block_rank() / cluster_blocks()); }
  launch_options options(int blocks) const { return {.cluster = unsigned(blocks)}; }
  int arguments() const { return 0; }
};
/// Blocks that know their shape.
template <class S, int Positions, int X, int Y = 1, int Z = 1>
struct known_cluster : any_cluster<S, Positions> {
  static RUNG_DEVICE auto find(int) {
    return cluster_of<X, Y, Z>(scratch<cluster_scratch<S, Positions>>());
  }
};

template <class Pair>
class cluster_sweep : public testing::Test {
 protected:
  using S = typename Pair::state;
  using Op = typename Pair::op;
  unsigned seed = 0;

  template <class Cluster, int K>
  void clusters(std::initializer_list<int> sizes, dims shape, int in_a_launch = 1) {
    if (this->HasFatalFailure()) return;
    Cluster cluster;
    sweep_teams<Cluster, K, S, Op>(cluster, in_a_launch, sizes, shape, seed);
  }
};

}  // namespace rung::tests
