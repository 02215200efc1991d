// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernel tests sweep over: states of every size, operators that show any change of order
// (not even associative, so that one tree has one answer), values that are hard to add, and bit
// equality with fold. The same source is compiled for the virtual GPU and by nvcc.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "rung/base/launch.cuh"
#include "rung/order.hpp"

namespace rung::tests {

/// N bytes, and an operator on them that no other grouping or order of operands can imitate.
template <int N>
struct bytes {
  std::uint8_t b[N];
  friend RUNG_HD bool operator==(const bytes& x, const bytes& y) {
    for (int i = 0; i < N; ++i)
      if (x.b[i] != y.b[i]) return false;
    return true;
  }
};
/// N words of 4 bytes, likewise.
template <int N>
struct words {
  std::uint32_t w[N];
  friend RUNG_HD bool operator==(const words& x, const words& y) {
    for (int i = 0; i < N; ++i)
      if (x.w[i] != y.w[i]) return false;
    return true;
  }
};
/// 12 bytes with a part of 2 bytes; the operator is an exact, non-commutative composition of maps.
struct twelve {
  std::uint32_t a, b;
  std::int16_t last;
  friend RUNG_HD bool operator==(const twelve& x, const twelve& y) {
    return x.a == y.a && x.b == y.b && x.last == y.last;
  }
};
struct tangle {
  template <int N>
  RUNG_HD bytes<N> operator()(const bytes<N>& l, const bytes<N>& r) const {
    bytes<N> z{};
    for (int i = 0; i < N; ++i)
      z.b[i] = std::uint8_t(31u * l.b[i] + (r.b[(i + 1) % N] ^ (l.b[(i + N / 2) % N] >> 1)) +
                            7u * r.b[i]);
    return z;
  }
  template <int N>
  RUNG_HD words<N> operator()(const words<N>& l, const words<N>& r) const {
    words<N> z{};
    for (int i = 0; i < N; ++i)
      z.w[i] = 31u * l.w[i] + (r.w[(i + 1) % N] ^ l.w[(i + N / 2) % N] >> 1);
    return z;
  }
  RUNG_HD twelve operator()(const twelve& l, const twelve& r) const {
    return {r.a * l.a, r.a * l.b + r.b, std::int16_t(r.last != 0 ? r.last : l.last)};
  }
  RUNG_HD std::uint32_t operator()(std::uint32_t l, std::uint32_t r) const {
    return l * 0x9e3779b1u + (r << 7 ^ r >> 5) + 1;
  }
  RUNG_HD f16 operator()(f16 l, f16 r) const {
    return f16::from_bits(std::uint16_t(l.bits * 31u + (r.bits << 3 ^ r.bits)));
  }
  RUNG_HD bf16 operator()(bf16 l, bf16 r) const {
    return bf16::from_bits(std::uint16_t(l.bits * 31u + (r.bits << 3 ^ r.bits)));
  }
};

/// The operator on states as they are: kernels do not lift, so their oracle must not.
template <class Op>
struct on_states {
  Op op;
  template <class S>
  RUNG_HD S lift(const S& s) const {
    return s;
  }
  template <class S>
  RUNG_HD S operator()(const S& l, const S& r) const {
    return op(l, r);
  }
};
template <class S, class Op>
std::optional<S> oracle(const Op& op, std::span<const S> x, std::optional<S> start = {}) {
  return fold(on_states<Op>{op}, x, start);
}

/// A vector of states; of bool too, whose std::vector has no addresses.
template <class S>
using list = std::conditional_t<std::is_same_v<S, bool>, std::basic_string<bool>, std::vector<S>>;

template <class S>
bool same(const S& x, const S& y) {
  if constexpr (real_float<S>) {
    const S a = canonical(x), b = canonical(y);
    return std::memcmp(&a, &b, sizeof(S)) == 0;
  } else if constexpr (is_half<S>) return x.bits == y.bits;
  else if constexpr (is_complex<S>) return same(x.re, y.re) && same(x.im, y.im);
  else if constexpr (
      requires { x.a, x.b; } && !requires { x.last; })
    return same(x.a, y.a) && same(x.b, y.b);
  else if constexpr (requires { x.index; }) return same(x.value, y.value) && x.index == y.index;
  else if constexpr (requires { x.m2; })
    return x.count == y.count && same(x.mean, y.mean) && same(x.m2, y.m2);
  else if constexpr (requires { x.maximum; })
    return same(x.maximum, y.maximum) && same(x.sum, y.sum);
  else if constexpr (requires { x.first, x.rest; })
    return same(x.first, y.first) && same(x.rest, y.rest);
  else if constexpr (requires { x.first; }) return same(x.first, y.first);
  else return x == y;
}

/// Values that are hard to add: wide exponents, both signs, now and then a -0, an infinity or a
/// NaN.
class source {
 public:
  explicit source(unsigned seed) : bits_(seed) {}
  template <class S>
  S next() {
    if constexpr (real_float<S>) {
      const auto pick = bits_() % 400;
      if (pick == 0) return S(-0.0);
      if (special && pick == 1) return infinity<S>;
      if (special && pick == 2) return quiet_nan<S>;
      return std::ldexp(S(int(bits_() % 2000001) - 1000000), int(bits_() % 24) - 32);
    } else if constexpr (is_complex<S>) {
      using R = decltype(S().re);
      const R re = next<R>();
      return S(re, next<R>());
    } else if constexpr (requires(S s) { s.m2; }) {
      return moments().lift(next<double>());
    } else if constexpr (
        requires(S s) { s.a, s.b; } && !requires(S s) { s.last; }) {
      const auto a = next<decltype(S::a)>();
      return S{a, next<decltype(S::b)>()};
    } else if constexpr (std::is_same_v<S, twelve>) {
      return {std::uint32_t(bits_()) | 1u, std::uint32_t(bits_()), std::int16_t(bits_() % 5 == 0)};
    } else if constexpr (std::is_same_v<S, bool>) {
      return bits_() % 37 == 0;
    } else if constexpr (requires(S s) { s.index; }) {
      return S{next<decltype(S::value)>(), std::int64_t(count_++)};
    } else {
      S s;
      for (std::size_t i = 0; i < sizeof(S); ++i)
        reinterpret_cast<unsigned char*>(&s)[i] = static_cast<unsigned char>(bits_() >> 8);
      return s;
    }
  }
  template <class S>
  list<S> many(std::size_t n) {
    list<S> x;
    x.reserve(n);
    for (std::size_t i = 0; i < n; ++i) x.push_back(next<S>());
    return x;
  }
  bool special = true;

