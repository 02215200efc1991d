// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Which kernel folds the axes of a call, and in how many launches. Results that are neighbours in
// memory: axis_columns.cuh; positions that are: axis_rows.cuh. Neither, but an outer folded axis
// is: the innermost one is folded first, in aligned powers of two, into states that lie as the
// order wants them. Long folds go in aligned parts, whose states are folded next, and then what is
// left behind the last whole part.
#pragma once
#include <algorithm>
#include <limits>

#include "../tune/axis.hpp"
#include "axis_columns.cuh"
#include "axis_rows.cuh"

namespace rung {

namespace detail {

/// The loops of a plan for a kernel, the innermost in packs.
template <int Arrays>
axis_loops<Arrays> device_loops(const host::loop_list& from, int pack, bool has_positions) {
  axis_loops<Arrays> to;
  to.count = from.count;
  for (int d = 0; d < from.count; d++) {
    const host::loop& l = from[from.count - 1 - d];
    const std::int64_t each = d == 0 ? pack : 1;
    auto& loop = to.loops[d];
    loop.length = divider(std::max<std::int64_t>(l.length / each, 1));
    for (int a = 0; a < Arrays; a++) loop.step.source[a] = l.source[a] * each;
    loop.step.target = l.target[0] * each;
    if (has_positions) loop.step.position = l.target[1] * each;
  }
  return to;
}

template <class Op>
struct joining_of {
  using type = joining<Op>;
  static type of(const Op& op) { return {op}; }
};
template <class Op>
struct joining_of<joining<Op>> {
  using type = joining<Op>;
  static type of(const type& op) { return op; }
};

inline std::int64_t distance_of(std::int64_t step) {
  return step == 0 ? std::numeric_limits<std::int64_t>::max() : std::abs(step);
}

/// Whether n neighbours along a loop are one access in every array.
template <std::size_t Arrays>
bool packs_along(const host::plan& p, const host::loop& along,
                 const std::array<std::size_t, Arrays>& sizes, int n) {
  for (std::size_t a = 0; a < Arrays; a++) {
    const std::int64_t alignment = std::int64_t(access_alignment(std::size_t(n) * sizes[a]));
    if (along.source[a] != std::int64_t(sizes[a])) return false;
    if (!is_aligned(p.source[a], std::size_t(alignment))) return false;
    for (const host::loop_list* list : {&p.kept, &p.folded})
      for (int d = 0; d < list->count; d++)
        if (&(*list)[d] != &along && (*list)[d].source[a] % alignment != 0) return false;
  }
  return true;
}

/// One fold of a call: of the arrays, or of states on the way.
template <class Source, class Op, class Out>
struct axis_folding {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  static constexpr int arrays = Source::count, V = Source::pack_size;
  using states_source = strided_source<as_it_is, S>;
  using joining_type = typename joining_of<Op>::type;
  const device& where;
  Source x;
  Op op;
  host::plan p;
  std::array<std::size_t, arrays> sizes;  ///< of the arrays' elements
  Out out;
  tune::axis_limits limits;
  S* room = nullptr;  ///< for states of parts

  static axis_start<S> nothing_before() { return {S{}, false, nullptr, false}; }

  bool has_packs(const host::loop& along, int n) const { return packs_along(p, along, sizes, n); }
  /// Whether folded positions are neighbours in every array.
  bool has_neighbours(const host::loop_list& folded) const {
    bool all = folded.count == 1;
    for (int a = 0; a < arrays; a++) all = all && folded[0].source[a] == std::int64_t(sizes[a]);
    return all;
  }
  axis_loops<arrays> kept_loops(int pack = 1) const {
    return device_loops<arrays>(p.kept, pack, p.targets > 1);
  }
  Out with_packs(int n) const { return with_packs(n, out); }
  /// The output, which knows whether n neighbouring results are one access.
  Out with_packs(int n, Out to) const {
    to.in_packs = p.inner_kept().target[0] == std::int64_t(Out::result_bytes) &&
                  p.inner_kept().length % n == 0;
    const std::int64_t alignment =
        std::int64_t(access_alignment(std::size_t(n) * Out::result_bytes));
    to.in_packs = to.in_packs && is_aligned(p.target[0], std::size_t(alignment));
    for (int d = 0; d + 1 < p.kept.count; d++)
      to.in_packs = to.in_packs && p.kept[d].target[0] % alignment == 0;
    return to;
  }
  axis_loops<arrays> folded_loops() const { return device_loops<arrays>(p.folded, 1, false); }
  S* room_for_parts(std::int64_t parts) {
    // The next ones have at most half as many, and a state more; what is left, 2^5.
    if (room == nullptr)
      room = static_cast<S*>(
          where.workspace(axis_parts_kind, std::size_t(3 * (parts + 34) * p.results) * sizeof(S)));
    S* const mine = room;
    room += parts * p.results;
    return mine;
  }

