// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of segmented_reduce. Data flow: a block folds the segments that begin in its share
// (segment_plan.cuh, segment_tile.cuh). It puts the tree of a part of a long segment into the
// share's slot, and the last of a segment's blocks to do so folds these trees and what is left
// behind them. Nobody waits for anybody. Cost: values, offsets, results once.
#pragma once
#include "segment_words.cuh"

namespace rung {

namespace detail {

/// Results in their places.
template <class Op, class T, class R>
struct results_into {
  global<R> out;
  RUNG_DEVICE void operator()(const Op& op, std::int64_t i, std::int64_t /*begin*/,
                              const state_t<Op, T>& s) const {
    const auto result = result_of<Op, T>(op, s);
    if constexpr (number<R> && number<std::remove_cvref_t<decltype(result)>>)
      out[i] = convert<R>(result);
    else out[i] = result;
  }
};

template <class S>
struct segment_scratch {
  shared<unsigned> some_pieces;  ///< 1: there is a chunk of 16 values or more; 2: begins fall
  shared<int> done;              ///< of a long segment, by this block
  tile_scratch<S> tile;
};

template <int LogSize, class Source, class Op, class Start, class Out, class List>
struct segment_folding {
  using tile_type = segment_tile<LogSize, Source, Op, List::merges>;
  using T = typename tile_type::T;
  using S = typename tile_type::S;
  static constexpr std::size_t head = (sizeof(segment_scratch<S>) + 15) / 16 * 16;
  static constexpr std::size_t bytes = head + tile_type::bytes;
  static constexpr int piece = tile_type::piece, size = tile_type::size;
  static RUNG_DEVICE bool has_room(const share_work& w) { return tile_type::has_room(w); }
  /// Rows of packs that each warp reads at once where a chunk fills the block; 0: it does not.
  static constexpr int rows = size / (tune::segment_threads * tile_type::N);

  Source x;
  Op op;
  Start start;
  Out out;
  List list;
  part_words<S> words;

  RUNG_DEVICE void put(std::int64_t segment, std::int64_t begin, const before<S>& all,
                       bool some) const {
    if (some || Start::given) out(op, segment, begin, all.state);
    else if constexpr (has_empty<Op, S>) out(op, segment, begin, empty_state<S>(op));
  }
  /// Both levels of pieces, between barriers.
  RUNG_DEVICE static void fold_levels(const tile_type& t, int count, std::int64_t ahead) {
    t.fold_pieces(count, ahead);
    block_barrier();
    t.fold_pieces_of_pieces(count);
    block_barrier();
  }

