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
  int log_groups;      ///< long rows: whole parts of 2^log_groups groups per warp
  bool aligned;        ///< packs of positions are packs in memory
  bool packed;         ///< short rows: they lie one after the other
  int log_packs;       ///< short rows: of a row, if they are a power of two; otherwise of its lanes
  int turns;           ///< short rows: so many times a warp reads its loads
};
inline constexpr int row_threads = 256, row_loads = 8;
/// Short rows: with large states, a warp asks for the next loads before it folds some (argmax, rows
/// of 1024: 416 to 339 us). Blocks leave no registers for that (moments 414 us, with it 480).
template <class S, bool Blocks>
inline constexpr int row_turns = !Blocks && sizeof(S) > 8 ? 8 : 1;

/// The positions of a result for tile.cuh: neighbours in memory, or with strides of their own.
template <bool Flat, class Source, class Job>
RUNG_DEVICE auto positions_of(const Source& x, const Job& job,
                              const axis_place<Source::count>& begin) {
  if constexpr (Flat) return line_of(x, begin, job.aligned, job.first + job.length);
  else return line_source<Source>{x, job.folded, begin, job.aligned};
}
template <bool Flat, class Source, class Job>
using positions_type =
    decltype(positions_of<Flat>(std::declval<const Source&>(), std::declval<const Job&>(),
                                std::declval<const axis_place<Source::count>&>()));

/// A block folds part number block % parts of result block / parts: as many values as its warps
/// take at once, or fewer.
template <bool Flat, int Rows, int Adjacent, class Source, class Op, class Out, class S>
RUNG_KERNEL(tune::warps_of_tiles(slow_joins<Op, typename Source::value_type>) * 32,
            tune::blocks_of_tiles(sizeof(S), slow_joins<Op, typename Source::value_type>))
void fold_long_rows(const RUNG_CONSTANT Source x, const RUNG_CONSTANT Op op,
                    const RUNG_CONSTANT row_job<Source::count> job, axis_start<S> start, Out out) {
  using line = positions_type<Flat, Source, row_job<Source::count>>;
  using tile_type = tile<Rows, Adjacent, true, line, Op>;
  wait_for_previous_launch();
  allow_next_launch();
  auto& s = scratch<tile_scratch<S>>();
  const std::int64_t block = block_index().x, result = job.parts.quotient(block);
  const std::int64_t part = block - result * job.parts.divisor;
  const std::int64_t first = part * job.size, left = job.length - first;
  const int count = left < job.size ? int(left) : int(job.size);
  const auto begin = job.kept.at(result);
  const line values = positions_of<Flat>(x, job, begin);
  if (job.log_groups > 0) tile_type{values, op}.fold_tile(job.first + first, job.log_groups, s);
  else tile_type{values, op}.fold_end(job.first + first, count, s);
  block_barrier();
  if (warp_in_block() != 0) return;
  finish_block<tile_type>(
      s, warps_of_block(), count >> job.log_groups, op, start(result),
      [&](const S& all) { out.put(finishing(op), result, begin.target, part, all); });
}

