// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// All blocks of a grid inside one kernel, and how they exchange states: this_grid(scratch, memory)
// takes blocks of any shape, grid_of<256>(scratch, memory) knows it at compile time, .first(n) of
// either says that only the first n values of the grid count. Each block posts its state as stamped
// words in global memory, and waits for everybody's: one hop, and no barrier of the grid. All
// blocks have to run at the same time: launch_options::cooperative promises that, or the launch
// fails; without it a block that waits for one that never starts waits forever.
#pragma once
#include "../cluster/team.cuh"
#include "stamped.cuh"

namespace rung {

/// What the threads of a block exchange states of type S through. It remembers the round: for
/// another use, and then this_grid() again, it is free behind a block_barrier(). Positions: the
/// values of a block, if their number is no power of two.
template <class S, int Positions = 0>
struct grid_scratch {
  using state = S;
  static constexpr int positions = Positions;
  block_scratch<S> block;
  block_scratch<S> cells;  ///< what all blocks posted: no barrier between the two
  shared<S[16]> levels;    ///< while more cells are folded than the threads hold at once
  shared<std::uint64_t> round;
  detail::ragged_places<S, Positions> ragged;
};

/// What grid_memory is made of.
struct alignas(16) grid_word {
  std::uint64_t bits[2];
};

/// What the blocks of a grid exchange states of type S through: global memory, zeroed once, for up
/// to `blocks` blocks. It serves one kernel at a time, any number of calls and of launches, of any
/// sizes, one after another; a kernel that was ended by an error leaves it to be zeroed again.
template <class S>
struct grid_memory {
  global<grid_word> words;
  unsigned blocks;

  /// How many words it takes.
  static RUNG_HD constexpr std::size_t size(unsigned blocks) {
    const std::size_t states = 4 * std::size_t(blocks) + 2 + 30 * std::size_t(blocks);
    const std::size_t bytes = states * stamped_words<S> * sizeof(stamped_word<S>);
    return (blocks + 1) / 2 + (bytes + sizeof(grid_word) - 1) / sizeof(grid_word);
  }
};

namespace detail {

/// One exchange. There are two sets of words, used in turn. A call ends in a block when it has seen
/// that all blocks have posted, or a total of somebody who has; and a block posts in a round when
/// all its threads have ended the one before: open() or the block's fold before it is a barrier. So
/// a block that posts in round r + 2 knows that all blocks have posted in r + 1, and have read what
/// they needed of r: nobody's word is overwritten unread. The number of the round is kept per
/// block, and block 0 takes part in every launch: the larger of block 0's and my own is the last
/// that I took part in. Block 0 cannot be ahead of it, because no round ends before I have posted.
template <class Team>
struct grid_round {
  using S = typename Team::state;
  const Team& team;
  global<stamped_word<S>> words;
  std::int64_t capacity;
  int posted;  // cells of the team, those without values too
  std::uint64_t number;
  std::uint32_t stamp;  // 1, 2, ... and after 2^32 - 2 of them again

  RUNG_DEVICE grid_round(const Team& group, const team_share& at)
      : team(group),
        words(as<stamped_word<S>>(group.memory.words + (group.memory.blocks + 1) / 2)),
        capacity(group.memory.blocks),
        posted(group.blocks() * at.room >> at.levels),
        number(group.scratch.round + 1),
        stamp(std::uint32_t(number % 0xfffffffeu) + 1) {}

  // Where states lie: two sets of 2 cells per block, two totals, two sets of 15 tails per block.
  RUNG_DEVICE std::int64_t cell_place(int i) const { return number % 2 * 2 * capacity + i; }
  RUNG_DEVICE std::int64_t total_place() const { return 4 * capacity + number % 2; }
  RUNG_DEVICE std::int64_t tail_place(int block, int k) const {
    return 4 * capacity + 2 + (number % 2 * capacity + block) * 15 + k;
  }
  RUNG_DEVICE int thread() const { return team.block().rank(); }

  /// Nothing is posted before this. met: the block's threads have met since they began the round.
  RUNG_DEVICE void open(bool met) {
    if (!met) block_barrier();
    if (thread() == 0) team.scratch.round = number;  // all have read it
  }
  RUNG_DEVICE void give_tail(int k, const S& s) {
    post(words, tail_place(team.rank(), k), stamp, s);
  }
  /// Those of the block before that `bits` names, for the whole block.
  RUNG_DEVICE void share_tails(unsigned bits) {
    for (int k = thread(); k < 15; k += team.block().threads())
      if ((bits >> k & 1) != 0)
        team.scratch.ragged.tails[k] = wait_for<S>(words, tail_place(team.rank() - 1, k), stamp);
    block_barrier();
  }
  RUNG_DEVICE void give_cell(int i, const S& s) {
    if (thread() == 0) post(words, cell_place(i), stamp, s);
  }
  RUNG_DEVICE void share_cells() {}

