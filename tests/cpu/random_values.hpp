// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Random values of every type: mostly ordinary ones, now and then a zero of either sign, a
// subnormal, an infinity or a NaN, so that several of them meet in one fold.
#pragma once
#include <random>

#include "rung/op.hpp"

namespace rung::test {

using generator = std::mt19937_64;

inline std::int64_t pick(generator& rng, std::int64_t low, std::int64_t high) {
  return low + std::int64_t(rng() % std::uint64_t(high - low + 1));
}
inline bool one_in(generator& rng, int n) { return rng() % std::uint64_t(n) == 0; }

/// Floats and halves as a double that they hold.
inline double random_real(generator& rng, double tiny, double rare) {
  if (!one_in(rng, 300)) return std::normal_distribution<double>()(rng);
  const double all[] = {0.0, -0.0, tiny, -tiny, rare, -rare, 1.0, quiet_nan<double>};
  return all[rng() % 8];
}

template <class T>
T random_value(generator& rng) {
  if constexpr (is_complex<T>) {
    using R = decltype(complex(T()).re);
    return T(random_value<R>(rng), random_value<R>(rng));
  } else if constexpr (is_half<T>) {
    return convert<T>(random_real(rng, 1e-7, infinity<double>));
  } else if constexpr (real_float<T>) {
    return T(random_real(rng, double(std::numeric_limits<T>::denorm_min()), infinity<double>));
  } else if constexpr (std::is_integral_v<T>) {
    return one_in(rng, 3) ? T(rng() % 4) : T(rng());
  } else {  // affine maps near the identity, so that long products neither vanish nor overflow
    using A = decltype(T::a);
    return {A(1 + random_value<float>(rng) / 64), random_value<A>(rng)};
  }
}

}  // namespace rung::test
