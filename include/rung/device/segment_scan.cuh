// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of segmented scans. Data flow: a block stages what begins in its share and folds it
// (segment_tile.cuh); then every piece of 16 is scanned by one thread after what stands left of it,
// entries lie where the values did, and leave in order. A part of a long segment posts its tree;
// every 32 of them make a tree that the last one posts, and 32 of those another; what stands left
// of a part is at most 31 trees of each size. Shares are taken in the order of starting, so who is
// waited for is there already. Cost: values and offsets read once, entries written once.
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016).
#pragma once
#include "../tune/segmented.hpp"
#include "scan_rows.cuh"
#include "segment_words.cuh"

namespace rung {

namespace detail {

template <class S>
struct segment_scan_scratch {
  shared<unsigned> some_pieces;  ///< 1: there is a chunk of 16 values or more; 2: begins fall
  shared<std::uint32_t> share;
  shared<S> left;  ///< what stands left of the first chunk, if it continues a segment
  shared<S> next;  ///< what stands left of what follows on it, if it is a whole part
};

template <int LogSize, class Kind, class Source, class Op, class Start, class R, class List>
struct segment_scanning {
  using tile_type = segment_tile<LogSize, Source, Op, List::merges>;
  using T = typename tile_type::T;
  using S = typename tile_type::S;
  using scratch_type = segment_scan_scratch<S>;
  using words_type = part_words<S>;
  static constexpr int piece = tile_type::piece, size = tile_type::size;
  static constexpr std::size_t head = (sizeof(scratch_type) + 15) / 16 * 16;
  /// Entries lie where values did, or, of another size, behind everything.
  static constexpr bool in_place_of_values =
      sizeof(R) == sizeof(T) && tile_type::staged_type::bytes(16) == 16 * sizeof(T);
  static RUNG_DEVICE bool has_room(const share_work& w) { return tile_type::has_room(w); }
  static constexpr std::size_t lefts_at = head + tile_type::bytes,
                               lefts_bytes = tile_type::round(tile_type::most_firsts * sizeof(S)),
                               apart_at = lefts_at + 2 * lefts_bytes,
                               entries_at = in_place_of_values ? head : apart_at;
  static constexpr std::size_t bytes =
      apart_at + (in_place_of_values ? 0 : tile_type::most * sizeof(R));

  Source x;
  Op op;
  Start start;
  global<R> y;
  List list;
  words_type words;

  // ---- what stands left of a part

  /// What stands left of part number `part` of a segment. If the part is whole and not the rest of
  /// the segment, also posts the trees of groups that end with it, and finds what stands left of
  /// the next part. One warp calls.
  RUNG_DEVICE before<S> look_back(std::int64_t share, std::int64_t part, bool whole, S tree,
                                  S& next) const {
    constexpr int levels = words_type::levels, log = words_type::log_group;
    const std::int64_t first = share - part;
    S x[levels];
    int there[levels];
    bool ends = whole;  // a group of this size ends here
    int level = 0;      // the largest
    RUNG_UNROLL
    for (int k = 0; k < levels; ++k) there[k] = int(part >> log * k & 31);
    // A group's tree is posted before anything larger is waited for: nothing makes a chain.
    words.template take_levels<levels - 1>(first, part, x, *this, [&](int k) {
      ends = ends && there[k] == 31;
      if (!ends || k + 1 == levels) return;
      tree = reduce(warp_lanes<>(), choose(lane() == 31, tree, x[k]), op);
      if (lane() == 0) words.put(k + 1, share, tree);
      level = k + 1;
    });
    before<S> left = start(op);
    next = after(op, left, tree);
    RUNG_UNROLL
    for (int k = levels - 1; k >= 0; --k) {
      if (k == level && whole) {
        const int all = there[k] + 1;
        const S v = choose(lane() == there[k], tree, x[k]);
        next = shuffle(fold_first(v, all, op, left).state, holder(all));
      }
      if (there[k] == 0) continue;
      left = fold_first(x[k], there[k], op, left);
      left.state = shuffle(left.state, there[k]), left.some = true;
    }
    return left;
  }
  /// After so many looks at a word: it may never come, since offsets are wrong.
  RUNG_DEVICE bool operator()(unsigned looks) const {
    return looks % 64 == 0 && any_lane(load_relaxed(words.turn[1]) != 0u);
  }

