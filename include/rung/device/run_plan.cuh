// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of equal neighbouring keys as segments. Data flow: mark_runs compares neighbours, once, and
// leaves a bit per key that says whether a run begins there, and what each share of positions has:
// how many begins, the first, the last. Two scans over shares (scan.cuh) say what stands before
// each share and where the next run begins behind it; plan_runs turns that into the shares' work
// (segment_plan.cuh). Cost: keys read once, a bit per key written and read.
#pragma once
#include "../warp/scan.cuh"
#include "segment_plan.cuh"

namespace rung {

namespace detail {

/// Runs that begin in a stretch of positions: how many, and where the last one does (-1: none).
struct runs_in {
  std::int64_t count, last;
};
/// Stretch after stretch.
struct join_runs {
  template <class S>
  static constexpr bool any_order = true;
  template <class S>
  static constexpr bool commutes = false;
  template <class S>
  static RUNG_HD constexpr S identity() {
    return {0, -1};
  }
  RUNG_HD constexpr runs_in lift(const runs_in& x) const { return x; }
  RUNG_HD constexpr runs_in operator()(const runs_in& l, const runs_in& r) const {
    return {l.count + r.count, r.last >= 0 ? r.last : l.last};
  }
};

/// What is known of each share of positions; one entry more than shares.
struct run_shares {
  global<runs_in> own;          ///< runs that begin in the share; then: before it
  global<std::int64_t> firsts;  ///< where the first does, or n; from the last share to the first;
                                ///< then: the first that begins in the share or behind it
};

/// The begins of runs as a list of segments.
struct run_list {
  global<const std::uint32_t> bits;  ///< of position i: bit i % 32 of word i / 32
  static constexpr bool merges = false, plans_alone = false;
  static RUNG_DEVICE std::int64_t place(std::int64_t, std::int64_t begin) { return begin; }

