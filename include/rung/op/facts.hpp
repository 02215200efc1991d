// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What an operator is: a plain struct that joins two states, and says what is true of it.
//
//   operator()(left, right)    required: joins the states of two neighbouring ranges, left first
//   lift(value[, position])    the state of one value; if left out, the value in its accumulator
//   finish(state)              the result that a state stands for; if left out, the state itself
//   identity<S>()              the exact no-op: op(identity, s) == s to the bit; if left out, none
//   empty<S>()                 the state of no values at all; if left out, the identity
//   any_order<S>               true if op is exact in any order and grouping; if left out, false
//   absorb(state, x, position) state joined with the neighbours x[0 .. N) that stand at position
//   and
//                              behind it, faster than
//                              N joins; the state's own positions are before them; only for
//                              operators that are exact in any order; may be left out
//   tree(x, position)          the perfect tree over the neighbours x[0 .. N), N a power of two,
//   where
//                              that can be had faster than by N lifts and N - 1 joins: the same
//                              bits
//   block_tree(x, position)    tree, in a form that is faster to join and right for usual values:
//   join_blocks(l, r, k)       two neighbours of 2^k values each, and its own check: where
//   block_holds(b)             block_holds says no, the values are folded again as states; what it
//   state_of_block(b, k)       found must stay found in all joins. All four, or none
//   absorb_rows<R>(state, x, position, step)   absorb of x[r].values[0 .. N) at position + r step,
//                              r from 0 to R - 1; may be left out
//   commutes<S>                true if op(l, r) and op(r, l) are the same bits, a NaN's payload
//                              aside; if left out, any_order
//
// Only associativity in principle is asked for. Commutativity is never used unless any_order says
// so.
#pragma once
#include <type_traits>
#include <utility>

#include "../base/number.hpp"

