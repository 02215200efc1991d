// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// inclusive_scan and exclusive_scan along one axis of n-d arrays with any strides on one GPU, in
// the one order: checks, loops (../base/loops.hpp), the kernel that the strides ask for, workspace,
// one launch. Every line of the axis is a scan of its own. The call returns at once and can be
// captured into a graph.
#pragma once
#include "axis.cuh"
#include "axis_scan_columns.cuh"
#include "axis_scan_rows.cuh"
#include "scan.cuh"

namespace rung {

namespace detail {

template <class S>
axis_words<S> axis_words_of(const device& where, std::int64_t states) {
  constexpr int kind = axis_scan_kind + (sizeof(stamped_word<S>) == 8 ? 0 : 1);
  return words_in<axis_words<S>, S>(where, kind,
                                    axis_words<S>::bytes((states + 1023) / 1024 * 1024));
}

/// One scan of a call; p.target[0] and its steps are the output's.
template <class Kind, class Source, class Op, class R>
struct axis_scanning {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  using Out = axis_entries<Op, T, R>;
  static constexpr int arrays = Source::count, V = Source::pack_size;
  const device& where;
  Source x;
  Op op;
  host::plan p;
  std::array<std::size_t, arrays> sizes;
  before<S> start;
  tune::axis_limits limits;
  S* room = nullptr;  ///< for the states of parts, and of parts of these

  Out out() const { return {reinterpret_cast<R*>(p.target[0])}; }
  /// Whether N neighbours along a loop are one access in every array, or in the output.
  bool has_packs(const host::loop& along, int n) const { return packs_along(p, along, sizes, n); }
  bool puts_packs(const host::loop& along, int n) const {
    const std::int64_t alignment = std::int64_t(access_alignment(std::size_t(n) * sizeof(R)));
    bool all = along.target[0] == sizeof(R) && is_aligned(p.target[0], std::size_t(alignment));
    for (const host::loop_list* list : {&p.kept, &p.folded})
      for (int d = 0; d < list->count; d++)
        all = all && (&(*list)[d] == &along || (*list)[d].target[0] % alignment == 0);
    return all;
  }
  axis_scan_job<arrays> job_of(int pack) const {
    axis_scan_job<arrays> job;
    job.kept = device_loops<arrays>(p.kept, pack, false);
    job.folded = device_loops<arrays>(p.folded, 1, false);
    job.packs = p.results / pack, job.length = p.length, job.parts = 1;
    job.log_depth = 0, job.aligned = job.aligned_out = false;
    return job;
  }

