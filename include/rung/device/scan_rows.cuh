// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What one warp scans: `Rows` rows of 32 packs of 16 bytes, as they lie in memory, so that neither
// reading nor writing needs an exchange. Data flow: fold() gives the tree of all values, for the
// tile's total; later, when what stands left of the warp is known, entries() goes through the rows
// again: a lane folds its pack, one up-sweep gives what stands left of it in the row, the trees of
// the rows before do the rest, and the lane scans its pack after that. The entry of a pack's last
// value is what stands left of the next pack. Cost per row and 4 bytes of state: 4 to 6 shuffles,
// 5 + 2 N calls for packs of N values.
#pragma once
#include "../warp/scan.cuh"
#include "stage.cuh"
#include "tile.cuh"

namespace rung::detail {

/// Words behind the first `bytes` bytes of these, with those of the next lane behind them.
template <int N>
RUNG_DEVICE void shift_from_next(std::uint32_t (&w)[N], unsigned bytes) {
  std::uint32_t all[N + 4];
  RUNG_UNROLL
  for (int j = 0; j < N; ++j) all[j] = w[j];
  RUNG_UNROLL
  for (int j = 0; j < 4; ++j) all[N + j] = shuffle_down(w[j], 1);
  shift_words(all, bytes);
  RUNG_UNROLL
  for (int j = 0; j < N; ++j) w[j] = all[j];
}

/// Where results go: in packs where y is aligned to 16 bytes; where it is not, a row's packs are
/// put together from two lanes', so that they are. Where y runs backwards, packs are turned round;
/// if they are not aligned either, lanes exchange them, so that the row lies forwards.
template <class Op, class T, class R, int N>
struct scan_output {
  using S = state_t<Op, T>;
  using packed = pack<R, N>;
  global<R> y;
  unsigned ahead;  ///< bytes from where packs begin to the next place that is aligned to 16 bytes
  bool backwards;  ///< result i goes to y[-i]
  static constexpr bool can_shift = sizeof(packed) % 16 == 0;
  using unit = std::conditional_t<sizeof(R) % 4 == 0, std::uint32_t,
                                  std::conditional_t<sizeof(R) == 2, std::uint16_t, std::uint8_t>>;

  scan_output(R* out, bool backwards = false)
      : y(out),
        ahead(unsigned(-reinterpret_cast<std::uintptr_t>(out + backwards) % alignof(packed))),
        backwards(backwards) {}

  RUNG_DEVICE static packed results(const Op& op, const S (&entries)[N]) {
    packed all;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) {
      const auto r = result_of<Op, T>(op, entries[j]);
      if constexpr (number<R> && number<std::remove_cvref_t<decltype(r)>>) all[j] = convert<R>(r);
      else all[j] = R(r);
    }
    return all;
  }
  /// Whole rows: the lane's packs of row 0, 1, ..., the first one at i. All lanes come.
  template <int Rows>
  RUNG_DEVICE void put_rows(std::int64_t i, const packed (&packs)[Rows]) const {
    constexpr int row = warp_size * N;
    if (ahead == 0 && !backwards) [[likely]] {
      const auto to = as<packed>(y + i);
      RUNG_UNROLL
      for (int r = 0; r < Rows; ++r) store_wide(to[r * warp_size], packs[r]);
      return;
    }
    if (!backwards) {
      RUNG_UNROLL
      for (int r = 0; r < Rows; ++r) {
        if constexpr (can_shift) put_shifted(y + i + r * row, packs[r]);
        else put_some(i + r * row, packs[r], N);
      }
    } else if (ahead == 0) {
      RUNG_UNROLL
      for (int r = 0; r < Rows; ++r) {
        packed turned = packs[r];
        turn_round(turned);
        store_wide(as<packed>(y - (i + r * row + N - 1))[0], turned);
      }
    } else {
      RUNG_UNROLL
      for (int r = 0; r < Rows; ++r) {
        if constexpr (can_shift) put_turned(i - lane() * N + r * row, packs[r]);
        else put_some(i + r * row, packs[r], N);
      }
    }
  }
  /// The row's packs change lanes, and then lie forwards.
  RUNG_DEVICE void put_turned(std::int64_t first, packed all) const {
    turn_round(all);
    std::uint32_t words[sizeof(packed) / 4];
    __builtin_memcpy(words, &all, sizeof(packed));
    RUNG_UNROLL
    for (auto& w : words) w = shuffle(w, warp_size - 1 - lane());
    __builtin_memcpy(static_cast<void*>(&all), words, sizeof(packed));
    put_shifted(y + (1 - first - warp_size * N + lane() * N), all);
  }
  /// A pack to a place that is not aligned; the next lane's goes behind it.
  RUNG_DEVICE void put_shifted(global<R> to, const packed& all) const {
    std::uint32_t words[sizeof(packed) / 4];
    __builtin_memcpy(words, &all, sizeof(packed));
    shift_from_next(words, ahead);
    packed shifted;
    __builtin_memcpy(static_cast<void*>(&shifted), words, sizeof(packed));
    const bool is_last = lane() == warp_size - 1;
    if (!is_last) store_wide(as<packed>(as<unsigned char>(to) + ahead)[0], shifted);
    // The row's edges: in the first lane what stands before, in the last what stands behind.
    constexpr int units = int(sizeof(packed) / sizeof(unit));
    unit edge[units];
    __builtin_memcpy(edge, &all, sizeof(packed));
    RUNG_UNROLL
    for (int j = 0; j < units; ++j) {
      const bool before = unsigned(j) * sizeof(unit) < ahead;
      if ((lane() == 0 && before) || (is_last && !before)) as<unit>(to)[j] = edge[j];
    }
  }
  /// The first `count` of them.
  RUNG_DEVICE void put_some(std::int64_t i, const packed& all, std::int64_t count) const {
    RUNG_UNROLL
    for (int j = 0; j < N; ++j)
      if (j < count) y[backwards ? -(i + j) : i + j] = all[j];
  }
};

