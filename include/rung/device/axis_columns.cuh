// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions whose results are neighbours in memory: a lane has V neighbouring results, and walks
// down their positions. Data flow: B rows of packs are read at once and folded in registers; their
// trees go through a binary counter; the lanes below each other in a block, each with an aligned
// power of two of rows, meet in shared memory. A block has one part of the positions: if there are
// more, its states are folded by another launch of the same kernel. Cost: each value is read once,
// one call per value, no exchange between lanes.
#pragma once
#include "axis_source.cuh"
#include "reduce_kernels.cuh"

namespace rung {

namespace detail {

/// How the results and their positions are cut.
template <int Arrays>
struct column_job {
  axis_loops<Arrays> kept;    ///< of packs of results
  axis_loops<Arrays> folded;  ///< of positions
  std::int64_t packs, length;
  std::int64_t first;   ///< the first position, a multiple of what a block takes
  divider columns;      ///< blocks side by side
  int across;           ///< packs side by side in a block
  int log_depth;        ///< lanes below each other
  int log_rows;         ///< rows of each, 2^6 at most
};
inline constexpr int most_log_rows = 6, column_threads = 256;

template <int V, int B, class Source, class Op>
struct column_fold {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  using place = axis_place<Source::count>;
  using packed = pack<T, V>;
  static constexpr bool free_order = any_order<Op, S>;
  static constexpr bool absorbs = detail::absorbs<Op, S, T, B>;
  static constexpr int levels = most_log_rows - floor_log2(B) + 1;
  const Source& x;
  const Op& op;
  const axis_loops<Source::count>& folded;
  std::int64_t position_step;  ///< from a result's positions to its neighbour's

