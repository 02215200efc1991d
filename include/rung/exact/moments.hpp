// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Mean and variance from exact sums of the values and of their squares, in one pass. The textbook
// formula (n sum(x^2) - sum(x)^2) / (n (n - ddof)) is right here, because nothing is rounded before
// the end; whatever is asked for is rounded once.
#pragma once
#include "plus.hpp"

namespace rung {

template <class V>
struct exact_moments_state {
  using result_type = typename exact_state<V>::result_type;
  exact_state<V> sum;
  exact_state<exact_product<V>> squares;
  std::int64_t count;

  template <class R = result_type>
  RUNG_HD constexpr R mean() const {
    return sum.template round_mean<R>(count);
  }
  /// Sum of squared deviations over (count - ddof); NaN where ddof >= count, and for infinities.
  template <class R = result_type>
  RUNG_HD constexpr R variance(double ddof = 0) const {
    return deviations<false, R>(ddof);
  }
  /// Its square root.
  template <class R = result_type>
  RUNG_HD constexpr R standard_deviation(double ddof = 0) const {
    return deviations<true, R>(ddof);
  }

 private:
  template <bool Root, class R>
  RUNG_HD constexpr R deviations(double ddof) const {
    using namespace detail;
    constexpr int most = exact_state<exact_product<V>>::digits + 2, extra = 6;
    double divisor = double(count) - ddof;
    if (!(divisor > 0) || (sum.seen & seen_special) != 0) return R(quiet_nan<float>);
    // n sum(x^2) - sum(x)^2, in units of the squares.
    const auto s = wide_of<0>(sum.digit, sum.unit);
    const auto q = wide_of<0>(squares.digit, squares.unit);
    const std::uint32_t n[2] = {std::uint32_t(count), std::uint32_t(std::uint64_t(count) >> 32)};
    std::uint32_t all[most] = {}, of_sums[most] = {};
    add_product(all, q.digit, n);
    add_product(of_sums, s.digit, s.digit);
    subtract_from(all, of_sums);
    wide_number<most + extra> w{};
    w.exponent = squares.unit - 32 * extra;
    for (int i = 0; i < most; ++i) w.digit[extra + i] = all[i];
    divide(w, std::uint64_t(count));
    while (divisor != double(std::uint64_t(divisor))) divisor *= 2, w.exponent += 1;
    divide(w, std::uint64_t(divisor));
    const leading_bits x = leading(w);
    return round_wide<R>(Root ? root(x) : x, false);
  }
};

/// Count, sum and sum of squares; the result is the state, which has mean(), variance(ddof) and
/// standard_deviation(ddof).
struct exact_moments : detail::exact_facts {
  template <number V>
    requires(!is_complex<V>)
  RUNG_HD constexpr exact_moments_state<V> lift(V x) const {
    return {exact_state<V>(x), exact_product<V>{x, x}, 1};
  }
  template <class V>
  RUNG_HD constexpr exact_moments_state<V> operator()(exact_moments_state<V> l,
                                                      const exact_moments_state<V>& r) const {
    l.sum.merge(r.sum), l.squares.merge(r.squares), l.count = add(l.count, r.count);
    return l;
  }
};

}  // namespace rung