/// What a scan gives: entries that leave the value at their position out, or not; after an init, or
/// not.
template <bool Exclusive, bool HasInit>
struct scan_kind {
  static constexpr bool exclusive = Exclusive, has_init = HasInit;
};

template <class Kind, int Rows, class Source, class Op>
struct scan_rows {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  static constexpr int rows = Rows, N = Source::pack_size, row = warp_size * N, size = Rows * row;
  const Source& x;
  const Op& op;

  RUNG_DEVICE tile<Rows, 1, false, Source, Op> folding() const { return {x, op}; }

  /// The tree of all values, for all lanes. values(r): the lane's pack of row r.
  template <class Values>
  RUNG_DEVICE S fold(const Values& values, std::int64_t first) const {
    const auto t = folding();
    const S all =
        t.over_rows([&](int r) { return t.fold_pack(values(r), first + r * row + lane() * N); });
    if constexpr (any_order<Op, S>) return reduce(warp_lanes<>(), all, op);
    else return all;
  }

  /// Entries of one lane: its pack, what stands left of it, and (inclusive) of the next one.
  RUNG_DEVICE void scan_pack(const pack<T, N>& values, std::int64_t position, const before<S>& left,
                             const S& next, S (&entries)[N]) const {
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) entries[j] = lift(op, T(values[j]), position + j);
    inclusive_in_place<N>(entries, N - 1, op, left);
    if constexpr (Kind::exclusive) {
      RUNG_UNROLL
      for (int j = N - 1; j > 0; --j) entries[j] = entries[j - 1];
      entries[0] = exclusive_entry_of<Kind::has_init>(left, position == 0, op);
    } else {
      entries[N - 1] = next;
    }
  }

  /// What a warp knows of its values alone: of every row, the trees left of the lane, and the tree.
  struct sweeps {
    left_blocks<S, 5> lanes[Rows];
    S trees[Rows];
  };
  RUNG_DEVICE sweeps sweep(const pack<T, N> (&values)[Rows], std::int64_t first) const {
    sweeps all;
    const auto t = folding();
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const S mine = t.fold_pack(values[r], first + r * row + lane() * N);
      all.lanes[r] = up_sweep<false>(as_measured<S>(warp_lanes<>()), mine, op);
    }
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r) all.trees[r] = shuffle(all.lanes[r].own, warp_size - 1);
    return all;
  }
  /// All entries of a warp, `left` before its values and `next` before those behind it:
  /// take(row, entries, what stands left of the pack). One row's exchanges do not wait for
  /// another's.
  template <class Take>
  RUNG_DEVICE void entries(const pack<T, N> (&values)[Rows], const sweeps& swept,
                           std::int64_t first, const before<S>& left, const S& next,
                           const Take& take) const {
    S ends[Rows];
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r) ends[r] = swept.trees[r];
    inclusive_in_place<Rows>(ends, Rows - 1, op, left);  // what stands left of the next row
    ends[Rows - 1] = next;
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const before<S> start = r == 0 ? left : before<S>{ends[r == 0 ? 0 : r - 1], true};
      const before<S> before_me = swept.lanes[r].exclusive(op, start);
      S right{};
      if constexpr (!Kind::exclusive) {
        right = by_halves(before_me.state, [](auto w) { return shuffle_down(w, 1); });
        right = choose(lane() == warp_size - 1, ends[r], right);
      }
      S scanned[N];
      scan_pack(values[r], first + r * row + lane() * N, before_me, right, scanned);
      take(r, scanned, before_me);
    }
  }

  /// The fold of the first `count` values of the pack that position `count` stands in, after what
  /// stands left of it: for the total of a tile that is not whole.
  RUNG_DEVICE S up_to(const pack<T, N>& values, std::int64_t position, const before<S>& left,
                      int count) const {
    S lifted[N];
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) lifted[j] = lift(op, T(values[j]), position + j);
    return reduce_at_most<N>(this_thread, lifted, count, op, left);
  }
};

/// What stands left of each of a block's warps, and behind the last: from the trees of the warps,
/// what stands left of the block, and what stands behind it. Lane w has that of warp w. A power of
/// two of warps, 32 at most.
template <class S, class Op>
RUNG_DEVICE before<S> before_warps(const shared<S[32]>& trees, int warps, const Op& op,
                                   const before<S>& left) {
  const S v = trees[lane() < warps ? lane() : 0];
  return up_sweep<false>(as_measured<S>(warp_lanes<>()), v, op).exclusive(op, left);
}

}  // namespace rung::detail
