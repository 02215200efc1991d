// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Chunks of neighbouring values, each folded for itself by one block: segments, or parts of long
// ones. Data flow: the values lie in shared memory (segment_stage.cuh); every 16 neighbours of a
// chunk, counted from its begin, are folded by one thread, then every 16 of those trees; what is
// left over at each level is less than 16, and one thread per chunk joins it. Pieces of one size do
// not overlap, so at most one begins in each window of that size: the window is the piece's place,
// and nothing is counted or compacted. Cost per value: one load from shared memory.
#pragma once
#include "../tune/segmented.hpp"
#include "segment_stage.cuh"
#include "tile.cuh"

namespace rung::detail {

/// The tree of the 16 entries of x from `first` on. Neighbouring threads read neighbouring pieces,
/// each in another order, so that they meet in no bank: entry j ^ turn in the place of j is the
/// same tree with the sides of some joins changed.
template <int Base, int Count, class S, class Op, class Get>
RUNG_DEVICE S turned_tree(const Op& op, const Get& get, int turn) {
  if constexpr (Count == 1) {
    return get(Base ^ turn);
  } else {
    constexpr int half = Count / 2;
    const S l = turned_tree<Base, half, S>(op, get, turn),
            r = turned_tree<Base + half, half, S>(op, get, turn);
    if constexpr (commutes<Op, S>) return op(l, r);
    else return op(choose(unsigned(turn & half), r, l), choose(unsigned(turn & half), l, r));
  }
}
/// How a thread turns pieces of 16 values of so many bytes.
template <std::size_t Bytes>
RUNG_DEVICE int turn_of(int rank) {
  if constexpr (Bytes % 8 == 0) return rank & 15;
  else if constexpr (Bytes >= 4) return rank >> 1 & 15;
  else if constexpr (Bytes == 2) return rank >> 2 << 1 & 15;
  else return rank >> 3 << 2 & 15;
}

/// The chunks of a block, and what it has folded of them. Chunk c: entries begins[c] ..
/// begins[c + 1] - 1 of those staged.
/// Merged: a share counts chunks as well as values.
template <int LogSize, class Source, class Op, bool Merged>
struct segment_tile {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  using staged_type = staged_values<Source>;
  static constexpr int N = Source::pack_size;
  /// The longest chunk, and the room for values: a share's, and some of its last chunk's.
  static constexpr int size = 1 << LogSize, most = size + size / 8 + N;
  static constexpr int log_piece = 4, piece = 1 << log_piece;
  static_assert(LogSize >= 2 * log_piece && LogSize <= 3 * log_piece);