  /// Nanoseconds between posting and the first look. Blocks post at about the same time, and
  /// whoever looks before the words can have come slows them down.
  static constexpr unsigned first_look = 500;
  static constexpr int at_once = sizeof(S) <= 16 ? 4 : 1;  // cells that a thread can wait for
  S x[at_once];
  int held = -1;      // x holds this thread's of the cells from here on
  bool used = false;  // the scratch for cells
  template <int N>
  RUNG_DEVICE S (&take(int first, int tile))[N] {
    auto& mine = reinterpret_cast<S(&)[N]>(x);
    if (first == held) return mine;
    if (held < 0) back_off(first_look);
    held = first;
    const int at = first + thread() * N;
    const int end = first + tile < posted ? first + tile : posted;
    asked_for<S, N>(words, cell_place(at), end - at).take(stamp, mine);
    return mine;
  }
  /// The fold of the first n cells, when all have been posted, N of them per thread. A block's
  /// threads hold a tile of them at once; where there are more, the trees of whole tiles go through
  /// a binary counter.
  template <int N, class Op>
  RUNG_DEVICE before<S> fold_tiles(int n, const Op& op, const before<S>& start) {
    auto& s = team.scratch;
    const block_group<typename Team::shape, block_scratch<S>> block(s.cells);
    const int tile = N << highest_bit(unsigned(block.threads()));
    const int tiles = n > tile ? n / tile : 0;
    for (int i = (tiles + 1) * tile + thread(); i < posted; i += block.threads())
      wait_for<S>(words, cell_place(i), stamp);
    before<S> all = start;
    for (int i = 0; i <= tiles; ++i) {
      if (used) block_barrier();
      used = true;
      const int count = i < tiles ? tile : n - i * tile;
      const auto& mine = take<N>(i * tile, tile);
      before<S> left{start.state, false};
      if (i == tiles) {
        for (int k = 15; k >= 0 && tiles > 0; --k)
          if ((tiles >> k & 1) != 0) all = {after(op, all, S(s.levels[k])), true};
        left = all;
      }
      if (count > 0) left = {reduce_after(block.first(count), mine, op, left), true};
      else block_barrier();  // either way all have seen the round, and team.scratch.block is free
      if (i == tiles) {
        all = left;
      } else if (thread() == 0) {
        int k = 0;
        for (; (i >> k & 1) != 0; ++k) left.state = op(S(s.levels[k]), left.state);
        s.levels[k] = left.state;
      }
    }
    return all;
  }
  /// Neighbouring threads wait for neighbouring words if there are enough threads: the fewest
  /// requests.
  template <class Op>
  RUNG_DEVICE before<S> fold_cells(int n, const Op& op, const before<S>& start) {
    if (posted <= 1 << highest_bit(unsigned(team.block().threads())))
      return fold_tiles<1>(n, op, start);
    return fold_tiles<at_once>(n, op, start);
  }

  /// One block knows it; then all do.
  RUNG_DEVICE S total(bool known, const S& s) {
    S all = s;
    if (!known) all = wait_for<S>(words, total_place(), stamp);
    else if (thread() == 0) post(words, total_place(), stamp, s);
    block_barrier();
    return all;
  }
  /// Behind a barrier of the block. Not earlier: a block that has yet to join reads block 0's.
  RUNG_DEVICE void close() {
    if (thread() == 0) store_relaxed(as<std::uint64_t>(team.memory.words)[team.rank()], number);
  }
};

}  // namespace detail

/// All threads of the grid; every one of them makes the same calls, which may follow each other at
/// once.
template <class Shape, class Scratch, bool Whole = true>
struct grid_group : detail::team_of_blocks<Shape, Scratch, Whole> {
  using S = typename Scratch::state;
  grid_memory<S> memory;
  RUNG_DEVICE grid_group(Scratch& s, const grid_memory<S>& m, int values = 0)
      : detail::team_of_blocks<Shape, Scratch, Whole>{s, values}, memory(m) {}
  /// Only the first n values count, 0 to all of them.
  RUNG_DEVICE grid_group<Shape, Scratch, false> first(int n) const {
    return grid_group<Shape, Scratch, false>(this->scratch, memory, n);
  }
  RUNG_DEVICE int blocks() const { return int(grid_blocks()); }
  RUNG_DEVICE int rank() const { return int(block_rank()); }  ///< of the block
  RUNG_DEVICE auto round(const detail::team_share& at) const {
    return detail::grid_round<grid_group>(*this, at);
  }
};

namespace detail {
/// Which round was the last; all threads of the block come.
template <class G>
RUNG_DEVICE G joined(const G& grid) {
  if (grid.block().rank() == 0) {
    if (grid_blocks() > grid.memory.blocks) give_up("the grid_memory is for fewer blocks");
    const auto rounds = as<std::uint64_t>(grid.memory.words);
    const std::uint64_t first = load_relaxed(rounds[0]), own = load_relaxed(rounds[grid.rank()]);
    grid.scratch.round = first < own ? own : first;
  }
  block_barrier();
  return grid;
}
}  // namespace detail

/// The calling grid, its blocks of any shape. All threads make it, and mostly once: that reads
/// global memory.
template <class Scratch>
RUNG_DEVICE auto this_grid(Scratch& scratch, grid_memory<typename Scratch::state> memory) {
  return detail::joined(grid_group<run_time_shape, Scratch>(scratch, memory));
}
/// The calling grid, its blocks launched with this shape.
template <int X, int Y = 1, int Z = 1, class Scratch>
RUNG_DEVICE auto grid_of(Scratch& scratch, grid_memory<typename Scratch::state> memory) {
  return detail::joined(grid_group<known_shape<X, Y, Z>, Scratch>(scratch, memory));
}

}  // namespace rung
