// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of lines that lie side by side in memory: a lane has B rows of V neighbouring lines in
// registers. Data flow: its trees meet those of the lanes below each other in shared memory, in an
// up-sweep; the prefix of the tile comes from the tiles before it (axis_scan_kernels.cuh); a lane
// folds the blocks left of it, largest first, and scans its rows after that. Cost: each value is
// read once and written once, 2 calls per value, log2 of the depth barriers.
#pragma once
#include "axis_columns.cuh"
#include "axis_scan_kernels.cuh"

namespace rung {

namespace detail {

inline constexpr int scan_column_threads = 256;

template <class S>
struct scan_column_head {
  shared<std::uint64_t> turn;
};
template <int V, class S>
constexpr std::size_t scan_column_bytes(int threads) {
  return 64 + std::size_t(threads) * 3 * V * sizeof(S);
}

template <class Kind, int V, int B, class Source, class Op, class Out, class S>
RUNG_KERNEL(scan_column_threads, 2)
void scan_columns(const RUNG_CONSTANT Source x, const RUNG_CONSTANT Op op,
                  const RUNG_CONSTANT axis_scan_job<Source::count> job, before<S> start, Out out,
                  axis_words<S> words) {
  using fold_type = column_fold<V, B, Source, Op, true>;
  using R = std::remove_cvref_t<decltype(Out::result(op, std::declval<S>()))>;
  wait_for_previous_launch();
  allow_next_launch();
  auto& head = scratch<scan_column_head<S>>();
  const int threads = int(block_shape().x);
  const auto cells = scratch_array<S>(threads * V, 64);
  const auto lefts = scratch_array<S>(threads * V, 64 + threads * V * sizeof(S));
  const auto behinds = scratch_array<S>(threads * V, 64 + threads * V * 2 * sizeof(S));
  const bool waits = job.parts > 1;
  std::int64_t block = block_index().x;
  std::uint32_t stamp = 0;
  if (waits) {
    if (rank_in_block() == 0) head.turn = words.take();
    block_barrier();
    const std::uint64_t turn = head.turn;
    block = std::uint32_t(turn), stamp = words.stamp_of(turn);
  }
  const fold_type f{x, op, job.folded, 0};
  const int t = rank_in_block(), d = t / job.across, a = t - d * job.across;
  const int depth = 1 << job.log_depth;
  const std::int64_t part = job.columns.quotient(block);
  const std::int64_t u = (block - part * job.columns.divisor) * job.across + a;
  const bool mine = d < depth && u < job.packs;
  const std::int64_t begin = part * depth * B, p = begin + d * B;
  const std::int64_t there = job.length - p;
  const int count = !mine || there <= 0 ? 0 : there < B ? int(there) : B;
  axis_place<Source::count> column{};
  typename fold_type::packed rows[B];
  if (count > 0) {
    column = job.kept.at(u);
    f.read(column, p, count, rows);
  }
  // The up-sweep: a cell ends with the tree of the largest aligned block that ends there.
  RUNG_UNROLL
  for (int v = 0; v < V; ++v) {
    S tree{};
    if (count == B) tree = f.template tree<0, B>(rows, v, p);
    if (mine) cells[t * V + v] = tree;
  }
  for (int k = 0; k < job.log_depth; ++k) {
    block_barrier();
    if (mine && (d + 1) % (2 << k) == 0) {
      const int other = t - (job.across << k);
      RUNG_UNROLL
      for (int v = 0; v < V; ++v)
        cells[t * V + v] = op(S(cells[other * V + v]), S(cells[t * V + v]));
    }
  }
  if (waits) {
    block_barrier();
    if (mine && d == 0) {
      S tree[V];
      tile_edges<S> edges[V];
      RUNG_UNROLL
      for (int v = 0; v < V; ++v) {
        tree[v] = cells[((depth - 1) * job.across + a) * V + v];
        edges[v].behind = tree[v];
      }
      const std::int64_t rows_of_tile = std::int64_t(depth) * B;
      edges_of_tile<V>(words, stamp, part, job.packs * V, u * V, job.length - begin >= rows_of_tile,
                       part + 1 < job.parts, op, start, tree, edges);
      RUNG_UNROLL
      for (int v = 0; v < V; ++v) {
        lefts[a * V + v] = edges[v].left.state;
        behinds[a * V + v] = edges[v].behind;
      }
    }
  }
  block_barrier();
  if (waits && warp_in_block() == 0) words.leave(stamp);
  if (count == 0) return;

  // The blocks before a lane, largest first.
  const auto up_to = [&](int lanes, int v) {
    before<S> all = start;
    if (waits) all = {S(lefts[a * V + v]), part > 0 || start.some};
    for (int k = job.log_depth; k >= 0; --k)
      if ((lanes >> k & 1) != 0) {
        const int last = ((lanes >> (k + 1) << (k + 1)) + (1 << k) - 1) * job.across + a;
        all = {after(op, all, S(cells[last * V + v])), true};
      }
    return all;
  };
  pack<R, V> entries[B];
  RUNG_UNROLL
  for (int v = 0; v < V; ++v) {
    const before<S> left = up_to(d, v);
    S e[B];
    RUNG_UNROLL
    for (int j = 0; j < B; ++j)
      if (j < count) e[j] = lift(op, typename Source::value_type(rows[j][v]), p + j);
    inclusive_in_place<B>(e, count < B - 1 ? count : B - 1, op, left);
    if constexpr (Kind::exclusive) {
      RUNG_UNROLL
      for (int j = B - 1; j > 0; --j)
        if (j < count) entries[j][v] = Out::result(op, e[j - 1]);
      entries[0][v] = Out::result(op, exclusive_entry_of<Kind::has_init>(left, p == 0, op));
    } else {
      if (count == B) {
        if (waits && d + 1 == depth) e[B - 1] = behinds[a * V + v];
        else e[B - 1] = up_to(d + 1, v).state;
      }
      RUNG_UNROLL
      for (int j = 0; j < B; ++j)
        if (j < count) entries[j][v] = Out::result(op, e[j]);
    }
  }
  RUNG_UNROLL
  for (int j = 0; j < B; ++j)
    if (j < count) out.put(column.target + job.folded.at(p + j).target, entries[j]);
}

}  // namespace detail
}  // namespace rung