  template <int N>
  void columns_of() const {
    constexpr int most = tune::scan_column_batch(N * sizeof(T), N * sizeof(S));
    if (most > few_rows && p.length <= few_rows) columns_in<N, few_rows>();
    else columns_in<N, most>();
  }
  template <int N, int batch>
  void columns_in() const {
    auto job = job_of(N);
    const int log_rows =
        std::max(tune::scan_log_rows(job.packs, p.length, limits), floor_log2(unsigned(batch)));
    const std::int64_t size = std::int64_t(1) << log_rows;
    job.columns = divider(job.packs);
    column_parts<S> parts{log_rows, nullptr, size < p.length};
    if (parts.some) {
      job.parts = (p.length + size - 1) / size;
      const std::int64_t whole = p.length / size;
      S* states = room;
      if (states == nullptr)
        states = static_cast<S*>(
            where.workspace(axis_stages_kind, std::size_t(2 * whole * p.results) * sizeof(S)));
      scan_parts(states, whole, size);
      parts.behind = states;
    }
    launch_with({.early = where.overlaps()}, scan_columns<Kind, N, batch, Source, Op, Out, S>,
                (job.packs * job.parts + column_threads - 1) / column_threads, column_threads,
                batch_counter<N, S>::bytes + column_scan_ring<N, batch, Source>::bytes_of_block,
                where.stream(), x, op, job, start, parts, out());
  }
  /// The prefix behind each whole part of every line.
  void scan_parts(S* states, std::int64_t parts, std::int64_t size) const {
    using states_out = axis_states<S>;
    using joining = joining_of<Op>;
    host::plan q = p;
    q.length = size, q.targets = 2, q.results = parts * p.results, q.target = {};
    std::int64_t step = 1;
    for (int d = q.kept.count - 1; d >= 0; d--) {
      q.kept[d].target = {step, 0};
      step *= q.kept[d].length;
    }
    // A part is one more kept axis.
    host::loop part{.length = parts, .source = p.folded[0].source, .target = {p.results, size}};
    for (auto& s : part.source) s *= size;
    host::loop_list kept;
    kept.push(part);
    for (int d = 0; d < q.kept.count; d++) kept.push(q.kept[d]);
    q.kept = kept;
    q.folded[0].length = size;
    axis_folding<Source, Op, states_out>{
        where, x, op, q, sizes, {states_out::state_there, states, 0}, limits}
        .columns({S{}, false, nullptr, false});
    host::plan r;
    r.sources = r.targets = 1;
    r.source[0] = r.target[0] = reinterpret_cast<std::byte*>(states);
    r.results = p.results, r.length = parts;
    const std::int64_t bytes = sizeof(S);
    r.kept.push({.length = p.results, .source = {bytes}, .target = {bytes}});
    r.folded.push({.length = parts, .source = {bytes * p.results}, .target = {bytes * p.results}});
    axis_scanning<scan_kind<false, false>, strided_source<as_it_is, S>, typename joining::type, S>{
        where,  {{}, list_of(states)},     joining::of(op), r, {sizeof(S)}, start,
        limits, states + parts * p.results}
        .columns();
  }
  void columns() const {
    constexpr int N = tune::column_pack(sizeof(S), V);
    if constexpr (N > 1)
      if (p.inner_kept().length % N == 0 && has_packs(p.inner_kept(), N) &&
          puts_packs(p.inner_kept(), N))
        return columns_of<N>();
    columns_of<1>();
  }