  static RUNG_HD constexpr std::size_t round(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  static constexpr std::size_t larger(std::size_t a, std::size_t b) { return a > b ? a : b; }
  /// Chunks of a share leave room for so many values. All but the last chunk have less than that,
  /// and so has the last one alone.
  static RUNG_HD constexpr int room_with(int chunks) { return Merged ? most - chunks : most; }
  static RUNG_DEVICE bool has_room(const auto& w) {
    return w.chunks <= 1 || w.end - base_of(w.first) <= room_with(w.chunks);
  }
  /// Values from the front, begins from the back: if merged, many of one leave few of the other.
  static constexpr std::size_t values_bytes = round(
      larger(staged_type::bytes(most) + 8, staged_type::bytes(room_with(size)) + 2 * (size + 4)));
  static constexpr int most_firsts = most / piece + 1, most_seconds = most / piece / piece + 1;
  static constexpr std::size_t bytes =
      values_bytes + round(most_firsts * sizeof(S)) + round(most_seconds * sizeof(S));

  const Op& op;
  int chunks;
  std::size_t firsts_at;  ///< a place in the scratch that is free before pieces are folded
  staged_type values;
  shared_view<S> firsts, seconds;  ///< trees of pieces, and of pieces of them
  shared_view<std::uint16_t> begins;

  RUNG_DEVICE segment_tile(const Source& x, const Op& with, int count, std::size_t at)
      : op(with),
        chunks(count),
        firsts_at(at + values_bytes),
        values{x, at, room_with(count)},
        firsts(scratch_array<S>(most_firsts, firsts_at)),
        seconds(scratch_array<S>(most_seconds, firsts_at + round(most_firsts * sizeof(S)))),
        begins(scratch_array<std::uint16_t>(std::size_t(count) + 2,
                                            at + values_bytes - 2 * (std::size_t(count) + 2))) {}

  /// The position of entry 0, where chunks begin at `first`.
  static RUNG_DEVICE std::int64_t base_of(std::int64_t first) { return first - first % N; }
  /// The entry behind the last one where chunks end at `end`: what wrong offsets ask for beyond the
  /// room is left out.
  RUNG_DEVICE int staged(std::int64_t base, std::int64_t first, std::int64_t end) const {
    const std::int64_t there = (end > first ? end : first) - base, room = room_with(chunks);
    return int(there < room ? there : room);
  }

  /// The last chunk that begins at entry i or before it; -1: none.
  RUNG_DEVICE int chunk_at(int i) const {
    int first = 0;
    for (int count = chunks; count > 0;) {
      const int half = count / 2;
      if (int(begins[first + half]) <= i) first += half + 1, count -= half + 1;
      else count = half;
    }
    return first - 1;
  }
  /// Where the piece of 2^log_length entries begins that begins in window number w of as many, and
  /// its chunk's begin and end; -1: none does.
  RUNG_DEVICE int piece_in(int w, int log_length, int& begin, int& end) const {
    const int length = 1 << log_length, window = w << log_length;
    const int c = chunk_at(window + length - 1);
    if (c < 0) return -1;
    begin = begins[c], end = begins[c + 1];
    const int before = window - begin;
    const int at = begin + (before > 0 ? (before + length - 1) >> log_length << log_length : 0);
    return at + length <= end ? at : -1;
  }
  RUNG_DEVICE int piece_in(int w, int log_length, int& begin) const {
    int end = 0;
    return piece_in(w, log_length, begin, end);
  }
  /// Trees of all pieces of 16 before entry `count`. ahead: values of the first chunk before it.
  RUNG_DEVICE void fold_pieces(int count, std::int64_t ahead) const {
    const int me = int(thread_index().x);
    for (int w = me; w * piece < count; w += tune::segment_threads) {
      int begin = 0;
      const int at = piece_in(w, log_piece, begin);
      if (at < 0) continue;
      const std::int64_t position = (begin == int(begins[0]) ? ahead : 0) + at - begin;
      if constexpr (requires(const T(&v)[piece]) { op.tree(v, position); }) {
        T v[piece];
        RUNG_UNROLL
        for (int j = 0; j < piece; ++j) v[j] = values[at + j];
        firsts[w] = op.tree(v, position);
      } else {
        firsts[w] = turned_tree<0, piece, S>(
            op, [&](int j) { return lift(op, T(values[at + j]), position + j); },
            turn_of<sizeof(T)>(me));
      }
    }
  }
  /// Trees of all pieces of 256, behind a barrier.
  RUNG_DEVICE void fold_pieces_of_pieces(int count) const {
    const int me = int(thread_index().x);
    for (int w = me; w * piece * piece < count; w += tune::segment_threads) {
      int begin = 0;
      const int at = piece_in(w, 2 * log_piece, begin);
      if (at < 0) continue;
      seconds[w] = turned_tree<0, piece, S>(
          op, [&](int j) { return S(firsts[at / piece + j]); }, turn_of<sizeof(S)>(me));
    }
  }

  struct states_from {
    shared_view<S> states;
    int first;
    RUNG_DEVICE S operator[](int i) const { return states[first + i]; }
  };
  struct values_from {
    const segment_tile& t;
    int first;
    std::int64_t position;
    RUNG_DEVICE S operator[](int i) const {
      return lift(t.op, T(t.values[first + i]), position + i);
    }
  };
  /// The fold of less than 16 values after what stands left of them.
  RUNG_DEVICE before<S> fold_few(int begin, int count, std::int64_t position,
                                 const before<S>& left) const {
    const values_from from{*this, begin, position};
    return {fold_bits<log_piece - 1>(left, from, 0, count, op), left.some || count > 0};
  }
  /// The same of `tiny` at most, all of which are asked for at once.
  static constexpr int tiny = 4;
  RUNG_DEVICE before<S> fold_tiny(int begin, int count, const before<S>& left) const {
    S v[tiny];
    RUNG_UNROLL
    for (int j = 0; j < tiny; ++j) {
      v[j] = left.state;
      if (j < count) v[j] = lift(op, T(values[begin + j]), j);
    }
    const S two = op(v[0], v[1]), four = op(two, S(op(v[2], v[3])));
    S all = choose(unsigned(count == 1), v[0], choose(unsigned(count == tiny), four, two));
    all = after(op, left, all);
    all = choose(unsigned(count == 3), S(op(all, v[2])), all);
    return {choose(unsigned(count > 0), all, left.state), left.some || count > 0};
  }
  /// The fold of the whole pieces of entries begin .. end - 1 after what stands left of them,
  /// behind a barrier.
  RUNG_DEVICE before<S> fold_whole_pieces(int begin, int end, before<S> left) const {
    const int count = end - begin, large = count >> 2 * log_piece,
              singles = count >> log_piece & (piece - 1);
    const states_from in_seconds{seconds, begin >> 2 * log_piece},
        in_firsts{firsts, (begin >> log_piece) + (large << log_piece)};
    left = {fold_bits<log_piece>(left, in_seconds, 0, large, op), left.some || large > 0};
    return {fold_bits<log_piece - 1>(left, in_firsts, 0, singles, op), left.some || singles > 0};
  }
  /// The fold of all of them.
  RUNG_DEVICE before<S> fold_chunk(int begin, int end, std::int64_t ahead,
                                   const before<S>& left) const {
    const int rest = (end - begin) & (piece - 1);
    return fold_few(end - rest, rest, ahead + (end - rest) - begin,
                    fold_whole_pieces(begin, end, left));
  }
};

}  // namespace rung::detail
