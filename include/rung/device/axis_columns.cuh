// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions whose results are neighbours in memory: a lane has V neighbouring results, and walks
// down their positions. Data flow: B rows of packs are on their way (axis_ring.cuh) while the B
// before them are folded in registers; their trees go through a binary counter; the lanes below
// each other in a block, each with an aligned power of two of rows, meet in shared memory. A block
// has one part of the positions: if there are more, their states are folded by another launch of
// the same kernel. Cost: each value is read once, one call per value, no exchange between lanes.
#pragma once
#include "../tune/axis.hpp"
#include "axis_ring.cuh"
#include "reduce_kernels.cuh"

namespace rung {

namespace detail {

/// How the results and their positions are cut.
template <int Arrays>
struct column_job {
  axis_loops<Arrays> kept;    ///< of packs of results
  axis_loops<Arrays> folded;  ///< of positions
  std::int64_t packs, length;
  std::int64_t first = 0;  ///< the first position, a multiple of what a block takes
  divider columns = {};    ///< blocks side by side
  int across = 1;          ///< packs side by side in a block
  int log_depth = 0;       ///< lanes below each other, as many as positions ask for
  int log_rows = 0;        ///< rows of each, 2^6 at most
  bool lines = false;      ///< a batch of rows of a lane is 128 bytes in a row
  bool rings = false;      ///< batches come by way of shared memory, where they can
};
inline constexpr int most_log_rows = 6, few_rows = 4;

/// Coherent: the kernel may write to values that it has read.
template <int V, int B, class Source, class Op, bool Coherent = false>
struct column_fold {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  using loops = axis_loops<Source::count>;
  using place = axis_place<Source::count>;
  using packed = pack<T, V>;
  static constexpr bool free_order = any_order<Op, S>;
  static constexpr bool absorbs = detail::absorbs<Op, S, T, B>;
  static constexpr bool has_blocks = !free_order && has_block_tree<Op, T, B>;
  static constexpr int log_batch = floor_log2(B), levels = most_log_rows - log_batch + 1;
  struct states {
    before<S> of[V];
  };
  const Source& x;
  const Op& op;
  const loops& folded;
  std::int64_t position_step;  ///< from a result's positions to its neighbour's
  std::int64_t apart = 0;      ///< bytes from lane to lane, where their batches are lines
  using ring_type = lane_ring<V, B, tune::column_stages(B* V* bytes_of_elements<Source>), Source>;
  static constexpr bool has_ring = ring_type::exists && !has_blocks;
  bool rings = false;
  ring_type ring = {};

