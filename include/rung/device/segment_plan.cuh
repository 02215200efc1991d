// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How segments are shared out. Data flow: values and segments, merged in order, are cut into equal
// shares, one search per share (plan_segments); a block takes what begins in its share: segments,
// and parts of segments longer than a share, which are cut at multiples of a share's size of their
// own positions. So a share has at most one part of a long segment that is whole, and neighbouring
// parts begin in neighbouring shares. Cost: 64 bytes per share, written and read.
#pragma once
#include "../tune/segmented.hpp"
#include "segment_tile.cuh"

namespace rung {

namespace detail {

/// What a block does: chunks that begin in its share. The first may be a later part of a long
/// segment, the last the first part of one.
struct share_work {
  std::int64_t segment;               ///< of the first chunk
  std::int64_t first, end;            ///< values of all chunks
  std::int64_t ahead;                 ///< values of the segment before the first chunk
  std::int64_t long_begin, long_end;  ///< the segment of the last chunk
  std::int64_t share;
  int chunks;
  bool is_part;  ///< the last chunk is a whole part of a segment that has more values
  bool wrong;    ///< offsets fall
};

/// All but the last chunk, and the last chunk alone.
RUNG_DEVICE share_work without_last(share_work w) {
  --w.chunks, w.end = w.long_begin, w.is_part = false;
  return w;
}
RUNG_DEVICE share_work only_last(share_work w) {
  w.segment += w.chunks - 1, w.first = w.long_begin, w.ahead = 0, w.chunks = 1;
  return w;
}

/// Segment s: positions at(s) .. at(s + 1) - 1. Whatever offsets say, no position leaves the array.
template <class O>
struct offset_list {
  static constexpr bool merges = true;       ///< shares count segments as well as values
  static constexpr bool plans_alone = true;  ///< a launch of one block needs no plan
  global<const O> offsets;
  std::int64_t count, n;
  RUNG_DEVICE std::int64_t at(std::int64_t i) const {
    const auto o = std::int64_t(load_read_only(offsets[i]));
    return o < 0 ? 0 : o < n ? o : n;
  }
  /// Where segment s, which begins at `begin`, stands among values and segments merged.
  static RUNG_DEVICE std::int64_t place(std::int64_t s, std::int64_t begin) { return begin + s; }
  RUNG_DEVICE std::int64_t place(std::int64_t s) const { return place(s, at(s)); }

