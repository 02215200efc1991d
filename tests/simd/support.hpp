// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the SIMD kernels share: hard data, the reference by a plain binary counter (and
// rung::fold for what it is checked against), comparison of bits, and a run on every instruction
// set.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "rung/op.hpp"
#include "rung/order.hpp"
#include "simd/kernels.hpp"
#include "simd/moments_number.hpp"

namespace rung::simd::test {

/// Kernels are handed an operator object even where they know it: all of these are stateless.
inline constexpr char stateless{};
inline constexpr const void* operator_object = &stateless;

/// How many values a case may have. Under sanitizers a value takes ten times as long.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr size_t case_budget = 1500;
#else
inline constexpr size_t case_budget = 10000;
#endif

using rng = std::mt19937_64;

/// What find() gives on every instruction set of this machine, with its name. Some may have none.
template <class Find>
auto on_every_target(Find&& find) {
  std::vector<std::pair<std::string, decltype(find())>> found;
  for (const std::int64_t target : targets()) {
    use_target(target);
    if (const auto kernels = find()) found.emplace_back(target_name(), kernels);
  }
  use_target(0);
  return found;
}

template <class T>
inline constexpr packed packed_of = packed::i64;
template <>
inline constexpr packed packed_of<std::uint64_t> = packed::u64;
template <>
inline constexpr packed packed_of<float> = packed::f32;
template <>
inline constexpr packed packed_of<double> = packed::f64;
template <>
inline constexpr packed packed_of<complex<float>> = packed::c64;
template <>
inline constexpr packed packed_of<complex<double>> = packed::c128;
template <>
inline constexpr packed packed_of<f16> = packed::f16;
template <>
inline constexpr packed packed_of<bf16> = packed::bf16;
template <>
inline constexpr packed packed_of<std::int32_t> = packed::i32;

/// tame: finite, of all magnitudes a sum can be sensitive to. hard: signed zeros, NaN of any sign
/// and payload, infinities, subnormals too. few: small integers, so that many are equal.
enum class kind { tame, hard, few };

template <class T>
T any_value(rng& g, kind k) {
  if constexpr (is_complex<T>) {
    using R = decltype(T().re);
    return T(any_value<R>(g, k), any_value<R>(g, k));
  } else if constexpr (is_half<T>) {
    return T(any_value<float>(g, k));
  } else if constexpr (integer<T>) {
    if (k == kind::few) return T(g() % 5) - T(2);
    return T(g() >> (g() % 64));
  } else {
    using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    if (k == kind::few) return T(std::int64_t(g() % 5) - 2) * (g() % 2 ? T(1) : T(-1));
    const int spread = k == kind::tame ? 20 : 60;
    const T x =
        T(std::ldexp(std::normal_distribution<double>()(g), int(g() % spread) - spread / 2));
    if (k == kind::tame || g() % 4) return x;
    switch (g() % 6) {
      case 0:
        return g() % 2 ? T(0) : T(-0.0);
      case 1:
        return g() % 16 ? x : std::bit_cast<T>(U(~U(0) << (sizeof(T) == 4 ? 22 : 51) | g() % 1000));
      case 2:
        return g() % 16 ? x
                        : -std::bit_cast<T>(U(~U(0) << (sizeof(T) == 4 ? 22 : 51) | g() % 1000));
      case 3:
        return g() % 16 ? x : (g() % 2 ? infinity<T> : -infinity<T>);
      case 4:
        return std::bit_cast<T>(U(g() % 1000));
      default:
        return std::numeric_limits<T>::max() * (g() % 2 ? T(1) : T(-0.75));
    }
  }
}
template <class T>
std::vector<T> any_values(rng& g, size_t n, kind k) {
  std::vector<T> v;
  for (size_t i = 0; i < n; i++) v.push_back(any_value<T>(g, k));
  return v;
}

// Equal bits; any NaN is any other, unless `strict`.
template <class T>
bool same(const T& a, const T& b, bool strict = false) {
  if constexpr (is_complex<T>) return same(a.re, b.re, strict) && same(a.im, b.im, strict);
  else if constexpr (is_half<T>) return a.bits == b.bits;
  else if constexpr (std::is_floating_point_v<T>)
    return (!strict && a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
  else return a == b;
}
template <class A, class R>
bool same(const moments_state<A, R>& a, const moments_state<A, R>& b, bool = false) {
  return a.count == b.count && same(a.mean, b.mean) && same(a.m2, b.m2);
}
inline bool same(const norm_state& a, const norm_state& b, bool = false) {
  return same(a.tiny, b.tiny) && same(a.middling, b.middling) && same(a.huge, b.huge);
}
template <class V>
bool same(const indexed<V>& a, const indexed<V>& b, bool = false) {
  return a.index == b.index && (a.index < 0 || same(a.value, b.value));
}
template <class V>
bool same(const min_max_value<V>& a, const min_max_value<V>& b, bool = false) {
  return same(a.min, b.min) && same(a.max, b.max);
}
template <class A>
bool same(const log_sum_exp_state<A>& a, const log_sum_exp_state<A>& b, bool = false) {
  return same(a.maximum, b.maximum) && same(a.sum, b.sum);
}

template <class S>
S canonical_state(S s) {
  if constexpr (number<S>) return canonical(s);
  else return s;
}

/// All folds through x[0], x[0 .. 1], ... after `start`, if there is one.
template <class Op, class T>
std::vector<state_t<Op, T>> all_folds(const Op& op, const std::vector<T>& x,
                                      std::optional<state_t<Op, T>> start = {}) {
  using S = state_t<Op, T>;
  std::vector<S> blocks, out;
  for (size_t i = 0; i < x.size(); i++) {
    S s = lift(op, x[i], std::int64_t(i));
    for (size_t k = i; k & 1; k >>= 1) {
      s = op(blocks.back(), s);
      blocks.pop_back();
    }
    blocks.push_back(s);
    std::optional<S> acc = start;
    for (const S& b : blocks) acc = acc ? op(*acc, b) : b;
    out.push_back(*acc);
  }
  return out;
}

/// Values at any distance from a 64-byte boundary, with a margin that must stay as it is.
template <class T>
class placed {
 public:
  placed(size_t n, size_t offset) : memory_((n + 2 * margin + 16) * sizeof(T) + 64), n_(n) {
    auto p = reinterpret_cast<std::uintptr_t>(memory_.data());
    p = (p + 63) / 64 * 64 + (margin + offset) * sizeof(T);
    data_ = reinterpret_cast<T*>(p);
    std::memset(memory_.data(), 0xa5, memory_.size());
  }
  placed(const std::vector<T>& v, size_t offset) : placed(v.size(), offset) {
    if (!v.empty()) std::memcpy(static_cast<void*>(data_), v.data(), v.size() * sizeof(T));
  }
  T* data() { return data_; }
  const T& operator[](size_t i) const { return data_[i]; }
  bool margin_is_intact() const {
    const auto* first = reinterpret_cast<const unsigned char*>(data_);
    for (size_t i = 1; i <= margin * sizeof(T); i++)
      if (*(first - i) != 0xa5 || first[n_ * sizeof(T) + i - 1] != 0xa5) return false;
    return true;
  }

 private:
  static constexpr size_t margin = 16;
  std::vector<unsigned char> memory_;
  T* data_;
  size_t n_;
};

}  // namespace rung::simd::test
