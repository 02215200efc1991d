// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions along neighbours in memory. Long rows: a block folds one part of one row with the code
// of whole arrays (tile.cuh), or a warp a row that is no more than its share of a tile. Short rows:
// a row lies in a power of two of lanes, 32 packs at most, and the butterfly of eight loads stops
// at its end. Cost: each value is read once; per 1024 values of 4 bytes 6 to 12 shuffles.
#pragma once
#include "axis_source.cuh"
#include "reduce_kernels.cuh"

namespace rung {

namespace detail {

template <int Arrays>
struct row_job {
  axis_loops<Arrays> kept, folded;
  std::int64_t results, length;
  std::int64_t first;  ///< the first position
  divider parts;       ///< of each result
  std::int64_t size;   ///< of a part
  bool aligned;        ///< packs of positions are packs in memory
  int log_packs;       ///< short rows: of a row, if they are a power of two; otherwise of its lanes
};
inline constexpr int row_threads = 256, row_loads = 8;

/// What a block, or a warp, has found in its part of a row: the trees of whole groups, and what is
/// left.
template <class Tile, class S, class Op, class Put>
RUNG_DEVICE void finish_row(const tile_scratch<S>& s, int warps, int count, const Op& op,
                            const before<S>& start, const Put& put) {
  if constexpr (Tile::skips) {
    const S all = after(op, start, Tile::fold_any_warps(op, s.warps));
    if (lane() == 0) put(all);
  } else if (count == warps * Tile::group && is_tree(warps)) {
    const S all = after(op, start, Tile::fold_warps(op, s.warps, 0, warps));
    if (lane() == 0) put(all);
  } else {
    const int whole = count / Tile::group;
    S v{};
    if (whole > 0) v = s.warps[lane() < whole ? lane() : 0];
    const before<S> all = fold_first(v, whole, op, start);
    if (lane() == holder(whole)) put(fold_rest<Tile::levels>(all, s.rest, count, op).state);
  }
}

/// A block folds part number block % parts of result block / parts: as many values as its warps
/// take at once, or fewer.
template <int Rows, int Adjacent, class Source, class Op, class Out, class S>
RUNG_KERNEL(512)
void fold_long_rows(Source x, Op op, row_job<Source::count> job, axis_start<S> start, Out out) {
  using line = line_source<Source>;
  using tile_type = tile<Rows, Adjacent, true, line, Op>;
  wait_for_previous_launch();
  allow_next_launch();
  auto& s = scratch<tile_scratch<S>>();
  const std::int64_t block = block_index().x, result = job.parts.quotient(block);
  const std::int64_t part = block - result * job.parts.divisor;
  const std::int64_t first = part * job.size, left = job.length - first;
  const int count = left < job.size ? int(left) : int(job.size);
  const auto begin = job.kept.at(result);
  const line values{x, job.folded, begin, job.aligned};
  tile_type{values, op}.fold_end(job.first + first, count, s);
  block_barrier();
  if (warp_in_block() != 0) return;
  finish_row<tile_type>(s, warps_of_block(), count, op, start(result), [&](const S& all) {
    out.put(finishing(op), result, begin.target, part, all);
  });
}

/// A warp folds a row of its share of a tile, or less.
template <int Rows, int Adjacent, class Source, class Op, class Out, class S>
RUNG_KERNEL(row_threads)
void fold_rows_by_warps(Source x, Op op, row_job<Source::count> job, axis_start<S> start, Out out) {
  using line = line_source<Source>;
  using tile_type = tile<Rows, Adjacent, true, line, Op>;
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t result =
      std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
  if (result >= job.results) return;
  auto& rest = scratch<shared<S[18]>>(std::size_t(warp_in_block()) * sizeof(shared<S[18]>));
  const auto begin = job.kept.at(result);
  const line values{x, job.folded, begin, job.aligned};
  const tile_type t{values, op};
  const int count = int(job.length);
  const before<S> init = start(result);
  before<S> all = init;
  if (count == tile_type::group) {
    all.state = after(op, init, t.fold_whole(job.first, 0));
  } else if constexpr (tile_type::skips) {
    all.state = after(op, init, t.fold_some(job.first, count));
  } else {
    t.fold_part(job.first, count, rest);
    warp_barrier();
    if (lane() == 0) all = fold_rest<tile_type::levels>(init, rest, count, op);
  }
  if (lane() == 0) out.put(finishing(op), result, begin.target, 0, all.state);
}

/// Short rows: 2^log_packs packs, up to 256, or any number of them up to 32. A warp makes eight
/// loads of 32 packs each.
template <int V, class Source, class Op, class Out, class S>
RUNG_KERNEL(row_threads)
void fold_short_rows(Source x, Op op, row_job<Source::count> job, axis_start<S> start, Out out) {
  using T = typename Source::value_type;
  constexpr int loads = row_loads, log_loads = floor_log2(loads), log_pack = floor_log2(V);
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t warp = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
  const int log_lanes = job.log_packs < 5 ? job.log_packs : 5;  // of a row, in one load
  const int log_lines = job.log_packs - log_lanes;              // loads of a row
  const int packs = int(job.length) / V, in_line = lane() & ((1 << log_lanes) - 1);
  const int rows_in_load = warp_size >> log_lanes;
  // The row that the lane's pack of load i belongs to.
  const auto row_of = [&](int i) {
    const std::int64_t load = warp * loads + i;
    return (load * rows_in_load + (lane() >> log_lanes)) >> log_lines;
  };
  const auto pack_of = [&](int i) { return in_line + ((i & ((1 << log_lines) - 1)) << 5); };
  const bool whole = packs == 1 << job.log_packs;
  pack<T, V> values[loads];
  RUNG_UNROLL
  for (int i = 0; i < loads; ++i) {
    const std::int64_t row = row_of(i), last = job.results - 1;
    const int p = pack_of(i);
    auto at = job.kept.at(row < last ? row : last);
    const auto inside = job.folded.at(job.first + (p < packs ? p : packs - 1) * V);
    RUNG_UNROLL
    for (int a = 0; a < Source::count; ++a) at.source[a] += inside.source[a];
    values[i] = x.template read<V, true>(at);
  }
  const auto of_pack = [&](int i) -> S {
    const std::int64_t position = job.first + pack_of(i) * V;
    if constexpr (detail::absorbs<Op, S, T, V>)
      return op.absorb(identity<S>(op), values[i].values, position);
    else return tree_of_values(op, values[i].values, position);
  };
  const auto put = [&](std::int64_t row, const S& tree) {
    if (row >= job.results) return;
    const before<S> init = start(row);
    out.put(finishing(op), row, job.kept.at(row).target, 0, after(op, init, tree));
  };
  if (!whole) {  // up to 32 packs: the lane behind the last one knows the blocks before it
    RUNG_UNROLL
    for (int i = 0; i < loads; ++i) {
      const auto blocks = up_sweep<false>(warp_lanes<>(), of_pack(i), op);
      const std::int64_t row = row_of(i);
      if (in_line != packs || row >= job.results) continue;
      before<S> all = start(row);
      RUNG_UNROLL
      for (int k = 4; k >= 0; --k)
        if ((packs >> k & 1) != 0) all = {after(op, all, blocks.left[k]), true};
      out.put(finishing(op), row, job.kept.at(row).target, 0, all.state);
    }
    return;
  }
  // Of a pair of loads a lane keeps the one with its own bit, as long as the row has that many
  // lanes.
  S v[loads];
  RUNG_UNROLL
  for (int i = 0; i < loads; ++i) v[i] = of_pack(i);
  RUNG_UNROLL
  for (int k = 0; k < log_loads; ++k) {
    if (k == log_lanes) break;
    RUNG_UNROLL
    for (int j = 0; j < loads >> (k + 1); ++j)
      v[j] = meet<false>(op, v[2 * j], v[2 * j + 1], k, log_pack + k);
  }
  for (int k = log_loads; k < log_lanes; ++k) v[0] = meet<true>(op, v[0], v[0], k, log_pack + k);
  for (int k = 0; k < log_lines; ++k) v[0] = meet<true>(op, v[0], v[0], k, log_pack + 5 + k);
  const int halvings = log_lanes < log_loads ? log_lanes : log_loads;
  const int mine = lane() & ((1 << halvings) - 1);  // the lane's load among those of v[j]
  if (in_line >= loads || (mine & ((1 << log_lines) - 1)) != 0) return;
  RUNG_UNROLL
  for (int j = 0; j < loads; ++j)
    if (j < loads >> halvings) put(row_of(j << halvings | mine), v[j]);
}

}  // namespace detail
}  // namespace rung