 private:
  std::mt19937 bits_;
  std::uint64_t count_ = 0;
};

/// A pair to sweep over: a state and an operator.
template <class S, class Op>
struct over {
  using state = S;
  using op = Op;
};

/// GPU memory needs no bool vectors: one byte per state.
template <class S>
class device_values {
 public:
  explicit device_values(const list<S>& x) : bytes_(x.size() * sizeof(S)), size_(x.size()) {
    std::vector<unsigned char> raw(bytes_.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const S s = x[i];
      std::memcpy(raw.data() + i * sizeof(S), &s, sizeof(S));
    }
    bytes_.assign(raw);
  }
  operator S*() const { return reinterpret_cast<S*>(bytes_.data()); }
  list<S> to_host() const {
    const auto raw = bytes_.to_host();
    list<S> x;
    for (std::size_t i = 0; i < size_; ++i) {
      S s;
      std::memcpy(static_cast<void*>(&s), raw.data() + i * sizeof(S), sizeof(S));
      x.push_back(s);
    }
    return x;
  }

 private:
  gpu_array<unsigned char> bytes_;
  std::size_t size_;
};

/// The virtual GPU's next launches run in another adversarial order; the real one has its own.
inline void reseed([[maybe_unused]] unsigned seed) {
#if !defined(__CUDACC__)
  virtual_gpu::configure({.seed = seed});
#endif
}

}  // namespace rung::tests
