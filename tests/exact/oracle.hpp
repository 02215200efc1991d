// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle of exact sums: GMP integers in units of 2^-2200, and a rounding of rational numbers
// and square roots that shares nothing with the library's.
#pragma once
#include <gmp.h>

#include <cmath>
#include <span>

#include "rung/exact/moments.hpp"

namespace rung::test {

class integer_number {
 public:
  integer_number() { mpz_init(z); }
  integer_number(const integer_number&) = delete;
  ~integer_number() { mpz_clear(z); }
  operator mpz_ptr() { return z; }
  mpz_ptr operator->() { return z; }  // which some of GMP's words, being macros, take

 private:
  mpz_t z;
};

/// *to = x in units of 2^-1100; x is finite.
inline void set_units(mpz_ptr to, double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // x = (fraction 2^53) 2^(exponent - 53)
  mpz_set_d(to, std::ldexp(fraction, 53));
  const int shift = exponent - 53 + 1100 + 60;  // subnormals have fewer than 53 bits
  mpz_mul_2exp(to, to, unsigned(shift));
  mpz_tdiv_q_2exp(to, to, 60);
}

/// The format of T, in numbers.
template <class T>
struct format_of {
  static constexpr bool is_f16 = std::is_same_v<T, f16>, is_bf16 = std::is_same_v<T, bf16>;
  static constexpr int precision = is_f16 ? 11 : is_bf16 ? 8 : std::numeric_limits<T>::digits;
  static constexpr int least = is_f16                     ? -24
                               : is_bf16                  ? -133
                               : std::is_same_v<T, float> ? -149
                                                          : -1074;
  static constexpr int above = is_f16 ? 16 : std::is_same_v<T, double> ? 1024 : 128;
};

/// The T nearest to v / d * 2^unit, ties to even; Root: to its square root. v and d: d > 0.
template <class T, bool Root = false>
T nearest(mpz_srcptr v, mpz_srcptr d, int unit) {
  using format = format_of<T>;
  if (mpz_sgn(v) == 0) return T(0.0f);
  integer_number n, q, r, m;
  const bool negative = mpz_sgn(v) < 0;
  mpz_abs(n, v);
  // The quotient lies in 2^(bits - 1) .. 2^(bits + 1) units.
  long bits = long(mpz_sizeinbase(n, 2)) - long(mpz_sizeinbase(d, 2)) + unit;
  if (Root) bits = (bits - 1) / 2 - 1;
  for (long last = std::max<long>(bits - format::precision - 1, format::least);; ++last) {
    const long shift = unit - (Root ? 2 : 1) * last;
    mpz_set(m, d);
    mpz_set(r, n);
    if (shift >= 0) mpz_mul_2exp(r, r, static_cast<mp_bitcnt_t>(shift));
    else mpz_mul_2exp(m, m, static_cast<mp_bitcnt_t>(-shift));
    int side;  // of twice the rest against one whole
    if constexpr (Root) {
      mpz_tdiv_q(q, r, m);
      mpz_sqrt(q, q);
      integer_number twice;  // (2 q + 1)^2 against 4 r / m
      mpz_mul_ui(twice, q, 2), mpz_add_ui(twice, twice, 1), mpz_mul(twice, twice, twice);
      mpz_mul(twice, twice, m), mpz_mul_ui(r, r, 4);
      side = mpz_cmp(r, twice);
    } else {
      mpz_tdiv_qr(q, r, r, m);
      mpz_mul_ui(r, r, 2);
      side = mpz_cmp(r, m);
    }
    if (mpz_sizeinbase(q, 2) > std::size_t(format::precision)) continue;
    if (side > 0 || (side == 0 && mpz_odd_p(q))) mpz_add_ui(q, q, 1);
    const double rounded = std::ldexp(mpz_get_d(q), int(last));
    const bool over = rounded >= std::ldexp(1.0, format::above - 1) * 2;
    const double result = over ? HUGE_VAL : rounded;
    return convert<T>(negative ? -result : result);
  }
}

/// What decides a sum beside its finite values.
struct special_values {
  bool plus = false, minus = false, nan = false, all_minus_zero = true;
  void see(double x) {
    nan = nan || x != x;
    plus = plus || x == HUGE_VAL, minus = minus || x == -HUGE_VAL;
    all_minus_zero = all_minus_zero && x == 0 && std::signbit(x);
  }
  bool any() const { return nan || plus || minus; }
  template <class R>
  R result() const {
    if (nan || (plus && minus)) return R(quiet_nan<float>);
    return R(plus ? infinity<float> : -infinity<float>);
  }
};

/// Sum, sum of squares and their roundings, of values as doubles.
class exact_oracle {
 public:
  template <class T>
  explicit exact_oracle(std::span<const T> x) {
    integer_number one;
    for (const T& v : x) add(convert<double>(v), one);
    mpz_set_ui(d, 1);
  }
  template <class R>
  R sum() {
    if (seen.any()) return seen.result<R>();
    if (mpz_sgn(s) == 0) return seen.all_minus_zero && count > 0 ? R(-0.0f) : R(0.0f);
    return nearest<R>(s, d, -1100);
  }
  template <class R>
  R mean() {
    if (seen.any()) return seen.result<R>();
    if (mpz_sgn(s) == 0) return seen.all_minus_zero ? R(-0.0f) : R(0.0f);
    mpz_set_ui(d, count);
    return nearest<R>(s, d, -1100);
  }
  template <class R>
  R norm() {
    if (seen.nan) return R(quiet_nan<float>);
    if (seen.any()) return R(infinity<float>);
    mpz_set_ui(d, 1);
    return nearest<R, true>(q, d, -2200);
  }
  template <class R, bool Root>
  R variance(unsigned ddof) {
    if (seen.any() || ddof >= count) return R(quiet_nan<float>);
    integer_number n, t;
    mpz_mul_ui(n, q, count), mpz_mul(t, s, s), mpz_sub(n, n, t);
    mpz_set_ui(d, count), mpz_mul_ui(d, d, count - ddof);
    return nearest<R, Root>(n, d, -2200);
  }

 private:
  void add(double x, mpz_ptr one) {
    ++count, seen.see(x);
    if (x - x != 0) return;
    set_units(one, x);
    mpz_add(s, s, one), mpz_mul(one, one, one), mpz_add(q, q, one);
  }
  integer_number s, q, d;
  special_values seen;
  unsigned long count = 0;
};

}  // namespace rung::test