  // ---- entries

  RUNG_DEVICE R result(const S& s) const {
    const auto r = result_of<Op, T>(op, s);
    if constexpr (number<R> && number<std::remove_cvref_t<decltype(r)>>) return convert<R>(r);
    else return R(r);
  }
  /// Whether pieces are read in turned order (segment_tile.cuh), and scanned in it.
  static constexpr bool turns =
      sizeof(T) <= 8 && in_place_of_values && (has_identity<Op, S> || has_instance_identity<Op, S>);
  /// Entries of a node of the tree over x[Base .. Base + Count), with what stands left of it and
  /// what stands left of what follows on it. Blelloch's two sweeps; where the turn changes sides,
  /// the children do.
  template <int Base, int Count>
  RUNG_DEVICE S up(S (&x)[piece], S (&trees)[piece], int turn) const {
    if constexpr (Count == 1) {
      return x[Base];
    } else {
      constexpr int half = Count / 2;
      const S l = up<Base, half>(x, trees, turn), r = up<Base + half, half>(x, trees, turn);
      const unsigned changed = unsigned(turn & half);
      const S left = choose(changed, r, l);
      trees[Base + half] = left;  // nobody else's place
      if constexpr (commutes<Op, S>) return op(l, r);
      else return op(left, choose(changed, l, r));
    }
  }
  template <int Base, int Count>
  RUNG_DEVICE void down(S (&x)[piece], const S (&trees)[piece], int turn, const S& left,
                        const S& next) const {
    if constexpr (Count == 1) {
      x[Base] = Kind::exclusive ? left : next;
    } else {
      constexpr int half = Count / 2;
      const unsigned changed = unsigned(turn & half);
      const S middle = op(left, trees[Base + half]);
      down<Base, half>(x, trees, turn, choose(changed, middle, left),
                       choose(changed, next, middle));
      down<Base + half, half>(x, trees, turn, choose(changed, left, middle),
                              choose(changed, middle, next));
    }
  }
  /// A whole piece, `left` and `next` around it.
  RUNG_DEVICE void scan_piece(const tile_type& t, const shared_view<R>& entries, int at,
                              std::int64_t position, const before<S>& left, const S& next) const {
    if constexpr (!turns) return scan_few<piece>(t, entries, at, piece, position, left, next);
    const int turn = turn_of<sizeof(T)>(int(thread_index().x));
    S x[piece], trees[piece];
    RUNG_UNROLL
    for (int j = 0; j < piece; ++j)
      x[j] = lift(op, T(t.values[at + (j ^ turn)]), position + (j ^ turn));
    up<0, piece>(x, trees, turn);
    down<0, piece>(x, trees, turn, left.state, next);
    RUNG_UNROLL
    for (int j = 0; j < piece; ++j) entries[at + (j ^ turn)] = result(x[j]);
    if constexpr (Kind::exclusive)
      if (position == 0) entries[at] = result(exclusive_entry_of<Kind::has_init>(left, true, op));
  }
  /// Scans `count` entries from `at` on, Most at most, after what stands left of them. `next` is
  /// what stands left of what follows on Most of them: the last entry of a whole piece.
  template <int Most>
  RUNG_DEVICE void scan_few(const tile_type& t, const shared_view<R>& entries, int at, int count,
                            std::int64_t position, const before<S>& left, const S& next) const {
    S v[Most];
    RUNG_UNROLL
    for (int j = 0; j < Most; ++j)
      if (j < count) v[j] = lift(op, T(t.values[at + j]), position + j);
    if constexpr (Kind::exclusive) {
      const S first = exclusive_entry_of<Kind::has_init>(left, position == 0, op);
      exclusive_in_place<Most>(v, count, op, left, first);
    } else {
      inclusive_in_place<Most>(v, count, op, left);
      if constexpr (Most == piece) v[Most - 1] = next;
    }
    RUNG_UNROLL
    for (int j = 0; j < Most; ++j)
      if (j < count) entries[at + j] = result(v[j]);
  }
  RUNG_DEVICE void scan_rest(const tile_type& t, const shared_view<R>& entries, int at, int count,
                             std::int64_t position, const before<S>& left) const {
    scan_few<piece - 1>(t, entries, at, count, position, left, left.state);
  }

