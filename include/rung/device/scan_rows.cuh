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
/// put together from two lanes', so that they are.
template <class Op, class T, class R, int N>
struct scan_output {
  using S = state_t<Op, T>;
  using packed = pack<R, N>;
  global<R> y;
  unsigned ahead;  ///< bytes from y to the next place that is aligned to 16 bytes
  static constexpr bool can_shift = sizeof(packed) % 16 == 0;
  using unit = std::conditional_t<sizeof(R) % 4 == 0, std::uint32_t,
                                  std::conditional_t<sizeof(R) == 2, std::uint16_t, std::uint8_t>>;

  scan_output(R* out)
      : y(out), ahead(unsigned(-reinterpret_cast<std::uintptr_t>(out) % alignof(packed))) {}

  RUNG_DEVICE packed results(const Op& op, const S (&entries)[N]) const {
    packed all;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) {
      const auto r = result_of<Op, T>(op, entries[j]);
      if constexpr (number<R> && number<std::remove_cvref_t<decltype(r)>>) all[j] = convert<R>(r);
      else all[j] = R(r);
    }
    return all;
  }
  /// A whole row: entries i, i + 1, ...; i is a multiple of N. All lanes come.
  RUNG_DEVICE void put_row(const Op& op, std::int64_t i, const S (&entries)[N]) const {
    const packed all = results(op, entries);
    if (ahead == 0) [[likely]] {
      store_wide(as<packed>(y + i)[0], all);
    } else if constexpr (can_shift) {
      std::uint32_t words[sizeof(packed) / 4];
      __builtin_memcpy(words, &all, sizeof(packed));
      shift_from_next(words, ahead);
      packed shifted;
      __builtin_memcpy(static_cast<void*>(&shifted), words, sizeof(packed));
      const bool is_last = lane() == warp_size - 1;
      if (!is_last) store_wide(as<packed>(as<unsigned char>(y + i) + ahead)[0], shifted);
      // The row's edges: in the first lane what stands before, in the last what stands behind.
      constexpr int units = int(sizeof(packed) / sizeof(unit));
      unit edge[units];
      __builtin_memcpy(edge, &all, sizeof(packed));
      RUNG_UNROLL
      for (int j = 0; j < units; ++j) {
        const bool before = unsigned(j) * sizeof(unit) < ahead;
        if ((lane() == 0 && before) || (is_last && !before)) as<unit>(y + i)[j] = edge[j];
      }
    } else {
      put_some(op, i, entries, N);
    }
  }
  /// `count` of them.
  RUNG_DEVICE void put_some(const Op& op, std::int64_t i, const S (&entries)[N], int count) const {
    const packed all = results(op, entries);
    RUNG_UNROLL
    for (int j = 0; j < N; ++j)
      if (j < count) y[i + j] = all[j];
  }
};

/// A scan's total for who asked, and what happens if nobody did.
struct no_total {
  template <class Op, class S>
  RUNG_DEVICE void operator()(const Op&, const S&) const {}
  static constexpr bool wanted = false;
};
template <class Op, class T, class R>
struct total_into_memory {
  result_into<Op, T, R> put;
  RUNG_DEVICE void operator()(const Op& op, const state_t<Op, T>& s) const { put(op, s); }
  static constexpr bool wanted = true;
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
  static constexpr int N = Source::pack_size, row = warp_size * N, size = Rows * row;
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

  /// All entries of a warp, `left` before its values and `next` before those behind it:
  /// put(row, entries, pack, what stands left of the pack).
  template <class Values, class Put>
  RUNG_DEVICE void entries(const Values& values, std::int64_t first, const before<S>& left,
                           const S& next, const Put& put) const {
    constexpr int levels = floor_log2(Rows) + 1;
    S block[levels] = {}, begins[Rows];  // of rows: the counter's trees; what stands left of a row
    before<S> start = left;
    const auto t = folding();
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const std::int64_t position = first + r * row + lane() * N;
      const pack<T, N> mine = values(r);
      const auto blocks =
          up_sweep<false>(as_measured<S>(warp_lanes<>()), t.fold_pack(mine, position), op);
      const before<S> before_me = blocks.exclusive(op, start);
      S behind = next;
      if (r + 1 < Rows) {
        S v = shuffle(blocks.own, warp_size - 1);
        RUNG_UNROLL
        for (int k = 0; k < levels; ++k) {
          if ((r >> k & 1) == 0) {
            block[k] = v;
            break;
          }
          v = op(block[k], v);
        }
        const int above = r & (r + 1);
        behind = above != 0 ? S(op(begins[above - 1], v)) : after(op, left, v);
        begins[r] = behind;
        start = {behind, true};
      }
      S right{};
      if constexpr (!Kind::exclusive) {
        right = by_halves(before_me.state, [](auto w) { return shuffle_down(w, 1); });
        right = choose(lane() == warp_size - 1, behind, right);
      }
      S mine_scanned[N];
      scan_pack(mine, position, before_me, right, mine_scanned);
      put(r, mine_scanned, mine, before_me);
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
