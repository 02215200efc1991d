// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What one block folds: a tile of neighbouring values. Data flow: a lane reads a pack of 16 bytes
// and folds it; 32 lanes make a row, `Rows` rows are read at once and go through one batched
// butterfly; a warp takes groups of such rows, whose trees wait in its lanes; the block's warps
// meet in shared memory. A tile that is not whole ends in the aligned blocks that its length
// consists of. Cost per 1024 values of 4 bytes: 8 loads, 12 shuffles. Where any order gives the
// same bits, lanes fold what they read, and the warp meets once.
#pragma once
#include "../block/reduce.cuh"
#include "source.cuh"

namespace rung::detail {

/// What a block folds with: a state per warp, and the aligned blocks of fewer values than a warp
/// takes, rest[k] of 2^k values.
template <class S>
struct tile_scratch {
  shared<S[32]> warps;
  shared<S[18]> rest;
};

/// The rank of the calling thread in a block that has one axis.
RUNG_DEVICE int rank_in_block() { return int(thread_index().x); }
RUNG_DEVICE int warp_in_block() { return int(thread_index().x / warp_size); }
RUNG_DEVICE int warps_of_block() { return int(block_shape().x / warp_size); }

/// The shape of a tile, and the code that folds it. A lane reads `Adjacent` packs of each row: more
/// than one pays where states are large, because what a lane folds alone is not exchanged.
template <int Rows, int Adjacent, bool Streaming, class Source, class Op>
struct tile {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  static constexpr int pack_size = Source::pack_size * Adjacent, row = warp_size * pack_size,
                       group = Rows * row, levels = floor_log2(group);
  static constexpr int log_rows = floor_log2(Rows);
  static constexpr bool free_order = any_order<Op, S>;
  static constexpr bool absorbs = detail::absorbs<Op, S, T, pack_size>;
  const Source& x;
  const Op& op;

  /// The fold of one pack of values.
  RUNG_DEVICE S fold_pack(const pack<T, pack_size>& values, std::int64_t first) const {
    if constexpr (absorbs) return op.absorb(identity<S>(op), values.values, first);
    else return tree_of_values(op, values.values, first);
  }
  /// left joined with right, as far as this lane stands in the left or right half of 2^(k+1) lanes.
  RUNG_DEVICE S join_halves(const S& mine, const S& other, int k) const {
    if constexpr (commutes<Op, S>) {
      return op(mine, other);
    } else {
      const unsigned right = unsigned(lane()) & 1u << k;
      return op(choose(right, other, mine), choose(right, mine, other));
    }
  }
  /// Level K of the batched butterfly over rows first .. first + 2^K: of a pair of rows a lane
  /// keeps the one with its own bit K. Row after row, so that few states live at a time.
  template <int K, class RowAt>
  RUNG_DEVICE S halve(const RowAt& row_at, int first) const {
    if constexpr (K < 0) {
      return row_at(first);
    } else {
      const S even = halve<K - 1>(row_at, first), odd = halve<K - 1>(row_at, first + (1 << K));
      const unsigned right = unsigned(lane()) & 1u << K;
      const S mine = choose(right, odd, even);
      return join_halves(mine, shuffle_xor(choose(right, even, odd), 1 << K), K);
    }
  }
  /// The tree of each row, in a lane of its own: lanes r, r + Rows, ... get row r.
  template <class RowAt>
  RUNG_DEVICE S across(const RowAt& row_at) const {
    S v = halve<log_rows - 1>(row_at, 0);
    RUNG_UNROLL
    for (int k = log_rows; k < 5; ++k) v = join_halves(v, shuffle_xor(v, 1 << k), k);
    return v;
  }
  /// The tree of all rows, for all lanes.
  template <class RowAt>
  RUNG_DEVICE S over_rows(const RowAt& row_at) const {
    if constexpr (free_order) {
      S all = row_at(0);
      RUNG_UNROLL
      for (int r = 1; r < Rows; ++r) all = op(all, row_at(r));
      return all;  // of this lane: the warp meets once, later
    } else {
      S v = across(row_at);
      RUNG_UNROLL
      for (int k = 0; k < log_rows; ++k) v = join_halves(v, shuffle_xor(v, 1 << k), k);
      return v;
    }
  }

  /// A lane's values of a row, from aligned arrays.
  RUNG_DEVICE pack<T, pack_size> read_pack(std::int64_t first) const {
    if constexpr (Adjacent == 1) {
      return x.template pack_at<Streaming>(first);
    } else {
      pack<T, pack_size> all;
      RUNG_UNROLL
      for (int a = 0; a < Adjacent; ++a) {
        const auto part = x.template pack_at<false>(first + a * Source::pack_size);
        RUNG_UNROLL
        for (int j = 0; j < Source::pack_size; ++j) all[a * Source::pack_size + j] = part[j];
      }
      return all;
    }
  }

  // ---- whole groups

