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
    if constexpr (rung::any_order<Op, S> && real_float<R>) return R(quiet_nan<R>);  // min and max
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
constexpr auto accumulate_in(Op op) {
  return accumulate_in_operator<A, Op>{op};
}

/// States side by side: a plain recursive struct, since std::tuple is not trivially copyable.
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
  std::tuple<Ops...> ops;
  constexpr explicit fuse(Ops... o) : ops(o...) {}
  constexpr fuse() = default;

  template <std::size_t Nth>
  using nth = std::tuple_element_t<Nth, std::tuple<Ops...>>;
  static constexpr std::size_t last = sizeof...(Ops) - 1;
  template <std::size_t Nth, class S>
  static constexpr bool all_have_empty() {
    if constexpr (!requires { &S::first; }) return false;
    else if constexpr (!has_empty<nth<Nth>, decltype(S::first)>) return false;
    else if constexpr (Nth == last) return true;
    else return all_have_empty<Nth + 1, decltype(S::rest)>();
  }

  template <class... S>
  using state = fused_state<S...>;

  template <class T>
  constexpr auto lift(T x, std::int64_t position) const {
    return lift_from<0>(x, position);
  }
  template <class S>
  constexpr S operator()(const S& l, const S& r) const {
    return join_from<0>(l, r);
  }
  template <class S>
    requires(all_have_empty<0, S>())
  constexpr S empty_value() const { return empty_from<0, S>(); }
  template <class S>
  constexpr auto finish(const S& s) const {
    return finish_from<0>(s);
  }

 private:
  template <std::size_t Nth, class T>
  constexpr auto lift_from(T x, std::int64_t position) const {
    auto first = rung::lift(std::get<Nth>(ops), x, position);
    if constexpr (Nth == last) {
      return state<decltype(first)>{first};
    } else {
      auto rest = lift_from<Nth + 1>(x, position);
      return extend(first, rest);
    }
  }
  template <class S, class... Rest>
  static constexpr state<S, Rest...> extend(const S& first, const state<Rest...>& rest) {
    return {first, rest};
  }
  template <std::size_t Nth, class S>
  constexpr S join_from(const S& l, const S& r) const {
    if constexpr (Nth == last) return {std::get<Nth>(ops)(l.first, r.first)};
    else return {std::get<Nth>(ops)(l.first, r.first), join_from<Nth + 1>(l.rest, r.rest)};
  }
  template <std::size_t Nth, class S>
  constexpr S empty_from() const {
    if constexpr (Nth == last) return {empty_state<decltype(S::first)>(std::get<Nth>(ops))};
    else
      return {empty_state<decltype(S::first)>(std::get<Nth>(ops)),
              empty_from<Nth + 1, decltype(S::rest)>()};
  }
  template <std::size_t Nth, class S>
  constexpr auto finish_from(const S& s) const {
    const auto r = canonical(rung::finish(std::get<Nth>(ops), s.first));
    if constexpr (Nth == last) return std::make_tuple(r);
    else return std::tuple_cat(std::make_tuple(r), finish_from<Nth + 1>(s.rest));
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
  constexpr T lift(T x) const { return x; }
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
constexpr auto make_operator(F f) {
  return user_operator<F, detail::no_identity, false>{f, {}};
}
template <class F, class S>
constexpr auto make_operator(F f, identity_is<S> i) {
  return user_operator<F, S, false>{f, i.value};
}
template <class F>
constexpr auto make_operator(F f, exact_in_any_order) {
  return user_operator<F, detail::no_identity, true>{f, {}};
}
template <class F, class S>
constexpr auto make_operator(F f, identity_is<S> i, exact_in_any_order) {
  return user_operator<F, S, true>{f, i.value};
}

}  // namespace rung
