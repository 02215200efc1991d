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

/// What a block folds with: a state per warp (16 at most, twice), one per row of a group that is
/// not whole, and the aligned blocks of fewer values than a warp takes, rest[k] of 2^k values.
template <class S>
struct tile_scratch {
  shared<S[32]> warps;
  shared<S[8]> rows;
  shared<S[18]> rest;
};

/// op on states as they are: they are folded further.
template <class Op>
struct joining {
  Op op;
  template <class S>
  RUNG_HD S lift(const S& s) const {
    return s;
  }
  template <class S>
  static constexpr bool any_order = rung::any_order<Op, S>;
  template <class S>
  static constexpr bool commutes = rung::commutes<Op, S>;
  template <class S>
    requires(has_identity<Op, S> || has_instance_identity<Op, S>)
  RUNG_HD S identity_value()
  const { return identity<S>(op); }
  template <class S>
  RUNG_HD S operator()(const S& l, const S& r) const {
    return op(l, r);
  }
};

/// The rank of the calling thread in a block that has one axis.
RUNG_DEVICE int rank_in_block() { return int(thread_index().x); }
RUNG_DEVICE int warp_in_block() { return int(thread_index().x / warp_size); }
RUNG_DEVICE int warps_of_block() { return int(block_shape().x / warp_size); }

/// One exchange of a butterfly, of trees of 2^log_size values: the left half of 2^(k+1) lanes keeps
/// `even`, the right half `odd`, and each gives away the other one. Alone: there is only `even`.
template <bool Alone, class Op, class V>
RUNG_DEVICE V meet(const Op& op, const V& even, const V& odd, int k, int log_size) {
  const unsigned right = unsigned(lane()) & 1u << k;
  const V mine = Alone ? even : choose(right, odd, even);
  const V other = shuffle_xor(Alone ? even : choose(right, even, odd), 1 << k);
  if constexpr (commutes<Op, V>) return join_trees(op, mine, other, log_size);
  else return join_trees(op, choose(right, other, mine), choose(right, mine, other), log_size);
}
template <bool Alone, class... Ops, class V>
RUNG_DEVICE V meet(const fuse<Ops...>& op, const V& even, const V& odd, int k, int log_size);
/// Of several operators, each exchanges what it needs.
template <bool Alone, class O, class... Rest, class V>
RUNG_DEVICE V meet_each(const fused_state<O, Rest...>& ops, const V& even, const V& odd, int k,
                        int log_size) {
  const auto first = meet<Alone>(ops.first, even.first, odd.first, k, log_size);
  if constexpr (sizeof...(Rest) == 0) return {first};
  else return {first, meet_each<Alone>(ops.rest, even.rest, odd.rest, k, log_size)};
}
template <bool Alone, class... Ops, class V>
RUNG_DEVICE V meet(const fuse<Ops...>& op, const V& even, const V& odd, int k, int log_size) {
  return meet_each<Alone>(op.ops, even, odd, k, log_size);
}

/// The shape of a tile, and the code that folds it. A lane reads `Adjacent` packs of each row: more
/// than one pays where states are large, because what a lane folds alone is not exchanged.
template <int Rows, int Adjacent, bool Streaming, class Source, class Op>
struct tile {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  static constexpr int pack_size = Source::pack_size * Adjacent, row = warp_size * pack_size,
                       group = Rows * row, levels = floor_log2(group);
  static constexpr int log_rows = floor_log2(Rows), log_pack = floor_log2(pack_size);
  static constexpr bool free_order = any_order<Op, S>;
  static constexpr bool absorbs = detail::absorbs<Op, S, T, pack_size>;
  /// Lanes without a value may take part: what is not whole need not end in aligned blocks.
  static constexpr bool skips = free_order && (has_identity<Op, S> || has_instance_identity<Op, S>);
  static constexpr bool has_blocks = !free_order && has_block_tree<Op, T, pack_size>;
  const Source& x;
  const Op& op;

