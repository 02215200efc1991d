// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The scan of many tiles: the first block to start makes prefixes (scan_carry.cuh); the others take
// tiles in the order of asking, fold tile i + Ahead, and finish tile i, which waits in shared
// memory. Nobody waits for a block that has not started, but two have to run at a time. Two hops
// through the second-level cache, however many tiles there are.
#pragma once
#include "../tune/scan.hpp"
#include "scan_carry.cuh"
#include "scan_kernels.cuh"
#include "stage.cuh"

namespace rung {

namespace detail {

template <class S, int Slots>
struct tiles_scratch {
  shared<transfer_barrier[Slots]> folded;  ///< all warps have folded a tile
  shared<transfer_barrier[Slots]> ready;   ///< its tree is posted, and what stands left is known
  shared<S[Slots][16]> trees;              ///< of the warps
  shared<S[Slots][17]> begins;             ///< what stands left of each warp, and behind the tile
  shared<std::uint32_t[16]> tiles;         ///< the block's tiles, in turn
  shared<std::uint64_t> first;             ///< the first turn that the block took
};
/// Warps beside those that fold and scan: one posts trees, one takes what stands left.
inline constexpr int courier_warps = 2;

/// The way of a block's tiles. Stages: tiles of a block in shared memory; Ahead: those of them that
/// are folded and wait for what stands left of them. Warps fold and scan their parts of the tiles
/// and meet nobody: two couriers stand between them and the other blocks.
template <class Kind, int Rows, int Stages, int Ahead, class Work>
struct tile_pipeline {
  using Source = typename Work::source_type;
  using Op = typename Work::op_type;
  using S = typename Work::S;
  using rows_type = scan_rows<Kind, Rows, Source, Op>;
  using stage_type = stage<rows_type::size, Source>;
  static constexpr int slots = Ahead + 1;
  using scratch_type = tiles_scratch<S, slots>;
  static constexpr std::size_t head = (sizeof(scratch_type) + 15) / 16 * 16;
  static_assert(Stages > Ahead && Ahead > 0 && Stages + Ahead + 1 <= 16);
  static constexpr std::size_t bytes(int warps) {
    const std::size_t stages = std::size_t(Stages) * std::size_t(warps) * stage_type::bytes;
    return head + (stages > sizeof(chain_scratch<S>) ? stages : sizeof(chain_scratch<S>));
  }

  const Work& w;
  const scan_words<S>& words;
  scratch_type& s;
  std::int64_t n, whole, tiles;  // values; tiles with all of theirs; tiles
  std::uint32_t stamp;
  int warps, warp;  // that fold; this one
  bool in_place;

  RUNG_DEVICE rows_type rows() const { return {w.x, w.op}; }
  RUNG_DEVICE std::int64_t tile(int k) const { return std::uint32_t(s.tiles[k % 16]); }
  RUNG_DEVICE std::int64_t first_of(std::int64_t t) const {
    return (t * warps + warp) * rows_type::size;
  }
  /// Where the warp's part of a stage lies.
  RUNG_DEVICE std::uint32_t stage_at(int place) const {
    return std::uint32_t(head) + std::uint32_t((place * warps + warp) * int(stage_type::bytes));
  }
  RUNG_DEVICE std::uint32_t take_tile() const {
    return std::uint32_t(atomic_add(words.turn[0], std::uint64_t(1))) - 1;
  }
  static constexpr std::uint32_t no_tile = 0xffffffffu;

  /// A slot of tile k = 0, 1, ..., and how often it has been used.
  struct ring {
    int slot = 0;
    unsigned parity = 0;
    RUNG_DEVICE void next() {
      if (++slot == slots) slot = 0, parity ^= 1;
    }
  };

  // ---- warps that fold and scan

  RUNG_DEVICE void load(int k, int place) const {
    const std::int64_t t = tile(k), first = first_of(t);
    if (t < tiles && first < n) stage_type::load(w.x, stage_at(place), first, n, !in_place);
    copy_async_commit();
  }
  /// The tree of the warp's part of tile k; some state, if values are missing.
  RUNG_DEVICE void fold(int k, int place, int slot) const {
    const std::int64_t t = tile(k), first = first_of(t);
    if (t >= tiles) return;
    S tree{};
    if (n - first >= rows_type::size) {
      pack<typename Source::value_type, rows_type::N> packs[Rows];
      stage_type::get(w.x, stage_at(place), first, packs);
      tree = computed(rows().fold([&](int r) { return packs[r]; }, first));
    }
    if (lane() == 0) {
      s.trees[slot][warp] = tree;
      arrive_transfer(s.folded[slot]);
    }
  }
  RUNG_DEVICE void finish(int k, int place, int slot) const {
    const std::int64_t t = tile(k), first = first_of(t);
    const bool some = Kind::has_init || t > 0 || warp > 0 || w.start(w.op).some;
    pack<typename Source::value_type, rows_type::N> packs[Rows]{};
    if (first < n) stage_type::get(w.x, stage_at(place), first, packs);
    finish_warp(rows(), w, packs, rows().sweep(packs, first), first, n,
                before<S>{S(s.begins[slot][warp]), some}, S(s.begins[slot][warp + 1]));
  }
  RUNG_DEVICE void fold_and_scan() const {
    constexpr int at_first = Stages - Ahead;  // not all at once: memory is slow to get going
    for (int k = 0; k < at_first; ++k) load(k, k);
    for (int k = 0; k < Ahead; ++k) {
      copy_async_wait<at_first - 1>();
      warp_barrier();
      fold(k, k, k);
      load(k + at_first, k + at_first);
    }
    ring here;
    int place = 0, place_ahead = Ahead, slot_ahead = Ahead;
    const bool in_step =
        tune::scan_in_step(sizeof(S), rows_type::N, any_order<Op, S>, has_identity<Op, S>) &&
        w.x.aligned && w.out.ahead == 0;
    for (int k = 0; tile(k) < tiles; ++k) {
      wait_transfer<scope::block>(s.ready[here.slot], here.parity);
      if (in_step) barrier_sync(1, unsigned(warps) * warp_size);
      finish(k, place, here.slot);
      warp_barrier();
      load(k + Stages, place);
      copy_async_wait<Stages - Ahead>();
      warp_barrier();
      fold(k + Ahead, place_ahead, slot_ahead);
      slot_ahead = here.slot;
      here.next();
      place = place + 1 == Stages ? 0 : place + 1;
      place_ahead = place_ahead + 1 == Stages ? 0 : place_ahead + 1;
    }
    copy_async_wait<0>();
  }