/// A warp folds a row of its share of a tile, or less.
template <bool Flat, int Rows, int Adjacent, class Source, class Op, class Out, class S>
RUNG_KERNEL(row_threads, 2)
void fold_rows_by_warps(const RUNG_CONSTANT Source x, const RUNG_CONSTANT Op op,
                        const RUNG_CONSTANT row_job<Source::count> job, axis_start<S> start,
                        Out out) {
  using line = positions_type<Flat, Source, row_job<Source::count>>;
  using tile_type = tile<Rows, Adjacent, true, line, Op>;
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t result = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
  if (result >= job.results) return;
  auto& rest = scratch<shared<S[18]>>(std::size_t(warp_in_block()) * sizeof(shared<S[18]>));
  const auto begin = job.kept.at(result);
  const line values = positions_of<Flat>(x, job, begin);
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

/// Short rows: what one warp does with eight loads of 32 packs each.
template <int V, class Source, class Op>
struct short_rows {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  static constexpr int loads = row_loads, log_loads = floor_log2(loads), log_pack = floor_log2(V);
  static constexpr bool absorbs = detail::absorbs<Op, S, T, V>;
  const Source& x;
  const Op& op;
  const row_job<Source::count>& job;
  std::int64_t first_load;
  int log_lanes, log_lines;  ///< of a row: lanes in one load, loads
  int in_line;               ///< the lane's pack in its row's part of a load
  pack<T, V> values[loads];

  RUNG_DEVICE short_rows(const Source& x, const Op& op, const row_job<Source::count>& job)
      : x(x), op(op), job(job) {
    const std::int64_t warp = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
    first_load = warp * loads * job.turns;
    log_lanes = job.log_packs < 5 ? job.log_packs : 5;
    log_lines = job.log_packs - log_lanes;
    in_line = lane() & ((1 << log_lanes) - 1);
  }
  /// The row that the lane's pack of load i belongs to, and which pack of it that is.
  RUNG_DEVICE std::int64_t row_of(int i) const {
    return (((first_load + i) << (5 - log_lanes)) + (lane() >> log_lanes)) >> log_lines;
  }
  RUNG_DEVICE int pack_of(int i) const { return in_line + ((i & ((1 << log_lines) - 1)) << 5); }

  RUNG_DEVICE void read(int packs) {
    if (job.packed) {  // one pack after the other
      const std::int64_t there = job.results << job.log_packs, mine = first_load * 32 + lane();
      RUNG_UNROLL
      for (int i = 0; i < loads; ++i) {
        const std::int64_t n = mine + i * warp_size, last = there - 1;
        auto at = job.kept.at(0);
        axis_loops<Source::count>::add(at, job.folded.loops[0].step, (n < last ? n : last) * V);
        values[i] = x.template read<V, true>(at);
      }
      return;
    }
    const auto offset = [&](int i) {
      const int p = pack_of(i);
      return job.folded.at(job.first + (p < packs ? p : packs - 1) * V);
    };
    auto inside = offset(0);
    RUNG_UNROLL
    for (int i = 0; i < loads; ++i) {
      const std::int64_t row = row_of(i), last = job.results - 1;
      auto at = job.kept.at(row < last ? row : last);
      if (log_lines > 0) inside = offset(i);
      RUNG_UNROLL
      for (int a = 0; a < Source::count; ++a) at.source[a] += inside.source[a];
      values[i] = x.template read<V, true>(at);
    }
  }
  RUNG_DEVICE S tree_of(const pack<T, V>& of_load, int i) const {
    const std::int64_t position = job.first + pack_of(i) * V;
    if constexpr (absorbs) return op.absorb(identity<S>(op), of_load.values, position);
    else return tree_of_values(op, of_load.values, position);
  }
  RUNG_DEVICE S tree_of_pack(int i) const { return tree_of(values[i], i); }
  template <bool Blocks>
  RUNG_DEVICE auto of_pack(int i) const {
    if constexpr (Blocks) return block_of(op, values[i].values, job.first + pack_of(i) * V);
    else return tree_of_pack(i);
  }
  /// What a lane has of 2^Lines loads, in free order if that is more than one.
  template <bool Blocks, int Lines>
  RUNG_DEVICE auto of_loads(int i) const {
    if constexpr (Lines == 0) {
      return of_pack<Blocks>(i);
    } else if constexpr (requires { op.template absorb_rows<2>(identity<S>(op), values, 0, 0); }) {
      return op.template absorb_rows<1 << Lines>(identity<S>(op), &values[i << Lines],
                                                 job.first + in_line * V, warp_size * V);
    } else {
      S all = tree_of_pack(i << Lines);
      RUNG_UNROLL
      for (int j = 1; j < 1 << Lines; ++j) all = op(all, tree_of_pack((i << Lines) + j));
      return all;
    }
  }
  /// Of 2^K of these from number first on a lane keeps the one with its own bits, joined with its
  /// neighbours'.
  template <bool Blocks, int Lines, int K>
  RUNG_DEVICE auto halved(int first) const {
    if constexpr (K == 0) {
      return of_loads<Blocks, Lines>(first);
    } else {
      const auto even = halved<Blocks, Lines, K - 1>(first),
                 odd = halved<Blocks, Lines, K - 1>(first + (1 << (K - 1)));
      return meet<false>(op, even, odd, K - 1, log_pack + K - 1);
    }
  }
  /// put(load, lanes, tree) for every row of a power of two of packs, for the first lanes of each;
  /// false if some block does not hold.
  template <bool Blocks, int Lines, int K, class Put>
  RUNG_DEVICE bool trees_of(const Put& put) const {
    const int mine = lane() & ((1 << K) - 1);
    bool holds = true;
    RUNG_UNROLL
    for (int j = 0; j < loads >> (K + Lines); ++j) {
      auto v = halved<Blocks, Lines, K>(j << K);
      if constexpr (K + Lines == log_loads) {
        for (int k = K; k < log_lanes; ++k) v = meet<true>(op, v, v, k, log_pack + k);
        for (int k = 0; k < log_lines - Lines; ++k) v = meet<true>(op, v, v, k, log_pack + 5 + k);
      }
      const int load = (j << K | mine) << Lines;
      if constexpr (Blocks) {
        const bool good = all_lanes(block_holds(op, v));
        holds = holds && good;
        if (good) put(load, 1 << K, state_of_block(op, v, log_pack + job.log_packs));
      } else {
        put(load, 1 << K, v);
      }
    }
    return holds;
  }
  template <bool Blocks, class Put>
  RUNG_DEVICE bool trees(const Put& put) const {
    if (log_lanes == 0) return trees_of<Blocks, 0, 0>(put);
    if (log_lanes == 1) return trees_of<Blocks, 0, 1>(put);
    if (log_lanes == 2) return trees_of<Blocks, 0, 2>(put);
    if constexpr (any_order<Op, S>) {
      if (log_lines == 1) return trees_of<Blocks, 1, 2>(put);
      if (log_lines == 2) return trees_of<Blocks, 2, 1>(put);
      if (log_lines == 3) return trees_of<Blocks, 3, 0>(put);
    }
    return trees_of<Blocks, 0, 3>(put);
  }
};

/// Rows are folded as blocks. 768 threads of moments on a multiprocessor, in place of 512: rows of
/// 1024 368 us, not 414.
template <int V, class Source, class Op>
inline constexpr bool blocks_of_rows =
    V >= 2 && has_block_tree<Op, typename Source::value_type, V> &&
    !any_order<Op, state_t<Op, typename Source::value_type>>;

/// The same load after load: little code, for states that are slow to join.
template <int V, class Source, class Op, class Out, class S>
RUNG_DEVICE_CALL void fold_short_rows_apart(const Source& x, const Op& op,
                                            const row_job<Source::count>& job,
                                            std::int64_t first_load, const axis_start<S>& start,
                                            const Out& out) {
  short_rows<V, Source, Op> rows(x, op, job);
  rows.first_load = first_load;
  const int packs = int(job.length) / V, lines = 1 << rows.log_lines;
  const std::int64_t left = (((job.results << job.log_packs) + 31) >> 5) - rows.first_load;
  S trees[row_loads];  // of lines before, of one row
  for (int i = 0; i < row_loads && i < left; ++i) {
    const std::int64_t row = rows.row_of(i), there = row < job.results ? row : 0;
    auto at = job.kept.at(there);
    const int p = rows.pack_of(i);
    const auto inside = job.folded.at(job.first + (p < packs ? p : packs - 1) * V);
    RUNG_UNROLL
    for (int a = 0; a < Source::count; ++a) at.source[a] += inside.source[a];
    S tree = rows.tree_of(x.template read<V, true>(at), i);
    bool last = rows.in_line == 0;
    if (packs != 1 << job.log_packs) {
      // The lane behind a row's last pack knows the blocks before.
      const auto blocks = up_sweep<false>(warp_lanes<>(), tree, op);
      tree = blocks.fold_bits(op, start(there), rows.in_line).state;
      last = rows.in_line == packs;
    } else {
      for (int k = 0; k < rows.log_lanes; ++k) tree = meet<true>(op, tree, tree, k, 0);
      int k = 0;
      for (; ((i & (lines - 1)) >> k & 1) != 0; ++k) tree = op(trees[k], tree);
      trees[k] = tree;
      tree = after(op, start(there), tree);
      last = last && k == rows.log_lines;
    }
    if (last && row < job.results) out.put(finishing(op), row, at.target, 0, tree);
  }
}

/// 2^log_packs packs per row, up to 256, or any number of them up to 32.
template <int V, class Source, class Op, class Out, class S>
RUNG_KERNEL(row_threads, (blocks_of_rows<V, Source, Op> || sizeof(S) <= 8) ? 3 : 2)
void fold_short_rows(const RUNG_CONSTANT Source x, const RUNG_CONSTANT Op op,
                     const RUNG_CONSTANT row_job<Source::count> job, axis_start<S> start, Out out) {
  using rows_type = short_rows<V, Source, Op>;
  constexpr bool blocks = blocks_of_rows<V, Source, Op>;
  constexpr bool has_apart = blocks || sizeof(S) > 8;
  wait_for_previous_launch();
  allow_next_launch();
  const int packs = int(job.length) / V;
  const bool whole = packs == 1 << job.log_packs;
  rows_type rows(x, op, job);
  if constexpr (has_apart) {
    if (!whole) {
      for (int turn = 0; turn < job.turns; ++turn, rows.first_load += row_loads)
        fold_short_rows_apart<V>(x, op, job, rows.first_load, start, out);
      return;
    }
  }
  rows.read(packs);
  if constexpr (!has_apart) {
    if (!whole) {  // the lane behind a row's last pack knows the blocks before
      S v[row_loads];
      RUNG_UNROLL
      for (int i = 0; i < row_loads; ++i) {
        const auto left = up_sweep<false>(warp_lanes<>(), rows.tree_of_pack(i), op);
        v[i] = left.fold_bits(op, start(0), rows.in_line).state;
      }
      RUNG_UNROLL
      for (int i = 0; i < row_loads; ++i) {
        const std::int64_t row = rows.row_of(i);
        if (rows.in_line == packs && row < job.results)
          out.put(finishing(op), row, job.kept.at(row).target, 0, v[i]);
      }
      return;
    }
  }
  const auto fold = [&](const rows_type& r) {
    const auto put = [&](int i, int lanes, const S& tree) {
      const std::int64_t row = r.row_of(i);
      if (r.in_line >= lanes || (i & ((1 << r.log_lines) - 1)) != 0 || row >= job.results) return;
      out.put(finishing(op), row, job.kept.at(row).target, 0, after(op, start(row), tree));
    };
    if (r.template trees<blocks>(put)) return;
    if constexpr (blocks) fold_short_rows_apart<V>(x, op, job, r.first_load, start, out);
  };
  if constexpr (row_turns < S, blocks >> 1) {
    for (int turn = 1; turn < job.turns; ++turn) {
      rows_type next = rows;
      next.first_load += row_loads;
      next.read(packs);
      fold(rows);
      rows.first_load = next.first_load;
      RUNG_UNROLL
      for (int i = 0; i < row_loads; ++i) rows.values[i] = next.values[i];
    }
  }
  fold(rows);
}

}  // namespace detail
}  // namespace rung
