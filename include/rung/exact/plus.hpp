// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums as operators: the result is the sum of all values, exact to the last bit, rounded once
// to the type of the values (exact_as<R>: to R). Infinite only if the exact sum rounds there; all
// values -0: -0; otherwise zero is +0; NaN, or infinities of both signs: NaN. Any order gives the
// same bits, so every rung may take any.
//   reduce(cpu, x, exact_plus{})                                  the sum
//   reduce(cpu, transform(as_exact_product{}, x, y), exact_plus{})   the dot product
#pragma once
#include <cmath>

#include "../op/facts.hpp"
#include "state.hpp"

namespace rung {

namespace detail {
template <class V>
inline constexpr bool is_exact_value = real_float<V> || is_half<V>;
template <class T>
inline constexpr bool is_exact_value<exact_product<T>> = is_exact_value<T>;

/// What exact operators have in common.
struct exact_facts {
  template <class S>
  static constexpr bool any_order = true;
  template <class S>
  static RUNG_HD constexpr S identity() {
    return S{};
  }
};
}  // namespace detail

/// The sum. R: the type of the result; void: that of the values. Empty: +0.
template <class R = void>
struct exact_sum : detail::exact_facts {
  template <class V>
  requires detail::is_exact_value<V> RUNG_HD constexpr exact_state<V> lift(const V& x) const {
    return exact_state<V>(x);
  }
  template <class S>
  static RUNG_HD constexpr S empty() {
    S s{};
    s.seen = detail::seen_value;
    return s;
  }
  template <class V>
  RUNG_HD constexpr exact_state<V> operator()(exact_state<V> l, const exact_state<V>& r) const {
    l.merge(r);
    return l;
  }
  template <class V, std::size_t N>
  RUNG_HD constexpr exact_state<V> absorb(exact_state<V> s, const V (&x)[N], std::int64_t) const {
    for (std::size_t i = 0; i < N; ++i) s.add(x[i]);
    return s;
  }
  template <class V>
  RUNG_HD constexpr auto finish(const exact_state<V>& s) const {
    if constexpr (std::is_void_v<R>) return s.round();
    else return s.template round<R>();
  }
};
/// left + right without a rounding: the sum, rounded once at the end.
using exact_plus = exact_sum<>;

/// The sum of squares of the values; finish: its square root, the Euclidean norm. Empty: 0.
template <class R = void>
struct exact_root_of_squares : detail::exact_facts {
  template <number V>
    requires(!is_complex<V>)
  RUNG_HD constexpr exact_state<exact_product<V>> lift(V x) const { return exact_product<V>{x, x}; }
  template <class S>
  static RUNG_HD constexpr S empty() {
    return S{};
  }
  template <class S>
  RUNG_HD constexpr S operator()(S l, const S& r) const {
    l.merge(r);
    return l;
  }
  template <class S>
  RUNG_HD constexpr auto finish(const S& s) const {
    if constexpr (std::is_void_v<R>) return s.round_root();
    else return s.template round_root<R>();
  }
};
using exact_norm = exact_root_of_squares<>;

/// A sum and how many values it has.
template <class V>
struct exact_mean_state {
  exact_state<V> sum;
  std::int64_t count;
};
/// The sum, divided by the count, rounded once. Integers: to f64. Empty: NaN.
template <class R = void>
struct exact_average : detail::exact_facts {
  template <number V>
    requires(!is_complex<V>)
  RUNG_HD constexpr exact_mean_state<V> lift(V x) const { return {exact_state<V>(x), 1}; }
  template <class V>
  RUNG_HD constexpr exact_mean_state<V> operator()(exact_mean_state<V> l,
                                                   const exact_mean_state<V>& r) const {
    l.sum.merge(r.sum), l.count = add(l.count, r.count);
    return l;
  }
  template <class V>
  RUNG_HD constexpr auto finish(const exact_mean_state<V>& s) const {
    if constexpr (std::is_void_v<R>) return s.sum.round_mean(s.count);
    else return s.sum.template round_mean<R>(s.count);
  }
};
using exact_mean = exact_average<>;

/// For transform: the product of two values, or the square of one, for exact_plus to sum up.
struct as_exact_product {
  template <class T>
  RUNG_HD constexpr exact_product<T> operator()(T a, T b) const {
    return {a, b};
  }
};
struct as_exact_square {
  template <class T>
  RUNG_HD constexpr exact_product<T> operator()(T a) const {
    return {a, a};
  }
};

}  // namespace rung
