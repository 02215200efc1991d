// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// exact_state<T>: an exact sum of numbers of type T, or of products of two (exact_product<T>). It
// is a fixed-point number that holds 2^63 of the largest and the smallest values without an error,
// and four flags, so merging is integer addition: any order, any grouping, any machine, the same
// bytes.
//   digit[N]  two's complement, 32 bits each, lowest first, in units of 2^unit
//   seen      bit 0: +inf, 1: -inf, 2: NaN, 3: a value that is not -0
//             sums of f16, bf16, f32   unit 2^-149     11 digits    48 bytes
//             sums of f64              unit 2^-1074    68 digits   276 bytes
//             products of these        unit 2^-298     20 digits    84 bytes
//             products of f64          unit 2^-2148   134 digits   540 bytes
//             sums of integers         unit 1           4 digits    20 bytes
//             products of these        unit 1           6 digits    28 bytes
// No values at all: zero, nothing seen. Rounding: round.hpp.
#pragma once
#include "../base/number.hpp"
#include "round.hpp"

namespace rung {

/// The product a * b, exact, as a value of a sum.
template <class T>
struct exact_product {
  T a, b;
};

namespace detail {

/// What exact sums are of: all but f64 fit into the state of f32.
template <class V>
struct exact_value {
  using result = std::conditional_t<integer<V>, double, V>;
  static constexpr bool is_wide = std::is_same_v<V, double>;
  static constexpr int unit = integer<V>
                                  ? 0
                                  : float_format<std::conditional_t<is_wide, double, float>>::least,
                       digits = integer<V> ? 4
                                : is_wide  ? 68
                                           : 11;
};
template <class T>
struct exact_value<exact_product<T>> {
  using result = typename exact_value<T>::result;
  static constexpr bool is_wide = std::is_same_v<T, double>;
  static constexpr int unit = 2 * exact_value<T>::unit, digits = integer<T> ? 6
                                                                 : is_wide  ? 134
                                                                            : 20;
};

inline constexpr std::uint32_t seen_value = 8, seen_infinity = seen_value | 1,
                               seen_minus_infinity = seen_value | 2, seen_nan = seen_value | 4,
                               seen_special = 7;

/// magnitude * 2^exponent with its sign, or what else it is.
struct exact_parts {
  uint128 magnitude;
  int exponent;
  bool negative;
  std::uint32_t seen;
};
template <class T>
RUNG_HD constexpr exact_parts parts_of(T x) {
  if constexpr (integer<T>) {
    const bool negative = x < T(0);
    const auto u = std::uint64_t(std::int64_t(x));
    return {negative ? 0 - u : u, 0, negative, seen_value};
  } else {
    using format = float_format<T>;
    const std::uint64_t bits = bits_of(x), sign = std::uint64_t(1) << (8 * sizeof(T) - 1);
    const std::uint64_t magnitude = bits & (sign - 1);
    const bool negative = (bits & sign) != 0;
    if (magnitude >= infinity_bits<T>)
      return {0, 0, negative,
              magnitude > infinity_bits<T> ? seen_nan
              : negative                   ? seen_minus_infinity
                                           : seen_infinity};
    const int field = int(magnitude >> fraction_bits<T>);
    const std::uint64_t fraction = magnitude & ((std::uint64_t(1) << fraction_bits<T>)-1);
    return {field > 0 ? fraction | std::uint64_t(1) << fraction_bits<T> : fraction,
            format::least + (field > 0 ? field - 1 : 0), negative, bits == sign ? 0 : seen_value};
  }
}
template <class T>
RUNG_HD constexpr exact_parts parts_of(const exact_product<T>& p) {
  const exact_parts a = parts_of(p.a), b = parts_of(p.b);
  const bool negative = a.negative != b.negative;
  const bool is_zero = a.magnitude == 0 || b.magnitude == 0;
  const bool a_special = (a.seen & seen_special) != 0, b_special = (b.seen & seen_special) != 0;
  if (a_special || b_special) {
    const bool no_number = a.seen == seen_nan || b.seen == seen_nan ||
                           (!a_special && a.magnitude == 0) || (!b_special && b.magnitude == 0);
    return {0, 0, negative, no_number ? seen_nan : negative ? seen_minus_infinity : seen_infinity};
  }
  return {a.magnitude * b.magnitude, a.exponent + b.exponent, negative,
          is_zero && negative ? 0 : seen_value};
}

}  // namespace detail

template <class V>
struct exact_state {
  using value_type = V;
  using result_type = typename detail::exact_value<V>::result;
  static constexpr int unit = detail::exact_value<V>::unit, digits = detail::exact_value<V>::digits;

  std::uint32_t digit[digits];
  std::uint32_t seen;

  exact_state() = default;
  RUNG_HD constexpr exact_state(const V& x) : digit{}, seen(0) { add(x); }

