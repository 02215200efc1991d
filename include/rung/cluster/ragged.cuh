// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks whose values are no power of two, as parts of one order: their ends cut aligned blocks
// apart. A block puts its values into shared memory and folds, in place, every aligned block that
// lies within them, each at the place of its last position, where a left half stays for good. It
// hands its right neighbour the blocks that its last, open cell begins with (at most one of each
// size); the neighbour joins them with what it has, and both then know every aligned block that an
// entry is made of. Cost for cells of 2^c positions: c + 3 barriers, one exchange with the
// neighbour, up to c calls per entry.
#pragma once
#include "../block/scan.cuh"

namespace rung::detail {

/// Which of the team's positions are a block's.
struct team_share {
  int room;    // positions of a block
  int begin;   // the block's first
  int count;   // how many of the block's have values
  int all;     // how many of the team's have
  int levels;  // a cell has 2^levels positions; room has at least one and less than two
  /// Every position of the block has a value. Not count == room: after the two bounds of count
  /// ptxas 13.0 takes that for another comparison (VIMNMX.RELU with both predicates in one).
  RUNG_DEVICE bool is_full() const { return all - begin >= room; }
  RUNG_DEVICE int first_cell() const { return begin >> levels; }
  RUNG_DEVICE int full_cells() const { return all >> levels; }
  /// The cells before the block's cell number i, if they are full.
  RUNG_DEVICE int full_cells_of(int i) const {
    return first_cell() + i < full_cells() ? first_cell() + i : full_cells();
  }
  RUNG_DEVICE int rest() const { return all & ((1 << levels) - 1); }
};

/// Shared memory for ragged blocks; none if a block is one cell.
template <class S, int Positions>
struct ragged_places {
  shared<S[Positions]> values;
  shared<S[15]> tails;  ///< tails[k]: of the 2^k positions that end in the block before
};
template <class S>
struct ragged_places<S, 0> {};

template <class Team, class S, int K>
struct ragged_part {
  const Team& team;
  const team_share& at;
  S (&x)[K];

  RUNG_DEVICE int rank() const { return team.block().rank(); }
  RUNG_DEVICE int threads() const { return team.block().threads(); }
  RUNG_DEVICE auto& values() const { return team.scratch.ragged.values; }
  RUNG_DEVICE auto& tails() const { return team.scratch.ragged.tails; }
  /// The place of the last position of the block of 2^k that stands left of p, bit k of p set.
  RUNG_DEVICE int place_left_of(int p, int k) const { return (p >> k << k) - 1 - at.begin; }

  /// Every aligned block up to a cell, as far as this block's own values make it.
  template <class Op>
  RUNG_DEVICE void sweep_up(const Op& op) const {
    RUNG_UNROLL
    for (int j = 0; j < K; ++j)
      if (rank() * K + j < at.count) values()[rank() * K + j] = x[j];
    block_barrier();
    for (int k = 1; k <= at.levels; ++k) {
      const int first = ((at.begin + (1 << k) - 1) >> k << k) - at.begin;
      for (int i = rank();; i += threads()) {
        const int last = first + ((i + 1) << k) - 1;
        if (last >= at.count) break;
        values()[last] = op(S(values()[last - (1 << k) / 2]), S(values()[last]));
      }
      block_barrier();
    }
  }
  /// The blocks that begin left of me and end here: one of each size, each from the one before.
  template <class Op>
  RUNG_DEVICE void complete_head(const Op& op) const {
    int k = lowest_bit(unsigned(at.begin));
    int last = (1 << k) - 1;
    if (last >= at.count) return;
    S tree = values()[last];
    for (; k < at.levels; ++k) {
      if ((at.begin >> k & 1) != 0) {
        tree = op(S(tails()[k]), tree);
      } else {
        last += 1 << k;
        if (last >= at.count) return;
        tree = op(tree, S(values()[last]));
      }
      values()[last] = tree;
    }
  }

  template <class Round, class Op>
  RUNG_DEVICE void give(Round& round, const Op& op) const {
    const int cell = 1 << at.levels, end = at.begin + at.room;
    sweep_up(op);
    round.open(true);
    if (team.rank() + 1 < team.blocks() && at.is_full())
      for (int k = rank(); k < at.levels; k += threads())
        if ((end >> k & 1) != 0) round.give_tail(k, S(values()[place_left_of(end, k)]));
    const bool has_head = at.begin % cell != 0 && at.count > 0;
    round.share_tails(has_head ? unsigned(at.begin % cell) : 0u);
    if (has_head && rank() == 0) complete_head(op);
    block_barrier();
    for (int i = at.first_cell(); i < end >> at.levels; ++i) {
      const int last = ((i + 1) << at.levels) - 1 - at.begin;
      S tree = x[0];  // where values are missing: nobody folds it
      if (last < at.count) tree = values()[last];
      round.give_cell(i, tree);
    }
  }

  /// The fold of what stands left of position p in its cell, after `acc`.
  template <class Op>
  RUNG_DEVICE before<S> within_cell(int p, before<S> acc, const Op& op) const {
    for (int k = at.levels - 1; k >= 0; --k) {
      if ((p >> k & 1) == 0) continue;
      const int place = place_left_of(p, k);
      const S block = place >= 0 ? S(values()[place]) : S(tails()[k]);
      acc = {after(op, acc, block), true};
    }
    return acc;
  }
  template <class Op>
  RUNG_DEVICE S rest_after(const before<S>& start, const Op& op) const {
    return within_cell(at.all, start, op).state;
  }
  template <entries E, class Round, class Op>
  RUNG_DEVICE void scan(Round& round, const before<S>& start, const Op& op) const {
    before<S> left[3] = {start, start, start};  // of the cells that this block has positions in
    for (int i = 0; i < 3; ++i) left[i] = round.fold_cells(at.full_cells_of(i), op, start);
    RUNG_UNROLL
    for (int j = 0; j < K; ++j) {
      if (rank() * K + j >= at.count) break;
      const int p = at.begin + rank() * K + j + (E == entries::inclusive);
      const int cell = (p >> at.levels) - at.first_cell();
      x[j] = within_cell(p, cell == 0 ? left[0] : cell == 1 ? left[1] : left[2], op).state;
    }
  }
};

}  // namespace rung::detail
