// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums and products. Integers are held in 64 bits and wrap; f16 and bf16 are held in f32; every
// float product is rounded on its own. -0.0 is the exact no-op of float addition (0.0 would turn
// -0.0 into 0.0); an empty sum is +0.
#pragma once
#include "facts.hpp"

namespace rung {

/// left + right. Empty: +0.
struct plus {
  template <class S>
  static constexpr bool any_order = integer<S>;
  template <class S>
  static constexpr bool commutes = number<S>;
  template <class S>
    requires number<S>
  static RUNG_HD constexpr S identity() {
    if constexpr (is_complex<S>)
      return S(identity<decltype(S().re)>(), identity<decltype(S().re)>());
    else if constexpr (real_float<S>) return S(-0.0);
    else return S(0);
  }
  template <class S>
    requires number<S>
  static RUNG_HD constexpr S empty() { return S(0); }
  template <class S>
  RUNG_HD constexpr S operator()(S left, S right) const {
    return add(left, right);
  }
  /// Narrow integers are added in 32 bits first.
  template <class S, integer T, std::size_t N>
    requires(sizeof(T) <= 2 && sizeof(S) == 8 && N <= 1024)
  RUNG_HD constexpr S absorb(S s, const T (&x)[N], std::int64_t) const {
    return add(s, S(detail::narrow_sum(x)));
  }
};

/// left * right. Empty: 1. A complex product has no exact no-op: (1 + 0i) z may lose the sign of a
/// zero.
struct multiplies {
  template <class S>
  static constexpr bool any_order = integer<S>;
  template <class S>
  static constexpr bool commutes = number<S>;
  template <class S>
    requires(number<S> && !is_complex<S>)
  static RUNG_HD constexpr S identity() { return S(1); }
  template <class S>
    requires number<S>
  static RUNG_HD constexpr S empty() { return S(1); }
  template <class S>
  RUNG_HD constexpr S operator()(S left, S right) const {
    return mul(left, right);
  }
};

/// The sum and how many values it has.
template <class A>
struct mean_state {
  A sum;
  std::int64_t count;
};
template <class A>
RUNG_HD constexpr mean_state<A> canonical(mean_state<A> s) {
  return {canonical(s.sum), s.count};
}

/// The arithmetic mean. Integers: in f64. Empty: NaN.
struct mean {
  template <class T>
  using sum_type = std::conditional_t<integer<T>, double, accumulator_t<T>>;
  template <number T>
  RUNG_HD constexpr auto lift(T x) const {
    return mean_state<sum_type<T>>{convert<sum_type<T>>(x), 1};
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return {plus::identity<decltype(S::sum)>(), 0};
  }
  template <class A>
  RUNG_HD constexpr mean_state<A> operator()(mean_state<A> l, mean_state<A> r) const {
    return {add(l.sum, r.sum), add(l.count, r.count)};
  }
  template <class A>
  RUNG_HD constexpr A finish(mean_state<A> s) const {
    if (s.count == 0) return A(quiet_nan<double>);
    if constexpr (is_complex<A>) {
      using R = decltype(s.sum.re);
      return A(s.sum.re / R(s.count), s.sum.im / R(s.count));
    } else {
      return s.sum / A(s.count);
    }
  }
};

/// x -> a x + b, a step of a linear recurrence.
template <class T>
struct affine_map {
  T a, b;
};
template <class T>
RUNG_HD constexpr affine_map<T> canonical(affine_map<T> m) {
  return {canonical(m.a), canonical(m.b)};
}

/// Composition of affine maps: first left, then right. x_t = a_t x_(t-1) + b_t is the inclusive
/// scan of (a_t, b_t). Products are rounded on their own. No exact no-op in floats (0 times
/// infinity).
struct affine {
  template <class S>
  static constexpr bool any_order = false;
  template <class T>
  RUNG_HD constexpr affine_map<T> lift(affine_map<T> m) const {
    return m;
  }
  template <class S>
    requires integer<decltype(S::a)>
  static RUNG_HD constexpr S identity() { return {1, 0}; }
  template <class S>
  static RUNG_HD constexpr S empty() {
    return {decltype(S::a)(1), decltype(S::b)(0)};
  }
  template <class T>
  RUNG_HD constexpr affine_map<T> operator()(affine_map<T> l, affine_map<T> r) const {
    return {mul(r.a, l.a), add(mul(r.a, l.b), r.b)};
  }
};

}  // namespace rung