  /// Some chunks of few values or none.
  template <int Count>
  RUNG_DEVICE void fold_tinies(const tile_type& t, const share_work& w, std::int64_t base, int c,
                               const int (&begin)[Count], const int (&length)[Count]) const {
    before<S> all[Count];
    RUNG_UNROLL
    for (int j = 0; j < Count; ++j)
      all[j] = t.fold_tiny(begin[j], length[j] <= tile_type::tiny ? length[j] : 0, start(op));
    RUNG_UNROLL
    for (int j = 0; j < Count; ++j)
      if (length[j] <= tile_type::tiny)
        put(w.segment + c + j * tune::segment_threads, base + begin[j], all[j], length[j] > 0);
  }
  /// The chunks of a share.
  RUNG_DEVICE void fold_share(std::int64_t share, const share_work& w) const {
    auto& s = scratch<segment_scratch<S>>();
    tile_type t(x, op, w.chunks, head);
    const std::int64_t base = t.base_of(w.first);
    const int me = int(thread_index().x), threads = tune::segment_threads;
    const int count = t.staged(base, w.first, w.end);
    if (me == 0) s.some_pieces = 0u, s.done = 0;
    t.values.load(base, int(w.first - base), count);
    list.stage_begins(t, w, base, count);
    copy_async_wait<0>();
    block_barrier();

    bool some_pieces = false, fall = false;
    constexpr int at_once = 4;
    for (int c = me; c < w.chunks; c += at_once * threads) {
      int begin[at_once], length[at_once], longest = 0;
      RUNG_UNROLL
      for (int j = 0; j < at_once; ++j) {
        const int chunk = c + j * threads;
        begin[j] = 0, length[j] = piece;  // not here
        if (chunk >= w.chunks) continue;
        begin[j] = t.begins[chunk], length[j] = t.begins[chunk + 1] - begin[j];
        longest = length[j] > longest ? length[j] : longest;
        fall = fall || length[j] < 0;
      }
      some_pieces = some_pieces || longest >= piece;
      if (longest <= tile_type::tiny) {
        fold_tinies(t, w, base, c, begin, length);
      } else {
        for (int chunk = c; chunk < w.chunks && chunk < c + at_once * threads; chunk += threads) {
          const int first = t.begins[chunk], n = t.begins[chunk + 1] - first;
          if (n < piece)
            put(w.segment + chunk, base + first, t.fold_few(first, n > 0 ? n : 0, 0, start(op)),
                n > 0);
        }
      }
    }
    warp_barrier();
    const unsigned pieces = any_lane(some_pieces) ? 1 : 0, falls = any_lane(fall) ? 2 : 0;
    if (lane() == 0 && (pieces | falls) != 0) atomic_or(s.some_pieces, pieces | falls);
    block_barrier();
    if (unsigned(s.some_pieces) != 1) return;  // nothing left, or wrong offsets: pieces would meet
    fold_levels(t, count, w.ahead);
    for (int c = me; c < w.chunks; c += threads) {
      const int begin = t.begins[c], end = t.begins[c + 1];
      if (end - begin < piece) continue;
      if (c + 1 < w.chunks || !w.is_part)
        put(w.segment + c, base + begin, t.fold_chunk(begin, end, 0, start(op)), true);
    }
    if (!w.is_part) return;
    if (warp_in_block() == 0) {
      const S tree =
          t.fold_whole_pieces(t.begins[w.chunks - 1], t.begins[w.chunks], no_start<S>()(op)).state;
      const bool done = hand_in(share, w, tree);
      if (lane() == 0) s.done = int(done);
    }
    end_part(w);
  }
  /// The one chunk of a share that has `size` values: they need not wait in shared memory.
  RUNG_DEVICE void fold_whole(std::int64_t share, const share_work& w) const {
    using moved = moved_source<Source>;
    auto& s = scratch<segment_scratch<S>>();
    const moved from(x, w.first - w.ahead);
    const tile<(rows > 0 ? rows : 1), 1, true, moved, Op> t{from, op};
    if (thread_index().x == 0) s.done = 0;
    t.fold_tile(w.ahead, 0, s.tile);
    block_barrier();
    if (warp_in_block() == 0) {
      const S tree = t.fold_warps(op, s.tile.warps, 0, warps_of_block());
      if (w.is_part) {
        const bool done = hand_in(share, w, shuffle(tree, 0));
        if (lane() == 0) s.done = int(done);
      } else if (lane() == 0) {
        put(w.segment, w.first, {after(op, start(op), tree), true}, true);
      }
    }
    if (w.is_part) end_part(w);
  }
  /// What a part that has been handed in leaves to do.
  RUNG_DEVICE void end_part(const share_work& w) const {
    block_barrier();
    if (int(scratch<segment_scratch<S>>().done) != 0)
      finish(*this, w.segment + w.chunks - 1, w.long_begin, w.long_end);
  }

  // ---- long segments: their parts begin in neighbouring shares