  static RUNG_DEVICE void add(place& to, const place& step, std::int64_t n) {
    RUNG_UNROLL
    for (int a = 0; a < Source::count; ++a) to.source[a] += n * step.source[a];
  }
  /// f(j, its place) for rows p + j, j < count.
  template <class F>
  RUNG_DEVICE void each_row(const place& column, std::int64_t p, int count, const F& f) const {
    const auto at_row = [&](std::int64_t row) {
      place at = folded.at(row);
      RUNG_UNROLL
      for (int a = 0; a < Source::count; ++a) at.source[a] += column.source[a];
      return at;
    };
    const auto& inner = folded.loops[0];
    if (folded.count == 1 ||
        p - inner.length.quotient(p) * inner.length.divisor + count <= inner.length.divisor) {
      place at = at_row(p);
      RUNG_UNROLL
      for (int j = 0; j < B; ++j) {
        if (j < count) f(j, at);
        add(at, inner.step, 1);
      }
    } else {
      RUNG_UNROLL
      for (int j = 0; j < B; ++j) {
        if (j >= count) break;
        f(j, at_row(p + j));
      }
    }
  }
  /// Rows p, p + 1, ..., the first `count` of them.
  RUNG_DEVICE void read(const place& column, std::int64_t p, int count, packed (&rows)[B]) const {
    each_row(column, p, count,
             [&](int j, const place& at) { rows[j] = x.template read<V, Coherent>(at); });
  }
  /// Asks for rows p, p + 1, ..., B of them.
  template <class Ring>
  RUNG_DEVICE void ask(const Ring& to, const place& column, std::int64_t p, int slot) const {
    each_row(column, p, B, [&](int j, const place& at) { to.start(x, at, slot, j); });
  }
  /// Whether a batch can be 128 bytes of one array.
  static constexpr bool can_be_line =
      Source::count == 1 && !has_blocks && B * V * bytes_of_elements<Source> == 128;
  /// Batches that are 128 bytes each: read side by side, eight lanes for each line, and handed to
  /// their lanes through shared memory; by its own loads a lane would ask for a line each time. The
  /// whole warp comes.
  RUNG_DEVICE void read_lines(const place& column, std::int64_t p, packed (&rows)[B]) const {
    if constexpr (can_be_line) {
      using unit = pack<std::uint32_t, 4>;
      const auto array = x.arrays.first.first;
      const auto units = scratch_array<unit>(256, lines_begin() + warp_in_block() * 4096);
      const std::int64_t mine = column.source[0] + folded.at(p).source[0] - lane() * apart;
      warp_barrier();
      RUNG_UNROLL
      for (int j = 0; j < 8; ++j) {
        const int owner = j * 4 + lane() / 8, at = lane() % 8;
        const unit u =
            read_behind<1, true>(as<const unit>(array), mine + owner * apart + at * 16)[0];
        units[owner * 8 + (at ^ (owner & 7))] = u;
      }
      warp_barrier();
      unit got[8];
      RUNG_UNROLL
      for (int j = 0; j < 8; ++j) got[j] = units[lane() * 8 + (j ^ (lane() & 7))];
      values_of_bytes(x, got, rows);
    }
  }
  static RUNG_DEVICE std::size_t lines_begin() {
    return (block_shape().x * V * sizeof(S) + 15) / 16 * 16;
  }
  template <int First, int N>
  static RUNG_DEVICE void take_column(const packed (&rows)[B], int v, T (&column)[N]) {
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) column[j] = rows[First + j][v];
  }
  /// The tree of rows First .. First + N of column v.
  template <int First, int N>
  RUNG_DEVICE S tree(const packed (&rows)[B], int v, std::int64_t position) const {
    T column[N];
    take_column<First, N>(rows, v, column);
    if constexpr (absorbs && N == B)
      return op.absorb(identity<S>(op), column, position + v * position_step);
    else return tree_of_values(op, column, position + v * position_step + First);
  }
  /// The same of a whole batch, as a block if asked for.
  template <bool Blocks>
  RUNG_DEVICE auto tree_of_batch(const packed (&rows)[B], int v, std::int64_t position) const {
    if constexpr (Blocks) {
      T column[B];
      take_column<0, B>(rows, v, column);
      return block_of(op, column, position + v * position_step);
    } else {
      return tree<0, B>(rows, v, position);
    }
  }
  /// Up to 2 N - 1 rows, largest block first. What comes next begins at a row that is known only
  /// now: one branch for each.
  template <int First, int N>
  RUNG_DEVICE void fold_some(const packed (&rows)[B], int count, std::int64_t position,
                             states& all) const {
    if constexpr (N > 0) {
      if ((count & N) != 0) {
        RUNG_UNROLL
        for (int v = 0; v < V; ++v)
          all.of[v] = {after(op, all.of[v], tree<First, N>(rows, v, position)), true};
        if constexpr (First + N < B) fold_some<First + N, N / 2>(rows, count, position, all);
      } else {
        fold_some<First, N / 2>(rows, count, position, all);
      }
    }
  }
  /// `batches` batches of rows from p on, after what `all` has. False: some block does not hold.
  template <bool Blocks>
  RUNG_DEVICE bool fold_batches(const place& column, std::int64_t p, int batches,
                                states& all) const {
    using B_type = decltype(tree_of_batch<Blocks>(std::declval<const packed(&)[B]>(), 0, 0));
    const auto join = [&](const B_type& l, const B_type& r, int k) -> B_type {
      if constexpr (Blocks) return join_trees(op, l, r, log_batch + k);
      else return op(l, r);
    };
    B_type block[levels][V];
    const auto push = [&](int i, const packed(&rows)[B]) {
      RUNG_UNROLL
      for (int v = 0; v < V; ++v) {
        B_type sum = tree_of_batch<Blocks>(rows, v, column.position + p + i * B);
        if constexpr (free_order) {
          block[0][v] = i > 0 ? B_type(op(block[0][v], sum)) : sum;
        } else {
          bool carries = true;
          RUNG_UNROLL
          for (int k = 0; k < levels; ++k) {
            const bool there = (i >> k & 1) != 0;
            if (carries && there) sum = join(block[k][v], sum, k);
            else if (carries) block[k][v] = sum;
            carries = carries && there;
          }
        }
      }
    };
    packed rows[B];
    if constexpr (Blocks) {
      // Where joins are slow, rows are asked for some batches before they are folded; elsewhere
      // other lanes have the registers.
      constexpr int ahead = tune::column_blocks_ahead(B * V * bytes_of_elements<Source>);
      packed next[ahead][B];
      RUNG_UNROLL
      for (int a = 0; a < ahead; ++a)
        if (a < batches) read(column, p + a * B, B, next[a]);
      for (int first = 0; first < batches; first += ahead) {
        RUNG_UNROLL
        for (int a = 0; a < ahead; ++a) {
          const int i = first + a;
          if (i >= batches) break;
          RUNG_UNROLL
          for (int j = 0; j < B; ++j) rows[j] = next[a][j];
          if (i + ahead < batches) read(column, p + (i + ahead) * B, B, next[a]);
          push(i, rows);
        }
      }
    } else if (has_ring && rings) {
      if constexpr (has_ring) {
        constexpr int stages = ring_type::stages;
        RUNG_UNROLL
        for (int i = 0; i < stages; ++i) {
          if (i < batches) ask(ring, column, p + i * B, i);
          copy_async_commit();
        }
        for (int i = 0, slot = 0; i < batches; ++i) {
          copy_async_wait<stages - 1>();
          ring.take(x, slot, rows);
          if (i + stages < batches) ask(ring, column, p + (i + stages) * B, slot);
          copy_async_commit();
          slot = slot + 1 == stages ? 0 : slot + 1;
          push(i, rows);
        }
      }
    } else {
      for (int i = 0; i < batches; ++i) {
        if (apart != 0) read_lines(column, p + i * B, rows);
        else read(column, p + i * B, B, rows);
        push(i, rows);
      }
    }
    bool holds = true;
    RUNG_UNROLL
    for (int k = levels - 1; k >= 0; --k)
      if (free_order ? k == 0 && batches > 0 : (batches >> k & 1) != 0) {
        RUNG_UNROLL
        for (int v = 0; v < V; ++v) {
          if constexpr (Blocks) {
            holds = holds && block_holds(op, block[k][v]);
            all.of[v] = {after(op, all.of[v], state_of_block(op, block[k][v], log_batch + k)),
                         true};
          } else {
            all.of[v] = {after(op, all.of[v], block[k][v]), true};
          }
        }
      }
    return holds;
  }
  /// Rows p, p + 1, ..., n of them, 2^most_log_rows at most, after what `all` has.
  RUNG_DEVICE void fold(const place& column, std::int64_t p, int n, states& all) const {
    const int batches = n / B, left = n % B;
    fold_batches<false>(column, p, batches, all);
    if (left == 0) return;
    packed rows[B];
    p += batches * B;
    read(column, p, left, rows);
    fold_some<0, B / 2>(rows, left, column.position + p, all);
  }
  /// The same as a call, apart from code that it would only hold up.
  static RUNG_DEVICE_CALL states fold_apart(const Source& x, const Op& op, const loops& folded,
                                            std::int64_t position_step, const place& column,
                                            std::int64_t p, int n, states all) {
    column_fold{x, op, folded, position_step}.fold(column, p, n, all);
    return all;
  }
  /// Rows p, p + 1, ..., n of them, after what `all` has. Blocks that do not hold: again, as
  /// states.
  RUNG_DEVICE void fold_usual(const place& column, std::int64_t p, int n, states& all) const {
    if constexpr (has_blocks) {
      states fast = all;
      if (n % B == 0 && fold_batches<true>(column, p, n / B, fast)) [[likely]]
        all = fast;
      else all = fold_apart(x, op, folded, position_step, column, p, n, all);
    } else {
      fold(column, p, n, all);
    }
  }
};

/// A block has `across` packs of results and one part of their positions.
template <int V, int B, class Source, class Op, class Out, class S>
RUNG_KERNEL(column_threads, 2)
void fold_columns(const RUNG_CONSTANT Source x, const RUNG_CONSTANT Op op,
                  const RUNG_CONSTANT column_job<Source::count> job, axis_start<S> start, Out out) {
  using fold_type = column_fold<V, B, Source, Op>;
  wait_for_previous_launch();
  allow_next_launch();
  const auto cells = scratch_array<S>(block_shape().x * V);
  const int t = rank_in_block(), d = t / job.across, a = t - d * job.across;
  const std::int64_t block = block_index().x, part = job.columns.quotient(block);
  const std::int64_t u = (block - part * job.columns.divisor) * job.across + a;

  // Lanes 0 .. full of the block's part have 2^log_rows rows each, lane `full` what is left.
  const std::int64_t begin = part << (job.log_rows + job.log_depth);
  const std::int64_t left = job.length - begin;
  const int most = 1 << (job.log_rows + job.log_depth), rows = left < most ? int(left) : most;
  const int full = rows >> job.log_rows, rest = rows & ((1 << job.log_rows) - 1);
  const std::int64_t first = job.first + begin + (std::int64_t(d) << job.log_rows);
  const bool mine = d <= full && u < job.packs, last = mine && d == (rest > 0 ? full : 0);
  const bool whole = full == 1 << job.log_depth;
  const fold_type f{x,
                    op,
                    job.folded,
                    job.kept.loops[0].step.position / V,
                    job.lines && whole ? job.folded.loops[0].step.source[0] << job.log_rows : 0,
                    job.rings,
                    {(block_shape().x * V * sizeof(S) + 15) / 16 * 16}};
  axis_place<Source::count> column{};
  if (mine) column = job.kept.at(u);
  typename fold_type::states all;
  RUNG_UNROLL
  for (int v = 0; v < V; ++v) all.of[v] = {S{}, false};
  if (mine && d < full) f.fold_usual(column, first, 1 << job.log_rows, all);
  // Every lane's tree is written once, when its left neighbour wants it.
  const auto write = [&] {
    RUNG_UNROLL
    for (int v = 0; v < V; ++v) cells[t * V + v] = all.of[v].state;
  };
  for (int k = 0; k < job.log_depth; ++k) {
    const int low = d & ((2 << k) - 1);
    if (mine && d < full && low == 1 << k) write();
    block_barrier();
    if (mine && low == 0 && d + (2 << k) <= full) {
      const int other = t + (job.across << k);
      RUNG_UNROLL
      for (int v = 0; v < V; ++v) all.of[v].state = op(all.of[v].state, S(cells[other * V + v]));
    }
  }
  if (!whole && full > 0) {
    if (mine && d == 0) write();
    block_barrier();
  }
  if (!last) return;

  // The blocks of the lanes before, largest first; then the rows that are left.
  RUNG_UNROLL
  for (int v = 0; v < V; ++v) {
    const before<S> init = start(u * V + v);
    if (whole) {
      all.of[v] = {after(op, init, all.of[v].state), true};
      continue;
    }
    all.of[v] = init;
    for (int k = job.log_depth - 1; k >= 0; --k)
      if ((full >> k & 1) != 0) {
        const int from = (full >> (k + 1) << (k + 1)) * job.across + a;
        all.of[v] = {after(op, all.of[v], S(cells[from * V + v])), true};
      }
  }
  if (rest > 0) f.fold_usual(column, first, rest, all);
  S last_states[V];
  RUNG_UNROLL
  for (int v = 0; v < V; ++v) last_states[v] = all.of[v].state;
  out.template put_neighbours<V>(finishing(op), u * V, column.target,
                                 job.kept.loops[0].step.target / V, part, last_states);
}

/// Up to few_rows positions: nothing but reading, so that many lanes run at the same time.
template <int V, class Source, class Op, class Out, class S>
RUNG_KERNEL(column_threads)
void fold_few_rows(const RUNG_CONSTANT Source x, const RUNG_CONSTANT Op op,
                   const RUNG_CONSTANT column_job<Source::count> job, axis_start<S> start,
                   Out out) {
  using fold_type = column_fold<V, few_rows, Source, Op>;
  wait_for_previous_launch();
  allow_next_launch();
  const fold_type f{x, op, job.folded, job.kept.loops[0].step.position / V};
  const std::int64_t u = std::int64_t(block_index().x) * block_shape().x + rank_in_block();
  if (u >= job.packs) return;
  const auto column = job.kept.at(u);
  const int count = int(job.length);
  typename fold_type::packed rows[few_rows];
  f.read(column, job.first, count, rows);
  typename fold_type::states all;
  RUNG_UNROLL
  for (int v = 0; v < V; ++v) all.of[v] = start(u * V + v);
  f.template fold_some<0, few_rows>(rows, count, column.position + job.first, all);
  S last_states[V];
  RUNG_UNROLL
  for (int v = 0; v < V; ++v) last_states[v] = all.of[v].state;
  out.template put_neighbours<V>(finishing(op), u * V, column.target,
                                 job.kept.loops[0].step.target / V, 0, last_states);
}

}  // namespace detail
}  // namespace rung
