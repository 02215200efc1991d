// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce over axes of n-d arrays with any strides on one GPU, in the one order: checks, loops
// (../base/loops.hpp), the kernel that the strides ask for (axis_fold.cuh), workspace, launches.
// The call returns at once and can be captured into a graph.
#pragma once
#include "../base/arrays.hpp"
#include "axis_fold.cuh"
#include "exact_lines.cuh"
#include "reduce.cuh"

namespace rung {

namespace detail {

/// The state that stands left of every result.
template <class Op, class S, class Init>
axis_start<S> axis_start_of(const Op& op, const Init& init, bool some_values) {
  axis_start<S> start{S{}, false, nullptr, false};
  if constexpr (!std::is_same_v<Init, std::nullopt_t>) {
    static_assert(std::is_convertible_v<Init, S> || (number<Init> && number<S>),
                  "rung: init must be a state of the operator: its accumulator (64-bit for "
                  "integers, f32 for f16 and bf16)");
    if constexpr (number<Init> && number<S>) start.state = convert<S>(init);
    else start.state = S(init);
    start.some = true;
  } else if (!some_values) {
    if constexpr (has_empty<Op, S>) start.state = empty_state<S>(op), start.some = true;
  } else if constexpr (has_identity<Op, S> || has_instance_identity<Op, S>) {
    start.state = identity<S>(op), start.some = true;
  }
  return start;
}

/// A fold of one array, value after value: what reduce.cuh has its own kernels for.
template <class F, class... Ts>
bool is_one_array(const strided_source<F, Ts...>&, const host::plan& p) {
  if (p.results != 1 || p.folded.count != 1 || p.length < 2) return false;
  const std::size_t sizes[] = {sizeof(Ts)...};
  for (int a = 0; a < p.sources; a++)
    if (p.folded[0].source[a] != std::int64_t(sizes[a])) return false;
  return true;
}
/// The arrays as the plan has them: reversed axes begin at their other end.
template <class F, class... Ts, std::size_t... Nth>
auto arrays_of(const transformed<F, Ts...>&, const host::plan& p, std::index_sequence<Nth...>) {
  return list_of(reinterpret_cast<const Ts*>(p.source[Nth])...);
}
template <class F, class... Ts, std::size_t... Nth>
auto arrays_of(const strided_source<F, Ts...>&, const host::plan& p, std::index_sequence<Nth...>) {
  return list_of(reinterpret_cast<const Ts*>(p.source[Nth])...);
}
template <class F, class... Ts>
strided_source<F, Ts...> with_arrays(const strided_source<F, Ts...>& x, const host::plan& p) {
  return {x.f, arrays_of(x, p, std::index_sequence_for<Ts...>{})};
}
template <class F, class... Ts>
strided_source<F, Ts...> strided(const transformed<F, Ts...>& t, const host::plan& p) {
  return {t.f, arrays_of(t, p, std::index_sequence_for<Ts...>{})};
}
template <class F, class... Ts>
sized_source<array_source<F, Ts...>> flat(const strided_source<F, Ts...>& x, const host::plan& p) {
  const std::size_t sizes[] = {sizeof(Ts)...};
  bool aligned = true;
  for (int a = 0; a < p.sources; a++)
    aligned = aligned && is_aligned(p.source[a],
                                    access_alignment(array_source<F, Ts...>::pack_size * sizes[a]));
  return {{x.f, x.arrays, aligned, false, false, p.length}, p.length};
}
template <class F, class... Ts>
std::array<std::size_t, sizeof...(Ts)> sizes_of(const strided_source<F, Ts...>&) {
  return {sizeof(Ts)...};
}

/// The results of a reduction along axes as lines of exact sums.
template <class Source, class Out>
struct axes_as_lines {
  using value_type = typename Source::value_type;
  Source x;
  axis_loops<Source::count> kept, folded;
  std::int64_t results, length;
  Out out;

