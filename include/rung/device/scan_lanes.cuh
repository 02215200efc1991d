// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What one warp scans of a tile that waits in shared memory: every lane owns K neighbours, so most
// of both sweeps takes place in its registers. Data flow: fold() gives the tree of all values, for
// the tile's total; sweep() the trees of each lane's packs, and those left of the lane; when what
// stands left of the warp is known, finish() has what stands left of the lane and of each pack, and
// the pack is scanned after that. Entries go back to shared memory,
// and from there in rows of neighbours to where they belong. Cost for 32 K values of 4 bytes: 11
// shuffles, 3 K calls per lane.
#pragma once
#include "scan_kernels.cuh"

namespace rung::detail {

template <class Kind, int Packs, class Work>
struct scan_lanes {
  using Source = typename Work::source_type;
  using Op = typename Work::op_type;
  using T = typename Source::value_type;
  using S = typename Work::S;
  static constexpr int N = Source::pack_size, K = Packs * N, size = warp_size * K;
  using stage_type = stage<K, Source>;
  using values_type = typename stage_type::values;
  using output = lane_output<K, decltype(Work::out)>;
  /// Of a warp's part of the stage: its values, or a slice of its entries.
  static constexpr std::size_t bytes =
      stage_type::bytes > output::layout::bytes ? stage_type::bytes : output::layout::bytes;
  static_assert(bytes % 128 == 0);
  const Work& w;

  RUNG_DEVICE S fold_pack(const values_type& values, int p, std::int64_t mine) const {
    return tile<1, 1, false, Source, Op>{w.x, w.op}.fold_pack(values[p], mine + p * N);
  }
  /// The tree of packs first .. first + Count: few states live at a time.
  template <int Count>
  RUNG_DEVICE S fold_packs(const values_type& values, int first, std::int64_t mine) const {
    if constexpr (Count == 1) return fold_pack(values, first, mine);
    else
      return w.op(fold_packs<Count / 2>(values, first, mine),
                  fold_packs<Count / 2>(values, first + Count / 2, mine));
  }
  /// The tree of all values of the warp's part that begins with number `first`, for all lanes. They
  /// must be there.
  RUNG_DEVICE S fold(const stage_place& at, std::int64_t first) const {
    values_type values(w.x);
    values.read_early(first, first + size);
    values.read(at, first);
    return reduce(warp_lanes<>(), fold_packs<Packs>(values, 0, first + lane() * K), w.op);
  }

  /// What a warp knows of its values alone.
  struct sweeps {
    values_type values;
    S packs[Packs];            ///< their trees
    left_blocks<S, 5> blocks;  ///< left of the lane; in the last lane `own` is the tree of them all
  };
  /// Of a part of which values may be missing: nobody looks at what stands behind them.
  RUNG_DEVICE void sweep(const stage_place& at, std::int64_t first, sweeps& swept) const {
    swept.values.read(at, first);
    RUNG_UNROLL
    for (int p = 0; p < Packs; ++p) swept.packs[p] = fold_pack(swept.values, p, first + lane() * K);
    const S mine = tree_of<S, Packs>(swept.packs, 0, w.op);
    swept.blocks = up_sweep<false>(as_measured<S>(warp_lanes<>()), mine, w.op);
  }
  /// All entries of the part, `left` before its values and `next` before those behind it, put where
  /// they belong; the total of everything, if it ends here. All lanes come, after they have swept
  /// and met.
  RUNG_DEVICE void finish(const sweeps& swept, const stage_place& at, std::int64_t first,
                          std::int64_t n, const before<S>& left, const S& next) const {
    constexpr bool total = Work::total_type::wanted;
    const std::int64_t mine = first + lane() * K;
    const before<S> before_me = swept.blocks.exclusive(w.op, left);
    S ends[Packs];  // what stands left of the next pack
    RUNG_UNROLL
    for (int p = 0; p < Packs; ++p) ends[p] = swept.packs[p];
    inclusive_in_place<Packs>(ends, Packs - 1, w.op, before_me);
    if constexpr (!Kind::exclusive) ends[Packs - 1] = left_of_next_lane(before_me, next);
    RUNG_UNROLL
    for (int s = 0; s < output::slices; ++s) {
      typename output::slice_type slice;
      RUNG_UNROLL
      for (int i = 0; i < output::packs; ++i) {
        const int p = s * output::packs + i;
        const before<S> start = p == 0 ? before_me : before<S>{ends[p == 0 ? 0 : p - 1], true};
        S entries[N];
        scan_pack<Kind>(swept.values[p], mine + p * N, w.op, start, ends[p], entries);
        const auto results = w.out.results(w.op, entries);
        slice.put(i * int(sizeof(results)), results);
        if constexpr (total) {
          const std::int64_t count = n - mine - p * N;
          if (n - first < size && count >= 0 && count < N)
            w.total(w.op, fold_up_to(swept.values[p], mine + p * N, w.op, start, int(count)));
        }
      }
      output::put(w.out, at.values, first, s, n, slice);
    }
  }
  /// For a part without values: the total, if everything ends before it.
  RUNG_DEVICE void finish_nothing(std::int64_t first, std::int64_t n, const before<S>& left) const {
    if constexpr (Work::total_type::wanted)
      if (first == n && lane() == 0) {
        if (n == 0) put_total_of_nothing(w);
        else w.total(w.op, left.state);
      }
  }
};

}  // namespace rung::detail
