// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce on the CPU rung: an array, a transformation of arrays, any axes, any strides, any
// operator, in the one order. Data flow: plan (axis.hpp) -> tiles on threads (run_reduce.hpp) ->
// trees (generic.hpp, or the compiled SIMD kernels). Cost: every input element is read once.
#pragma once
#include "arrays.hpp"
#include "kernel_tables.hpp"
#include "run_reduce.hpp"

namespace rung {

/// Folds `what` along the axes `over` into out.out, one result per position of the other axes. The
/// result's shape is what's without the folded axes, or with length 1 there. init stands before the
/// first value of every result. Throws rung::error: no such axis, wrong output shape, overlap, or
/// no values and an operator without an empty result.
template <class What, class Op, class R, class Init>
void reduce(const cpu_rung& where, const What& what, const Op& op, const axes& over,
            const Init& init, const into<R>& out) {
  using T = detail::value_t<What>;
  check_operator<Op, T>();
  static_assert(std::is_same_v<Init, std::nullopt_t> ||
                    std::is_convertible_v<Init, state_t<Op, T>> ||
                    (number<Init> && number<state_t<Op, T>>),
                "rung: init must be a state of the operator: its accumulator (64-bit for integers, "
                "f32 for f16 and bf16)");
  const auto& source = detail::as_source(what);
  const auto sources = host::source_refs(source);
  host::check_same_shape(sources);
  const layout& shape = sources[0].shape;
  const auto folded = over.marked(shape.lengths());
  host::array_ref target{reinterpret_cast<std::byte*>(out.out.data()), out.out.bytes(), sizeof(R)};
  host::check_distinct(target);
  for (const auto& s : sources) host::check_overlap(s, target, false);
  const host::array_ref spread = host::spread_output(target, shape, folded);

  host::reduction r;
  using source_type = std::remove_cvref_t<decltype(source)>;
  const auto kernels = host::stored_kernels_for<Op, source_type, void>(source.f);
  r.op = &op, r.fold = kernels.fold;
  r.load = kernels.load, r.load_context = kernels.load_context();
  r.store = host::typed_store<Op, T, R>::kernel(), r.store_context = &op;
  r.p = host::make_plan(shape, folded, sources, {&spread, 1},
                        r.fold->any_order && !r.fold->positional);
  if (r.p.results == 0) return;
  if constexpr (std::is_same_v<Init, std::nullopt_t>) {
    if (r.p.length == 0 && !r.fold->has_empty) host::fail_empty(shape, folded, "the fold");
    if (r.p.length == 0 && host::is_extreme<Op>) host::fail_empty(shape, folded, "the extreme");
    host::run_reduce(where, r);
  } else {
    const auto start = host::as_state<Op, T>(init);
    r.init = &start;
    host::run_reduce(where, r);
  }
}
template <class What, class Op, class R>
void reduce(const cpu_rung& where, const What& what, const Op& op, const axes& over,
            const into<R>& out) {
  reduce(where, what, op, over, std::nullopt, out);
}
template <class What, class Op, class R>
void reduce(const cpu_rung& where, const What& what, const Op& op, const into<R>& out) {
  reduce(where, what, op, axes(), std::nullopt, out);
}

/// Folds everything to one result: f16 and bf16 come back as such, integers as 64-bit sums, moments
/// as a struct, ... With init: the fold continues from it.
template <class What, class Op, class Init>
  requires(!std::is_same_v<Init, axes>)
auto reduce(const cpu_rung& where, const What& what, const Op& op, const Init& init) {
  host::generic::room<result_t<Op, detail::value_t<What>>, 1> result;
  using R = result_t<Op, detail::value_t<What>>;
  R* place = new (result.bytes) R{};
  reduce(where, what, op, axes(), init, into(view<R>(place, extents())));
  return *place;
}
template <class What, class Op>
auto reduce(const cpu_rung& where, const What& what, const Op& op) {
  return reduce(where, what, op, std::nullopt);
}

}  // namespace rung