  /// Where the chunks of a share begin, as entries behind `base`. All threads of the block call.
  template <class Tile>
  RUNG_DEVICE bool stage_begins(const Tile& t, const share_work& w, std::int64_t base, int) const {
    auto& counts = scratch<shared<int[tune::segment_threads / warp_size]>>(t.firsts_at);
    constexpr int words = Tile::size / 32, threads = tune::segment_threads,
                  rounds = (words + threads - 1) / threads;
    const int me = int(thread_index().x);
    const std::int64_t share = w.share << (floor_log2(Tile::size) - 5);  // its first word
    const int left_out = w.ahead > 0 ? 1 : 0;  // the first chunk has begun before
    if (me == 0) {
      if (left_out != 0 || w.chunks == 1) t.begins[0] = std::uint16_t(w.first - base);
      t.begins[w.chunks] = std::uint16_t(w.end - base);
    }
    if (w.chunks == 1) return false;
    int before = left_out;
    RUNG_UNROLL
    for (int r = 0; r < rounds; ++r) {
      const int word = r * threads + me;
      std::uint32_t mine = 0;
      if (word < words) mine = load_read_only(bits[share + word]);
      const int own = bit_count(mine);
      const int up_to = inclusive_scan(warp_lanes<>(), own, plus_in_block{});
      if (lane() == warp_size - 1) counts[warp_in_block()] = up_to;
      block_barrier();
      int at = before + up_to - own;
      for (int v = 0; v < threads / warp_size; ++v) {
        const int of_warp = counts[v];
        if (v < warp_in_block()) at += of_warp;
        before += of_warp;
      }
      for (; mine != 0 && at < w.chunks; mine &= mine - 1, ++at)
        t.begins[at] = std::uint16_t(((share + word) << 5) + lowest_bit(mine) - base);
      if (r + 1 < rounds) block_barrier();
    }
    return false;
  }
  struct plus_in_block {
    template <class S>
    static constexpr bool any_order = true;
    RUNG_HD constexpr int operator()(int l, int r) const { return l + r; }
  };
};

/// The bits of Count lanes, each of which has 32 / Count of them, as words: in the first of them.
template <int Count>
RUNG_DEVICE std::uint32_t gather_bits(std::uint32_t mine) {
  constexpr int each = 32 / Count;
  mine <<= each * (lane() & (Count - 1));
  RUNG_UNROLL
  for (int d = 1; d < Count; d *= 2) mine |= shuffle_xor(mine, d);
  return mine;
}
inline constexpr int mark_threads = 256;
/// A bit per key, and the runs of each share, one block each. A lane compares the neighbours of a
/// pack of keys.
template <int LogSize, class Keys, class Equal>
RUNG_KERNEL(mark_threads)
void mark_runs(Keys keys, Equal equal, std::int64_t n, global<std::uint32_t> bits,
               run_shares shares, std::int64_t count) {
  using Key = typename Keys::value_type;
  constexpr int N = Keys::pack_size < 8 ? Keys::pack_size : 8, row = warp_size * N,
                size = 1 << LogSize, warps = mark_threads / warp_size,
                rows = size / row > warps ? size / row / warps : 1, at_once = rows < 4 ? rows : 4;
  struct found {
    shared<int[warps]> counts, firsts, lasts;
  };
  auto& s = scratch<found>();
  const std::int64_t share = block_index().x, begin = share << LogSize;
  const int warp = warp_in_block();
  wait_for_previous_launch();
  allow_next_launch();
  int runs = 0, first = size, last = -1;
  for (int r = 0; r < rows && warp * rows * row < size; r += at_once) {
    pack<Key, N> got[at_once];
    Key left[at_once];
    RUNG_UNROLL
    for (int j = 0; j < at_once; ++j) {
      const std::int64_t at = begin + (warp * rows + r + j) * row + lane() * N;
      if (keys.aligned && N == Keys::pack_size && at + N <= n)
        got[j] = pack_at<reading::once>(keys, at);
      else if (at < n) got[j] = keys.template some_at<N>(at, n - at);
      else got[j] = {};
      left[j] = got[j][0];
      if (lane() == 0 && at > 0 && at < n) left[j] = keys.template some_at<1>(at - 1, 1)[0];
    }
    RUNG_UNROLL
    for (int j = 0; j < at_once; ++j) {
      const int in_share = (warp * rows + r + j) * row + lane() * N;
      const std::int64_t at = begin + in_share;
      const Key neighbour = shuffle_up(got[j][N - 1], 1);
      if (lane() != 0) left[j] = neighbour;
      std::uint32_t mine = 0;
      RUNG_UNROLL
      for (int i = 0; i < N; ++i)
        if (at + i < n &&
            (at + i == 0 || !equal(i > 0 ? got[j][i > 0 ? i - 1 : 0] : left[j], got[j][i])))
          mine |= 1u << i;
      if (mine != 0) {
        runs += bit_count(mine);
        if (first == size) first = in_share + lowest_bit(mine);
        last = in_share + highest_bit(mine);
      }
      warp_barrier();
      const std::uint32_t word = gather_bits<32 / N>(mine);
      if (lane() % (32 / N) == 0) bits[at >> 5] = word;
    }
  }
  runs = redux_add(runs), first = redux_min(first), last = redux_max(last);
  if (lane() == 0) s.counts[warp] = runs, s.firsts[warp] = first, s.lasts[warp] = last;
  block_barrier();
  if (thread_index().x != 0) return;
  runs = 0, first = size, last = -1;
  for (int v = 0; v < warps; ++v) {
    runs += int(s.counts[v]);
    if (first == size) first = s.firsts[v];
    if (int(s.lasts[v]) >= 0) last = s.lasts[v];
  }
  shares.own[share] = runs_in{runs, last < 0 ? -1 : begin + last};
  shares.firsts[count - share] = first == size ? n : begin + first;
  if (share == 0) shares.own[count] = runs_in{0, -1}, shares.firsts[0] = n;
}

/// Offsets of the runs, and how many there are: one warp per share.
template <int LogSize>
RUNG_KERNEL(mark_threads)
void put_run_offsets(run_shares known, global<const std::uint32_t> bits, std::int64_t shares,
                     std::int64_t n, global<std::int64_t> offsets, global<std::int64_t> runs) {
  wait_for_previous_launch();
  allow_next_launch();
  constexpr int words = (1 << LogSize) / 32, warps = mark_threads / warp_size;
  const std::int64_t share = std::int64_t(block_index().x) * warps + warp_in_block();
  if (share >= shares) return;
  const runs_in before = known.own[share], all = known.own[shares];
  std::int64_t at = before.count;
  for (int first = 0; first < words; first += warp_size) {
    const std::int64_t word = share * words + first + lane();
    std::uint32_t mine = first + lane() < words ? bits[word] : 0;
    const int own = bit_count(mine);
    const int up_to = inclusive_scan(warp_lanes<>(), own, run_list::plus_in_block{});
    for (std::int64_t i = at + up_to - own; mine != 0; mine &= mine - 1, ++i)
      offsets[i] = (word << 5) + lowest_bit(mine);
    at += shuffle(up_to, warp_size - 1);
  }
  if (share == 0 && lane() == 0) {
    offsets[all.count] = n;
    runs[0] = all.count;
  }
}

/// One thread per share; the number of runs to where it is wanted.
template <int LogSize, bool WithRest>
RUNG_KERNEL(256)
void plan_runs(run_shares known, global<share_work> work, std::int64_t shares,
               global<std::int64_t> runs, global<std::uint32_t> clear, std::int64_t words) {
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t me = std::int64_t(block_index().x) * 256 + thread_index().x;
  const auto begin_at = [&](std::int64_t share) {
    const runs_in before = known.own[share];
    const std::int64_t next = known.firsts[shares - share];
    return share_begin{before.count, next, before.last};
  };
  if (me < shares) {
    share_work w = work_of<LogSize, WithRest, run_list>(me, begin_at(me), begin_at(me + 1));
    w.share = me;
    work[me] = w;
  }
  if (me == 0 && runs) {
    const runs_in all = known.own[shares];
    runs[0] = all.count;
  }
  for (std::int64_t i = me; i < words; i += std::int64_t(grid_shape().x) * 256) clear[i] = 0u;
}

}  // namespace detail
}  // namespace rung
