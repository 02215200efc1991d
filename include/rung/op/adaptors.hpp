// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Operators made from others: skip_nan leaves missing values out, accumulate_in holds the state in
// a wider type, fuse runs several in one pass, make_operator turns a lambda and its facts into an
// operator.
#pragma once
#include <tuple>

#include "facts.hpp"

namespace rung {

/// A state that may still be missing.
template <class S>
struct skip_nan_state {
  S state;
  bool has;
};

/// op over the values that are not NaN; a NaN keeps its position and joins as nothing. All NaN: the
/// empty result, or NaN where op has none (min, max).
template <class Op>
struct skip_nan {
  Op op;
  template <class S>
  static constexpr bool any_order = rung::any_order<Op, decltype(S::state)>;
  template <class T>
  RUNG_HD constexpr auto lift(T x, std::int64_t position) const {
    if (is_nan(x)) return skip_nan_state<state_t<Op, T>>{};  // no value: the identity
    return skip_nan_state<state_t<Op, T>>{rung::lift(op, x, position), true};
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return {};
  }
  template <class S>
  RUNG_HD constexpr skip_nan_state<S> operator()(skip_nan_state<S> l, skip_nan_state<S> r) const {
    if (!r.has) return l;
    if (!l.has) return r;
    return {op(l.state, r.state), true};
  }
  template <class S>
  RUNG_HD constexpr auto finish(skip_nan_state<S> s) const {
    using R = decltype(rung::finish(op, s.state));
    if (s.has) return R(rung::finish(op, s.state));
    constexpr bool says_empty = requires { Op::template empty<S>(); };
    if constexpr (rung::any_order<Op, S> && real_float<R> && !says_empty)
      return R(quiet_nan<R>);  // min and max
    else if constexpr (requires { requires real_float<decltype(R::min)>; })
      return R{quiet_nan<decltype(R::min)>, quiet_nan<decltype(R::min)>};  // min_max
    else return R(rung::finish(op, empty_state<S>(op)));
  }
};
template <class Op>
skip_nan(Op) -> skip_nan<Op>;

/// op with every value converted to A first: a wider accumulator, and a result of that type.
template <class A, class Op>
struct accumulate_in_operator {
  Op op;
  template <class S>
  static constexpr bool any_order = rung::any_order<Op, S>;
  template <class T>
  RUNG_HD constexpr auto lift(T x, std::int64_t position) const {
    return rung::lift(op, convert<A>(x), position);
  }
  template <class S>
    requires(has_identity<Op, S> || has_instance_identity<Op, S>)
  RUNG_HD constexpr S identity_value() const { return rung::identity<S>(op); }
  template <class S>
  requires has_empty<Op, S> RUNG_HD constexpr S empty_value() const { return empty_state<S>(op); }
  template <class S>
  RUNG_HD constexpr S operator()(S l, S r) const {
    return op(l, r);
  }
  template <class S>
  RUNG_HD constexpr auto finish(S s) const {
    return rung::finish(op, s);
  }
  using keeps_accumulator = void;  // the result is not narrowed to f16 or bf16 again
};

template <class A, class Op>
RUNG_HD constexpr auto accumulate_in(Op op) {
  return accumulate_in_operator<A, Op>{op};
}

/// States (or operators) side by side: a plain recursive struct, since std::tuple is neither
/// trivially copyable nor for the device.
template <class... S>
struct fused_state;
template <class S, class... Rest>
struct fused_state<S, Rest...> {
  S first;
  fused_state<Rest...> rest;
};
template <class S>
struct fused_state<S> {
  S first;
};

/// Several operators in one pass over the data: the result is a std::tuple of theirs.
template <class... Ops>
struct fuse {
  template <class... O>
  using list = fused_state<O...>;
  template <class... S>
  using state = list<S...>;

  list<Ops...> ops;
  RUNG_HD constexpr explicit fuse(Ops... o) : ops(make_list(o...)) {}
  constexpr fuse() = default;

