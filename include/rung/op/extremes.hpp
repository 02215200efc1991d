// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Smallest and largest, their places, and both at once. Results are exact in any order. A NaN wins
// (one bad sample must show up, wherever it is); the twins named _number prefer numbers to NaN.
// Equal extremes: the first position. -0 and +0 are ordered here (-0 < +0), as in IEEE 754-2019
// section 9.6, so that the order of the operands can never show.
#pragma once
#include "facts.hpp"

namespace rung {

namespace detail {
/// Values with an order: numbers but not complex ones, and types of the user's own with <.
template <class T>
concept ordered = is_half<T> || requires(T a, T b) {
  { a < b } -> std::convertible_to<bool>;
};

template <class V>
RUNG_HD constexpr bool sign_bit(V x) {
  if constexpr (sizeof(V) == 8) return detail::bit_cast<std::int64_t>(x) < 0;
  else return detail::bit_cast<std::int32_t>(x) < 0;
}
/// a stands strictly before b when looking for the smallest (Least) or the largest.
template <bool Least, class V>
RUNG_HD constexpr bool beats(V a, V b) {
  const bool strictly = Least ? a < b : b < a;
  if constexpr (real_float<V>)
    return strictly ||
           (a == b && (Least ? sign_bit(a) && !sign_bit(b) : sign_bit(b) && !sign_bit(a)));
  else return strictly;
}
/// The extreme of two values. NaN wins, or with Numbers loses.
template <bool Least, bool Numbers, class V>
RUNG_HD constexpr V extreme(V a, V b) {
  if constexpr (has_extreme<V>) return machine_extreme<Least, Numbers>(a, b);
  else if constexpr (Numbers) return is_nan(a) ? b : is_nan(b) ? a : beats<Least>(b, a) ? b : a;
  else return is_nan(a) ? a : is_nan(b) ? b : beats<Least>(b, a) ? b : a;
}
}  // namespace detail

/// The smallest or largest value. Empty: an error (no value), in an empty segment the identity.
template <bool Least, bool Numbers>
struct extreme_value {
  template <class S>
  static constexpr bool any_order = true;
  template <class T>
  RUNG_HD constexpr auto lift(T x) const {
    return convert<comparable_t<T>>(x);
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    if constexpr (Numbers && real_float<S>) return quiet_nan<S>;
    else if constexpr (Least) return highest_value<S>();
    else return lowest_value<S>();
  }
  template <detail::ordered S>
  RUNG_HD constexpr S operator()(S left, S right) const {
    return detail::extreme<Least, Numbers>(left, right);
  }
};
using minimum = extreme_value<true, false>;
using maximum = extreme_value<false, false>;
using minimum_number = extreme_value<true, true>;
using maximum_number = extreme_value<false, true>;

/// A value and the position where it stands. index is -1 where there is no value.
template <class V>
struct indexed {
  V value;
  std::int64_t index;
  friend RUNG_HD constexpr bool operator==(indexed, indexed) = default;
};
template <class V>
RUNG_HD constexpr indexed<V> canonical(indexed<V> s) {
  return {canonical(s.value), s.index};
}

/// The first position of the extreme. A NaN counts as the extreme, the first NaN wins (with
/// Numbers: NaN is skipped).
template <bool Least, bool Numbers>
struct extreme_place {
  template <class S>
  static constexpr bool any_order = true;
  template <class T>
  RUNG_HD constexpr auto lift(T x, std::int64_t position) const {
    const auto v = convert<comparable_t<T>>(x);
    return indexed<comparable_t<T>>{v, Numbers && is_nan(v) ? -1 : position};
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return {extreme_value<Least, true>::template identity<decltype(S::value)>(), -1};
  }
  template <detail::ordered V>
  RUNG_HD constexpr indexed<V> operator()(indexed<V> l, indexed<V> r) const {
    // Here zeros of either sign are equal, as a user compares them: the first one wins. One choice
    // at the end and no branches: it is made by lanes that stay together.
    const bool left_nan = is_nan(l.value), right_nan = is_nan(r.value);
    const bool strictly = Least ? r.value < l.value : l.value < r.value;
    const bool better = !left_nan && (right_nan || strictly);
    const bool same = (left_nan && right_nan) || l.value == r.value;
    const bool right_wins = better || (same && r.index < l.index);
    return l.index < 0 || (r.index >= 0 && right_wins) ? r : l;
  }
  /// The extreme first, its place only if it is a new one.
  template <class S, detail::ordered T, std::size_t N>
  RUNG_HD constexpr S absorb(S s, const T (&x)[N], std::int64_t position) const {
    using V = comparable_t<T>;
    V best = convert<V>(x[0]);
    RUNG_UNROLL
    for (std::size_t j = 1; j < N; ++j)
      best = detail::extreme<Least, Numbers>(best, convert<V>(x[j]));
    const bool as_good = Least ? s.value <= best : best <= s.value;
    const bool better = s.index < 0 || (!as_good && !is_nan(s.value));
    if (!better || (Numbers && is_nan(best))) return s;
    RUNG_UNROLL
    for (std::size_t j = N; j-- > 0;) {  // the first one stays
      const V v = convert<V>(x[j]);
      if (v == best || (is_nan(v) && is_nan(best))) s = {v, position + std::int64_t(j)};
    }
    return s;
  }
  /// The extreme of all rows first: its place is looked for once, if at all.
  template <int R, class S, class Rows>
  RUNG_HD constexpr S absorb_rows(S s, const Rows& x, std::int64_t position, int step) const {
    using V = decltype(S::value);
    constexpr int n = int(sizeof(x[0].values) / sizeof(x[0].values[0]));
    V best = convert<V>(x[0].values[0]);
    RUNG_UNROLL
    for (int i = 1; i < R * n; ++i)
      best = detail::extreme<Least, Numbers>(best, convert<V>(x[i / n].values[i % n]));
    const bool as_good = Least ? s.value <= best : best <= s.value;
    const bool better = s.index < 0 || (!as_good && !is_nan(s.value));
    if (!better || (Numbers && is_nan(best))) return s;
    int place = 0;
    if (real_float<V> && (is_nan(best) || best == 0)) [[unlikely]] {
      V value = best;
      RUNG_UNROLL                                 // registers have no run-time index
          for (int i = R * n - 1; i >= 0; --i) {  // a NaN, or the first zero, whatever its sign
        const V v = convert<V>(x[i / n].values[i % n]);
        if (is_nan(best) ? is_nan(v) : v == best) place = i / n * step + i % n, value = v;
      }
      return {value, position + place};
    }
    RUNG_UNROLL
    for (int i = R * n - 1; i >= 0; --i)
      place = select(convert<V>(x[i / n].values[i % n]) == best, i / n * step + i % n, place);
    return {best, position + place};
  }
};
using arg_min = extreme_place<true, false>;
using arg_max = extreme_place<false, false>;
using arg_min_number = extreme_place<true, true>;
using arg_max_number = extreme_place<false, true>;

template <class V>
struct min_max_value {
  V min, max;
  friend RUNG_HD constexpr bool operator==(min_max_value, min_max_value) = default;
};
template <class V>
RUNG_HD constexpr min_max_value<V> canonical(min_max_value<V> s) {
  return {canonical(s.min), canonical(s.max)};
}

/// Smallest and largest in one pass. NaN wins both (with Numbers: is skipped).
template <bool Numbers>
struct both_extremes {
  template <class S>
  static constexpr bool any_order = true;
  template <class T>
  RUNG_HD constexpr auto lift(T x) const {
    const auto v = convert<comparable_t<T>>(x);
    return min_max_value<std::remove_const_t<decltype(v)>>{v, v};
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    using V = decltype(S::min);
    return {extreme_value<true, Numbers>::template identity<V>(),
            extreme_value<false, Numbers>::template identity<V>()};
  }
  template <detail::ordered V>
  RUNG_HD constexpr min_max_value<V> operator()(min_max_value<V> l, min_max_value<V> r) const {
    return {detail::extreme<true, Numbers>(l.min, r.min),
            detail::extreme<false, Numbers>(l.max, r.max)};
  }
};
using min_max = both_extremes<false>;
using min_max_number = both_extremes<true>;

}  // namespace rung