  /// The fold of `parts` states of every result, part after part.
  void fold_parts(S* states, std::int64_t parts, const axis_start<S>& start, const Out& to) {
    host::plan q = p;
    q.sources = 1, q.source[0] = reinterpret_cast<std::byte*>(states), q.length = parts;
    q.targets = 1;
    std::int64_t step = sizeof(S);
    for (int d = q.kept.count - 1; d >= 0; d--) {
      q.kept[d].source = {step};
      step *= q.kept[d].length;
    }
    host::detail::merge(q.kept, q);
    q.folded.count = 0;
    q.folded.push({.length = parts, .source = {step}, .target = {}});
    axis_folding<states_source, joining_type, Out>{
        where, {{}, list_of(states)}, joining_of<Op>::of(op), q, {sizeof(S)}, to, limits, room}
        .columns(start);
  }
  /// launch(first position, how many, start, out, log_groups) for positions from `first` on: whole
  /// parts of `size` << log_groups, then of `size`, then what is left.
  template <class Launch>
  void in_parts(std::int64_t first, std::int64_t size, int log_groups, const axis_start<S>& start,
                const Launch& launch) {
    const std::int64_t length = p.length - first;
    if (length <= size) return launch(first, length, start, out, 0);
    while (log_groups > 0 && length < size << log_groups) --log_groups;
    const std::int64_t each = size << log_groups, parts = length / each, left = length % each;
    S* const states = room_for_parts(parts + 1);
    Out to_states = out;
    to_states.what = Out::state_in_row, to_states.part_step = p.results, to_states.states = states;
    launch(first, parts * each, nothing_before(), to_states, log_groups);
    if (left == 0) return fold_parts(states, parts, start, out);
    S* const before_rest = states + parts * p.results;
    to_states.states = before_rest;
    fold_parts(states, parts, start, to_states);
    in_parts(first + parts * each, size, 0, axis_start<S>{S{}, false, before_rest, true}, launch);
  }

  // ---- columns

  template <int N>
  void columns_of(const axis_start<S>& start) {
    constexpr int batch = tune::column_batch(N * bytes_of_elements<Source>, slow_joins<Op, T>);
    const std::int64_t packs = p.results / N;
    const tune::column_plan plan = tune::plan_columns(
        packs, p.length, int(N * bytes_of_elements<Source>), floor_log2(unsigned(batch)), limits);
    if (p.length > 0 && p.length <= few_rows)
      return launch_with(
          {.early = where.overlaps()}, fold_few_rows<N, Source, Op, Out, S>,
          (packs + column_threads - 1) / column_threads, column_threads, 0, where.stream(), x, op,
          column_job<arrays>{kept_loops(N), folded_loops(), packs, p.length}, start, with_packs(N));
    const std::int64_t deep =
        std::clamp<std::int64_t>((p.length + (1 << plan.log_rows) - 1) >> plan.log_rows, 1,
                                 std::int64_t(1) << plan.log_depth);
    const int threads = int((plan.across * deep + warp_size - 1) / warp_size) * warp_size;
    const std::int64_t columns = (packs + plan.across - 1) / plan.across;
    const std::int64_t size = std::int64_t(1) << (plan.log_rows + plan.log_depth);
    // One pack of results alone: its rows are one after the other.
    using fold_type = column_fold<N, batch, Source, Op>;
    const bool lines = fold_type::can_be_line && packs == 1 && plan.log_depth >= 5 &&
                       (1 << plan.log_rows) >= batch && p.folded.count == 1 &&
                       p.folded[0].source[0] == std::int64_t(N * sizes[0]) &&
                       is_aligned(p.source[0], 16);
    const bool rings = fold_type::has_ring && !lines &&
                       (p.folded.count == 1 || p.inner_folded().length >= tune::least_column_loop);
    const std::size_t cells = (std::size_t(threads) * N * sizeof(S) + 15) / 16 * 16,
                      of_lane = lines   ? 128
                                : rings ? fold_type::ring_type::bytes_of_lane
                                        : 0,
                      scratch = cells + std::size_t(threads) * of_lane;
    in_parts(0, size, 0, start,
             [&](std::int64_t first, std::int64_t length, const axis_start<S>& left, const Out& to,
                 int) {
               const column_job<arrays> job{
                   kept_loops(N), folded_loops(), packs,         length, first, divider(columns),
                   plan.across,   plan.log_depth, plan.log_rows, lines,  rings};
               const std::int64_t parts = std::max<std::int64_t>((length + size - 1) / size, 1);
               launch_with({.early = where.overlaps()}, fold_columns<N, batch, Source, Op, Out, S>,
                           columns * parts, threads, scratch, where.stream(), x, op, job, left, to);
             });
  }
  /// Whether N results are one access in every array.
  bool fit_in(int n) const {
    return p.inner_kept().length % n == 0 && has_packs(p.inner_kept(), n);
  }
  void columns(const axis_start<S>& start) {
    constexpr int N = tune::column_pack(sizeof(S), V), wide = tune::wide_column_pack(sizeof(S), V);
    if constexpr (wide > N)
      if (p.folded.count == 1 && p.length > few_rows && fit_in(wide))
        return columns_of<wide>(start);
    if constexpr (N > 1)
      if (fit_in(N)) return columns_of<N>(start);
    columns_of<1>(start);
  }

