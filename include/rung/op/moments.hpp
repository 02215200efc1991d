// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Count, mean and sum of squared deviations from one pass, merged pairwise: never "mean of squares
// minus square of mean". Held in f64 for every real type (the mean of 1e7 and 1e7 + 1 is no f32),
// in c128 for complex ones, whose variance is that of |x - mean|. Source: Chan, Golub and LeVeque,
// "Updating formulae and a pairwise algorithm for computing sample variances" (1979).
#pragma once
#include <cmath>

#include "facts.hpp"

namespace rung {

/// A is the type of a value (complex allowed), R its real type.
template <class A, class R = A>
struct moments_state {
  std::int64_t count;
  A mean;
  R m2;  // sum of |x - mean|^2

  /// Sum of squared deviations over (count - ddof); NaN where ddof >= count. Never negative.
  RUNG_HD constexpr R variance(double ddof = 0) const {
    const double divisor = double(count) - ddof;
    return divisor > 0 ? R(m2 / R(divisor)) : quiet_nan<R>;
  }
  R standard_deviation(double ddof = 0) const { return std::sqrt(variance(ddof)); }
};
template <class A, class R>
RUNG_HD constexpr moments_state<A, R> canonical(moments_state<A, R> s) {
  return {s.count, canonical(s.mean), canonical(s.m2)};
}

/// The moments of a known number of finite values.
struct moments_block {
  double mean, m2;
};

namespace detail {
/// The mean of two ranges, r with that share of the values. Infinities that have an answer give it.
template <real_float R>
RUNG_HD constexpr R merged_mean(R l, R r, R share) {
  const R delta = r - l;
  return delta - delta == 0 ? l + mul(delta, share) : mul(l, R(1) - share) + mul(r, share);
}
}  // namespace detail

struct moments {
  template <class T>
  using value_type = std::conditional_t<is_complex<T>, complex<double>, double>;

  template <number T>
  RUNG_HD constexpr auto lift(T x) const {
    using A = value_type<T>;
    const A a = convert<A>(x);
    if constexpr (is_complex<A>)
      return moments_state<A, double>{1, a, (a.re - a.re) + (a.im - a.im)};
    else
      return moments_state<A>{1, a, a - a};  // 0, or NaN for an infinity: its spread has no number
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return {0, decltype(S::mean)(0), 0};
  }
  /// In a tree both sides have the same count, and there is nothing to divide.
  template <class A, class R>
  RUNG_HD constexpr moments_state<A, R> operator()(moments_state<A, R> l,
                                                   moments_state<A, R> r) const {
    if constexpr (!is_complex<A>) {
      const A delta = r.mean - l.mean;
      if (l.count == r.count && l.count > 0 && delta - delta == 0) [[likely]]
        return {add(l.count, r.count), l.mean + mul(delta, A(0.5)),
                (l.m2 + r.m2) + mul(mul(delta, delta), mul(R(l.count), R(0.5)))};
    }
    return merged(l, r);
  }

  /// Values of narrower types than f64, if all are finite: no mean and no difference of two can
  /// overflow, so the joins need no tests, and their counts are known.
  template <number T, std::size_t N>
    requires(!is_complex<T> && !std::is_same_v<T, double> && sizeof(T) <= 4)
  RUNG_HD constexpr auto tree(const T (&x)[N], std::int64_t position) const {
    bool finite = true;
    RUNG_UNROLL
    for (std::size_t i = 0; i < N; ++i)
      finite = finite && convert<float>(x[i]) - convert<float>(x[i]) == 0;
    if (finite) [[likely]]
      return finite_tree<0, int(N)>(x);
    return any_tree(x, position);
  }

  /// The same as blocks. Halves and powers of two are exact, so they go into the next addition. The
  /// spread of a value that is not finite is not finite, nor is what is added to that.
  template <number T, std::size_t N>
    requires(!is_complex<T> && !std::is_same_v<T, double> && sizeof(T) <= 4 && N >= 2)
  RUNG_HD constexpr moments_block block_tree(const T (&x)[N], std::int64_t) const {
    moments_block b = block_of<0, int(N)>(x);
    if constexpr (N == 2) b.m2 = mul(b.m2, 0.5);
    return b;
  }
  RUNG_HD constexpr moments_block join_blocks(moments_block l, moments_block r, int k) const {
    return joined(l, r, double(std::int64_t(1) << k) * 0.5);
  }
  RUNG_HD constexpr bool block_holds(moments_block b) const { return b.m2 - b.m2 == 0; }
  RUNG_HD constexpr moments_state<double> state_of_block(moments_block b, int k) const {
    return {std::int64_t(1) << k, b.mean, b.m2};
  }