  using words_type = part_words<S>;
  static constexpr int levels = words_type::levels, log_group = words_type::log_group;
  struct wait_on {
    RUNG_DEVICE bool operator()(unsigned) const { return false; }
  };
  /// Sets a bit of a word, for one lane; all lanes get the bits that are set now.
  RUNG_DEVICE std::uint32_t set_bit(std::int64_t word, int bit) const {
    std::uint32_t bits = 0;
    if (lane() == 0) bits = atomic_or(words.finished[word], 1u << bit) | 1u << bit;
    return shuffle(bits, 0);
  }
  /// Which levels the end of a segment of so many parts is made of.
  static RUNG_DEVICE std::uint32_t levels_of(std::int64_t parts) {
    std::uint32_t bits = 0;
    for (int k = 0; k < levels; ++k)
      if ((parts >> log_group * k & 31) != 0) bits |= 1u << k;
    return bits;
  }
  /// Posts the tree of a part, and of the groups that it makes whole. A bit for each tree says that
  /// it has been posted; true if the segment has no other that is missing. The first warp calls.
  RUNG_DEVICE bool hand_in(std::int64_t share, const share_work& w, S tree) const {
    const std::int64_t parts = (w.long_end - w.long_begin) >> LogSize, part = w.ahead >> LogSize,
                       first = share - part;
    for (int k = 0; k < levels; ++k) {
      const std::int64_t mine = part >> log_group * k, group = mine >> log_group << log_group;
      if (lane() == 0) words.put(k, words.last_of(k, first, mine), tree);
      const auto posted = set_bit(first + (group << log_group * k) + k, int(mine & 31));
      const auto there = std::int64_t(parts >> log_group * k) - group;
      if (there < 32) {  // no whole group: part of the segment's end
        if (posted != (1u << there) - 1) return false;
        const std::uint32_t all = levels_of(parts);
        return all == 1u << k || set_bit(first + levels, k) == all;
      }
      if (posted != 0xffffffffu) return false;
      tree = reduce(warp_lanes<>(), words.take(words.ask(k, first, group, 32), wait_on{}), op);
    }
    return false;
  }
  /// The fold of all parts of a segment after `left`. The first warp calls.
  RUNG_DEVICE before<S> fold_parts(std::int64_t first, std::int64_t parts, before<S> left) const {
    for (int k = levels - 1; k >= 0; --k) {
      const std::int64_t all = parts >> log_group * k, from = all >> log_group << log_group;
      const int there = int(all - from);
      if (there == 0) continue;
      // Where offsets are wrong, others may think that the segment has another end.
      const auto known = set_none(first + (from << log_group * k) + k);
      if ((known & ((1u << there) - 1)) != (1u << there) - 1) return left;
      left = fold_first(words.take(words.ask(k, first, from, there), wait_on{}), there, op, left);
      left.state = shuffle(left.state, there), left.some = true;
    }
    return left;
  }
  RUNG_DEVICE std::uint32_t set_none(std::int64_t word) const {
    std::uint32_t bits = 0;
    if (lane() == 0) bits = atomic_or(words.finished[word], 0u);
    return shuffle(bits, 0);
  }
  /// A long segment whose trees have all been posted: these, and then the values behind the last
  /// part.
  static RUNG_DEVICE_CALL void finish(segment_folding f, std::int64_t segment, std::int64_t begin,
                                      std::int64_t end) {
    const std::int64_t parts = (end - begin) >> LogSize, rest = begin + (parts << LogSize);
    tile_type t(f.x, f.op, 1, head);
    const std::int64_t base = t.base_of(rest);
    const int count = rest < end ? t.staged(base, rest, end) : 0;
    if (thread_index().x == 0) {
      t.begins[0] = std::uint16_t(count > 0 ? rest - base : 0);
      t.begins[1] = std::uint16_t(count);
    }
    if (count > 0) t.values.load(base, int(rest - base), count);
    before<S> left = f.start(f.op);
    if (warp_in_block() == 0)
      left = f.fold_parts(List::place(segment, begin) >> LogSize, parts, left);
    copy_async_wait<0>();
    block_barrier();
    if (count > 0) fold_levels(t, count, rest - begin);
    if (thread_index().x == 0)
      f.put(segment, begin, t.fold_chunk(t.begins[0], t.begins[1], rest - begin, left), true);
  }
};

template <int LogSize, class Source, class Op, class Start, class Out, class List>
RUNG_KERNEL(tune::segment_threads, tune::segment_blocks)
void reduce_segments(segment_folding<LogSize, Source, Op, Start, Out, List> f) {
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t share = block_index().x;
  const share_work w = work_in<LogSize, List>(f.list, f.words.work, share);
  if (w.chunks <= 0) return;
  bool split = !f.has_room(w);
  for (share_work part = split ? without_last(w) : w;; part = only_last(w), split = false) {
    if (f.rows > 0 && part.chunks == 1 && part.end - part.first == f.size)
      f.fold_whole(share, part);
    else f.fold_share(share, part);
    if (!split) return;
    block_barrier();
  }
}

}  // namespace detail
}  // namespace rung