  // ---- couriers

  /// Posts the trees of tiles, and asks for the block's next tiles.
  RUNG_DEVICE void post_trees(bool takes_more) const {
    ring here;
    for (int k = 0; tile(k) < tiles; ++k) {
      std::uint32_t later = no_tile;
      if (takes_more && lane() == 0) later = take_tile();  // comes while others fold
      wait_transfer<scope::block>(s.folded[here.slot], here.parity);
      const S tree = fold_warps(s.trees[here.slot], warps, w.op);
      if (lane() == 0) {
        if (tile(k) < whole) post(words.words, tile(k), stamp, tree);
        s.tiles[(k + Stages) % 16] = later;
      }
      warp_barrier();
      if (lane() == 0) arrive_transfer(s.ready[here.slot]);
      here.next();
    }
  }
  /// Finds what stands left of every warp's part of a tile.
  RUNG_DEVICE void take_prefixes() const {
    ring here;
    for (int k = 0; tile(k) < tiles; ++k) {
      const std::int64_t t = tile(k);
      asked_for<S, 2> word(words.prefixes(), t, whole == 0 ? 0 : t < whole ? 2 : 1);
      wait_transfer<scope::block>(s.folded[here.slot], here.parity);
      const S v = s.trees[here.slot][lane() < warps ? lane() : 0];
      const auto blocks = up_sweep<false>(as_measured<S>(warp_lanes<>()), v, w.op);
      S x[2];
      word.take(stamp, x);
      warp_barrier();
      before<S> left = w.start(w.op);
      if (t > 0) left = {x[0], true};
      S begin = blocks.exclusive(w.op, left).state;
      if (lane() == warps && t < whole) begin = x[1];
      if (lane() <= warps) s.begins[here.slot][lane()] = begin;
      warp_barrier();
      if (lane() == 0) arrive_transfer(s.ready[here.slot]);
      here.next();
    }
  }

  /// All threads of the block; `turn` is its first. A block has no right to more than `quota` tiles
  /// before others have theirs, where that is no more than it can hold.
  RUNG_DEVICE void run(std::uint64_t turn, int quota) const {
    if (rank_in_block() == 0) {
      std::uint32_t mine[Stages];
      mine[0] = std::uint32_t(turn) - 1;
      RUNG_UNROLL
      for (int k = 1; k < Stages; ++k) mine[k] = k < quota ? take_tile() : no_tile;
      RUNG_UNROLL
      for (int k = 0; k < Stages; ++k) s.tiles[k] = mine[k];
      for (int i = 0; i < slots; ++i) {
        init_transfer(s.folded[i], unsigned(warps));
        init_transfer(s.ready[i], courier_warps);
      }
    }
    block_barrier();
    if (warp < warps) fold_and_scan();
    else if (warp == warps) post_trees(quota > Stages);
    else take_prefixes();
  }
};

/// Any number of tiles; blocks of a power of two of warps, 16 at most, and couriers; two blocks or
/// more.
template <class Kind, int Rows, int Stages, int Ahead, class Work>
RUNG_KERNEL(512 + courier_warps * warp_size, 1)
void scan_tiles(Work w, scan_words<typename Work::S> words, int quota, bool in_place) {
  using pipeline = tile_pipeline<Kind, Rows, Stages, Ahead, Work>;
  using S = typename Work::S;
  auto& s = scratch<typename pipeline::scratch_type>();
  wait_for_previous_launch();
  allow_next_launch();
  if (rank_in_block() == 0) s.first = atomic_add(words.turn[0], std::uint64_t(1));
  const std::int64_t n = w.count();
  block_barrier();
  const std::uint64_t turn = s.first;
  const int warps = warps_of_block() - courier_warps;
  const std::int64_t size = std::int64_t(warps) * pipeline::rows_type::size;
  const std::int64_t whole = n / size, tiles = (n + size - 1) / size;
  const std::uint32_t stamp = words.stamp_of(turn);
  if (std::uint32_t(turn) == 0) {
    carry_maker<S, typename Work::op_type, typename Work::total_type>{
        words.words, words.prefixes(), whole, stamp, w.op, w.total, whole * size == n}
        .run(scratch<chain_scratch<S>>(pipeline::head), w.start(w.op));
    if constexpr (Work::total_type::wanted)
      if (n == 0 && rank_in_block() == 0) put_total_of_nothing(w);
  } else {
    pipeline{w, words, s, n, whole, tiles, stamp, warps, warp_in_block(), in_place}.run(turn,
                                                                                        quota);
  }
  block_barrier();
  if (warp_in_block() != 0) return;
  std::uint64_t ended = 0;
  if (lane() == 0) ended = atomic_add(words.turn[1], std::uint64_t(1));
  if (shuffle(ended, 0) + 1 == grid_shape().x) words.end_round(stamp);
}

}  // namespace detail
}  // namespace rung