  // ---- rows

  template <int N>
  void short_rows(const axis_start<S>& start) {
    const int packs = int(p.length / N), log_packs = packs > 1 ? floor_log2(packs - 1) + 1 : 0;
    row_job<arrays> job = job_of_rows();
    job.log_packs = log_packs, job.packed = p.kept.count == 1 && N << log_packs == p.length;
    for (int a = 0; a < arrays; a++)
      job.packed = job.packed && has_neighbours(p.folded) &&
                   (p.results == 1 || p.kept[0].source[a] == p.length * std::int64_t(sizes[a]));
    std::int64_t rows = (row_loads * warp_size >> log_packs) * (row_threads / warp_size);
    constexpr bool blocks = blocks_of_rows<N, Source, Op>;
    job.turns = int(
        std::clamp<std::int64_t>(p.results / rows / (4 * limits.wanted), 1, row_turns<S, blocks>));
    rows *= job.turns;
    launch_with({.early = where.overlaps()}, fold_short_rows<N, Source, Op, Out, S>,
                (p.results + rows - 1) / rows, row_threads, 0, where.stream(), x, op, job, start,
                out);
  }
  static constexpr bool fit(std::int64_t packs) {
    return packs <= warp_size ||
           (packs <= warp_size * row_loads && is_power_of_two(std::size_t(packs)));
  }
  void rows(const axis_start<S>& start) {
    const auto rows_fit_in = [&](int n) {
      return p.length % n == 0 && fit(p.length / n) && p.inner_folded().length % n == 0 &&
             has_packs(p.inner_folded(), n);
    };
    if (rows_fit_in(V)) return short_rows<V>(start);
    if constexpr (V >= 4)
      if (rows_fit_in(V / 2)) return short_rows<V / 2>(start);
    if (fit(p.length)) return short_rows<1>(start);
    if (has_neighbours(p.folded)) long_rows<true>(start);
    else long_rows<false>(start);
  }
  row_job<arrays> job_of_rows() const {
    row_job<arrays> job;
    job.kept = kept_loops(), job.folded = folded_loops();
    job.results = p.results, job.length = job.size = p.length, job.first = 0;
    job.aligned =
        has_packs(p.inner_folded(), V) && (p.folded.count == 1 || p.inner_folded().length % V == 0);
    job.packed = false, job.log_packs = job.log_groups = 0, job.turns = 1;
    return job;
  }
  template <bool Flat>
  void long_rows(const axis_start<S>& start) {
    constexpr int adjacent = tune::adjacent_packs(sizeof(S), slow_joins<Op, T>, V);
    constexpr int batch = tune::packs_of_tiles / adjacent;
    constexpr std::int64_t group = std::int64_t(batch) * adjacent * warp_size * V;
    row_job<arrays> job = job_of_rows();
    if (p.length <= group) {
      const int warps = row_threads / warp_size;
      return launch_with({.early = where.overlaps()},
                         fold_rows_by_warps<Flat, batch, adjacent, Source, Op, Out, S>,
                         (p.results + warps - 1) / warps, row_threads,
                         warps * sizeof(shared<S[18]>), where.stream(), x, op, job, start, out);
    }
    const std::int64_t most =
        group * std::min(limits.warps, tune::warps_of_tiles(slow_joins<Op, T>));
    // Where joins are slow, a warp asks for the next group while it folds one: as long as there are
    // parts enough.
    int log_groups = slow_joins<Op, T> ? 4 : 0;
    while (log_groups > 0 && (p.length / most >> log_groups) * p.results < 8 * limits.wanted)
      --log_groups;
    in_parts(0, most, log_groups, start,
             [&](std::int64_t first, std::int64_t length, const axis_start<S>& left, const Out& to,
                 int groups) {
               job.first = first, job.length = length, job.log_groups = groups;
               job.size = std::min(length, most << groups);
               job.parts = divider((length + job.size - 1) / job.size);
               launch_with({.early = where.overlaps()},
                           fold_long_rows<Flat, batch, adjacent, Source, Op, Out, S>,
                           p.results * job.parts.divisor,
                           int(((job.size >> groups) + group - 1) / group) * warp_size,
                           sizeof(tile_scratch<S>), where.stream(), x, op, job, left, to);
             });
  }