  template <int N>
  void short_lines() const {
    auto job = job_of(1);
    const int packs = int(p.length / N);
    job.log_depth = packs > 1 ? floor_log2(unsigned(packs - 1)) + 1 : 0;
    job.aligned_out = puts_packs(p.inner_folded(), N);
    const std::int64_t lines = (short_line_loads * warp_size >> job.log_depth) * 8;
    launch_with({.early = where.overlaps()}, scan_short_lines<Kind, N, Source, Op, Out, S>,
                (p.results + lines - 1) / lines, 256, 0, where.stream(), x, op, job, start, out());
  }
  /// Few lines that are long: one after the other, as whole arrays.
  bool is_few_arrays() const {
    bool all = p.folded.count == 1 && p.length >= limits.array && p.results <= 64 &&
               p.folded[0].target[0] == sizeof(R);
    for (int a = 0; a < arrays; a++) all = all && p.folded[0].source[a] == std::int64_t(sizes[a]);
    return all;
  }
  template <class Start>
  void each_as_array(const Start& whole) const {
    for (std::int64_t line = 0; line < p.results; line++) {
      host::plan one = p;
      std::int64_t i = line;
      for (int d = p.kept.count - 1; d >= 0; d--) {
        const std::int64_t at = i % p.kept[d].length;
        i /= p.kept[d].length;
        for (int a = 0; a < arrays; a++) one.source[a] += at * p.kept[d].source[a];
        one.target[0] += at * p.kept[d].target[0];
      }
      const view<R> to(reinterpret_cast<R*>(one.target[0]), {p.length});
      scan<Kind::exclusive>(where, flat(with_arrays(x, one), one), to, op, whole, no_total{});
    }
  }
  void long_lines() const {
    constexpr int rows = tune::scan_rows_for(V * sizeof(T), V);
    constexpr std::int64_t each = std::int64_t(rows) * warp_size * V;
    const host::loop& inner = p.inner_folded();
    const bool flat = p.folded.count == 1 || inner.length % V == 0;
    auto job = job_of(1);
    job.aligned = has_packs(inner, V) && flat, job.aligned_out = puts_packs(inner, V) && flat;
    while (each << job.log_depth < p.length &&
           2 << job.log_depth <= std::min(limits.warps, scan_line_warps))
      ++job.log_depth;
    const std::int64_t size = each << job.log_depth;
    job.parts = (p.length + size - 1) / size;
    job.columns = divider(p.results);
    axis_words<S> words{nullptr, nullptr, 0};
    const int teams = job.parts > 1 ? 1 : std::max(scan_line_warps >> job.log_depth, 1);
    if (job.parts > 1) words = axis_words_of<S>(where, job.parts * p.results);
    const auto kernel = scan_long_lines<Kind, rows, Source, Op, Out, S>;
    const int threads = (teams << job.log_depth) * warp_size;
    const std::size_t scratch = sizeof(scan_line_scratch<S>);
    const std::int64_t blocks = (p.results * job.parts + teams - 1) / teams;
    launch_with({.early = where.overlaps()}, kernel, blocks, threads, scratch, where.stream(), x,
                op, job, start, out(), words);
  }
  void run() const {
    const std::int64_t along_folded = distance_of(p.inner_folded().source[0]),
                       along_kept = distance_of(p.inner_kept().source[0]);
    if (p.results > 1 && along_kept <= along_folded) return columns();
    const host::loop& inner = p.inner_folded();
    if (p.length % V == 0 && p.length / V <= warp_size && inner.length % V == 0 &&
        has_packs(inner, V))
      return short_lines<V>();
    if (p.length <= warp_size) return short_lines<1>();
    if (is_few_arrays()) {
      if constexpr (Kind::has_init) each_as_array(start_value<S>{start.state});
      else each_as_array(no_start<S>{});
    } else {
      long_lines();
    }
  }
};

template <bool Exclusive, class What, class R, class Op, class Init>
void scan_axis(const device& where, const What& what, const view<R>& out, const Op& op,
               std::optional<std::int64_t> along, const Init& init,
               const tune::axis_limits& limits = {}) {
  using T = value_t<What>;
  using S = state_t<Op, T>;
  constexpr bool has_init = !std::is_same_v<Init, std::nullopt_t>;
  check_operator<Op, T>();
  static_assert(sizeof(S) <= 64, "rung: a scan on the device takes states of 64 bytes at most");
  static_assert(!Exclusive || has_init || has_empty<Op, S>,
                "rung: the first entry of an exclusive scan is the fold of nothing, and this "
                "operator has no identity and no empty result: give an init");
  const auto& source = as_source(what);
  const auto sources = host::source_refs(source);
  host::check_same_shape(sources);
  const layout& shape = sources[0].shape;
  host::array_ref target{reinterpret_cast<std::byte*>(out.data()), out.bytes(), sizeof(R)};
  host::check_distinct(target);
  const auto folded = host::scanned_axes(shape, target, along);
  for (const auto& s : sources) host::check_overlap(s, target, true);
  const host::plan p = host::make_plan(shape, folded, sources, {&target, 1}, false);
  if (p.results == 0 || p.length == 0) return;
  for (const auto& s : sources) check_device_pointer(s.data, "an array");
  check_device_pointer(out.data(), "the output");
  const auto x = strided(source, p);
  const auto start = axis_start_of<Op, S>(op, init, true);
  axis_scanning<scan_kind<Exclusive, has_init>, std::remove_const_t<decltype(x)>, Op, R>{
      where, x, op, p, sizes_of(x), before<S>{start.state, start.some}, limits}
      .run();
}

}  // namespace detail

/// Every line of `what` along the axis is a scan of its own: out[.., i, ..] = the fold of
/// what[.., 0 .. i, ..], after init if given, after what is already on the stream. Any strides; out
/// has the shape of `what` and may be `what` itself. Returns at once. Throws rung::error before
/// anything is started: host pointers, no such axis, wrong output shape, a partial overlap.
template <class What, class Out, class Op>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op, axis along) {
  detail::scan_axis<false>(where, what, view(out), op, along.number, std::nullopt);
}
template <class What, class Out, class Op, class Init>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op, axis along,
                    const Init& init) {
  detail::scan_axis<false>(where, what, view(out), op, along.number, init);
}
/// The same of what[.., 0 .. i - 1, ..]; without init, the first entry of a line is the operator's
/// empty result.
template <class What, class Out, class Op>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op, axis along) {
  detail::scan_axis<true>(where, what, view(out), op, along.number, std::nullopt);
}
template <class What, class Out, class Op, class Init>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op, axis along,
                    const Init& init) {
  detail::scan_axis<true>(where, what, view(out), op, along.number, init);
}

}  // namespace rung
