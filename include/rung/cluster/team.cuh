// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks that fold their values together, as the cluster and the grid do. Positions (block, thread,
// item) are cut into cells of 2^c positions, as many as fit into a block. Where a block is one cell
// (threads times items is a power of two) it hands the others its tree; otherwise ragged.cuh makes
// the cells that end in it. Everyone folds the cells before its own, redundantly. What is left
// after the last whole cell is folded by the block where the values end, which then tells the
// total. Cost: one exchange; one more for ragged blocks; one more for a total that ends in a cell.
#pragma once
#include "../block/scan.cuh"
#include "ragged.cuh"

namespace rung {

/// Blocks that fold together, as the verbs take them: cluster_group, grid_group.
template <class T>
concept block_team = requires {
  typename T::team_scratch;
};

namespace detail {

/// What a team is made of. Whole: every position has a value; otherwise the first n of them have.
template <class Shape, class Scratch, bool Whole>
struct team_of_blocks {
  using team_scratch = Scratch;
  using shape = Shape;
  using state = typename Scratch::state;
  static constexpr bool whole = Whole;
  static constexpr int known_threads = Shape::known_threads;
  Scratch& scratch;
  int n;

  RUNG_DEVICE auto block() const { return block_group<Shape, block_scratch<state>>(scratch.block); }
};

template <int K, class Team>
RUNG_DEVICE team_share share_of(const Team& team) {
  team_share at;
  at.room = team.block().threads() * K;
  at.levels = highest_bit(unsigned(at.room));
  at.begin = team.rank() * at.room;
  at.all = Team::whole ? team.blocks() * at.room : team.n;
  const int left = at.all - at.begin;
  at.count = left < 0 ? 0 : left < at.room ? left : at.room;
  return at;
}

/// A block that is one cell.
template <class Team, class S, int K>
struct aligned_part {
  const Team& team;
  const team_share& at;
  S (&x)[K];

  /// The block, as the block rung takes it.
  RUNG_DEVICE auto mine() const {
    if constexpr (Team::whole && Team::known_threads > 0) return team.block();
    else return team.block().first(at.count);
  }
  /// Hands the others the tree. Of a block that lacks values anything will do: nobody folds it.
  template <class Round, class Op>
  RUNG_DEVICE void give(Round& round, const Op& op) const {
    S tree = x[0];
    const bool folds = Team::whole || at.is_full();
    if (folds) tree = reduce(mine(), x, op);
    round.open(folds && team.block().threads() > warp_size);  // a warp folds without a barrier
    round.give_cell(at.first_cell(), tree);
  }
  /// The fold of the block's values, less than a cell of them, after `start`.
  template <class Op>
  RUNG_DEVICE S rest_after(const before<S>& start, const Op& op) const {
    return reduce_after(team.block().first(at.count), x, op, start);
  }
  template <entries E, class Round, class Op>
  RUNG_DEVICE void scan(Round& round, const before<S>& start, const Op& op) const {
    // The entry where a cell ends is a fold of whole cells, and they pair up.
    constexpr bool ends = E == entries::inclusive && !any_order<Op, S>;
    before<S> left = start, through = start;
    for (int i = ends; i >= 0; --i) {
      through = left;
      left = round.fold_cells(at.full_cells_of(i), op, start);
    }
    if (!left.some) left = nothing(op, x[0]);
    if constexpr (E == entries::inclusive) inclusive_scan(mine(), x, op, left);
    else exclusive_scan(mine(), x, op, left);
    if constexpr (ends) {
      const auto block = team.block();
      if (at.is_full() && block.rank() == block.threads() - 1) x[K - 1] = through.state;
    }
  }
};

/// f of the part that this block takes in the work.
template <class Team, class S, int K, class F>
RUNG_DEVICE auto by_part(const Team& team, const team_share& at, S (&x)[K], F&& f) {
  static_assert(K <= 32, "rung: a thread brings at most 32 values at a time");
  static_assert(std::is_same_v<typename Team::state, S>,
                "rung: the scratch is for another type than the values: cluster_scratch<S> and "
                "grid_scratch<S> take the type of the states");
  constexpr int threads = Team::known_threads;
  constexpr int positions = Team::team_scratch::positions;
  const aligned_part<Team, S, K> aligned{team, at, x};
  if constexpr (threads > 0 && is_power_of_two(threads * K)) {
    return f(aligned);
  } else if constexpr (positions == 0) {
    static_assert(threads == 0 && is_power_of_two(K),
                  "rung: threads times values per thread is no power of two: give the scratch that "
                  "number, cluster_scratch<S, threads * values> or grid_scratch<S, ...>");
    if (!is_power_of_two(std::size_t(at.room)))
      give_up("threads times values per thread is no power of two: give the scratch that number");
    return f(aligned);
  } else {
    static_assert(threads * K <= positions,
                  "rung: the scratch has fewer positions than the block has values");
    if constexpr (threads == 0) {
      if (is_power_of_two(std::size_t(at.room))) {
        if constexpr (is_power_of_two(K)) return f(aligned);
      }
      if (at.room > positions) give_up("the scratch has fewer positions than the block has values");
    }
    return f(ragged_part<Team, S, K>{team, at, x});
  }
}

/// The fold of all values of the team, after `start`, for all.
template <class Round, class Part, class S, class Op>
RUNG_DEVICE S total_of_team(Round& round, const Part& part, const before<S>& start, const Op& op) {
  const team_share& at = part.at;
  const bool ends_here = at.count > 0 && at.begin + at.count == at.all;
  before<S> all{part.x[0], false};
  if (at.rest() == 0 || ends_here) all = round.fold_cells(at.full_cells(), op, start);
  if (at.rest() == 0) return all.some ? all.state : result_of_nothing(op, all.state);
  if (ends_here) all.state = part.rest_after(all, op);
  return round.total(ends_here, all.state);
}

template <class Team, class S, int K, class Op>
RUNG_DEVICE S reduce_team(const Team& team, const S (&x)[K], const Op& op) {
  check_states<Op, S>();
  const auto at = share_of<K>(team);
  S y[K];
  RUNG_UNROLL
  for (int j = 0; j < K; ++j) y[j] = x[j];
  return by_part(team, at, y, [&](const auto& part) {
    auto round = team.round(at);
    part.give(round, op);
    round.share_cells();
    const S all = total_of_team(round, part, before<S>{x[0], false}, op);
    round.close();
    return all;
  });
}

template <entries E, class Team, class S, int K, class Op, class... More>
RUNG_DEVICE void scan_team(const Team& team, S (&x)[K], const Op& op, const More&... more) {
  check_states<Op, S>();
  constexpr bool init = has_init<More...>;
  const auto at = share_of<K>(team);
  before<S> start{x[0], false};
  if constexpr (init) start = start_of<S>(op, x[0], more...);
  by_part(team, at, x, [&](const auto& part) {
    auto round = team.round(at);
    part.give(round, op);
    round.share_cells();
    if constexpr (has_total<More...>) put_total(total_of_team(round, part, start, op), more...);
    part.template scan<E>(round, start, op);
    block_barrier();  // the next call may use the scratch at once
    round.close();
  });
  if constexpr (E == entries::exclusive && !init)
    if (at.begin + team.block().rank() == 0 && at.count > 0) x[0] = first_entry<S>(op);
}

}  // namespace detail
}  // namespace rung