  /// over_rows of a whole group.
  RUNG_DEVICE S fold_group(std::int64_t first) const {
    const std::int64_t mine = first + lane() * pack_size;
    if (x.aligned) [[likely]] {
      pack<T, pack_size> packs[Rows];
      RUNG_UNROLL
      for (int r = 0; r < Rows; ++r) packs[r] = read_pack(mine + r * row);
      return over_rows([&](int r) { return fold_pack(packs[r], mine + r * row); });
    }
    return over_rows([&](int r) {
      return fold_pack(x.template some_at<pack_size>(mine + r * row, pack_size), mine + r * row);
    });
  }
  /// The tree of 2^log_groups whole groups, for all lanes.
  RUNG_DEVICE S fold_whole(std::int64_t first, int log_groups) const {
    const int groups = 1 << log_groups;
    S mine = fold_group(first);
    for (int g = 1; g < groups; ++g) {
      const S all = fold_group(first + std::int64_t(g) * group);
      if constexpr (free_order) mine = op(mine, all);
      else mine = choose(g == lane(), all, mine);
    }
    if constexpr (free_order) return reduce(warp_lanes<>(), mine, op);
    else if (log_groups == 0) return mine;
    else return reduce(warp_lanes<>::first(groups), mine, op);
  }

  // ---- less than a group

  /// A lane's values of a row that has `count` of them; beyond the end: some value, which nobody
  /// uses. All lanes go the same way: behind a branch that they part in, nvcc 13.0 may leave them
  /// apart in the exchanges that follow.
  RUNG_DEVICE pack<T, pack_size> read_some(std::int64_t first, int count) const {
    const int mine = lane() * pack_size;
    if (x.aligned && count >= row) [[likely]]
      return read_pack(first + mine);
    return x.template some_at<pack_size>(first + mine, count - mine);
  }
  /// The lane at position `count` knows the blocks left of it, which are those of the count.
  template <class Blocks, class Rest>
  static RUNG_DEVICE void put_left(const Blocks& blocks, int count, int level, Rest& rest) {
    if (lane() != count) return;
    RUNG_UNROLL
    for (int k = 0; k < 5; ++k)
      if ((count >> k & 1) != 0) rest[level + k] = blocks.left[k];
  }
  /// Of a row that has `count` values: a lane's pack, and the trees of the lanes left of it.
  template <class Blocks, class Rest>
  RUNG_DEVICE void put_row(const pack<T, pack_size>& mine, const Blocks& blocks, std::int64_t first,
                           int count, Rest& rest) const {
    const int whole = count / pack_size, items = count % pack_size;
    put_left(blocks, whole, floor_log2(pack_size), rest);
    if (lane() != whole || items == 0) return;
    S lifted[pack_size];
    RUNG_UNROLL
    for (int j = 0; j < pack_size; ++j)
      lifted[j] = lift(op, T(mine[j]), first + whole * pack_size + j);
    publish_items<floor_log2(pack_size) - 1>(rest, lifted, items, op);
  }
  /// Puts the aligned blocks of `count` values, less than a group, into rest[k].
  template <class Rest>
  RUNG_DEVICE void fold_part(std::int64_t first, int count, Rest& rest) const {
    S rows[Rows];
    pack<T, pack_size> last{};  // of the row that is not whole
    S last_row{};
    const int whole = count / row;
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const auto values = read_some(first + r * row, count - r * row);
      rows[r] = fold_pack(values, first + r * row + lane() * pack_size);
      if (r == whole) last = values, last_row = rows[r];
    }
    const auto of_rows =
        up_sweep<false>(warp_lanes<>(), across([&](int r) { return rows[r]; }), op);
    const auto of_lanes = up_sweep<false>(warp_lanes<>(), last_row, op);
    put_left(of_rows, whole, floor_log2(row), rest);
    put_row(last, of_lanes, first + whole * row, count % row, rest);
  }
  /// A group of one row, whole or not: one way through for both.
  RUNG_DEVICE void fold_row(std::int64_t first, int count, int warp,
                            tile_scratch<S>& scratch) const {
    const auto values = read_some(first, count);
    const auto blocks =
        up_sweep<false>(warp_lanes<>(), fold_pack(values, first + lane() * pack_size), op);
    if (count >= row) {
      if (lane() == warp_size - 1) scratch.warps[warp] = blocks.own;
    } else {
      put_row(values, blocks, first, count, scratch.rest);
    }
  }

  // ---- a block; what it leaves in the scratch can be read behind the next barrier

  /// A whole tile, 2^log_groups groups per warp: every warp's tree to scratch.warps.
  RUNG_DEVICE void fold_tile(std::int64_t first, int log_groups, tile_scratch<S>& scratch) const {
    const int warp = warp_in_block();
    const std::int64_t begin = first + (std::int64_t(warp * group) << log_groups);
    const S all = computed(fold_whole(begin, log_groups));
    if (lane() == 0) scratch.warps[warp] = all;
  }
  /// `count` values, one group per warp at most: the trees of whole groups to scratch.warps, the
  /// aligned blocks of what is left to scratch.rest.
  RUNG_DEVICE void fold_end(std::int64_t first, int count, tile_scratch<S>& scratch) const {
    const int warp = warp_in_block(), begin = warp * group, left = count - begin;
    if (left <= 0) return;
    if constexpr (Rows == 1) {
      fold_row(first + begin, left, warp, scratch);
    } else if (left >= group) [[likely]] {
      const S all = computed(fold_whole(first + begin, 0));
      if (lane() == 0) scratch.warps[warp] = all;
    } else {
      fold_part(first + begin, left, scratch.rest);
    }
  }
};

}  // namespace rung::detail