  /// One more value.
  RUNG_HD constexpr void add(const V& x) { add_parts(detail::parts_of(x)); }
  RUNG_HD constexpr void add_parts(const detail::exact_parts& p) {
    if (p.magnitude != 0) add_magnitude(p);
    see(p.seen);
  }
  /// All values of another sum.
  RUNG_HD constexpr void merge(const exact_state& other) {
    detail::add_digits(digit, other.digit);
    see(other.seen);
  }
  /// What a loop has collected in limbs of this unit.
  RUNG_HD constexpr void add_limbs(const std::int64_t (&limb)[digits]) {
    detail::add_limbs(digit, limb);
    see(0);
  }
  /// Flags; beside an infinity or a NaN the finite values do not count, so they are not kept.
  RUNG_HD constexpr void see(std::uint32_t flags) {
    seen |= flags;
    if ((seen & detail::seen_special) != 0)
      for (int i = 0; i < digits; ++i) digit[i] = 0;
  }

  /// The nearest R: the sum, rounded once. No values: -0, as all values are that were seen.
  template <class R = result_type>
  RUNG_HD constexpr R round() const {
    return number_or(
        [&] {
          const auto w = detail::wide_of<0>(digit, unit);
          const auto x = detail::leading(w);
          if (x.high == 0) return seen == 0 ? R(-0.0f) : R(0.0f);
          return detail::round_leading<R>(x, w.negative);
        },
        R(0.0f));
  }
  /// The sum / count, rounded once. No values: NaN.
  template <class R = result_type>
  RUNG_HD constexpr R round_mean(std::int64_t count) const {
    const R nan = R(quiet_nan<float>);
    if (count <= 0) return nan;
    return number_or(
        [&] {
          auto w = detail::wide_of<4>(digit, unit);
          detail::divide(w, std::uint64_t(count));
          const auto x = detail::leading(w);
          if (x.high == 0) return seen == 0 ? R(-0.0f) : R(0.0f);
          return detail::round_leading<R>(x, w.negative);
        },
        R(0.0f));
  }
  /// The square root of the sum, which is not negative, rounded once.
  template <class R = result_type>
  RUNG_HD constexpr R round_root() const {
    return number_or(
        [&] {
          return detail::round_wide<R>(
              detail::root(detail::leading(detail::wide_of<0>(digit, unit))), false);
        },
        R(0.0f));
  }

  /// The sum as words that collectives add up (MPI_INT64_T with MPI_SUM, ncclInt64 with ncclSum),
  /// 2^31 of them at most, and what has been added up as a sum again.
  static constexpr int words = digits + 4;
  RUNG_HD constexpr void to_words(std::int64_t (&word)[words]) const {
    for (int i = 0; i < digits; ++i) word[i] = digit[i];
    word[digits - 1] = std::int32_t(digit[digits - 1]);
    for (int i = 0; i < 4; ++i) word[digits + i] = seen >> i & 1;
  }
  static RUNG_HD constexpr exact_state from_words(const std::int64_t (&word)[words]) {
    exact_state s{};
    std::int64_t limb[digits] = {};
    for (int i = 0; i < digits; ++i) limb[i] = word[i];
    s.add_limbs(limb);
    std::uint32_t flags = 0;
    for (int i = 0; i < 4; ++i) flags |= std::uint32_t(word[digits + i] != 0) << i;
    s.see(flags);
    return s;
  }

  friend RUNG_HD constexpr bool operator==(const exact_state& a, const exact_state& b) {
    bool same = a.seen == b.seen;
    for (int i = 0; i < digits; ++i) same = same && a.digit[i] == b.digit[i];
    return same;
  }
  /// False for bytes that no sum has.
  constexpr bool holds() const { return seen < 16; }

  /// What the special values that were seen make of the sum; else f().
  template <class F, class R>
  RUNG_HD constexpr R number_or(const F& f, R) const {
    using namespace detail;
    const bool plus = (seen & 1) != 0, minus = (seen & 2) != 0;
    if ((seen & 4) != 0 || (plus && minus)) return R(quiet_nan<float>);
    if (plus || minus) return float_from_bits<R>(infinity_bits<R>, minus);
    return f();
  }

 private:
  RUNG_HD constexpr void add_magnitude(const detail::exact_parts& p) {
    const int position = p.exponent - unit, first = position >> 5, shift = position & 31;
    constexpr int most = digits > 100 || digits == 6 ? 5 : 3;  // digits that the value may have
    std::uint64_t carry = p.negative ? 1 : 0;                  // -x is ~x + 1
    const std::uint32_t flip = p.negative ? ~std::uint32_t(0) : 0;
    const detail::uint128 low = p.magnitude << shift,
                          high = shift > 0 ? p.magnitude >> (128 - shift) : 0;
    for (int i = 0; first + i < digits; ++i) {
      if (i >= most && carry == (flip & 1)) break;  // nothing changes any more
      const auto part = i >= most ? 0u : std::uint32_t(i < 4 ? low >> (32 * i) : high);
      carry += std::uint64_t(digit[first + i]) + (part ^ flip);
      digit[first + i] = std::uint32_t(carry);
      carry >>= 32;
    }
  }
};

}  // namespace rung
