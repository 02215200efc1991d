// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The scan of few tiles: every block posts its tree, and reads those before it; values wait in
// registers. One hop through the second-level cache. A block that waits in vain for one that does
// not run folds that tile itself, so any number of blocks may run at a time, in any order. Sources:
// Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016); Smith,
// Levien, Owens, "Decoupled fallback: a portable single-pass GPU scan" (2025).
#pragma once
#include "scan_kernels.cuh"

namespace rung {

namespace detail {

template <class S>
struct few_scratch {
  shared<S[32]> trees;
  shared<S[33]> begins;
  shared<std::uint64_t> turn;
};
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
template <int Rows, class Source, class Op, class S>
RUNG_DEVICE_CALL void fold_for_another(Source source, Op op, global<stamped_word<S>> words,
                                       int tile_number, int log_warps, std::uint32_t stamp) {
  using tile_type = tile<Rows, 1, false, coherent<Source>, Op>;
  const coherent<Source> x{source};
  const S tree = tile_type{x, op}.fold_whole(
      std::int64_t(tile_number) * tile_type::group << log_warps, log_warps);
  post_copies(words, tile_number, stamp, S(shuffle(tree, 0)));  // its block, too: the same bits
  warp_barrier();
}

/// Waits for the trees of tiles before `tile`, four per lane. Where one does not come, its block
/// may not be running: then this warp folds that tile, and posts its tree. Patience: looks; -1: any
/// number of them.
template <int Rows, class Work, class S>
RUNG_DEVICE void take_or_fold(const Work& w, global<stamped_word<S>> words, int tile, int log_warps,
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
      fold_for_another<Rows>(w.x, w.op, words, missing, log_warps, stamp);
  }
  trees.get(x);
}

/// What stands left of a tile and behind it: from the trees of all tiles up to it, four per lane,
/// and what stands left of everything.
template <class S, class Op>
RUNG_DEVICE void find_prefixes(const S (&x)[4], int tile, const Op& op, before<S>& left, S& next) {
  const auto blocks = up_sweep<false>(warp_lanes<>(), reduce(this_thread, x, op), op);
  const before<S> mine = blocks.exclusive(op, left);
  const auto at = [&](int t) {
    return shuffle(reduce_at_most<4>(this_thread, x, t % 4, op, mine), t / 4);
  };
  if (tile + 1 < most_few_tiles) next = at(tile + 1);
  else next = after(op, left, shuffle(blocks.own, warp_size - 1));
  if (tile > 0) left = {at(tile), true};
}

/// Up to 128 tiles, one per block, of a power of two of warps, 16 at most. Values stay in
/// registers. In place no block may read another's tile: then tiles are taken in the order of
/// starting, and who has started needs no patience.
template <class Kind, int Rows, class Work>
RUNG_KERNEL(512, 1)
void scan_few_tiles(Work w, scan_words<typename Work::S> words, int patience, bool in_place) {
  using Source = typename Work::source_type;
  using Op = typename Work::op_type;
  using S = typename Work::S;
  using rows_type = scan_rows<Kind, Rows, coherent<Source>, Op>;
  auto& s = scratch<few_scratch<S>>();
  const coherent<Source> x{w.x};
  const rows_type rows{x, w.op};
  const int warps = warps_of_block(), warp = warp_in_block();
  const bool alone = grid_shape().x == 1;
  wait_for_previous_launch();
  allow_next_launch();

  // In place a turn is taken; otherwise the stamp is known from a look at the turns.
  std::uint64_t turn = 0, done = 0;
  int tile = int(block_index().x);
  if (!alone && rank_in_block() == 0) {
    if (in_place) turn = atomic_add(words.turn[0], std::uint64_t(1));
    else turn = load_relaxed(words.turn[0]);
  }
  if (in_place && !alone) {
    if (rank_in_block() == 0) s.turn = turn;
    block_barrier();
    tile = int(std::uint32_t(s.turn));
  }
  const std::int64_t n = w.count();
  const std::int64_t first = (std::int64_t(tile) * warps + warp) * rows_type::size;
  const auto t = rows.folding();
  pack<typename Source::value_type, rows_type::N> packs[Rows]{};
  RUNG_UNROLL
  for (int r = 0; r < Rows; ++r) {
    const std::int64_t left = n - first - r * rows_type::row;
    if (left > 0)
      packs[r] = t.read_each(first + r * rows_type::row,
                             left < rows_type::row ? int(left) : rows_type::row);
  }
  const auto swept = rows.sweep(packs, first);
  const S tree = tree_of<S, Rows>(swept.trees, 0, w.op);  // if values are missing, nobody uses it
  if (lane() == 0) s.trees[warp] = tree;
  block_barrier();

  const std::int64_t end = (std::int64_t(tile) + 1) * warps * rows_type::size;
  std::uint32_t stamp = 0;
  if (warp == 0) {
    before<S> left = w.start(w.op);
    S next{};
    const auto blocks =
        up_sweep<false>(warp_lanes<>(), S(s.trees[lane() < warps ? lane() : 0]), w.op);
    if (!alone) {
      stamp = words.stamp_of(shuffle(turn, 0));
      const int log_warps = floor_log2(unsigned(warps));
      S x[4];
      const S mine = fold_warps(s.trees, warps, w.op);
      if (n >= end) post_copies(words.words, tile, stamp, mine);
      if (end - n <= std::int64_t(warps) * rows_type::size) {  // something to do, or a total to put
        take_or_fold<Rows>(w, words.words, tile, log_warps, stamp, in_place ? -1 : patience, x);
        RUNG_UNROLL
        for (int i = 0; i < 4; ++i)
          if (lane() * 4 + i >= tile) x[i] = mine;
        find_prefixes(x, tile, w.op, left, next);
      }
      warp_barrier();  // all lanes have read what they wait for: the last to do so ends the round
      if (lane() == 0) done = atomic_add(words.turn[1], std::uint64_t(1));
    } else {
      next = after(w.op, left, fold_warps(s.trees, warps, w.op));
    }
    const before<S> mine = blocks.exclusive(w.op, left);
    if (lane() < warps) s.begins[lane()] = mine.state;
    if (lane() == 0) s.begins[warps] = next;
    if constexpr (Work::total_type::wanted)
      if (n == end && lane() == 0) w.total(w.op, next);
  }
  block_barrier();
  const bool some = Kind::has_init || first > 0 || w.start(w.op).some;
  finish_warp(rows, w, packs, swept, first, n, before<S>{S(s.begins[warp]), some},
              S(s.begins[warp + 1]));
  if (warp == 0 && !alone && shuffle(done, 0) + 1 == grid_shape().x) words.end_round(stamp);
}

}  // namespace detail
}  // namespace rung
