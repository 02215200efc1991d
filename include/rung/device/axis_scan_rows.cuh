// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans along neighbours in memory. Long lines: a team of warps, or a block, has a part of one line
// in registers (scan_rows.cuh); the prefix of the part comes from the parts before it
// (axis_scan_kernels.cuh). Short lines: a power of two of lanes each, 32 at most; one up-sweep
// gives a lane what stands left of its pack. Cost: each value is read once and written once.
#pragma once
#include "axis_scan_kernels.cuh"

namespace rung {

namespace detail {

template <class S>
struct scan_line_scratch {
  shared<S[32]> trees;
  shared<S> left, behind;
  shared<std::uint64_t> turn;
};
inline constexpr int scan_line_warps = 8, short_line_loads = 4;

/// Writes a lane's entries of neighbouring positions from p on, as many as there are.
template <int N, class Out, class Loops, class R>
RUNG_DEVICE void put_entries(const Out& out, const Loops& folded, std::int64_t line, std::int64_t p,
                             std::int64_t count, bool aligned, const pack<R, N>& entries) {
  if (aligned && count >= N) {
    out.put(line + folded.at(p).target, entries);
  } else {
    RUNG_UNROLL
    for (int j = 0; j < N; ++j)
      if (j < count) out.put(line + folded.at(p + j).target, pack<R, 1>{{entries[j]}});
  }
}

/// A team of 2^log_depth warps has a part of a line. One part: several teams in a block.
template <class Kind, int Rows, class Source, class Op, class Out, class S>
RUNG_KERNEL(scan_line_warps * 32, sizeof(S) > 8 ? 2 : 4)
void scan_long_lines(const RUNG_CONSTANT Source x, const RUNG_CONSTANT Op op,
                     const RUNG_CONSTANT axis_scan_job<Source::count> job, before<S> start, Out out,
                     axis_words<S> words) {
  using line_type = line_source<Source, true>;
  using rows_type = scan_rows<Kind, Rows, line_type, Op>;
  using T = typename Source::value_type;
  using R = std::remove_cvref_t<decltype(Out::result(op, std::declval<S>()))>;
  constexpr int N = rows_type::N, row = rows_type::row;
  wait_for_previous_launch();
  allow_next_launch();
  auto& s = scratch<scan_line_scratch<S>>();
  const bool waits = job.parts > 1;
  const int warps = 1 << job.log_depth, warp = warp_in_block() & (warps - 1);
  std::int64_t tile =
      (std::int64_t(block_index().x) * warps_of_block() + warp_in_block()) >> job.log_depth;
  std::uint32_t stamp = 0;
  if (waits) {
    if (rank_in_block() == 0) s.turn = words.take();
    block_barrier();
    const std::uint64_t turn = s.turn;
    tile = std::uint32_t(turn), stamp = words.stamp_of(turn);
  }
  const std::int64_t part = job.columns.quotient(tile);
  const std::int64_t line = tile - part * job.columns.divisor;
  const std::int64_t size = std::int64_t(warps) * rows_type::size, begin = part * size;
  const std::int64_t first = begin + warp * rows_type::size;
  const std::int64_t n = part < job.parts ? job.length : 0;  // there may be no line for a team
  const auto place = job.kept.at(part < job.parts ? line : 0);
  const line_type values{x, job.folded, place, job.aligned};
  const rows_type rows{values, op};
  const auto t = rows.folding();
  const bool looks = waits && warp_in_block() == 0;
  pack<T, N> packs[Rows]{};
  RUNG_UNROLL
  for (int r = 0; r < Rows; ++r) {
    const std::int64_t left = n - first - r * row;
    if (left > 0) packs[r] = t.read_each(first + r * row, left < row ? int(left) : row);
  }
  tile_words<S> asked(words, stamp, looks ? part : 0, job.columns.divisor, line);
  const auto swept = rows.sweep(packs, first);
  const S tree = tree_of<S, Rows>(swept.trees, 0, op);  // if values are missing, nobody uses it
  if (lane() == 0) s.trees[warp_in_block()] = tree;
  block_barrier();
  before<S> from = start;
  if (waits) {
    if (looks) {
      const S all = fold_warps(s.trees, warps, op);
      if (lane() == 0) {
        const auto edges = asked.edges(all, n - begin >= size, part + 1 < job.parts, op, start);
        s.left = edges.left.state, s.behind = edges.behind;
      }
      words.leave(stamp);
    }
    block_barrier();
    from = {S(s.left), part > 0 || start.some};
  }
  const S v = s.trees[(warp_in_block() & ~(warps - 1)) | (lane() & (warps - 1))];
  const auto blocks = up_sweep<false>(as_measured<S>(warp_lanes<>()), v, op);
  const before<S> mine = blocks.exclusive(op, from);  // of the warp with the lane's number
  const before<S> left{shuffle(mine.state, warp), warp > 0 || from.some};
  S next = shuffle(mine.state, warp + 1);
  if (waits && warp + 1 == warps) next = s.behind;
  if (first >= n) return;
  rows.entries(packs, swept, first, left, next, [&](int r, const auto& entries, const before<S>&) {
    pack<R, N> results;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) results[j] = Out::result(op, entries[j]);
    const std::int64_t p = first + r * row + lane() * N;
    put_entries(out, job.folded, place.target, p, n - p, job.aligned_out, results);
  });
}

/// The trees left of a lane in its group of 2^log_lanes, and the one that ends with it.
template <class S, class Op>
RUNG_DEVICE left_blocks<S, 5> sweep_group(const S& v, int log_lanes, const Op& op) {
  left_blocks<S, 5> b{{}, v, lane() & ((1 << log_lanes) - 1)};
  const auto links = warp_lanes<>::connect();
  const unsigned ending = ends(b.rank);
  RUNG_UNROLL
  for (int k = 0; k < 5; ++k) {
    b.left[k] = v;
    if (k >= log_lanes) continue;
    b.left[k] = links.left(b.own, k);
    update_where(ending & 1u << k, b.own, [&] { return S(op(b.left[k], b.own)); });
  }
  return b;
}

/// Lines of up to 32 packs, 2^log_depth lanes each.
template <class Kind, int V, class Source, class Op, class Out, class S>
RUNG_KERNEL(256)
void scan_short_lines(const RUNG_CONSTANT Source x, const RUNG_CONSTANT Op op,
                      const RUNG_CONSTANT axis_scan_job<Source::count> job, before<S> start,
                      Out out) {
  using T = typename Source::value_type;
  using R = std::remove_cvref_t<decltype(Out::result(op, std::declval<S>()))>;
  constexpr int loads = short_line_loads;
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t warp = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
  const int log_lanes = job.log_depth, in_line = lane() & ((1 << log_lanes) - 1);
  const std::int64_t position = in_line * V, last = job.packs - 1;
  const int packs = int(job.length) / V;
  const auto line_of = [&](int i) {
    return ((warp * loads + i) << (5 - log_lanes)) + (lane() >> log_lanes);
  };
  const auto inside = job.folded.at((in_line < packs ? in_line : packs - 1) * V);
  pack<T, V> values[loads]{};
  std::int64_t target[loads];
  // In place, another lane may already have written what is not this one's to read.
  const auto has = [&](int i) { return in_line < packs && line_of(i) <= last; };
  RUNG_UNROLL
  for (int i = 0; i < loads; ++i) {
    auto at = job.kept.at(line_of(i) < last ? line_of(i) : last);
    RUNG_UNROLL
    for (int a = 0; a < Source::count; ++a) at.source[a] += inside.source[a];
    if (has(i)) values[i] = x.template read<V, true>(at);
    target[i] = at.target;
  }
  S ends_with[loads];
  before<S> left[loads];
  RUNG_UNROLL
  for (int i = 0; i < loads; ++i) {
    const auto blocks = sweep_group(tree_of_values(op, values[i].values, position), log_lanes, op);
    left[i] = blocks.exclusive(op, start);
    ends_with[i] = blocks.inclusive(op, start);
  }
  RUNG_UNROLL
  for (int i = 0; i < loads; ++i) {
    S e[V];
    RUNG_UNROLL
    for (int j = 0; j < V; ++j) e[j] = lift(op, T(values[i][j]), position + j);
    inclusive_in_place<V>(e, V - 1, op, left[i]);
    pack<R, V> entries;
    if constexpr (Kind::exclusive) {
      RUNG_UNROLL
      for (int j = V - 1; j > 0; --j) entries[j] = Out::result(op, e[j - 1]);
      entries[0] = Out::result(op, exclusive_entry_of<Kind::has_init>(left[i], in_line == 0, op));
    } else {
      e[V - 1] = ends_with[i];
      RUNG_UNROLL
      for (int j = 0; j < V; ++j) entries[j] = Out::result(op, e[j]);
    }
    if (has(i)) put_entries(out, job.folded, target[i], position, V, job.aligned_out, entries);
  }
}

}  // namespace detail
}  // namespace rung
