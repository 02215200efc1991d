// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The blocks of a thread-block cluster (Hopper and later), and how they exchange states:
// this_cluster(scratch) takes blocks of any shape, cluster_of<256>(scratch) or
// cluster_of<16, 8, 2>(scratch) knows it at compile time, .first(n) of either says that only the
// first n values of the cluster count. Each block writes its state to the scratch of every block,
// through distributed shared memory; behind a barrier of the cluster all reads are local. So a
// block may leave the kernel after a call. One call may follow another; for other uses the scratch
// is free behind the next block_barrier().
#pragma once
#include "team.cuh"

namespace rung {

/// What the verbs exchange states of type S through. Positions: the values of a block, if their
/// number is no power of two.
template <class S, int Positions = 0>
struct cluster_scratch {
  using state = S;
  static constexpr int positions = Positions;
  block_scratch<S> block;
  shared<S[Positions == 0 ? 16 : 32]> cells;  ///< everybody's trees, in order
  shared<S> total;
  detail::ragged_places<S, Positions> ragged;
};

namespace detail {

/// One exchange. The next one may begin at once: nobody writes to a scratch before its whole block
/// has come to open().
template <class Scratch>
struct cluster_round {
  using S = typename Scratch::state;
  Scratch& scratch;
  int thread, threads;

  RUNG_DEVICE cluster_round(Scratch& s, int rank, int count)
      : scratch(s), thread(rank), threads(count) {
    cluster_arrive();
  }
  RUNG_DEVICE void open(bool) { cluster_wait(); }
  template <class F>
  RUNG_DEVICE void for_every_block(F&& f) {
    for (unsigned rank = thread; rank < cluster_blocks(); rank += threads) f(rank);
  }
  RUNG_DEVICE void give_tail(int k, const S& s) {
    remote(scratch.ragged.tails, cluster_rank() + 1)[k] = s;
  }
  RUNG_DEVICE void share_tails(unsigned) { cluster_barrier(); }
  /// All threads of the block bring the same.
  RUNG_DEVICE void give_cell(int i, const S& s) {
    for_every_block([&](unsigned rank) { remote(scratch.cells, rank)[i] = s; });
  }
  RUNG_DEVICE void share_cells() { cluster_barrier(); }
  /// The fold of the first n cells.
  template <class Op>
  RUNG_DEVICE before<S> fold_cells(int n, const Op& op, const before<S>& start) {
    constexpr int most = Scratch::positions == 0 ? 16 : 31;
    if (n == 0) return start;
    return {reduce_at_most<most>(this_thread, scratch.cells, n, op, start), true};
  }
  /// One block knows it; then all do.
  RUNG_DEVICE S total(bool known, const S& s) {
    if (known) for_every_block([&](unsigned rank) { remote(scratch.total, rank) = s; });
    cluster_barrier();
    return scratch.total;
  }
  RUNG_DEVICE void close() {}
};

}  // namespace detail

/// All threads of the cluster; every one of them makes the same calls.
template <class Shape, class Scratch, bool Whole = true>
struct cluster_group : detail::team_of_blocks<Shape, Scratch, Whole> {
  RUNG_DEVICE explicit cluster_group(Scratch& s, int values = 0)
      : detail::team_of_blocks<Shape, Scratch, Whole>{s, values} {}
  /// Only the first n values count, 0 to all of them.
  RUNG_DEVICE cluster_group<Shape, Scratch, false> first(int n) const {
    return cluster_group<Shape, Scratch, false>(this->scratch, n);
  }
  RUNG_DEVICE int blocks() const { return int(cluster_blocks()); }
  RUNG_DEVICE int rank() const { return int(cluster_rank()); }  ///< of the block
  RUNG_DEVICE auto round(const detail::team_share&) const {
    const auto block = this->block();
    return detail::cluster_round<Scratch>(this->scratch, block.rank(), block.threads());
  }
};

/// The calling cluster, its blocks of any shape.
template <class Scratch>
RUNG_DEVICE cluster_group<run_time_shape, Scratch> this_cluster(Scratch& scratch) {
  return cluster_group<run_time_shape, Scratch>(scratch);
}
/// The calling cluster, its blocks launched with this shape.
template <int X, int Y = 1, int Z = 1, class Scratch>
RUNG_DEVICE cluster_group<known_shape<X, Y, Z>, Scratch> cluster_of(Scratch& scratch) {
  return cluster_group<known_shape<X, Y, Z>, Scratch>(scratch);
}

}  // namespace rung
