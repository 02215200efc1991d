// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Data on which sums go wrong: any bit pattern, all exponents, cancellation down to one survivor,
// ties with a grain of dust, subnormals, the edge of overflow, signed zeros, infinities and NaNs.
#pragma once
#include <random>
#include <vector>

#include "rung/exact/round.hpp"
#include "rung/op.hpp"

namespace rung::test {

enum class hard { bits, narrow, cancelling, ties, subnormal, huge, zeros, special };
inline constexpr int hard_kinds = 8;

class hard_source {
 public:
  explicit hard_source(unsigned seed) : random_(seed) {}
  std::uint64_t bits() { return random_(); }
  std::size_t below(std::size_t n) { return std::size_t(random_() % n); }

  /// A finite value with any bits, of exponents from `low` fields above the least on, `fields` of
  /// them.
  template <class T>
  T value(int low, int fields) {
    const std::uint64_t fraction = random_() & ((std::uint64_t(1) << detail::fraction_bits<T>)-1);
    const std::uint64_t field = std::uint64_t(low) + below(std::size_t(fields));
    return detail::float_from_bits<T>(field << detail::fraction_bits<T> | fraction, random_() & 1);
  }

  template <class T>
  std::vector<T> many(hard kind, std::size_t n) {
    constexpr std::uint64_t top = detail::infinity_bits<T>;
    constexpr int fields = int(top >> detail::fraction_bits<T>);
    constexpr int middle = fields / 2;
    std::vector<T> x(n);
    const auto fill = [&](int low, int count) {
      for (T& v : x) v = value<T>(low, count);
    };
    switch (kind) {
      case hard::bits:
        fill(0, fields);
        break;
      case hard::narrow:
        fill(int(below(std::size_t(fields - 5))), 5);
        break;
      case hard::cancelling:
        for (std::size_t i = 0; i + 1 < n; i += 2)
          x[i] = value<T>(0, fields), x[i + 1] = negative(x[i]);
        if (n % 2 != 0) x[n - 1] = value<T>(0, fields);
        if (n > 2) x[below(n)] = value<T>(0, fields);
        break;
      case hard::ties: {  // an odd or even last place, half of it, and dust
        for (T& v : x) v = T(0.0f);
        const int field = detail::float_format<T>::precision +
                          int(below(std::size_t(fields - 2 * detail::float_format<T>::precision)));
        x[0] = power<T>(field, bits() & 3, bits() & 1);
        if (n > 1) x[1] = power<T>(field - detail::float_format<T>::precision, 0, bits() & 1);
        if (n > 2 && (bits() & 1)) x[2] = value<T>(0, 2);
        break;
      }
      case hard::subnormal:
        fill(0, 2);
        break;
      case hard::huge:
        fill(fields - 2, 2);
        break;
      case hard::zeros:
        for (T& v : x) v = below(8) == 0 ? T(0.0f) : T(-0.0f);
        break;
      case hard::special:
        fill(middle - 3, 6);
        for (unsigned i = 0; i < 1 + below(2); ++i)
          x[below(n)] = below(3) == 0 ? T(quiet_nan<float>)
                                      : T(below(2) == 0 ? infinity<float> : -infinity<float>);
        break;
    }
    for (std::size_t i = n; i > 1; --i) std::swap(x[i - 1], x[below(i)]);
    return x;
  }

 private:
  template <class T>
  static T negative(T x) {
    constexpr std::uint64_t sign = std::uint64_t(1) << (8 * sizeof(T) - 1);
    return detail::float_from_bits<T>(detail::bits_of(x) ^ sign);
  }
  template <class T>
  static T power(int field, std::uint64_t fraction, bool negative) {
    return detail::float_from_bits<T>(std::uint64_t(field) << detail::fraction_bits<T> | fraction,
                                      negative);
  }
  std::mt19937_64 random_;
};

}  // namespace rung::test
