// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The scan of few tiles: every block posts its tree, and reads those before it; values wait in
// shared memory. One hop through the second-level cache. A block that waits in vain for one that
// does not run folds that tile itself, so any number of blocks may run at a time, in any order.
// Sources: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016);
// Smith, Levien, Owens, "Decoupled fallback: a portable single-pass GPU scan" (2025).
#pragma once
#include "coherent.cuh"
#include "scan_tile.cuh"

namespace rung {

namespace detail {

inline constexpr int most_few_tiles = 128;
/// Everybody looks at everybody's trees: at one of so many copies of them, which lie in different
/// parts of the second-level cache.
inline constexpr int few_copies = 4;
template <class S>
RUNG_DEVICE void post_copies(global<stamped_word<S>> words, int tile, std::uint32_t stamp,
                             const S& tree) {
  if (lane() < few_copies) post(words, lane() * most_few_tiles + tile, stamp, tree);
}

/// The tree of a tile whose block has not been heard of, for everybody. Not inlined: hardly ever
/// needed, and instructions that are skipped take time to fetch, too.
template <int Packs, class Source, class Op, class S>
RUNG_DEVICE_CALL void fold_for_another(Source source, Op op, global<stamped_word<S>> words,
                                       int tile_number, int warps, std::uint32_t stamp) {
  using tile_type = tile<Packs, 1, false, coherent<Source>, Op>;
  const int log_warps = floor_log2(unsigned(warps));
  const coherent<Source> x{source};
  const S tree = tile_type{x, op}.fold_whole(
      std::int64_t(tile_number) * tile_type::group << log_warps, log_warps);
  post_copies(words, tile_number, stamp, S(shuffle(tree, 0)));  // its block, too: the same bits
  warp_barrier();
}

/// Waits for the trees of tiles before `tile`, four per lane. Where one does not come, its block
/// may not be running: then this warp folds that tile, and posts its tree. Patience: looks; -1: any
/// number of them.
template <int Packs, class Work, class S>
RUNG_DEVICE void take_or_fold(const Work& w, global<stamped_word<S>> words, int tile, int warps,
                              std::uint32_t stamp, int patience, S (&x)[4]) {
  const int mine = lane() * 4;
  asked_for<S, 4> trees(words, tile % few_copies * most_few_tiles + mine, tile - mine);
  for (int waited = 0; !all_lanes(trees.look(stamp)); ++waited) {
    if (waited < patience || patience < 0) continue;
    waited = 0;
    int missing = tile;  // the first
    RUNG_UNROLL
    for (int i = 3; i >= 0; --i)
      if (mine + i < tile && !trees.is_here(i, stamp)) missing = mine + i;
    missing = redux_min(missing);
    if (missing != tile)  // otherwise it has just come
      fold_for_another<Packs>(w.x, w.op, words, missing, warps, stamp);
  }
  trees.get(x);
}

/// What stands left of a tile and behind it: from the trees of all tiles up to it, four per lane,
/// and what stands left of everything.
template <class S, class Op>
RUNG_DEVICE void find_prefixes(const S (&x)[4], int tile, const Op& op, before<S>& left, S& next) {
  const S half = op(x[0], x[1]), all = op(half, op(x[2], x[3]));
  const auto blocks = up_sweep<false>(as_measured<S>(warp_lanes<>()), all, op);
  const before<S> mine = blocks.exclusive(op, left);
  const S two = after(op, mine, half);
  const S at[4] = {mine.state, after(op, mine, x[0]), two, S(op(two, x[2]))};
  const auto before_tile = [&](int t) {  // t % 4 is the same for all lanes
    return shuffle(choose(t & 2, choose(t & 1, at[3], at[2]), choose(t & 1, at[1], at[0])), t / 4);
  };
  next = before_tile((tile + 1) % most_few_tiles);
  if (tile + 1 == most_few_tiles) next = after(op, left, shuffle(blocks.own, warp_size - 1));
  if (tile > 0) left = {before_tile(tile), true};
}

/// Up to 128 tiles, one per block, of a power of two of warps, 16 at most. In place no block may
/// read another's tile: then tiles are taken in the order of starting, and who has started needs no
/// patience.
template <class Kind, int Packs, class Work>
RUNG_KERNEL(most_warps_of_one* warp_size, 1)
void scan_few_tiles(Work w, scan_words<typename Work::S> words, int patience, bool in_place) {
  using one = one_tile<Kind, Packs, Work>;
  using S = typename Work::S;
  auto& s = scratch<one_tile_scratch<S>>();
  wait_for_previous_launch();
  allow_next_launch();
  const bool alone = grid_shape().x == 1;
  std::uint64_t turn = 0, counted = 0;  // in the first lane
  int tile = int(block_index().x);
  if (in_place && !alone) {
    if (rank_in_block() == 0) s.turn = turn = words.take_turn();
    block_barrier();
    tile = int(std::uint32_t(s.turn));
  }
  const int warps = warps_of_block();
  const std::int64_t n = w.count(), size = std::int64_t(warps) * one::lanes_type::size;
  const std::int64_t end = (tile + 1) * size;
  const auto start = [&] {  // while values are on their way
    if (!in_place && !alone && lane() == 0) turn = load_relaxed(words.turn[0]);
  };
  std::uint32_t stamp = 0;
  const auto post = [&](const S& tree) {
    if (alone) return;
    stamp = words.stamp_of(shuffle(turn, 0));
    if (n >= end) post_copies(words.words, tile, stamp, tree);
    if (stamp + 1 != 0) counted = words.count_out();
  };
  const auto find = [&](const S& tree, before<S>& left, S& next) {
    if (alone) {
      next = after(w.op, left, tree);
    } else if (end - n <= size) {  // something to do, or a total to put
      S x[4];
      take_or_fold<Packs>(w, words.words, tile, warps, stamp, in_place ? -1 : patience, x);
      RUNG_UNROLL
      for (int i = 0; i < 4; ++i)
        if (lane() * 4 + i >= tile) x[i] = tree;
      find_prefixes(x, tile, w.op, left, next);
    }
    if constexpr (Work::total_type::wanted)
      if (n == end && lane() == 0) w.total(w.op, next);
  };
  one::scan(w, tile, !in_place, start, post, find);
  if (warp_in_block() != 0 || alone) return;
  if (stamp + 1 == 0) counted = words.count_out();
  words.leave(counted, stamp);
}

}  // namespace detail
}  // namespace rung
