// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// log(sum(exp(x))) without overflow: a state is a maximum and the sum of exp(x - maximum). Joining
// rescales the side with the smaller maximum. Infinities that have an answer give it: all -inf
// gives -inf, any +inf gives +inf. Source: the online normaliser of Milakov and Gimelshein (arXiv
// 1805.02867), with infinities defined.
#pragma once
#include "../base/math.hpp"
#include "facts.hpp"

namespace rung {

template <class A>
struct log_sum_exp_state {
  A maximum, sum;
};
template <class A>
RUNG_HD constexpr log_sum_exp_state<A> canonical(log_sum_exp_state<A> s) {
  return {canonical(s.maximum), canonical(s.sum)};
}

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
  template <class A>
  RUNG_HD A finish(log_sum_exp_state<A> s) const {
    if (s.maximum != s.maximum || s.maximum == infinity<A> || s.maximum == -infinity<A>)
      return s.maximum;
    return s.maximum + portable::log(s.sum);
  }
};

}  // namespace rung
