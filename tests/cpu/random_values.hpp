// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Random values of every type: mostly ordinary ones, now and then a zero of either sign, a
// subnormal, and where it is asked for an infinity or a NaN.
#pragma once
#include <random>

#include "rung/op.hpp"

namespace rung::test {

using generator = std::mt19937_64;

inline std::int64_t pick(generator& rng, std::int64_t low, std::int64_t high) {
  return low + std::int64_t(rng() % std::uint64_t(high - low + 1));
}
inline bool one_in(generator& rng, int n) { return rng() % std::uint64_t(n) == 0; }

/// Whether infinities and NaNs may occur. One of them decides all sums that it is part of, so most
/// arrays have none.
enum class specials { none, some };

inline double random_real(generator& rng, double tiny, specials may_occur) {
  if (!one_in(rng, 300)) return std::normal_distribution<double>()(rng);
  const double all[] = {0.0,  -0.0, infinity<double>, -infinity<double>, quiet_nan<double>, -tiny,
                        tiny, 1.0};
  const double x = all[rng() % 8];
  return may_occur == specials::none && !(x - x == 0) ? tiny : x;
}

template <class T>
T random_value(generator& rng, specials may_occur = specials::none) {
  if constexpr (is_complex<T>) {
    using R = decltype(complex(T()).re);
    const R re = random_value<R>(rng, may_occur);
    return T(re, random_value<R>(rng, may_occur));
  } else if constexpr (is_half<T>) {
    return convert<T>(random_real(rng, 1e-7, may_occur));
  } else if constexpr (real_float<T>) {
    return T(random_real(rng, double(std::numeric_limits<T>::denorm_min()), may_occur));
  } else if constexpr (std::is_integral_v<T>) {
    return one_in(rng, 3) ? T(rng() % 4) : T(rng());
  } else {  // affine maps near the identity, so that long products neither vanish nor overflow
    using A = decltype(T::a);
    const A a = A(1 + random_value<float>(rng, may_occur) / 64);
    return {a, random_value<A>(rng, may_occur)};
  }
}

/// Near 1 or -1, odd integers: products of many neither vanish nor overflow.
template <class T>
T random_factor(generator& rng, specials may_occur = specials::none) {
  if constexpr (is_complex<T>) {
    using R = decltype(complex(T()).re);
    const R re = random_factor<R>(rng, may_occur);
    return T(re, random_value<R>(rng) / 64);
  } else if constexpr (std::is_integral_v<T>) {
    return T(rng() | 1);
  } else {
    const T x = T(1) + random_value<T>(rng, may_occur) / 64;
    return one_in(rng, 2) ? x : -x;
  }
}

template <class Values>
void fill_randomly(generator& rng, Values& values, specials may_occur = specials::none) {
  for (auto& v : values) v = random_value<std::remove_reference_t<decltype(v)>>(rng, may_occur);
}

/// One array in five.
inline specials rarely(generator& rng) { return one_in(rng, 5) ? specials::some : specials::none; }

}  // namespace rung::test