  /// The fold of one pack of values.
  RUNG_DEVICE S fold_pack(const pack<T, pack_size>& values, std::int64_t first) const {
    if constexpr (absorbs) return op.absorb(identity<S>(op), values.values, first);
    else return tree_of_values(op, values.values, first);
  }
  /// Level K of the batched butterfly over rows first .. first + 2^K: of a pair of rows a lane
  /// keeps the one with its own bit K. Row after row, so that few states live at a time.
  template <int K, class RowAt>
  RUNG_DEVICE auto halve(const RowAt& row_at, int first) const {
    if constexpr (K < 0) {
      return row_at(first);
    } else {
      const auto even = halve<K - 1>(row_at, first), odd = halve<K - 1>(row_at, first + (1 << K));
      return meet<false>(op, even, odd, K, log_pack + K);
    }
  }
  /// The tree of each row, in a lane of its own: lanes r, r + Rows, ... get row r.
  template <class RowAt>
  RUNG_DEVICE auto across(const RowAt& row_at) const {
    auto v = halve<log_rows - 1>(row_at, 0);
    RUNG_UNROLL
    for (int k = log_rows; k < 5; ++k) v = meet<true>(op, v, v, k, log_pack + k);
    return v;
  }
  /// The tree of all rows, for all lanes; in free order: of a lane, since the warp meets later.
  template <class RowAt>
  RUNG_DEVICE auto over_rows(const RowAt& row_at) const {
    if constexpr (free_order) {
      S all = row_at(0);
      RUNG_UNROLL
      for (int r = 1; r < Rows; ++r) all = op(all, row_at(r));
      return all;
    } else {
      auto v = across(row_at);
      RUNG_UNROLL
      for (int k = 0; k < log_rows; ++k) v = meet<true>(op, v, v, k, log_pack + 5 + k);
      return v;
    }
  }

  /// A lane's values of a row, from aligned arrays.
  RUNG_DEVICE pack<T, pack_size> read_pack(std::int64_t first) const {
    constexpr auto how = Streaming && Adjacent == 1 ? reading::once : reading::unchanged;
    return adjacent([&](int a) { return pack_at<how>(x, first + a * Source::pack_size); });
  }
  /// The same from any.
  RUNG_DEVICE pack<T, pack_size> read_whole(std::int64_t first) const {
    return adjacent([&](int a) { return whole_at(x, first + a * Source::pack_size); });
  }
  /// Narrow values alone: the code for it beside that of aligned arrays costs those of f32 and i32
  /// 4 %, f16 nothing.
  static constexpr bool may_shift = [] {
    if constexpr (requires { Source::in_words; }) return Source::in_words && Source::pack_size > 4;
    else return false;
  }();
  /// Whether the values of a group, or of a row, can be read as aligned words that are shifted.
  RUNG_DEVICE bool shifts(std::int64_t first, int count) const {
    if constexpr (may_shift) return x.shifts(first, count);
    else return false;
  }
  RUNG_DEVICE pack<T, pack_size> read_shifted(std::int64_t first) const {
    if constexpr (may_shift)
      return adjacent([&](int a) { return x.shifted_at(first + a * Source::pack_size); });
    else return {};
  }
  /// The packs of the source that a lane takes, as one.
  template <class PackAt>
  static RUNG_DEVICE pack<T, pack_size> adjacent(const PackAt& pack_at) {
    if constexpr (Adjacent == 1) return pack_at(0);
    pack<T, pack_size> all{};
    RUNG_UNROLL
    for (int a = 0; a < Adjacent; ++a) {
      const auto part = pack_at(a);
      RUNG_UNROLL
      for (int j = 0; j < Source::pack_size; ++j) all[a * Source::pack_size + j] = part[j];
    }
    return all;
  }

  // ---- whole groups

