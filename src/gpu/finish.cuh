// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States of lines, in device memory, to results: finished, NaN made canonical, rounded once to the
// type asked for, written at any strides. What the states turn into and the type are looked up when
// the kernel runs: one kernel per type of states. Cost: one read of the states, one write of the
// results.
#pragma once
#include "../generic_ops.hpp"
#include "../outcome.hpp"
#include "strided.cuh"

namespace rung::runtime {

/// What a result depends on beside its state.
struct finish_step {
  outcome what;
  int type;   ///< a rung_type
  int plane;  ///< of min_max
  double ddof;
  std::int64_t length;  ///< of every line; -1: line s is positions offset s to offset s + 1
  global<const std::int64_t> offsets;
};

/// A state for all results, or where theirs are.
template <class S>
struct state_list {
  global<const S> states;
  S same;
  bool is_same;
};

template <outcome What, class R, class S>
RUNG_DEVICE void finish_as(const state_list<S>& from, std::int64_t count, const finish_step& step,
                           global<unsigned char> to, const strided_places& places) {
  if constexpr (is_wanted<What, S, R>()) {
    const std::int64_t threads = std::int64_t(grid_shape().x) * block_threads();
    for (std::int64_t i = std::int64_t(block_index().x) * block_threads() + thread_rank();
         i < count; i += threads) {
      const strided_places::place at = places(i);
      S s = from.same;
      if (!from.is_same) s = S(from.states[at.value]);
      std::int64_t length = step.length;
      if (length < 0) {
        const std::int64_t begin = step.offsets[at.value], end = step.offsets[at.value + 1];
        length = end - begin;
      }
      const auto result = as<R>(to + static_cast<std::ptrdiff_t>(at.bytes));
      if constexpr (What == outcome::min_max)
        result[0] = convert<R>(canonical(step.plane == 0 ? s.min : s.max));
      else result[0] = convert<R>(canonical(outcome_of<What>(s, step.ddof, length)));
    }
  }
}
template <class R, class S>
RUNG_DEVICE void finish_in(const state_list<S>& from, std::int64_t count, const finish_step& step,
                           global<unsigned char> to, const strided_places& places) {
  switch (step.what) {
    case outcome::state:
      return finish_as<outcome::state, R>(from, count, step, to, places);
    case outcome::sum:
      return finish_as<outcome::sum, R>(from, count, step, to, places);
    case outcome::mean:
      return finish_as<outcome::mean, R>(from, count, step, to, places);
    case outcome::variance:
      return finish_as<outcome::variance, R>(from, count, step, to, places);
    case outcome::deviation:
      return finish_as<outcome::deviation, R>(from, count, step, to, places);
    case outcome::norm:
      return finish_as<outcome::norm, R>(from, count, step, to, places);
    case outcome::log_sum_exp:
      return finish_as<outcome::log_sum_exp, R>(from, count, step, to, places);
    case outcome::index:
      return finish_as<outcome::index, R>(from, count, step, to, places);
    case outcome::min_max:
      return finish_as<outcome::min_max, R>(from, count, step, to, places);
  }
}
template <class S>
RUNG_KERNEL(256)
void finish_states(state_list<S> from, std::int64_t count, finish_step step,
                   global<unsigned char> to, const RUNG_CONSTANT strided_places places) {
  with_element_type(step.type, [&](auto r) {
    finish_in<typename decltype(r)::type>(from, count, step, to, places);
  });
}

/// states: device memory, or null: all results come from *same, in host memory.
using finish_function = void (*)(const device& where, const void* states, const void* same,
                                 std::int64_t count, const finish_step& step, void* to,
                                 const strided_places& places);
template <class S>
void finish_lines(const device& where, const void* states, const void* same, std::int64_t count,
                  const finish_step& step, void* to, const strided_places& places) {
  state_list<S> from{static_cast<const S*>(states), {}, states == nullptr};
  if (from.is_same) std::memcpy(static_cast<void*>(&from.same), same, sizeof(S));
  const std::int64_t blocks = std::min<std::int64_t>((count + 255) / 256, 4096);
  launch(finish_states<S>, blocks, 256, 0, where.stream(), from, count, step,
         static_cast<unsigned char*>(to), places);
}
/// The kernel for the states of a pair.
inline finish_function find_finish(kernel_op op, packed type) {
  return visit(op, [&](auto o) -> finish_function {
    using Op = decltype(o);
    return visit(type, [](auto t) -> finish_function {
      using P = typename decltype(t)::type;
      if constexpr (is_used<Op, P>()) return finish_lines<state_t<Op, P>>;
      else return nullptr;
    });
  });
}

}  // namespace rung::runtime