namespace rung {

namespace detail {
template <class Op, class T>
concept lifts_at = requires(const Op& op, T x) {
  op.lift(x, std::int64_t(0));
};
template <class Op, class T>
concept lifts = requires(const Op& op, T x) {
  op.lift(x);
};
template <class Op, class S>
concept finishes = requires(const Op& op, S s) {
  op.finish(s);
};
}  // namespace detail

/// The state of one value x that stands at a position.
template <class Op, class T>
RUNG_HD constexpr auto lift(const Op& op, T x, std::int64_t position) {
  if constexpr (detail::lifts_at<Op, T>) return op.lift(x, position);
  else if constexpr (detail::lifts<Op, T>) return op.lift(x);
  else return convert<accumulator_t<T>>(x);
}

template <class Op, class T>
using state_t = decltype(lift(std::declval<const Op&>(), std::declval<T>(), std::int64_t(0)));

RUNG_ANY_CALL
template <class Op, class S>
RUNG_HD constexpr auto finish(const Op& op, S s) {
  if constexpr (detail::finishes<Op, S>) return op.finish(s);
  else return s;
}

namespace detail {
template <class Op>
concept keeps_accumulator = requires {
  typename Op::keeps_accumulator;
};
template <class Op, class T>
using finished_t = decltype(finish(std::declval<const Op&>(), std::declval<state_t<Op, T>>()));
}  // namespace detail

/// The type of a result: what finish gives; f16 and bf16 come back as what they were.
template <class Op, class T>
using result_t =
    std::conditional_t<is_half<T> && std::is_same_v<detail::finished_t<Op, T>, float> &&
                           !detail::keeps_accumulator<Op>,
                       T, detail::finished_t<Op, T>>;

/// The result of a state: finished, NaN made canonical, rounded once.
RUNG_ANY_CALL
template <class Op, class T>
RUNG_HD constexpr result_t<Op, T> result_of(const Op& op, const state_t<Op, T>& s) {
  auto r = canonical(finish(op, s));
  if constexpr (number<decltype(r)>) return convert<result_t<Op, T>>(r);
  else return r;
}

template <class Op, class S>
inline constexpr bool has_identity = requires {
  Op::template identity<S>();
};
template <class Op, class S>
inline constexpr bool has_instance_identity = requires(const Op& op) {
  op.template identity_value<S>();
};

template <class Op, class S>
inline constexpr bool has_instance_empty = requires(const Op& op) {
  op.template empty_value<S>();
};

template <class Op, class S>
inline constexpr bool has_empty =
    has_identity<Op, S> || has_instance_identity<Op, S> || has_instance_empty<Op, S> || requires {
  Op::template empty<S>();
};

/// The exact no-op of op, where it has one.
template <class S, class Op>
RUNG_HD constexpr S identity(const Op& op) {
  if constexpr (has_instance_identity<Op, S>) return op.template identity_value<S>();
  else return Op::template identity<S>();
}

/// The state of no values at all, where op has one.
template <class S, class Op>
RUNG_HD constexpr S empty_state(const Op& op) {
  if constexpr (requires { Op::template empty<S>(); }) return Op::template empty<S>();
  else if constexpr (has_instance_empty<Op, S>) return op.template empty_value<S>();
  else return identity<S>(op);
}

namespace detail {
template <class Op, class S>
constexpr bool any_order_of() {
  if constexpr (requires { Op::template any_order<S>; }) return Op::template any_order<S>;
  else return false;
}
}  // namespace detail
template <class Op, class S>
inline constexpr bool any_order = detail::any_order_of<Op, S>();

namespace detail {
template <class Op, class S>
constexpr bool commutes_of() {
  if constexpr (requires { Op::template commutes<S>; }) return Op::template commutes<S>;
  else return any_order<Op, S>;
}
}  // namespace detail
/// The two operands may change sides: the grouping stays, so the order of the answer does, too.
template <class Op, class S>
inline constexpr bool commutes = detail::commutes_of<Op, S>();

namespace detail {
template <class Op, class S, class T, std::size_t N>
concept absorbs = any_order<Op, S> && has_identity<Op, S> &&
    requires(const Op& op, S s, const T (&x)[N]) {
  { op.absorb(s, x, std::int64_t(0)) } -> std::same_as<S>;
};
}  // namespace detail

namespace detail {
template <int First, int N, class Op, class T, std::size_t M>
RUNG_HD constexpr auto lifted_tree(const Op& op, const T (&x)[M], std::int64_t position) {
  if constexpr (N == 1) return lift(op, T(x[First]), position + First);
  else
    return state_t<Op, T>(op(lifted_tree<First, N / 2>(op, x, position),
                             lifted_tree<First + N / 2, N / 2>(op, x, position)));
}
}  // namespace detail

/// The perfect tree over a power of two of values that stand at position and behind it.
template <class Op, class T, std::size_t N>
RUNG_HD constexpr state_t<Op, T> tree_of_values(const Op& op, const T (&x)[N],
                                                std::int64_t position) {
  if constexpr (requires { op.tree(x, position); }) return op.tree(x, position);
  else return detail::lifted_tree<0, int(N)>(op, x, position);
}

namespace detail {
template <class Op, class T, std::size_t N>
concept has_block_tree = requires(const Op& op, const T (&x)[N]) {
  op.block_tree(x, std::int64_t(0));
};
/// Blocks, where an operator has none: its states.
template <class Op, class T, std::size_t N>
RUNG_HD constexpr auto block_of(const Op& op, const T (&x)[N], std::int64_t position) {
  if constexpr (has_block_tree<Op, T, N>) return op.block_tree(x, position);
  else return tree_of_values(op, x, position);
}
template <class Op, class B>
RUNG_HD constexpr B join_trees(const Op& op, const B& l, const B& r, int log_size) {
  if constexpr (requires { op.join_blocks(l, r, log_size); }) return op.join_blocks(l, r, log_size);
  else return op(l, r);
}
template <class Op, class B>
RUNG_HD constexpr bool block_holds(const Op& op, const B& b) {
  if constexpr (requires { op.block_holds(b); }) return op.block_holds(b);
  else return true;
}
template <class Op, class B>
RUNG_HD constexpr auto state_of_block(const Op& op, const B& b, int log_size) {
  if constexpr (requires { op.state_of_block(b, log_size); }) return op.state_of_block(b, log_size);
  else return b;
}
}  // namespace detail

/// True if lift looks at the position of a value (arg_min and its likes).
template <class Op, class T>
inline constexpr bool is_positional = detail::lifts_at<Op, T>;

template <class Op, class T>
concept liftable = requires(const Op& op, T x) {
  lift(op, x, std::int64_t(0));
};
template <class Op, class S>
concept joins = requires(const Op& op, S s) {
  { op(s, s) } -> std::convertible_to<S>;
};
/// An operator over values of type T.
template <class Op, class T>
concept operator_over =
    liftable<Op, T> && joins<Op, state_t<Op, T>> && std::is_trivially_copyable_v<state_t<Op, T>>;

/// Says in words what an operator lacks. Instantiate it where an operator comes in from the user.
template <class Op, class T>
constexpr void check_operator() {
  static_assert(liftable<Op, T>,
                "rung: this operator has no state for a value of this type: give it lift(value), "
                "or call it on values "
                "that convert to what it joins");
  if constexpr (liftable<Op, T>) {
    using S = state_t<Op, T>;
    static_assert(joins<Op, S>,
                  "rung: the operator must be callable as op(left, right) on two states and return "
                  "a state. A state is "
                  "what lift(value) returns; without lift it is the accumulator: int64 for signed "
                  "integers and bool, "
                  "uint64 for unsigned, float for f16 and bf16. Is operator() const? Does it take "
                  "these types?");
    static_assert(std::is_trivially_copyable_v<S>,
                  "rung: states are moved as bytes between threads and machines, so the state type "
                  "must be trivially "
                  "copyable (no std::string, no std::vector inside)");
    static_assert(sizeof(S) <= 1024, "rung: a state may have at most 1024 bytes");
  }
}

}  // namespace rung