  /// Rows p, p + 1, ..., `count` of them; in place of the others: the last.
  RUNG_DEVICE void read(const place& column, std::int64_t p, int count, packed (&rows)[B]) const {
    const auto& inner = folded.loops[0];
    const auto behind = [&](const place& from, const place& step, std::int64_t n) {
      place at = from;
      RUNG_UNROLL
      for (int a = 0; a < Source::count; ++a) at.source[a] += n * step.source[a];
      return at;
    };
    const place unit = {};
    if (folded.count == 1 ||
        p - inner.length.quotient(p) * inner.length.divisor + count <= inner.length.divisor) {
      place at = folded.at(p);
      RUNG_UNROLL
      for (int a = 0; a < Source::count; ++a) at.source[a] += column.source[a];
      RUNG_UNROLL
      for (int j = 0; j < B; ++j)
        rows[j] = x.template read<V, false>(behind(at, inner.step, j < count ? j : count - 1));
    } else {
      RUNG_UNROLL
      for (int j = 0; j < B; ++j) {
        place at = folded.at(p + (j < count ? j : count - 1));
        RUNG_UNROLL
        for (int a = 0; a < Source::count; ++a) at.source[a] += column.source[a];
        rows[j] = x.template read<V, false>(behind(at, unit, 0));
      }
    }
  }
  /// The tree of rows First .. First + N of column v.
  template <int First, int N>
  RUNG_DEVICE S tree(const packed (&rows)[B], int v, std::int64_t position) const {
    position += v * position_step;
    T column[N];
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) column[j] = rows[First + j][v];
    if constexpr (absorbs && N == B) return op.absorb(identity<S>(op), column, position);
    else return tree_of_values(op, column, position + First);
  }
  /// Fewer than B rows, largest block first.
  template <int First, int N>
  RUNG_DEVICE void fold_some(const packed (&rows)[B], int count, std::int64_t position,
                             before<S> (&all)[V]) const {
    if constexpr (N > 0) {
      // What is left begins at a row that is known only now: one branch for each.
      if ((count & N) != 0) {
        RUNG_UNROLL
        for (int v = 0; v < V; ++v)
          all[v] = {after(op, all[v], tree<First, N>(rows, v, position)), true};
        fold_some<First + N, N / 2>(rows, count, position, all);
      } else {
        fold_some<First, N / 2>(rows, count, position, all);
      }
    }
  }
  /// Rows first, first + 1, ..., n of them, 2^most_log_rows at most, a multiple of as many or what
  /// is left behind one, folded after what `all` has.
  RUNG_DEVICE void fold(const place& column, std::int64_t first, int n,
                        before<S> (&all)[V]) const {
    packed rows[B];
    S block[levels][V];
    const int batches = n / B;
    for (int i = 0; i < batches; ++i) {
      read(column, first + i * B, B, rows);
      S sum[V];
      RUNG_UNROLL
      for (int v = 0; v < V; ++v) sum[v] = tree<0, B>(rows, v, column.position + first + i * B);
      if constexpr (free_order) {
        RUNG_UNROLL
        for (int v = 0; v < V; ++v) block[0][v] = i > 0 ? S(op(block[0][v], sum[v])) : sum[v];
        continue;
      }
      bool carries = true;
      RUNG_UNROLL
      for (int k = 0; k < levels; ++k) {
        const bool there = (i >> k & 1) != 0;
        RUNG_UNROLL
        for (int v = 0; v < V; ++v) {
          if (carries && there) sum[v] = op(block[k][v], sum[v]);
          else if (carries) block[k][v] = sum[v];
        }
        carries = carries && there;
      }
    }
    RUNG_UNROLL
    for (int k = levels - 1; k >= 0; --k)
      if (free_order ? k == 0 && batches > 0 : (batches >> k & 1) != 0) {
        RUNG_UNROLL
        for (int v = 0; v < V; ++v) all[v] = {after(op, all[v], block[k][v]), true};
      }
    const int left = n % B;
    if (left == 0) return;
    read(column, first + batches * B, left, rows);
    fold_some<0, B / 2>(rows, left, column.position + first + batches * B, all);
  }
};

/// A block has `across` packs of results and one part of their positions.
template <int V, int B, class Source, class Op, class Out, class S>
RUNG_KERNEL(column_threads)
void fold_columns(Source x, Op op, column_job<Source::count> job, axis_start<S> start, Out out) {
  using fold_type = column_fold<V, B, Source, Op>;
  wait_for_previous_launch();
  allow_next_launch();
  const fold_type f{x, op, job.folded, job.kept.loops[0].step.position / V};
  const auto cells = scratch_array<S>(block_shape().x * V);
  const int t = rank_in_block(), d = t / job.across, a = t - d * job.across;
  const int depth = 1 << job.log_depth;
  const std::int64_t block = block_index().x, part = job.columns.quotient(block);
  const std::int64_t u = (block - part * job.columns.divisor) * job.across + a;
  const bool mine = d < depth && u < job.packs;

  // Lanes 0 .. full of the block's part have 2^log_rows rows each, lane `full` what is left.
  const std::int64_t begin = part << (job.log_rows + job.log_depth);
  const std::int64_t left = job.length - begin;
  const int most = depth << job.log_rows, rows = left < most ? int(left) : most;
  const int full = rows >> job.log_rows;
  const std::int64_t first = begin + (std::int64_t(d) << job.log_rows);
  axis_place<Source::count> column{};
  before<S> all[V];
  if (mine) {
    column = job.kept.at(u);
    RUNG_UNROLL
    for (int v = 0; v < V; ++v) all[v] = {S{}, false};
    if (d < full) f.fold(column, job.first + first, 1 << job.log_rows, all);
  }
  // Every lane's tree is written once, when its left neighbour wants it.
  const auto write = [&] {
    RUNG_UNROLL
    for (int v = 0; v < V; ++v) cells[t * V + v] = all[v].state;
  };
  for (int k = 0; k < job.log_depth; ++k) {
    const int low = d & ((2 << k) - 1);
    if (mine && d < full && low == 1 << k) write();
    block_barrier();
    if (mine && low == 0 && d + (2 << k) <= full) {
      const int other = t + (job.across << k);
      RUNG_UNROLL
      for (int v = 0; v < V; ++v)
        all[v].state = op(all[v].state, S(cells[other * V + v]));
    }
  }
  const bool whole = full == depth;
  if (!whole && job.log_depth > 0) {
    if (mine && d == 0 && full > 0) write();
    block_barrier();
  }
  if (!mine || d != (whole ? 0 : full)) return;

  // Blocks of the lanes before, largest first; then the rows that are left.
  RUNG_UNROLL
  for (int v = 0; v < V; ++v) {
    const before<S> init = start(u * V + v);
    if (whole) {
      all[v] = {after(op, init, all[v].state), true};
      continue;
    }
    all[v] = init;
    for (int k = job.log_depth - 1; k >= 0; --k)
      if ((full >> k & 1) != 0) {
        const int from = (full >> (k + 1) << (k + 1)) * job.across + a;
        all[v] = {after(op, all[v], S(cells[from * V + v])), true};
      }
  }
  if (!whole) f.fold(column, job.first + first, rows & ((1 << job.log_rows) - 1), all);
  const auto step = job.kept.loops[0].step.target / V;
  RUNG_UNROLL
  for (int v = 0; v < V; ++v)
    out.put(finishing(op), u * V + v, column.target + v * step, part, all[v].state);
}

}  // namespace detail
}  // namespace rung
