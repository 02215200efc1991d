// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Grids for the sweep of teams. All launches of a test, of any size, use one memory.
#pragma once
#include "cluster/sweep.hpp"
#include "rung/grid/reduce.cuh"
#include "rung/grid/scan.cuh"

namespace rung::tests {

/// Blocks of any shape; with Positions also ragged ones.
template <class S, int Positions>
struct any_grid {
  using scratch_type = grid_scratch<S, Positions>;
  using memory = grid_memory<S>;
  static RUNG_DEVICE auto find(const memory& m) { return this_grid(scratch<scratch_type>(), m); }
  static RUNG_DEVICE int number() { return 0; }
  launch_options options(int) const { return {.cooperative = true}; }
  memory arguments() const { return {words->data(), most}; }

  const gpu_array<grid_word>* words = nullptr;
  unsigned most = 0;
};
/// Blocks that know their shape.
template <class S, int Positions, int X, int Y = 1, int Z = 1>
struct known_grid : any_grid<S, Positions> {
  static RUNG_DEVICE auto find(const grid_memory<S>& m) {
    return grid_of<X, Y, Z>(scratch<grid_scratch<S, Positions>>(), m);
  }
};

template <class Pair>
class grid_sweep : public testing::Test {
 protected:
  using S = typename Pair::state;
  using Op = typename Pair::op;
  static constexpr unsigned most = 40;
  unsigned seed = 0;
  gpu_array<grid_word> words{std::vector<grid_word>(grid_memory<S>::size(most))};

  template <class Grid, int K>
  void grids(std::initializer_list<int> sizes, dims shape) {
    if (this->HasFatalFailure()) return;
    Grid grid;
    grid.words = &words;
    grid.most = most;
    sweep_teams<Grid, K, S, Op>(grid, 1, sizes, shape, seed);
  }
};

}  // namespace rung::tests