  /// Some chunks of few values or none, all of which are asked for at once.
  static constexpr int at_once = 4;
  RUNG_DEVICE void scan_tinies(const tile_type& t, const shared_view<R>& entries,
                               const int (&begin)[at_once], const int (&length)[at_once]) const {
    constexpr int tiny = tile_type::tiny;
    static_assert(tiny == 4);
    const before<S> left = start(op);
    S x[at_once][tiny];
    RUNG_UNROLL
    for (int c = 0; c < at_once; ++c) {
      RUNG_UNROLL
      for (int j = 0; j < tiny; ++j) {
        x[c][j] = left.state;
        if (j < length[c]) x[c][j] = lift(op, T(t.values[begin[c] + j]), j);
      }
    }
    RUNG_UNROLL
    for (int c = 0; c < at_once; ++c) {
      const S two = op(x[c][0], x[c][1]), all = op(two, S(op(x[c][2], x[c][3]))),
              second = after(op, left, two);
      const S e[tiny] = {after(op, left, x[c][0]), second, op(second, x[c][2]),
                         after(op, left, all)};
      RUNG_UNROLL
      for (int j = 0; j < tiny; ++j) {
        if (j >= length[c]) continue;
        if constexpr (!Kind::exclusive) entries[begin[c] + j] = result(e[j]);
        else if (j > 0) entries[begin[c] + j] = result(e[j > 0 ? j - 1 : 0]);
        else entries[begin[c]] = result(exclusive_entry_of<Kind::has_init>(left, true, op));
      }
    }
  }

