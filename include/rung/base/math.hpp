// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// exp and log for use inside operators: one sequence of exact IEEE operations and fma, so that
// every CPU and GPU gives the same bits. Error under 1 ulp for normal results. No branches, so
// loops over them vectorise. exp: x = k ln 2 + r with ln 2 in two parts, Taylor polynomial in r,
// scaling by 2^k in two steps. log: x = 2^k m with m in [sqrt(1/2), sqrt(2)), log m = 2 atanh(s)
// with s = (m - 1) / (m + 1).
#pragma once
#include <cmath>
#include <cstdint>

#include "number.hpp"

namespace rung::portable {

namespace detail {
RUNG_HD inline float fused(float a, float b, float c) { return std::fma(a, b, c); }
RUNG_HD inline double fused(double a, double b, double c) { return std::fma(a, b, c); }

template <class T>
struct format;
template <>
struct format<float> {
  using bits = std::int32_t;
  static constexpr int fraction = 23, bias = 127, exp_terms = 8, log_terms = 6;
  static constexpr float round_magic = 0x1.8p23f, log2e = 0x1.715476p0f;
  static constexpr float ln2_high = 0x1.62e4p-1f,
                         ln2_low = 0x1.7f7d1cp-20f;  // 15 bits: k ln2_high is exact
  static constexpr float exp_lowest = -104.0f, exp_highest = 89.0f;
};
template <>
struct format<double> {
  using bits = std::int64_t;
  static constexpr int fraction = 52, bias = 1023, exp_terms = 14, log_terms = 11;
  static constexpr double round_magic = 0x1.8p52, log2e = 0x1.71547652b82fep0;
  static constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;  // 42 bits
  static constexpr double exp_lowest = -746.0, exp_highest = 710.0;
};

template <class T>
RUNG_HD constexpr T inverse_factorial(int n) {
  double f = 1;
  for (int i = 2; i <= n; i++) f *= i;
  return T(1 / f);
}
template <class T>
RUNG_HD constexpr T power_of_two(typename format<T>::bits k) {  // k within the normal range
  return rung::detail::bit_cast<T>((k + format<T>::bias) << format<T>::fraction);
}
/// The terms of Horner's rule from 1/Term! down to 1/2!. Each is a constant of its own: from a
/// loop, nvcc 13.0 divides in f64 where it runs.
template <int Term, class T>
RUNG_HD inline T exp_polynomial(T r, T p) {
  if constexpr (Term < 2) {
    return p;
  } else {
    constexpr T term = inverse_factorial<T>(Term);
    return exp_polynomial<Term - 1>(r, fused(p, r, term));
  }
}
/// e^x as 2^n e: n in the lowest bits of `shifted`, e near 1.
template <class T>
struct exp_parts {
  T shifted, e;
};
/// x within the range whose powers of two are numbers.
template <class T>
RUNG_HD inline exp_parts<T> exp_of(T x) {
  using F = format<T>;
  const T shifted = fused(x, F::log2e, F::round_magic);
  const T k = shifted - F::round_magic;
  const T high = fused(k, -F::ln2_high, x);  // exact
  const T r = fused(k, -F::ln2_low, high);
  const T missing = fused(k, -F::ln2_low, high - r);  // what r lost in rounding
  constexpr T first = inverse_factorial<T>(F::exp_terms - 1);
  const T p = exp_polynomial<F::exp_terms - 2>(r, first);
  const T one_r = T(1) + r, lost = (T(1) - one_r) + r;
  return {shifted, one_r + (fused(mul(r, r), p, missing) + lost)};
}
}  // namespace detail

/// e^x, under 1 ulp; 0 below the subnormals, inf above the largest, NaN for NaN.
template <real_float T>
RUNG_HD inline T exp(T x) {
  using F = detail::format<T>;
  using B = typename F::bits;
  const T low = x < F::exp_lowest ? F::exp_lowest : x;
  const T clamped = low > F::exp_highest ? F::exp_highest : low;
  const auto [shifted, e] = detail::exp_of(clamped);
  const B n = rung::detail::bit_cast<B>(shifted) - rung::detail::bit_cast<B>(F::round_magic);
  const B half = n >> 1;
  const T y = e * detail::power_of_two<T>(half) * detail::power_of_two<T>(n - half);
  return x != x ? x : y;
}

/// e^x for x from -80 to 0, the bits of exp(x): its power of two is added to the exponent.
template <real_float T>
RUNG_HD inline T exp_near(T x) {
  using U = std::make_unsigned_t<typename detail::format<T>::bits>;
  const auto [shifted, e] = detail::exp_of(x);
  return rung::detail::bit_cast<T>(
      rung::detail::bit_cast<U>(e) +
      (rung::detail::bit_cast<U>(shifted) << detail::format<T>::fraction));
}

/// The natural logarithm, under 1 ulp, for x >= 0; log 0 = -inf, log inf = inf, NaN below 0.
template <real_float T>
RUNG_HD inline T log(T x) {
  using F = detail::format<T>;
  using B = typename F::bits;
  const bool tiny = x < detail::power_of_two<T>(1 - F::bias);
  const T scaled = tiny ? x * detail::power_of_two<T>(F::fraction + 2) : x;
  using U = std::make_unsigned_t<B>;  // wraps for x below 0, whose result is not used
  const U u = rung::detail::bit_cast<U>(scaled);
  const U sqrt_half = rung::detail::bit_cast<U>(T(0x1.6a09e667f3bcdp-1));
  const B k = B(u - sqrt_half) >> F::fraction;
  const T m = rung::detail::bit_cast<T>(u - (U(k) << F::fraction));
  const T exponent = T(k) - (tiny ? T(F::fraction + 2) : T(0));
  const T f = m - T(1);
  const T s = f / (T(2) + f), z = mul(s, s);
  T p = T(2.0 / (2 * F::log_terms + 1));
  for (int i = F::log_terms - 1; i >= 1; i--) p = detail::fused(p, z, T(2.0 / (2 * i + 1)));
  // 2 atanh(s) = 2s + s z p, and 2s = f - s f: keep f whole, it is exact.
  const T tail = detail::fused(mul(s, z), p, detail::fused(-s, f, exponent * F::ln2_low));
  const T y = detail::fused(exponent, F::ln2_high, f + tail);
  return x == 0 ? -infinity<T> : x < 0 ? quiet_nan<T> : x == infinity<T> || x != x ? x : y;
}

}  // namespace rung::portable
