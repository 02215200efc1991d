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
#include "scan_lanes.cuh"

namespace rung {

namespace detail {

/// Warps of a block that fold and scan, at most.
inline constexpr int most_tile_warps = 8;
template <class S, int Slots>
struct tiles_scratch {
  shared<transfer_barrier[Slots]> folded;   ///< all warps have folded a tile
  shared<transfer_barrier[Slots]> ready;    ///< its tree is posted, and what stands left is known
  shared<S[Slots][most_tile_warps]> trees;  ///< of the warps
  shared<S[Slots][most_tile_warps + 1]> begins;  ///< what stands left of each, and behind the tile
  shared<std::uint32_t[16]> tiles;               ///< the block's tiles, in turn
  shared<std::uint64_t> first;                   ///< the first turn that the block took
};

/// The way of a block's tiles. Stages: tiles of a block in shared memory; Ahead: those of them that
/// are folded and wait for what stands left of them. Warps fold and scan their parts of the tiles
/// and meet nobody: two couriers stand between them and the other blocks.
template <class Kind, int Packs, int Stages, int Ahead, class Work>
struct tile_pipeline {
  using Source = typename Work::source_type;
  using Op = typename Work::op_type;
  using S = typename Work::S;
  using lanes_type = scan_lanes<Kind, Packs, Work>;
  using stage_type = typename lanes_type::stage_type;
  using values_type = typename lanes_type::values_type;
  static constexpr int slots = Ahead + 1;
  /// Warps beside those that fold and scan: one takes tiles; the others take turns at posting the
  /// tree of a tile, and waiting for what stands left of it.
  static constexpr int prefix_couriers = tune::scan_couriers(Source::pack_size, Ahead),
                       couriers = 1 + prefix_couriers;
  using scratch_type = tiles_scratch<S, slots>;
  static constexpr std::size_t head = (sizeof(scratch_type) + 127) / 128 * 128;
  static_assert(Stages > Ahead && Ahead > 0 && Stages + Ahead + 1 <= 16);
  static constexpr std::size_t bytes(int warps) {
    const std::size_t stages =
        std::size_t(Stages) * std::size_t(warps) * (lanes_type::bytes + stage_type::ends);
    return head + (stages > sizeof(chain_scratch<S>) ? stages : sizeof(chain_scratch<S>));
  }

  const Work& w;
  const scan_words<S>& words;
  scratch_type& s;
  std::int64_t n, whole, tiles;  // values; tiles with all of theirs; tiles
  std::uint32_t stamp;
  int warps, warp;  // that fold; this one
  bool in_place;

  RUNG_DEVICE std::int64_t tile(int k) const { return std::uint32_t(s.tiles[k % 16]); }
  RUNG_DEVICE std::int64_t first_of(std::int64_t t) const {
    return (t * warps + warp) * lanes_type::size;
  }
  /// The warp's part of a stage.
  RUNG_DEVICE stage_place stage_at(int place) const {
    const auto part = std::uint32_t(place * warps + warp);
    return {std::uint32_t(head) + part * std::uint32_t(lanes_type::bytes),
            std::uint32_t(head) + std::uint32_t(Stages * warps) * std::uint32_t(lanes_type::bytes) +
                part * std::uint32_t(stage_type::ends)};
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
    S tree{};
    if (t < tiles && n - first >= lanes_type::size)
      tree = computed(lanes_type{w}.fold(stage_at(place), first));
    if (lane() == 0) {
      s.trees[slot][warp] = tree;
      arrive_transfer(s.folded[slot]);
    }
  }
  RUNG_DEVICE void finish(int k, int place, int slot) const {
    const std::int64_t t = tile(k), first = first_of(t);
    const bool some = Kind::has_init || t > 0 || warp > 0 || w.start(w.op).some;
    const before<S> left{S(s.begins[slot][warp]), some};
    const lanes_type lanes{w};
    if (first >= n) return lanes.finish_nothing(first, n, left);
    typename lanes_type::sweeps swept{values_type(w.x), {}, {}};
    swept.values.read_early(first, n);
    lanes.sweep(stage_at(place), first, swept);
    warp_barrier();  // entries will lie where others have read
    lanes.finish(swept, stage_at(place), first, n, left, S(s.begins[slot][warp + 1]));
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
    const bool in_step = tune::scan_in_step(Source::pack_size) && w.x.aligned && w.out.ahead == 0;
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

  /// Asks for the block's next tiles.
  RUNG_DEVICE void take_tiles(bool takes_more) const {
    ring here;
    for (int k = 0; tile(k) < tiles; ++k) {
      std::uint32_t later = no_tile;
      if (takes_more && lane() == 0) later = take_tile();  // comes while others fold
      wait_transfer<scope::block>(s.folded[here.slot], here.parity);
      if (lane() == 0) {
        s.tiles[(k + Stages) % 16] = later;
        arrive_transfer(s.ready[here.slot]);
      }
      warp_barrier();
      here.next();
    }
  }
  /// Posts the trees of tiles k, k + couriers, ..., and finds what stands left of every warp's part
  /// of them.
  RUNG_DEVICE void carry(int k) const {
    ring here;
    for (int i = 0; i < k; ++i) here.next();
    while (true) {
      wait_transfer<scope::block>(s.folded[here.slot], here.parity);
      const std::int64_t t = tile(k);  // known to those who have folded it
      if (t >= tiles) return;
      const auto blocks = sweep_warps(s.trees[here.slot], warps, w.op);
      if (t < whole && lane() == warps - 1) post(words.words, t, stamp, blocks.own);
      asked_for<S, 2> word(words.prefixes(), t, whole == 0 ? 0 : t < whole ? 2 : 1);
      const before<S> start = w.start(w.op);
      S x[2];
      word.take(stamp, x);
      warp_barrier();
      S begin = blocks.exclusive(w.op, t > 0 ? before<S>{x[0], true} : start).state;
      if (lane() == warps && t < whole) begin = x[1];
      if (lane() <= warps) s.begins[here.slot][lane()] = begin;
      warp_barrier();
      if (lane() == 0) arrive_transfer(s.ready[here.slot]);
      for (int i = 0; i < prefix_couriers; ++i, ++k) here.next();
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
        init_transfer(s.ready[i], 2);
      }
    }
    block_barrier();
    if (warp < warps) fold_and_scan();
    else if (warp == warps) take_tiles(quota > Stages);
    else carry(warp - warps - 1);
  }
};

/// Any number of tiles; blocks of a power of two of warps, 16 at most, and couriers; two blocks or
/// more.
template <class Kind, int Packs, int Stages, int Ahead, class Work>
RUNG_KERNEL((most_tile_warps + tile_pipeline<Kind, Packs, Stages, Ahead, Work>::couriers) *
                warp_size,
            1)
void scan_tiles(Work w, scan_words<typename Work::S> words, int quota, bool in_place) {
  using pipeline = tile_pipeline<Kind, Packs, Stages, Ahead, Work>;
  using S = typename Work::S;
  auto& s = scratch<typename pipeline::scratch_type>();
  wait_for_previous_launch();
  allow_next_launch();
  if (rank_in_block() == 0) s.first = atomic_add(words.turn[0], std::uint64_t(1));
  const std::int64_t n = w.count();
  block_barrier();
  const std::uint64_t turn = s.first;
  const int warps = warps_of_block() - pipeline::couriers;
  const std::int64_t size = std::int64_t(warps) * pipeline::lanes_type::size;
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
  words.leave(words.count_out(), stamp);
}

}  // namespace detail
}  // namespace rung