  RUNG_DEVICE void read_group(std::int64_t mine, pack<T, pack_size> (&packs)[Rows]) const {
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r) packs[r] = read_pack(mine + r * row);
  }
  /// over_rows of a whole group, from aligned arrays or from any.
  template <bool Aligned>
  RUNG_DEVICE S fold_group(std::int64_t first) const {
    const std::int64_t mine = first + lane() * pack_size;
    if constexpr (Aligned) {
      pack<T, pack_size> packs[Rows];
      read_group(mine, packs);
      return over_rows([&](int r) { return fold_pack(packs[r], mine + r * row); });
    } else {
      if constexpr (may_shift)
        if (shifts(first, group)) [[likely]]
          return over_rows(
              [&](int r) { return fold_pack(read_shifted(mine + r * row), mine + r * row); });
      return over_rows(
          [&](int r) { return fold_pack(read_whole(mine + r * row), mine + r * row); });
    }
  }
  /// Of no values: where nobody looks, some state.
  RUNG_DEVICE S empty_lane() const {
    if constexpr (skips) return identity<S>(op);
    else return S{};
  }
  /// What the lane has so far, joined with its values of a group, which stands behind them.
  template <bool Aligned>
  RUNG_DEVICE S absorb_group(const S& so_far, std::int64_t first) const {
    const std::int64_t mine = first + lane() * pack_size;
    if constexpr (Aligned && requires(pack<T, pack_size>(&p)[Rows]) {
                    op.template absorb_rows<Rows>(so_far, p, mine, row);
                  }) {
      pack<T, pack_size> packs[Rows];
      read_group(mine, packs);
      return op.template absorb_rows<Rows>(so_far, packs, mine, row);
    } else {
      return op(so_far, fold_group<Aligned>(first));
    }
  }
  /// The tree of the values v of the first 2^log_groups lanes, for these.
  template <class V>
  RUNG_DEVICE V over_groups(V v, int log_groups) const {
    for (int k = 0; k < log_groups; ++k) v = meet<true>(op, v, v, k, levels + k);
    return v;
  }
  /// The tree of 2^log_groups whole groups, for the first lane.
  template <bool Aligned>
  RUNG_DEVICE S fold_whole_states(std::int64_t first, int log_groups) const {
    const int groups = 1 << log_groups;
    S mine = absorbs ? absorb_group<Aligned>(empty_lane(), first) : fold_group<Aligned>(first);
    for (int g = 1; g < groups; ++g) {
      const std::int64_t next = first + std::int64_t(g) * group;
      if constexpr (absorbs) {
        mine = absorb_group<Aligned>(mine, next);
      } else {
        const S all = fold_group<Aligned>(next);
        if constexpr (free_order) mine = op(mine, all);
        else mine = choose(g == lane(), all, mine);
      }
    }
    if constexpr (free_order) return reduce(warp_lanes<>(), mine, op);
    else return over_groups(mine, log_groups);
  }
  /// The same apart from code that it would only hold up, for arrays that are not aligned and
  /// values that blocks do not hold for.
  template <bool Aligned>
  static RUNG_DEVICE_CALL S fold_whole_apart(Source x, Op op, std::int64_t first, int log_groups) {
    return tile{x, op}.template fold_whole_states<Aligned>(first, log_groups);
  }
  /// The same as a block, which may not hold. The next group is asked for before one is folded.
  RUNG_DEVICE auto fold_whole_to_block(std::int64_t first, int log_groups) const {
    pack<T, pack_size> packs[Rows], next[Rows];
    const auto fold = [&](std::int64_t at) {
      return over_rows([&](int r) { return block_of(op, packs[r].values, at + r * row); });
    };
    std::int64_t at = first + lane() * pack_size;
    decltype(fold(at)) mine{};
    read_group(at, next);
    for (int g = 0; g < 1 << log_groups; ++g, at += group) {
      RUNG_UNROLL
      for (int r = 0; r < Rows; ++r) packs[r] = next[r];
      if (g + 1 < 1 << log_groups) read_group(at + group, next);
      mine = choose(g == lane(), fold(at), mine);
    }
    return over_groups(mine, log_groups);
  }
  RUNG_DEVICE S fold_whole(std::int64_t first, int log_groups) const {
    if constexpr (requires { std::bool_constant<Source::aligned>(); }) {  // always, or never
      if constexpr (!has_blocks || !Source::aligned)
        return fold_whole_states<Source::aligned>(first, log_groups);
    }
    if (!x.aligned) [[unlikely]] {
      // f64, 2^26: 123 us, and 129 beside the code for this; few tiles: 0.1 us slower with the
      // call.
      if constexpr (Streaming || has_blocks)
        return fold_whole_apart<false>(x, op, first, log_groups);
      else return fold_whole_states<false>(first, log_groups);
    }
    if constexpr (has_blocks) {
      const auto all = fold_whole_to_block(first, log_groups);
      if (shuffle(int(block_holds(op, all)), 0) != 0) [[likely]]
        return state_of_block(op, all, levels + log_groups);
      return fold_whole_apart<true>(x, op, first, log_groups);
    } else {
      return fold_whole_states<true>(first, log_groups);
    }
  }

  // ---- less than a group

  /// A lane's values of a row that has `count` of them, as far as they fill packs of 16 bytes;
  /// beyond: some values, which nobody uses. All lanes go the same way: behind a branch that they
  /// part in, nvcc 13.0 may leave them apart in the exchanges that follow.
  RUNG_DEVICE pack<T, pack_size> read_some(std::int64_t first, int count) const {
    constexpr int each = Source::pack_size;
    const int mine = lane() * pack_size, last = count / each - 1;
    if (!x.aligned) [[unlikely]] {
      if (shifts(first, row)) return read_shifted(first + mine);
      return x.template some_at<pack_size>(first + mine, count - mine);
    }
    if (last < 0) return {};
    return adjacent([&](int a) {
      const int p = lane() * Adjacent + a;
      return pack_at<reading::unchanged>(x, first + (p < last ? p : last) * each);
    });
  }
  /// All of a lane's values of a row that has `count` of them; beyond the end: some values.
  RUNG_DEVICE pack<T, pack_size> read_each(std::int64_t first, int count) const {
    const int mine = lane() * pack_size;
    if (count < row) return x.template some_at<pack_size>(first + mine, count - mine);
    if (x.aligned) [[likely]]
      return read_pack(first + mine);
    return shifts(first, row) ? read_shifted(first + mine) : read_whole(first + mine);
  }
  /// The values behind the last whole pack of `count`, one per lane.
  RUNG_DEVICE T read_item(std::int64_t first, int count) const {
    const int items = count % pack_size;
    if (items == 0) return T{};
    const int mine = lane() < items ? lane() : 0;
    return x.template some_at<1>(first + count - items + mine, 1)[0];
  }
  /// The lane at position `count` of its group of lanes knows the blocks left of it, which are
  /// those of the count.
  template <int Levels, class Rest>
  static RUNG_DEVICE void put_left(const left_blocks<S, Levels>& blocks, bool here, int level,
                                   Rest& rest) {
    if (!here) return;
    RUNG_UNROLL
    for (int k = 0; k < Levels; ++k)
      if ((blocks.rank >> k & 1) != 0) rest[level + k] = blocks.left[k];
  }
  /// Of a row that has `count` values: the trees left of each lane, and what read_item gave.
  template <class Blocks, class Rest>
  RUNG_DEVICE void put_row(const Blocks& blocks, const T& item, std::int64_t first, int count,
                           Rest& rest) const {
    static_assert(pack_size <= warp_size);
    const int items = count % pack_size;
    put_left(blocks, lane() == count / pack_size, log_pack, rest);
    if constexpr (pack_size > 1) {
      if (items == 0) return;
      const S mine = lift(op, item, first + count - items + lane());
      const auto of_items = up_sweep<false>(warp_lanes<>::split<pack_size>(), mine, op);
      put_left(of_items, lane() == items, 0, rest);
    }
  }
  /// For a warp alone: puts the aligned blocks of `count` values, less than a group, into rest[k].
  template <class Rest>
  RUNG_DEVICE void fold_part(std::int64_t first, int count, Rest& rest) const {
    S rows[Rows];
    S last_row{};  // the one that is not whole
    const int whole = count / row;
    const T item = read_item(first, count);
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const auto values = read_some(first + r * row, count - r * row);
      rows[r] = fold_pack(values, first + r * row + lane() * pack_size);
      if (r == whole) last_row = rows[r];
    }
    const auto of_rows =
        up_sweep<false>(warp_lanes<>(), across([&](int r) { return rows[r]; }), op);
    const auto of_lanes = up_sweep<false>(warp_lanes<>(), last_row, op);
    put_left(of_rows, lane() == whole, floor_log2(row), rest);
    put_row(of_lanes, item, first + whole * row, count % row, rest);
  }
  /// Of `count` values, less than a group, in free order: the fold, for all lanes.
  RUNG_DEVICE S fold_some(std::int64_t first, int count) const {
    const int items = count % pack_size;
    const T item = read_item(first, count);
    S all = empty_lane();
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const int begin = r * row + lane() * pack_size;
      const S more = fold_pack(read_some(first + r * row, count - r * row), first + begin);
      all = choose(begin + pack_size <= count, S(op(all, more)), all);
    }
    const S last = lift(op, item, first + count - items + lane());
    all = choose(lane() < items, S(op(all, last)), all);
    return reduce(warp_lanes<>(), all, op);
  }
  /// A row, whole or not: one way through for both. Its tree to `tree`, or its blocks to `rest`.
  template <class Tree, class Rest>
  RUNG_DEVICE void fold_row(std::int64_t first, int count, Tree&& tree, Rest& rest) const {
    const int there = count < row ? count : row;
    const auto values = read_some(first, there);
    const T item = read_item(first, there);
    const auto blocks =
        up_sweep<false>(warp_lanes<>(), fold_pack(values, first + lane() * pack_size), op);
    if (count >= row) {
      if (lane() == warp_size - 1) tree = blocks.own;
    } else {
      put_row(blocks, item, first, count, rest);
    }
  }
  /// The rows of `count` values, less than a group, one per warp, beginning with warp `from`.
  RUNG_DEVICE void fold_rows(std::int64_t first, int count, int from,
                             tile_scratch<S>& scratch) const {
    const int warps = warps_of_block(), warp = warp_in_block();
    for (int r = warp < from ? warp - from + warps : warp - from; r * row < count; r += warps)
      fold_row(first + r * row, count - r * row, scratch.rows[r], scratch.rest);
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
  /// aligned blocks of what is left to scratch.rest. In free order every warp has a state instead.
  RUNG_DEVICE void fold_end(std::int64_t first, int count, tile_scratch<S>& scratch) const {
    const int warp = warp_in_block(), begin = warp * group, left = count - begin;
    if constexpr (skips) {
      S all = empty_lane();
      if (left >= group) [[likely]]
        all = fold_whole(first + begin, 0);
      else if (left > 0) all = fold_some(first + begin, left);
      if (lane() == 0) scratch.warps[warp] = computed(all);
      return;
    }
    if constexpr (Rows == 1) {
      if (left > 0) fold_row(first + begin, left, scratch.warps[warp], scratch.rest);
    } else {
      if (left >= group) [[likely]] {
        const S all = computed(fold_whole(first + begin, 0));
        if (lane() == 0) scratch.warps[warp] = all;
      }
      const int groups = count / group;
      fold_rows(first + groups * group, count % group, groups, scratch);
    }
  }
  /// What fold_end has put there: the trees left of each warp's, for the first warp's lanes; those
  /// of the rows of the last group go to scratch.rest.
  static RUNG_DEVICE auto sweep_end(const Op& op, tile_scratch<S>& scratch, int count) {
    const int groups = count / group;
    S v{};
    if constexpr (Rows == 1) {
      if (groups > 0) v = scratch.warps[lane() < groups ? lane() : 0];
      return up_sweep<false>(warp_lanes<>(), v, op);
    } else {  // groups in the lower half of the lanes, rows in the upper
      constexpr int half = warp_size / 2;
      const int rows = count % group / row, mine = lane() % half;
      if (lane() < half) {
        if (groups > 0) v = scratch.warps[mine < groups ? mine : 0];
      } else if (rows > 0) {
        v = scratch.rows[mine < rows ? mine : 0];
      }
      warp_barrier();
      const auto blocks = up_sweep<false>(warp_lanes<>::split<half>(), v, op);
      put_left(blocks, lane() == half + rows, floor_log2(row), scratch.rest);
      warp_barrier();
      return blocks;
    }
  }
  /// The tree of all warps, a power of two of them, which have written from warps[begin] on. Small
  /// states are read by every lane, large ones by a lane each.
  static RUNG_DEVICE S fold_warps(const Op& op, const shared<S[32]>& warps, int begin, int count) {
    if constexpr (sizeof(S) <= 8 && !has_block_tree<Op, T, 4>) {
      return read_warps<32>(op, warps, begin, count);
    } else {
      S v = warps[begin + (lane() & (count - 1))];
      for (int k = 0; 1 << k < count; ++k) v = meet<true>(op, v, v, k, 0);
      return v;
    }
  }
  template <int Most>
  static RUNG_DEVICE S read_warps(const Op& op, const shared<S[32]>& warps, int begin, int count) {
    if constexpr (Most == 1) return warps[begin];
    else if (count == Most) return tree_of<S, Most>(warps, begin, op);
    else return read_warps<Most / 2>(op, warps, begin, count);
  }
  /// What fold_end has put there in free order, for all lanes of a warp.
  static RUNG_DEVICE S fold_any_warps(const Op& op, const shared<S[32]>& warps) {
    const S v = warps[lane() < warps_of_block() ? lane() : 0];
    return reduce(warp_lanes<>(), choose(lane() < warps_of_block(), v, identity<S>(op)), op);
  }
};

}  // namespace rung::detail
