// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce on the ranks rung: each rank folds the aligned blocks of its own positions, all blocks are
// gathered, and every rank joins them as one CPU would have. So neither the number of ranks nor
// where they are split can change a bit. Cost: local values are read once; two collectives, of 24
// bytes per rank and of at most 2 log2(n) states; exact sums are one all-reduce of integers
// instead.
#pragma once
#include <optional>

#include "../cpu/kernel_tables.hpp"
#include "call.hpp"
#include "words.hpp"

namespace rung {

namespace detail {

struct reduce_call {};

/// The sources of a call, which have one axis.
template <class Source>
auto rank_sources(const Source& source) {
  const auto refs = host::source_refs(source);
  host::check_same_shape(refs);
  if (refs[0].shape.rank != 1)
    fail(error_code::bad_argument,
         "rung: a rank's part of an array has one axis; this one has shape " +
             shape_text(refs[0].shape.lengths()));
  return refs;
}
template <std::size_t N>
std::array<host::place, N> places_of(const std::array<host::array_ref, N>& refs) {
  std::array<host::place, N> at;
  for (std::size_t a = 0; a < N; a++) at[a] = {refs[a].data, 0, refs[a].shape.strides[0]};
  return at;
}

/// The state of all values of all ranks, with init before them.
template <class C, class What, class Op, class Init>
void reduce_to_state(const ranks<C>& where, const What& what, const Op& op, const Init& init,
                     std::optional<int> only,
                     host::generic::room<state_t<Op, value_t<What>>, 1>& state) {
  using T = value_t<What>;
  using S = state_t<Op, T>;
  check_operator<Op, T>();
  const auto& source = as_source(what);
  const auto k = host::kernels_for<Op, std::remove_cvref_t<decltype(source)>>(source.f);
  host::rank_call call(where.comm, host::call_text<reduce_call, Op, T>());
  std::int64_t count = 0;
  call.attempt([&] { count = rank_sources(source)[0].shape.shape[0]; });
  call.attempt([&] {
    if (only && (*only < 0 || *only >= where.comm.size()))
      fail(error_code::bad_argument, "rung: there is no rank " + std::to_string(*only) + " of " +
                                         std::to_string(where.comm.size()));
  });
  call.agree(count);
  const auto from = places_of(rank_sources(source));
  constexpr bool has_init = !std::is_same_v<Init, std::nullopt_t>;
  if (!has_init && call.total() == 0 && (host::is_extreme<Op> || !k.fold->has_empty))
    fail(error_code::empty, "rung: the ranks have no values: their fold has no value");

  std::optional<S> start;
  if constexpr (has_init) start = host::as_state<Op, T>(init);
  const S* before = start ? &*start : nullptr;
  host::partial_blocks part(*k.fold, &op, rank_words<S>::exist ? 0 : call.mine().begin);
  call.attempt([&] { part.append(where.local, k.load, k.load_context(), from, count); });
  const host::default_float_mode mode;
  if constexpr (rank_words<S>::exist) {
    std::array<std::int64_t, rank_words<S>::count> words{};
    call.attempt([&] {
      if (count > 0) part.value(state.data());
      if (count > 0) rank_words<S>::write(*state.data(), words.data());
    });
    call.add_up(words);
    host::partial_blocks whole(*k.fold, &op);
    const S sum = rank_words<S>::read(words.data());
    if (call.total() > 0) whole.append_state(&sum, 1);
    whole.value(state.data(), before);
  } else {
    host::partial_blocks whole(*k.fold, &op);
    const bool wanted = !only || *only == where.comm.rank();
    call.gather(part, sizeof(S), wanted ? where.comm.size() : 0, whole);
    if (wanted) whole.value(state.data(), before);
  }
}

}  // namespace detail

/// The fold of all values of all ranks, in the order of the ranks: to the bit what one CPU gives
/// for the whole array, on every rank. what: one axis; an array, or a function of arrays. Operator,
/// type of value and init are the same on all ranks. Throws rung::error on every rank if one of
/// them throws, calls something else (naming those that do), or does not come.
template <communicator C, class What, class Op, class Init = std::nullopt_t>
  requires(!std::is_same_v<Init, on_rank>)
auto reduce(const ranks<C>& where, const What& what, const Op& op,
            const Init& init = std::nullopt) {
  using T = detail::value_t<What>;
  host::generic::room<state_t<Op, T>, 1> state;
  detail::reduce_to_state(where, what, op, init, {}, state);
  const host::default_float_mode mode;
  return result_of<Op, T>(op, *state.data());
}

/// The same on one rank; the others get nothing, and join nothing.
template <communicator C, class What, class Op, class Init = std::nullopt_t>
auto reduce(const ranks<C>& where, const What& what, const Op& op, on_rank only,
            const Init& init = std::nullopt) {
  using T = detail::value_t<What>;
  host::generic::room<state_t<Op, T>, 1> state;
  detail::reduce_to_state(where, what, op, init, only.number, state);
  const host::default_float_mode mode;
  std::optional<result_t<Op, T>> result;
  if (where.comm.rank() == only.number) result.emplace(result_of<Op, T>(op, *state.data()));
  return result;
}

}  // namespace rung