 private:
  static RUNG_HD constexpr moments_block joined(moments_block l, moments_block r, double weight) {
    const double delta = r.mean - l.mean;
    return {exact_product_plus(delta, 0.5, l.mean),
            exact_product_plus(mul(delta, delta), weight, l.m2 + r.m2)};
  }
  /// Two values leave twice their spread.
  template <int First, int N, class T, std::size_t M>
  static RUNG_HD constexpr moments_block block_of(const T (&x)[M]) {
    if constexpr (N == 2) {
      const double l = convert<double>(x[First]), delta = convert<double>(x[First + 1]) - l;
      return {exact_product_plus(delta, 0.5, l), mul(delta, delta)};
    } else {
      const auto l = block_of<First, N / 2>(x), r = block_of<First + N / 2, N / 2>(x);
      if constexpr (N > 4) return joined(l, r, N / 4.0);
      const double delta = r.mean - l.mean;
      return {exact_product_plus(delta, 0.5, l.mean),
              exact_product_plus(l.m2 + r.m2, 0.5, mul(delta, delta))};
    }
  }
  /// Any counts, and infinities. A call: kernels have many joins and come here from few of them.
  template <class A, class R>
  __attribute__((noinline)) static RUNG_HD constexpr moments_state<A, R> merged(
      const moments_state<A, R>& l, const moments_state<A, R>& r) {
    if (l.count == 0) return r;
    if (r.count == 0) return l;
    const std::int64_t n = add(l.count, r.count);
    const R share = R(r.count) / R(n);
    const A delta = subtract(r.mean, l.mean);
    R square;
    A mean;
    if constexpr (is_complex<A>) {
      square = mul(delta.re, delta.re) + mul(delta.im, delta.im);
      mean = A(detail::merged_mean(l.mean.re, r.mean.re, share),
               detail::merged_mean(l.mean.im, r.mean.im, share));
    } else {
      square = mul(delta, delta);
      mean = detail::merged_mean(l.mean, r.mean, share);
    }
    return {n, mean, (l.m2 + r.m2) + mul(square, mul(R(l.count), share))};
  }
  template <class T, std::size_t N>
  __attribute__((noinline)) static RUNG_HD constexpr moments_state<double> any_tree(
      const T (&x)[N], std::int64_t position) {
    return detail::lifted_tree<0, int(N)>(moments(), x, position);
  }
  template <int First, int N, class T, std::size_t M>
  RUNG_HD constexpr moments_state<double> finite_tree(const T (&x)[M]) const {
    if constexpr (N == 1) {
      return {1, convert<double>(x[First]), 0};
    } else {
      const auto l = finite_tree<First, N / 2>(x), r = finite_tree<First + N / 2, N / 2>(x);
      const double delta = r.mean - l.mean, spread = mul(mul(delta, delta), N / 4.0);
      return {N, l.mean + mul(delta, 0.5), N == 2 ? spread : (l.m2 + r.m2) + spread};
    }
  }
};

/// The variance: the sum of squared deviations over (count - ddof), in f64; NaN where ddof >=
/// count.
struct variance : moments {
  double ddof;
  RUNG_HD constexpr explicit variance(double ddof = 0) : ddof(ddof) {}
  template <class A, class R>
  RUNG_HD constexpr R finish(const moments_state<A, R>& s) const {
    return s.variance(ddof);
  }
};
/// Its square root.
struct standard_deviation : moments {
  double ddof;
  RUNG_HD constexpr explicit standard_deviation(double ddof = 0) : ddof(ddof) {}
  template <class A, class R>
  RUNG_HD R finish(const moments_state<A, R>& s) const {
    return std::sqrt(s.variance(ddof));
  }
};

}  // namespace rung