  template <class T>
  RUNG_HD constexpr auto lift(T x, std::int64_t position) const {
    return lift_each(ops, x, position);
  }
  template <class S>
  RUNG_HD constexpr S operator()(const S& l, const S& r) const {
    return join_each(ops, l, r);
  }
  template <class T, std::size_t N>
  RUNG_HD constexpr auto tree(const T (&x)[N], std::int64_t position) const {
    return tree_each(ops, x, position);
  }
  template <class T, std::size_t N>
    requires(detail::has_block_tree<Ops, T, N> || ...)
  RUNG_HD constexpr auto block_tree(const T (&x)[N], std::int64_t position) const {
    return block_each(ops, x, position);
  }
  template <class B>
  RUNG_HD constexpr B join_blocks(const B& l, const B& r, int log_size) const {
    return join_blocks_each(ops, l, r, log_size);
  }
  template <class B>
  RUNG_HD constexpr bool block_holds(const B& b) const {
    return holds_each(ops, b);
  }
  template <class B>
  RUNG_HD constexpr auto state_of_block(const B& b, int log_size) const {
    return state_each(ops, b, log_size);
  }
  template <class S>
  static constexpr bool all_have_empty() {
    return each_has_empty((const list<Ops...>*)nullptr, (const S*)nullptr);
  }
  template <class S>
    requires(all_have_empty<S>())
  RUNG_HD constexpr S empty_value() const { return empty_each<S>(ops); }
  template <class S>
  constexpr auto finish(const S& s) const {
    return finish_each(ops, s);
  }

 private:
  template <class O, class... Rest>
  static RUNG_HD constexpr list<O, Rest...> make_list(const O& o, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0) return {o};
    else return {o, make_list(rest...)};
  }
  template <class O, class... Rest, class T>
  static RUNG_HD constexpr auto lift_each(const list<O, Rest...>& o, T x, std::int64_t position) {
    auto first = rung::lift(o.first, x, position);
    if constexpr (sizeof...(Rest) == 0) return list<decltype(first)>{first};
    else return extend(first, lift_each(o.rest, x, position));
  }
  template <class O, class... Rest, class T, std::size_t N>
  static RUNG_HD constexpr auto tree_each(const list<O, Rest...>& o, const T (&x)[N],
                                          std::int64_t position) {
    const auto first = tree_of_values(o.first, x, position);
    if constexpr (sizeof...(Rest) == 0) return list<std::remove_const_t<decltype(first)>>{first};
    else return extend(first, tree_each(o.rest, x, position));
  }
  template <class O, class... Rest, class T, std::size_t N>
  static RUNG_HD constexpr auto block_each(const list<O, Rest...>& o, const T (&x)[N],
                                           std::int64_t position) {
    auto first = detail::block_of(o.first, x, position);
    if constexpr (sizeof...(Rest) == 0) return list<decltype(first)>{first};
    else return extend(first, block_each(o.rest, x, position));
  }
  template <class O, class... Rest, class B>
  static RUNG_HD constexpr B join_blocks_each(const list<O, Rest...>& o, const B& l, const B& r,
                                              int log_size) {
    const auto first = detail::join_trees(o.first, l.first, r.first, log_size);
    if constexpr (sizeof...(Rest) == 0) return {first};
    else return {first, join_blocks_each(o.rest, l.rest, r.rest, log_size)};
  }
  template <class O, class... Rest, class B>
  static RUNG_HD constexpr bool holds_each(const list<O, Rest...>& o, const B& b) {
    if constexpr (sizeof...(Rest) == 0) return detail::block_holds(o.first, b.first);
    else return detail::block_holds(o.first, b.first) && holds_each(o.rest, b.rest);
  }
  template <class O, class... Rest, class B>
  static RUNG_HD constexpr auto state_each(const list<O, Rest...>& o, const B& b, int log_size) {
    auto first = detail::state_of_block(o.first, b.first, log_size);
    if constexpr (sizeof...(Rest) == 0) return list<decltype(first)>{first};
    else return extend(first, state_each(o.rest, b.rest, log_size));
  }
  template <class S, class... Rest>
  static RUNG_HD constexpr list<S, Rest...> extend(const S& first, const list<Rest...>& rest) {
    return {first, rest};
  }
  template <class O, class... Rest, class S>
  static RUNG_HD constexpr S join_each(const list<O, Rest...>& o, const S& l, const S& r) {
    if constexpr (sizeof...(Rest) == 0) return {o.first(l.first, r.first)};
    else return {o.first(l.first, r.first), join_each(o.rest, l.rest, r.rest)};
  }
  template <class... O>
  static constexpr bool each_has_empty(const list<O...>*, const void*) {
    return false;
  }
  template <class O, class... Rest, class S, class... More>
    requires(sizeof...(Rest) == sizeof...(More))
  static constexpr bool each_has_empty(const list<O, Rest...>*, const list<S, More...>*) {
    if constexpr (!has_empty<O, S>) return false;
    else if constexpr (sizeof...(Rest) == 0) return true;
    else return each_has_empty((const list<Rest...>*)nullptr, (const list<More...>*)nullptr);
  }
  template <class S, class O, class... Rest>
  static RUNG_HD constexpr S empty_each(const list<O, Rest...>& o) {
    if constexpr (sizeof...(Rest) == 0) return {empty_state<decltype(S::first)>(o.first)};
    else return {empty_state<decltype(S::first)>(o.first), empty_each<decltype(S::rest)>(o.rest)};
  }
  template <class O, class... Rest, class S>
  static constexpr auto finish_each(const list<O, Rest...>& o, const S& s) {
    const auto r = canonical(rung::finish(o.first, s.first));
    if constexpr (sizeof...(Rest) == 0) return std::make_tuple(r);
    else return std::tuple_cat(std::make_tuple(r), finish_each(o.rest, s.rest));
  }
};
template <class... Ops>
fuse(Ops...) -> fuse<Ops...>;

