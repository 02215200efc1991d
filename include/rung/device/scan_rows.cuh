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
#include "scan_kernels.cuh"
#include "tile.cuh"

namespace rung::detail {

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

}  // namespace rung::detail
