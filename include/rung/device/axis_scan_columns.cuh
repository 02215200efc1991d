// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of lines that lie side by side in memory: a lane has V neighbouring lines and walks down
// one part of their positions. Data flow: B rows of packs are on their way (axis_ring.cuh) while
// the B before them are scanned and written; the trees of batches go through a binary counter, and
// with each tree the prefix behind it waits, so that an entry that closes a long block finds what
// stands before that. Few lines are cut in parts of a power of two of positions: then the trees of
// parts are folded and scanned first (axis_scan.cuh), and a lane begins after what stands before
// its part. Cost: each value is read once (in parts: twice) and written once, 3 calls per value, no
// exchange.
#pragma once
#include "axis_columns.cuh"
#include "axis_scan_kernels.cuh"

namespace rung {

namespace detail {

/// Parts of 2^log_rows positions, and the prefix behind each whole one, by part and line.
template <class S>
struct column_parts {
  int log_rows;
  global<const S> behind;
  bool some;  ///< there are several
};

/// The trees of a lane's batches, and the prefix behind each: which one is wanted is known only as
/// rows go by. The first levels, which are wanted most, are in shared memory.
template <int V, class S>
struct batch_counter {
  static constexpr int near_levels = V * sizeof(S) > 16 ? 3 : 4;
  S far_block[V][32], far_end[V][32];

  static RUNG_DEVICE auto near_blocks() {
    return scratch_array<S>(std::size_t(column_threads) * V * near_levels * 2);
  }
  static RUNG_DEVICE int cell(int v, int k, int which) {
    return ((k * V + v) * 2 + which) * column_threads + rank_in_block();
  }
  static constexpr std::size_t bytes =
      std::size_t(column_threads) * V * near_levels * 2 * sizeof(S);

  RUNG_DEVICE S block(int v, int k) const {
    if (k < near_levels) return near_blocks()[cell(v, k, 0)];
    return far_block[v][k - near_levels];
  }
  RUNG_DEVICE S end(int v, int k) const {
    if (k < near_levels) return near_blocks()[cell(v, k, 1)];
    return far_end[v][k - near_levels];
  }
  RUNG_DEVICE void put(int v, int k, const S& tree, const S& behind) {
    if (k < near_levels) near_blocks()[cell(v, k, 0)] = tree, near_blocks()[cell(v, k, 1)] = behind;
    else far_block[v][k - near_levels] = tree, far_end[v][k - near_levels] = behind;
  }
  /// The prefix behind batch i, whose tree this is.
  template <class Op>
  RUNG_DEVICE S push(int v, unsigned i, S tree, const Op& op, const before<S>& start) {
    int k = 0;
    for (; (i >> k & 1) != 0; ++k) tree = op(block(v, k), tree);
    const unsigned above = i & (i + 1);
    const S behind = above != 0 ? S(op(end(v, lowest_bit(above)), tree)) : after(op, start, tree);
    put(v, k, tree, behind);
    return behind;
  }
};

template <int V, int B, class Source>
using column_scan_ring =
    lane_ring<V, B, tune::scan_column_stages(B* V* bytes_of_elements<Source>), Source>;

template <class Kind, int V, int B, class Source, class Op, class Out, class S>
RUNG_KERNEL(column_threads, 2)
void scan_columns(const RUNG_CONSTANT Source x, const RUNG_CONSTANT Op op,
                  const RUNG_CONSTANT axis_scan_job<Source::count> job, before<S> start,
                  column_parts<S> parts, Out out) {
  using fold_type = column_fold<V, B, Source, Op, true>;
  using R = std::remove_cvref_t<decltype(Out::result(op, std::declval<S>()))>;
  wait_for_previous_launch();
  allow_next_launch();
  const fold_type f{x, op, job.folded, 0};
  const std::int64_t unit = std::int64_t(block_index().x) * block_shape().x + rank_in_block();
  const std::int64_t part = job.columns.quotient(unit), u = unit - part * job.packs;
  if (part >= job.parts) return;
  const std::int64_t begin = parts.some ? part << parts.log_rows : 0;
  const std::int64_t end =
      part + 1 < job.parts ? begin + (std::int64_t(1) << parts.log_rows) : job.length;
  const bool closes = parts.some && end == begin + (std::int64_t(1) << parts.log_rows);
  const auto column = job.kept.at(u);
  before<S> first[V], left[V];
  RUNG_UNROLL
  for (int v = 0; v < V; ++v) {
    first[v] = start;
    if (part > 0) {
      const S before_part = parts.behind[((part - 1) * job.packs + u) * V + v];
      first[v] = {before_part, true};
    }
    left[v] = first[v];
  }
  batch_counter<V, S> counter;
  using ring_type = column_scan_ring<V, B, Source>;
  const ring_type ring{batch_counter<V, S>::bytes};
  typename fold_type::packed rows[B], next[ring_type::exists ? 1 : B];
  const auto there = [&](std::int64_t p) { return end - p < B ? int(end - p) : B; };
  const auto ask = [&](std::int64_t p, int slot) {
    if constexpr (ring_type::exists)
      if (end - p >= B) f.ask(ring, column, p, slot);
    copy_async_commit();
  };
  int slot = 0;
  if constexpr (ring_type::exists) {
    RUNG_UNROLL
    for (int i = 0; i < ring_type::stages; ++i) ask(begin + i * B, i);
  } else {
    f.read(column, begin, there(begin), next);
  }
  for (std::int64_t p = begin; p < end; p += B) {
    const int count = there(p);
    if constexpr (ring_type::exists) {
      copy_async_wait<ring_type::stages - 1>();
      if (count == B) ring.take(x, slot, rows);
      else f.read(column, p, count, rows);
      ask(p + ring_type::stages * B, slot);
      slot = slot + 1 == ring_type::stages ? 0 : slot + 1;
    } else {
      RUNG_UNROLL
      for (int j = 0; j < B; ++j) rows[j] = next[j];
      if (p + B < end) f.read(column, p + B, there(p + B), next);
    }
    pack<R, V> entries[B];
    RUNG_UNROLL
    for (int v = 0; v < V; ++v) {
      S e[B];
      RUNG_UNROLL
      for (int j = 0; j < B; ++j)
        if (j < count) e[j] = lift(op, typename Source::value_type(rows[j][v]), p + j);
      inclusive_in_place<B>(e, count < B - 1 ? count : B - 1, op, left[v]);
      S behind{};
      if (count == B) {
        const S tree = f.template tree<0, B>(rows, v, p);
        if (closes && p + B == end) behind = parts.behind[(part * job.packs + u) * V + v];
        else behind = counter.push(v, unsigned((p - begin) / B), tree, op, first[v]);
      }
      if constexpr (Kind::exclusive) {
        RUNG_UNROLL
        for (int j = B - 1; j > 0; --j)
          if (j < count) entries[j][v] = Out::result(op, e[j - 1]);
        entries[0][v] = Out::result(op, exclusive_entry_of<Kind::has_init>(left[v], p == 0, op));
      } else {
        if (count == B) e[B - 1] = behind;
        RUNG_UNROLL
        for (int j = 0; j < B; ++j)
          if (j < count) entries[j][v] = Out::result(op, e[j]);
      }
      left[v] = {behind, true};
    }
    std::int64_t to = column.target + job.folded.at(p).target;
    RUNG_UNROLL
    for (int j = 0; j < B; ++j) {
      if (j < count) out.put(to, entries[j]);
      if (job.folded.count == 1) to += job.folded.loops[0].step.target;
      else if (j + 1 < count) to = column.target + job.folded.at(p + j + 1).target;
    }
  }
}

}  // namespace detail
}  // namespace rung