/// Facts for make_operator: the exact no-op, and that any order gives the same bits.
template <class S>
struct identity_is {
  S value;
};
template <class S>
identity_is(S) -> identity_is<S>;
struct exact_in_any_order {};

namespace detail {
struct no_identity {};
}  // namespace detail

/// An operator from a callable f(left, right), made by make_operator.
template <class F, class Identity, bool Any>
struct user_operator {
  F f;
  Identity no_op;
  template <class S>
  static constexpr bool any_order = Any;
  template <class T>
    requires(!number<T>)
  RUNG_HD constexpr T lift(T x) const { return x; }
  template <class S>
    requires(std::is_convertible_v<Identity, S> && !std::is_same_v<Identity, detail::no_identity>)
  RUNG_HD constexpr S identity_value() const { return S(no_op); }
  template <class S>
  requires std::is_invocable_r_v<S, const F&, S, S> RUNG_HD constexpr S operator()(S l, S r) const {
    return f(l, r);
  }
};

/// make_operator([](auto l, auto r) { ... }, identity_is{0.0}, exact_in_any_order{}): facts in any
/// number; none is needed. The callable joins two states; numbers are held in their accumulator
/// (64-bit integers, f32 for f16).
template <class F>
RUNG_HD constexpr auto make_operator(F f) {
  return user_operator<F, detail::no_identity, false>{f, {}};
}
template <class F, class S>
RUNG_HD constexpr auto make_operator(F f, identity_is<S> i) {
  return user_operator<F, S, false>{f, i.value};
}
template <class F>
RUNG_HD constexpr auto make_operator(F f, exact_in_any_order) {
  return user_operator<F, detail::no_identity, true>{f, {}};
}
template <class F, class S>
RUNG_HD constexpr auto make_operator(F f, identity_is<S> i, exact_in_any_order) {
  return user_operator<F, S, true>{f, i.value};
}

}  // namespace rung