  RUNG_DEVICE void scan_share(std::int64_t share, const share_work& w) const {
    auto& s = scratch<scratch_type>();
    tile_type t(x, op, w.chunks, head);
    const auto entries = scratch_array<R>(std::size_t(tile_type::room_with(w.chunks)), entries_at);
    const std::int64_t base = t.base_of(w.first);
    const int me = int(thread_index().x), threads = tune::segment_threads;
    const int count = t.staged(base, w.first, w.end);
    const bool continues = w.ahead > 0;  // the first chunk does
    if (me == 0) s.some_pieces = 0u;
    t.values.load(base, int(w.first - base), count);
    bool some_pieces = false, fall = list.stage_begins(t, w, base, count);
    copy_async_wait<0>();
    block_barrier();

    for (int c = me; c < w.chunks; c += threads) {
      const int begin = t.begins[c], end = t.begins[c + 1];
      fall = fall || end < begin;
      some_pieces = some_pieces || end - begin >= piece;
    }
    warp_barrier();
    const unsigned pieces = any_lane(some_pieces) ? 1 : 0, falls = any_lane(fall) ? 2 : 0;
    if (lane() == 0 && (pieces | falls) != 0) atomic_or(s.some_pieces, pieces | falls);
    block_barrier();
    const unsigned flags = s.some_pieces;
    if (flags > 1) {  // wrong offsets: pieces would meet, and others wait in vain
      if (me == 0 && grid_shape().x > 1) store_relaxed(words.turn[1], 1u);
      return;
    }
    for (int c = me + continues; c < w.chunks; c += at_once * threads) {
      int begin[at_once], length[at_once], longest = 0;
      RUNG_UNROLL
      for (int j = 0; j < at_once; ++j) {
        begin[j] = length[j] = 0;
        if (c + j * threads >= w.chunks) continue;
        begin[j] = t.begins[c + j * threads];
        length[j] = t.begins[c + j * threads + 1] - begin[j];
        longest = length[j] > longest ? length[j] : longest;
      }
      if (longest <= tile_type::tiny) scan_tinies(t, entries, begin, length);
      else
        for (int k = c; k < w.chunks && k < c + at_once * threads; k += threads) {
          const int first = t.begins[k], end = t.begins[k + 1];
          if (end - first < piece) scan_rest(t, entries, first, end - first, 0, start(op));
        }
    }
    if (flags != 0 || continues) scan_pieces(t, entries, share, w, count);
    else block_barrier();
    for (int i = int(w.first - base) + me; i < count; i += threads) {
      const R entry = entries[i];
      y[base + i] = entry;
    }
  }
  /// Chunks of 16 values or more, and one that continues a long segment.
  RUNG_DEVICE void scan_pieces(const tile_type& t, const shared_view<R>& entries,
                               std::int64_t share, const share_work& w, int count) const {
    auto& s = scratch<scratch_type>();
    const int me = int(thread_index().x), threads = tune::segment_threads;
    const bool continues = w.ahead > 0;
    t.fold_pieces(count, w.ahead);
    block_barrier();
    t.fold_pieces_of_pieces(count);
    block_barrier();
    if (warp_in_block() == 0 && (w.is_part || continues)) {
      S tree{};
      if (w.is_part)
        tree = t.fold_whole_pieces(t.begins[w.chunks - 1], t.begins[w.chunks], no_start<S>()(op))
                   .state;
      if (w.is_part && lane() == 0) words.put(0, share, tree);
      if (continues) {
        const bool whole = w.is_part && w.chunks == 1;
        S next{};
        const before<S> left = look_back(share, w.ahead >> LogSize, whole, tree, next);
        if (lane() == 0) s.left = left.state, s.next = next;
      }
    }
    block_barrier();
    const auto lefts = scratch_array<S>(tile_type::most_firsts, lefts_at),
               ends = scratch_array<S>(tile_type::most_firsts, lefts_at + lefts_bytes);
    const auto continued = [&](int begin) { return continues && begin == int(t.begins[0]); };
    const auto before_chunk = [&](int begin) {
      return continued(begin) ? before<S>{S(s.left), true} : start(op);
    };
    for (int p = me; p * piece < count; p += threads) {
      int begin = 0;
      const int at = t.piece_in(p, t.log_piece, begin);
      if (at >= 0) lefts[p] = t.fold_whole_pieces(begin, at, before_chunk(begin)).state;
    }
    for (int c = me; c < w.chunks; c += threads) {  // in the place of the chunk's first piece
      const int begin = t.begins[c], end = t.begins[c + 1];
      if (end - begin < piece) continue;
      if (continued(begin) && w.is_part && w.chunks == 1) ends[begin / piece] = S(s.next);
      else ends[begin / piece] = t.fold_whole_pieces(begin, end, before_chunk(begin)).state;
    }
    block_barrier();
    for (int p = me; p * piece < count; p += threads) {
      int begin = 0, end = 0;
      const int at = t.piece_in(p, t.log_piece, begin, end);
      if (at < 0) continue;
      const bool is_last = at + 2 * piece > end;
      scan_piece(t, entries, at, (continued(begin) ? w.ahead : 0) + at - begin,
                 {S(lefts[p]), at > begin || start(op).some || continued(begin)},
                 is_last ? S(ends[begin / piece]) : S(lefts[p + 1]));
    }
    for (int c = me; c < w.chunks; c += threads) {
      const int begin = t.begins[c], end = t.begins[c + 1], rest = (end - begin) & (piece - 1);
      if (rest == 0 || (end - begin < piece && !continued(begin))) continue;
      scan_rest(
          t, entries, end - rest, rest, (continued(begin) ? w.ahead : 0) + end - rest - begin,
          end - begin < piece ? before_chunk(begin) : before<S>{S(ends[begin / piece]), true});
    }
    block_barrier();
  }
};

template <int LogSize, class Kind, class Source, class Op, class Start, class R, class List>
RUNG_KERNEL(tune::segment_threads, tune::segment_scan_blocks)
void scan_segments(segment_scanning<LogSize, Kind, Source, Op, Start, R, List> f) {
  wait_for_previous_launch();
  allow_next_launch();
  auto& s = scratch<segment_scan_scratch<typename decltype(f)::S>>();
  std::int64_t share = 0;
  if (grid_shape().x > 1) {
    if (thread_index().x == 0) s.share = atomic_add(f.words.turn[0], 1u);
    block_barrier();
    share = std::uint32_t(s.share);
  }
  const share_work w = work_in<LogSize, List>(f.list, f.words.work, share);
  if (w.wrong && thread_index().x == 0 && grid_shape().x > 1) store_relaxed(f.words.turn[1], 1u);
  if (w.chunks <= 0) return;
  bool split = !f.has_room(w);
  for (share_work part = split ? without_last(w) : w;; part = only_last(w), split = false) {
    f.scan_share(share, part);
    if (!split) return;
    block_barrier();
  }
}

}  // namespace detail
}  // namespace rung