  struct line {
    axis_place<Source::count> begin;
    std::int64_t length;
  };
  RUNG_DEVICE std::int64_t count() const { return results; }
  RUNG_DEVICE line at(std::int64_t i) const { return {kept.at(i), length}; }
  RUNG_DEVICE value_type value(const line& l, std::int64_t i) const {
    axis_place<Source::count> place = folded.at(i);
    RUNG_UNROLL
    for (int a = 0; a < Source::count; ++a) place.source[a] += l.begin.source[a];
    return x.template read<1, true>(place)[0];
  }
  template <class Op, class S>
  RUNG_DEVICE void put(const Op& op, std::int64_t i, const line& l, const S& s) const {
    out.put(op, i, l.begin.target, 0, s);
  }
};

template <class What, class Op, class R, class Init>
void reduce_axes(const device& where, const What& what, const Op& op, const axes& over,
                 const Init& init, const into<R>& out, const tune::axis_limits& limits = {}) {
  using T = value_t<What>;
  using S = state_t<Op, T>;
  check_operator<Op, T>();
  static_assert(sizeof(S) <= 64 || is_exact_on_device<Op, T>,
                "rung: a fold on the device takes states of 64 bytes at most");
  const auto& source = as_source(what);
  const auto sources = host::source_refs(source);
  host::check_same_shape(sources);
  const layout& shape = sources[0].shape;
  const auto folded = over.marked(shape.lengths());
  const host::array_ref target{reinterpret_cast<std::byte*>(out.out.data()), out.out.bytes(),
                               sizeof(R)};
  host::check_distinct(target);
  for (const auto& s : sources) host::check_overlap(s, target, false);
  const host::array_ref spread = host::spread_output(target, shape, folded);
  const host::plan p = host::make_plan(shape, folded, sources, {&spread, 1},
                                       any_order<Op, S> && !is_positional<Op, T>);
  if (p.results == 0) return;
  if constexpr (std::is_same_v<Init, std::nullopt_t>)
    if (p.length == 0 && (!has_empty<Op, S> || host::is_extreme<Op>))
      host::fail_empty(shape, folded, host::is_extreme<Op> ? "the extreme" : "the fold");
  if (p.length > 0)
    for (const auto& s : sources) check_device_pointer(s.data, "an array");
  check_device_pointer(out.out.data(), "the output");

  const auto x = strided(source, p);
  R* const results = reinterpret_cast<R*>(p.target[0]);
  if (is_one_array(x, p)) {
    const auto values = flat(x, p);
    using Source = typename decltype(flat(x, p))::type;
    return launch_fold(where, values, op, start_of_device<Op, Source>(init),
                       result_into<Op, T, R>{results});
  }
  using Out = axis_output<Op, T, R>;
  using Source = std::remove_const_t<decltype(x)>;
  if constexpr (is_exact_on_device<Op, T>) {
    const axes_as_lines<Source, Out> lines{x,
                                           device_loops<Source::count>(p.kept, 1, false),
                                           device_loops<Source::count>(p.folded, 1, false),
                                           p.results,
                                           p.length,
                                           Out(results)};
    launch_exact_lines(where, lines, op, start_of_device<Op, Source>(init), p.results,
                       p.length > long_lines::piece ? p.results : 0);
  } else {
    axis_folding<Source, Op, Out>{where, x, op, p, sizes_of(x), Out(results), limits}.run(
        axis_start_of<Op, S>(op, init, p.length > 0));
  }
}

}  // namespace detail

/// Folds `what` (device memory: an array, or transform(f, arrays...)) along the axes `over` into
/// out.out, one result per position of the other axes, after what is already on the stream. Any
/// strides. The result's shape is what's without the folded axes, or with length 1 there. Each
/// result is the fold of its values in C order of the folded axes; init stands before the first of
/// every result. Returns at once. Throws rung::error before anything is started: host pointers, no
/// such axis, wrong output shape, overlap, no values and an operator without an empty result.
template <class What, class Op, class Init, class R>
void reduce(const device& where, const What& what, const Op& op, const axes& over, const Init& init,
            const into<R>& out) {
  detail::reduce_axes(where, what, op, over, init, out);
}
template <class What, class Op, class R>
void reduce(const device& where, const What& what, const Op& op, const axes& over,
            const into<R>& out) {
  detail::reduce_axes(where, what, op, over, std::nullopt, out);
}

}  // namespace rung