  // ---- in two stages

  /// `size` positions of the innermost folded loop to a state each, then the states.
  void stages(std::int64_t size, const axis_start<S>& start) {
    const std::int64_t each = p.length / size;  // states of a result
    S* const states = static_cast<S*>(
        where.workspace(axis_stages_kind, std::size_t(each * p.results) * sizeof(S)));
    host::plan q = p, r = p;
    q.targets = 2, q.target = {}, q.results = each * p.results, q.length = size;
    r.sources = 1, r.source[0] = reinterpret_cast<std::byte*>(states), r.length = each;
    std::int64_t step = each;
    for (int d = p.kept.count - 1; d >= 0; d--) {
      q.kept[d].target = {step, 0}, r.kept[d].source = {step * std::int64_t(sizeof(S))};
      step *= p.kept[d].length;
    }
    host::detail::merge(r.kept, r);
    r.folded.count = 0;
    r.folded.push({.length = each, .source = {sizeof(S)}, .target = {}});
    // What is folded later is kept now, wherever it lies.
    const host::loop& inner = p.inner_folded();
    std::int64_t weight = inner.length;
    for (int d = p.folded.count - 2; d >= 0; d--) {
      host::loop l = p.folded[d];
      l.target = {weight / size, weight};
      q.kept.push(l);
      weight *= l.length;
    }
    if (inner.length > size) {
      host::loop l{.length = inner.length / size, .source = inner.source, .target = {1, size}};
      for (auto& s : l.source) s *= size;
      q.kept.push(l);
    }
    for (int d = 1; d < q.kept.count; d++)
      for (int e = d;
           e > 0 && distance_of(q.kept[e].source[0]) > distance_of(q.kept[e - 1].source[0]); e--)
        std::swap(q.kept[e], q.kept[e - 1]);
    host::detail::merge(q.kept, q);
    q.folded.count = 0;
    q.folded.push({.length = size, .source = inner.source, .target = {}});

    Out to_states = out;
    to_states.what = Out::state_there, to_states.states = states;
    axis_folding{where, x, op, q, sizes, to_states, limits}.in_one(nothing_before());
    axis_folding<states_source, joining_type, Out>{
        where, {{}, list_of(states)}, joining_of<Op>::of(op), r, {sizeof(S)}, out, limits}
        .rows(start);
  }

  void run(const axis_start<S>& start) {
    if (p.length == 0) return columns_of<1>(start);
    const bool by_columns = is_by_columns();
    const std::int64_t inner_step =
        distance_of((by_columns ? p.inner_kept() : p.inner_folded()).source[0]);
    for (int d = 0; d + 1 < p.folded.count; d++)
      if (distance_of(p.folded[d].source[0]) <= inner_step / 4) {
        const std::int64_t n = p.inner_folded().length, size = any_order<Op, S> ? n : n & -n;
        if (size >> limits.least_stage > 0) return stages(size, start);
      }
    // A part of a line of lanes: the innermost loop fills one alone.
    if (!is_positional<Op, T> && !by_columns && p.folded.count > 1 && p.length <= warp_size * V &&
        !has_lines()) {
      const std::int64_t n = p.inner_folded().length, size = n & -n;
      if (size >> limits.least_stage > 0) return stages(size, start);
    }
    in_one(start);
  }
  /// Lanes of a power of two of packs each.
  bool has_lines() const {
    return p.length % V == 0 && is_power_of_two(std::size_t(p.length / V)) &&
           p.inner_folded().length % V == 0 && has_packs(p.inner_folded(), V);
  }
  void in_one(const axis_start<S>& start) {
    if (p.length > 0 && !is_by_columns()) return rows(start);
    if (p.length > 0) return columns(start);
    columns_of<1>(start);
  }
  bool is_by_columns() const {
    return p.results > 1 &&
           distance_of(p.inner_kept().source[0]) <= distance_of(p.inner_folded().source[0]);
  }
};

}  // namespace detail
}  // namespace rung
