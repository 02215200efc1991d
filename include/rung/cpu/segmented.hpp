// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segmented folds and scans of a one-dimensional array on the CPU rung. Segment s is positions
// offsets[s] .. offsets[s + 1] - 1, or of a fold begins[s] .. ends[s] - 1; its result depends on
// nothing but its own values, in their order. Offsets never fall.
#pragma once
#include "arrays.hpp"
#include "kernel_tables.hpp"
#include "run_segments.hpp"

namespace rung {

namespace detail {
template <class Offsets>
host::segment_list as_segments(const Offsets& offsets) {
  return host::make_segments(std::span(std::as_const(offsets)));
}
template <class Begins, class Ends>
host::segment_list as_segments(const segment_bounds<Begins, Ends>& bounds) {
  return host::make_segments(std::span(std::as_const(bounds.begins)),
                             std::span(std::as_const(bounds.ends)));
}
template <class What>
auto line_sources(const What& source) {
  auto refs = host::source_refs(source);
  host::check_same_shape(refs);
  if (refs[0].shape.rank != 1)
    fail(error_code::bad_argument,
         "rung: segments lie in a one-dimensional array, not in one of shape " +
             shape_text(refs[0].shape.lengths()) + "; segments of equal length are an axis");
  return refs;
}
}  // namespace detail

/// out[s] = the fold of segment s; for an empty one the operator's empty result (sum 0, minimum
/// +inf), or init. offsets: one more integer than segments, or segment_bounds. Throws rung::error
/// for offsets that fall or leave the array (with the index), or an output of another length.
template <class What, class Op, class Offsets, class R, class Init = std::nullopt_t>
void segmented_reduce(const cpu_rung& where, const What& what, const Offsets& offsets, const Op& op,
                      const into<R>& out, const Init& init = std::nullopt) {
  using T = detail::value_t<What>;
  using S = state_t<Op, T>;
  check_operator<Op, T>();
  static_assert(has_empty<Op, S> || !std::is_same_v<Init, std::nullopt_t>,
                "rung: a segment may be empty, and this operator has no identity and no empty "
                "result: give an init");
  const auto& source = detail::as_source(what);
  const auto sources = detail::line_sources(source);
  const auto segments = detail::as_segments(offsets);
  host::check_segments(where, segments, sources[0].shape.shape[0]);
  const host::array_ref target{reinterpret_cast<std::byte*>(out.out.data()), out.out.bytes(),
                               sizeof(R)};
  if (target.shape.rank != 1 || target.shape.shape[0] != segments.count)
    fail(error_code::bad_argument, "rung: " + std::to_string(segments.count) +
                                       " segments need an output of that length, not " +
                                       detail::shape_text(target.shape.lengths()));
  for (const auto& s : sources) host::check_overlap(s, target, false);
  host::check_distinct(target);

  const auto kernels = host::kernels_for<Op, std::remove_cvref_t<decltype(source)>>(source.f);
  host::reduction job;
  job.op = &op, job.fold = kernels.fold, job.load = kernels.load,
  job.load_context = kernels.load_context();
  job.store = host::typed_store<Op, T, R>::kernel(), job.store_context = &op;
  job.p = host::make_line_plan(sources[0].shape.shape[0], sources, {&target, 1}, false);
  host::generic::room<S, 1> nothing, start;
  if constexpr (has_empty<Op, S>) new (nothing.bytes) S(empty_state<S>(op));
  if constexpr (!std::is_same_v<Init, std::nullopt_t>)
    job.init = new (start.bytes) S(host::as_state<Op, T>(init));
  host::run_segmented_reduce(where, job, segments, {&target.shape.strides[0], 1}, nothing.bytes);
}

namespace detail {
template <bool Exclusive, class What, class Op, class Offsets, class R, class Init>
void segmented_scan(const cpu_rung& where, const What& what, const Offsets& offsets,
                    const view<R>& out, const Op& op, const Init& init) {
  using T = value_t<What>;
  using S = state_t<Op, T>;
  check_operator<Op, T>();
  static_assert(!Exclusive || has_empty<Op, S> || !std::is_same_v<Init, std::nullopt_t>,
                "rung: the first entry of an exclusive scan is the fold of nothing: give an init");
  const auto& source = as_source(what);
  const auto sources = line_sources(source);
  const auto segments = as_segments(offsets);
  static_assert(
      !requires { offsets.begins; },
      "rung: segments of a scan stand one behind the other: give their offsets");
  host::check_segments(where, segments, sources[0].shape.shape[0]);
  const host::array_ref target{reinterpret_cast<std::byte*>(out.data()), out.bytes(), sizeof(R)};
  host::check_distinct(target);
  host::scanning job;
  for (const auto& s : sources) {
    host::check_overlap(s, target, true);
    job.in_place = job.in_place || s.data == target.data;
  }
  if (!std::ranges::equal(target.shape.lengths(), sources[0].shape.lengths()))
    fail(error_code::bad_argument, "rung: a segmented scan has as many entries as the input, not " +
                                       shape_text(target.shape.lengths()));
  const auto kernels = host::kernels_for<Op, std::remove_cvref_t<decltype(source)>>(source.f);
  job.op = &op, job.fold = kernels.fold, job.scan = kernels.scan, job.load = kernels.load,
  job.load_context = kernels.load_context(), job.entry_size = kernels.entry_size;
  job.store = host::typed_store<Op, T, R>::kernel(), job.store_context = &op;
  job.exclusive = Exclusive;
  job.p = host::make_line_plan(sources[0].shape.shape[0], sources, {&target, 1}, true);
  host::generic::room<S, 1> start;
  if constexpr (!std::is_same_v<Init, std::nullopt_t>)
    job.init = new (start.bytes) S(host::as_state<Op, T>(init));
  host::run_segmented_scan(where, job, segments);
}
}  // namespace detail

/// Every segment scanned for itself, after init if given. Entries outside all segments are left as
/// they are.
template <class What, class Out, class Op, class Offsets, class Init = std::nullopt_t>
void segmented_inclusive_scan(const cpu_rung& where, const What& what, const Offsets& offsets,
                              Out&& out, const Op& op, const Init& init = std::nullopt) {
  detail::segmented_scan<false>(where, what, offsets, view(out), op, init);
}
template <class What, class Out, class Op, class Offsets, class Init = std::nullopt_t>
void segmented_exclusive_scan(const cpu_rung& where, const What& what, const Offsets& offsets,
                              Out&& out, const Op& op, const Init& init = std::nullopt) {
  detail::segmented_scan<true>(where, what, offsets, view(out), op, init);
}

}  // namespace rung
