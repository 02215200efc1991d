// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// inclusive_scan and exclusive_scan on the CPU rung, along one axis or over all values in C order.
// Entry i is the fold of positions 0 .. i (inclusive) or 0 .. i - 1 (exclusive), bit for bit what
// reduce gives for that prefix. Cost: input read once, output written once; with few long lines on
// several threads a chunk is read again from L2.
#pragma once
#include "arrays.hpp"
#include "kernel_tables.hpp"
#include "run_scan.hpp"

namespace rung {

namespace detail {

template <bool Exclusive, class What, class R, class Op, class Init>
void scan(const cpu_rung& where, const What& what, const view<R>& out, const Op& op,
          std::optional<std::int64_t> along, const Init& init) {
  using T = value_t<What>;
  check_operator<Op, T>();
  constexpr bool has_init = !std::is_same_v<Init, std::nullopt_t>;
  static_assert(!Exclusive || has_init || has_empty<Op, state_t<Op, T>>,
                "rung: the first entry of an exclusive scan is the fold of nothing, and this "
                "operator has no identity and "
                "no empty result: give an init");
  const auto& source = as_source(what);
  const auto sources = host::source_refs(source);
  host::check_same_shape(sources);
  const layout& shape = sources[0].shape;
  host::array_ref target{reinterpret_cast<std::byte*>(out.data()), out.bytes(), sizeof(R)};
  host::check_distinct(target);

  const auto folded = host::scanned_axes(shape, target, along);
  bool in_place = false;
  for (const auto& s : sources) {
    host::check_overlap(s, target, true);
    in_place = in_place || s.data == target.data;
  }

  host::scanning s;
  using source_type = std::remove_cvref_t<decltype(source)>;
  const auto kernels = host::stored_kernels_for<Op, source_type, R>(source.f);
  s.op = &op, s.fold = kernels.fold, s.scan = kernels.scan, s.entry_size = kernels.entry_size;
  s.load = kernels.load, s.load_context = kernels.load_context();
  s.store = host::typed_store<Op, T, R>::kernel(), s.store_context = &op;
  if (s.entry_size != sizeof(state_t<Op, T>)) s.store = host::entry_store<R>::kernel();
  s.exclusive = Exclusive, s.in_place = in_place;
  s.p = host::make_plan(shape, folded, sources, {&target, 1}, false);
  if constexpr (has_init) {
    const auto start = host::as_state<Op, T>(init);
    s.init = &start;
    host::run_scan(where, s);
  } else host::run_scan(where, s);
}

}  // namespace detail

/// out[i] = the fold of what[0 .. i], after init if given. out may be what itself; a partial
/// overlap is an error.
template <class What, class Out, class Op>
void inclusive_scan(const cpu_rung& where, const What& what, Out&& out, const Op& op) {
  detail::scan<false>(where, what, view(out), op, {}, std::nullopt);
}
template <class What, class Out, class Op, class Init>
  requires(!std::is_same_v<Init, axis>)
void inclusive_scan(const cpu_rung& where, const What& what, Out&& out, const Op& op,
                    const Init& init) {
  detail::scan<false>(where, what, view(out), op, {}, init);
}
/// Along one axis: every line of it is a scan of its own.
template <class What, class Out, class Op>
void inclusive_scan(const cpu_rung& where, const What& what, Out&& out, const Op& op, axis along) {
  detail::scan<false>(where, what, view(out), op, along.number, std::nullopt);
}
template <class What, class Out, class Op, class Init>
void inclusive_scan(const cpu_rung& where, const What& what, Out&& out, const Op& op, axis along,
                    const Init& init) {
  detail::scan<false>(where, what, view(out), op, along.number, init);
}

/// out[i] = the fold of what[0 .. i - 1], after init if given; without init, out[0] is the
/// operator's empty result.
template <class What, class Out, class Op>
void exclusive_scan(const cpu_rung& where, const What& what, Out&& out, const Op& op) {
  detail::scan<true>(where, what, view(out), op, {}, std::nullopt);
}
template <class What, class Out, class Op, class Init>
  requires(!std::is_same_v<Init, axis>)
void exclusive_scan(const cpu_rung& where, const What& what, Out&& out, const Op& op,
                    const Init& init) {
  detail::scan<true>(where, what, view(out), op, {}, init);
}
template <class What, class Out, class Op>
void exclusive_scan(const cpu_rung& where, const What& what, Out&& out, const Op& op, axis along) {
  detail::scan<true>(where, what, view(out), op, along.number, std::nullopt);
}
template <class What, class Out, class Op, class Init>
void exclusive_scan(const cpu_rung& where, const What& what, Out&& out, const Op& op, axis along,
                    const Init& init) {
  detail::scan<true>(where, what, view(out), op, along.number, init);
}

}  // namespace rung
