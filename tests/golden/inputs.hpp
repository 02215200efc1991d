// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The inputs of the golden results, from integers alone: the k-th number of splitmix64 (Steele, Lea
// and Flood, 2014) gives a 24-bit signed integer times a power of two; near_one() stays close to 1
// so that long products stay finite.
#pragma once
#include <cstdint>
#include <rung/op.hpp>
#include <vector>

namespace golden {

inline constexpr std::int64_t sizes[] = {0, 1, 2, 3, 5, 13, 127, 128, 1000, 4097, 100003};

inline std::uint64_t random_bits(std::uint64_t k) {
  std::uint64_t z = (k + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/// A value of either sign with magnitudes from about 2^-12 to 8.
inline double spread(std::uint64_t k) {
  const std::uint64_t b = random_bits(k);
  return double(std::int32_t(b >> 32) >> 8) * 0x1p-20 / double(1u << (b & 7));
}
inline double near_one(std::uint64_t k) { return 1.0 + spread(k) * 0x1p-9; }

template <class T>
std::vector<T> values(std::int64_t n, bool around_one) {
  std::vector<T> v;
  for (std::int64_t i = 0; i < n; i++) {
    const auto k = std::uint64_t(i);
    const double x = around_one ? near_one(2 * k) : spread(2 * k), y = spread(2 * k + 1);
    if constexpr (rung::is_complex<T>)
      v.push_back(rung::convert<T>(rung::complex<double>(x, around_one ? y * 0x1p-9 : y)));
    else v.push_back(rung::convert<T>(x));
  }
  return v;
}

/// FNV-1a, 64 bits, over the bytes of one result after another.
struct fingerprint {
  std::uint64_t hash = 0xcbf29ce484222325u;
  void add(const void* bytes, std::size_t n) {
    for (std::size_t i = 0; i < n; i++)
      hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
  }
};

}  // namespace golden