  /// Where the chunks of a share begin, as entries behind `base`, `count` of them staged. True if
  /// the offsets that the thread has seen cannot be right.
  template <class Tile>
  RUNG_DEVICE bool stage_begins(const Tile& t, const share_work& w, std::int64_t base,
                                int count_staged) const {
    constexpr int at_once = 4, threads = tune::segment_threads;
    const int first = int(w.first - base);
    bool wrong = w.wrong;
    for (int c = int(thread_index().x); c <= w.chunks; c += at_once * threads) {
      std::int64_t found[at_once];
      RUNG_UNROLL
      for (int j = 0; j < at_once; ++j)
        if (c + j * threads <= w.chunks) found[j] = at(w.segment + c + j * threads);
      RUNG_UNROLL
      for (int j = 0; j < at_once; ++j) {
        const int chunk = c + j * threads;
        if (chunk > w.chunks) break;
        const std::int64_t i = (chunk == 0 ? w.first : chunk < w.chunks ? found[j] : w.end) - base;
        wrong = wrong || i < first || i > count_staged;
        t.begins[chunk] = std::uint16_t(i < first ? first : i < count_staged ? i : count_staged);
      }
    }
    return wrong;
  }
};

/// Where a share begins: the first segment that begins in it or behind it, where that begins, and
/// where the one before does.
struct share_begin {
  std::int64_t segment, begin, previous;
};
template <class O>
RUNG_DEVICE share_begin share_at(const offset_list<O>& list, std::int64_t s) {
  return {s, list.at(s), s > 0 ? list.at(s - 1) : 0};
}

/// The first segment whose place is `target` or behind it. Around a guess first, as if all were of
/// one length; then by halves.
template <class O>
RUNG_DEVICE std::int64_t first_segment(const offset_list<O>& list, std::int64_t target) {
  std::int64_t low = 0, high = list.count;
  const double each = double(list.n + list.count) / double(list.count);  // there is a segment
  auto guess = std::int64_t(double(target) / each);
  if (guess > list.count) guess = list.count;
  for (std::int64_t width = 8; width <= 8 * 128 * 128; width *= 128) {
    const std::int64_t left = guess - width, right = guess + width;
    const bool low_fits = left <= low || list.place(left) < target;
    const bool high_fits = right >= high || list.place(right) >= target;
    if (low_fits && left > low) low = left;
    if (high_fits && right < high) high = right;
    if (low_fits && high_fits) break;
  }
  while (low < high) {
    const std::int64_t half = low + (high - low) / 2;
    if (list.place(half) < target) low = half + 1;
    else high = half;
  }
  return low;
}
/// The work of a share that begins at the place share * 2^LogSize. With_rest: what is left behind
/// the last whole part of a long segment is a chunk, too.
template <int LogSize, bool WithRest, class List>
RUNG_DEVICE share_work work_of(std::int64_t share, const share_begin& here,
                               const share_begin& next) {
  constexpr std::int64_t size = std::int64_t(1) << LogSize;
  share_work w{here.segment, here.begin, next.begin, 0,     next.previous,
               next.begin,   share,      0,          false, false};
  std::int64_t chunks = next.segment - here.segment;
  if (here.segment > 0) {
    const std::int64_t place = List::place(here.segment - 1, here.previous);  // before this share
    const std::int64_t ahead = ((share << LogSize) - place + size - 1) >> LogSize << LogSize;
    const std::int64_t first = here.previous + ahead;
    if (ahead > 0 && first + size <= here.begin)  // then there is nothing else
      return {here.segment - 1,
              first,
              first + size,
              ahead,
              here.previous,
              here.begin,
              share,
              1,
              true,
              false};
    if (WithRest && ahead > 0 && first < here.begin)
      w.segment = here.segment - 1, w.first = first, w.ahead = ahead, ++chunks;
  }
  w.wrong = next.segment < here.segment || chunks > size || w.end < w.first;
  w.chunks = int(chunks < 0 ? 0 : chunks < size ? chunks : size);
  w.is_part = next.segment > here.segment && next.begin - next.previous > size;
  if (w.is_part) w.end = next.previous + size;
  return w;
}

/// The work of a share: planned, or, of a launch of one block, found here.
template <int LogSize, class List>
RUNG_DEVICE share_work work_in(const List& list, global<const share_work> planned,
                               std::int64_t share) {
  if constexpr (List::plans_alone)
    if (grid_shape().x == 1)
      return work_of<LogSize, false, List>(0, share_at(list, 0), share_at(list, list.count));
  return planned[share];
}
inline constexpr int plan_threads = 256;
/// One thread per share, and one more per block, that nobody works for; `clear`: 4-byte words that
/// the call wants to be 0.
template <int LogSize, bool WithRest, class O>
RUNG_KERNEL(plan_threads)
void plan_segments(offset_list<O> list, global<share_work> work, std::int64_t shares,
                   global<std::uint32_t> clear, std::int64_t words) {
  auto& begins = scratch<shared<share_begin[plan_threads]>>();
  wait_for_previous_launch();
  allow_next_launch();
  const int me = int(thread_index().x);
  const std::int64_t block = block_index().x, share = block * (plan_threads - 1) + me;
  share_begin here{};
  if (share <= shares) here = share_at(list, first_segment(list, share << LogSize));
  begins[me] = here;
  block_barrier();
  if (share < shares && me + 1 < plan_threads)
    work[share] = work_of<LogSize, WithRest, offset_list<O>>(share, here, begins[me + 1]);
  const std::int64_t threads = std::int64_t(grid_shape().x) * plan_threads;
  for (std::int64_t i = block * plan_threads + me; i < words; i += threads) clear[i] = 0u;
}

}  // namespace detail
}  // namespace rung
