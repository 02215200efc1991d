// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// log(sum(exp(x))) without overflow: a state is a maximum and the sum of exp(x - maximum). Joining
// rescales the side with the smaller maximum. Infinities that have an answer give it: all -inf
// gives -inf, any +inf gives +inf. Source: the online normaliser of Milakov and Gimelshein (arXiv
// 1805.02867), with infinities defined.
#pragma once
#include "../base/math.hpp"
#include "extremes.hpp"

namespace rung {

template <class A>
struct log_sum_exp_state {
  A maximum, sum;
};
template <class A>
RUNG_HD constexpr log_sum_exp_state<A> canonical(log_sum_exp_state<A> s) {
  return {canonical(s.maximum), canonical(s.sum)};
}

/// The same of a known number of values with a finite maximum other than 0.
template <class A>
struct log_sum_exp_block {
  A maximum, sum;
};

/// f16 and bf16 in f32, f32 in f32, f64 and integers in f64. Empty: -inf.
struct log_sum_exp {
  template <class T>
  using value_type = std::conditional_t<integer<T>, double, accumulator_t<T>>;

  template <number T>
    requires(!is_complex<T>)
  RUNG_HD constexpr auto lift(T x) const {
    return log_sum_exp_state<value_type<T>>{convert<value_type<T>>(x), 1};
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return {lowest_value<decltype(S::sum)>(), 0};
  }
  template <class A>
  RUNG_HD log_sum_exp_state<A> operator()(log_sum_exp_state<A> l, log_sum_exp_state<A> r) const {
    const A m = l.maximum != l.maximum                            ? l.maximum
                : r.maximum > l.maximum || r.maximum != r.maximum ? r.maximum
                                                                  : l.maximum;
    const A below_l = l.maximum == m ? A(0) : l.maximum - m,
            below_r = r.maximum == m ? A(0) : r.maximum - m;
    // One side has the maximum and keeps its sum as it is; exp(0) = 1 exactly.
    return {m, mul(l.sum, portable::exp(below_l)) + mul(r.sum, portable::exp(below_r))};
  }

  /// Blocks: one exp per join. A sum is at least 1, so e^-80 and less do not show in it, nor does
  /// what the sum of a block of -inf is, once there is a finite maximum. NaN and inf stay the
  /// maximum; of zeros, it may be the wrong one.
  template <number T, std::size_t N>
    requires(!is_complex<T> && N >= 2)
  RUNG_HD auto block_tree(const T (&x)[N], std::int64_t) const { return block_of<0, int(N)>(x); }
  template <class A>
  RUNG_HD log_sum_exp_block<A> join_blocks(log_sum_exp_block<A> l, log_sum_exp_block<A> r,
                                           int) const {
    const bool right = r.maximum > l.maximum;
    return {detail::extreme<false, false>(l.maximum, r.maximum),
            (right ? r.sum : l.sum) +
                mul(right ? l.sum : r.sum, exp_of_distance(l.maximum, r.maximum))};
  }
  template <class A>
  RUNG_HD bool block_holds(log_sum_exp_block<A> b) const {
    return b.maximum - b.maximum == 0 && b.maximum != 0;
  }
  template <class A>
  RUNG_HD log_sum_exp_state<A> state_of_block(log_sum_exp_block<A> b, int) const {
    return {b.maximum, b.sum};
  }

  template <class A>
  RUNG_HD A finish(log_sum_exp_state<A> s) const {
    if (s.maximum != s.maximum || s.maximum == infinity<A> || s.maximum == -infinity<A>)
      return s.maximum;
    return s.maximum + portable::log(s.sum);
  }

 private:
  template <class A>
  static RUNG_HD A exp_of_distance(A x, A y) {
    return portable::exp_near(detail::extreme<false, true>(-std::fabs(x - y), A(-80)));
  }
  template <int First, int N, class T, std::size_t M>
  RUNG_HD auto block_of(const T (&x)[M]) const {
    using A = value_type<T>;
    if constexpr (N == 2) {
      const A l = convert<A>(x[First]), r = convert<A>(x[First + 1]);
      return log_sum_exp_block<A>{detail::extreme<false, false>(l, r),
                                  A(1) + exp_of_distance(l, r)};
    } else {
      return join_blocks(block_of<First, N / 2>(x), block_of<First + N / 2, N / 2>(x), 0);
    }
  }
};

}  // namespace rung
