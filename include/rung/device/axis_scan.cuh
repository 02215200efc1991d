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
  constexpr int kind = sizeof(stamped_word<S>) == 8 ? 14 : 15;
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
    job.across = 1, job.log_depth = 0, job.aligned = job.aligned_out = false;
    return job;
  }

  template <int N>
  void columns_of() const {
    constexpr int batch = tune::scan_column_batch(N * sizeof(T), N * sizeof(S));
    auto job = job_of(N);
    const tune::column_plan plan =
        tune::plan_scan_columns(job.packs, p.length, floor_log2(unsigned(batch)), limits);
    const std::int64_t rows = std::int64_t(batch) << plan.log_depth;
    job.across = plan.across, job.log_depth = plan.log_depth;
    job.columns = divider((job.packs + plan.across - 1) / plan.across);
    job.parts = (p.length + rows - 1) / rows;
    const int threads = ((plan.across << plan.log_depth) + warp_size - 1) / warp_size * warp_size;
    axis_words<S> words{nullptr, nullptr, 0};
    if (job.parts > 1) words = axis_words_of<S>(where, job.parts * p.results);
    launch_with({.early = where.overlaps()}, scan_columns<Kind, N, batch, Source, Op, Out, S>,
                job.columns.divisor * job.parts, threads, scan_column_bytes<N, S>(threads),
                where.stream(), x, op, job, start, out(), words);
  }
  void columns() const {
    constexpr int N = tune::column_pack(sizeof(T), sizeof(S), V);
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
  void long_lines() const {
    constexpr int rows = tune::scan_rows_for(V * sizeof(T), V);
    constexpr std::int64_t each = std::int64_t(rows) * warp_size * V;
    const host::loop& inner = p.inner_folded();
    const bool flat = p.folded.count == 1 || inner.length % V == 0;
    auto job = job_of(1);
    job.aligned = has_packs(inner, V) && flat, job.aligned_out = puts_packs(inner, V) && flat;
    while (each << job.log_depth < p.length && 2 << job.log_depth <= limits.warps) ++job.log_depth;
    const std::int64_t size = each << job.log_depth;
    job.parts = (p.length + size - 1) / size;
    job.columns = divider(p.results);
    axis_words<S> words{nullptr, nullptr, 0};
    const int teams = job.parts > 1 ? 1 : std::max(8 >> job.log_depth, 1);
    if (job.parts > 1) words = axis_words_of<S>(where, job.parts * p.results);
    launch_with({.early = where.overlaps()}, scan_long_lines<Kind, rows, Source, Op, Out, S>,
                (p.results * job.parts + teams - 1) / teams, (teams << job.log_depth) * warp_size,
                sizeof(scan_line_scratch<S>), where.stream(), x, op, job, start, out(), words);
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
    long_lines();
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
