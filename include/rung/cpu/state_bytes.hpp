// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States as bytes that can be compared, stored and trusted again. parts(state) names the fields of
// a state; from them follow its padding (written as zero), its NaNs (made canonical) and its bools
// (a byte that is neither 0 nor 1 is no bool). A state type of your own may have a parts() beside
// it, found by argument-dependent lookup, that returns std::tie of its fields.
#pragma once
#include <cstring>
#include <tuple>

#include "../op.hpp"

namespace rung {

template <class A>
auto parts(mean_state<A>& s) {
  return std::tie(s.sum, s.count);
}
template <class A, class R>
auto parts(moments_state<A, R>& s) {
  return std::tie(s.count, s.mean, s.m2);
}
template <class A>
auto parts(log_sum_exp_state<A>& s) {
  return std::tie(s.maximum, s.sum);
}
template <class V>
auto parts(exact_mean_state<V>& s) {
  return std::tie(s.sum, s.count);
}
template <class V>
auto parts(exact_moments_state<V>& s) {
  return std::tie(s.sum, s.squares, s.count);
}
inline auto parts(norm_state& s) { return std::tie(s.tiny, s.middling, s.huge); }
template <class T>
auto parts(affine_map<T>& s) {
  return std::tie(s.a, s.b);
}
template <class V>
auto parts(indexed<V>& s) {
  return std::tie(s.value, s.index);
}
template <class V>
auto parts(min_max_value<V>& s) {
  return std::tie(s.min, s.max);
}
template <class S>
auto parts(skip_nan_state<S>& s) {
  return std::tie(s.state, s.has);
}
template <class S, class... Rest>
auto parts(fused_state<S, Rest...>& s) {
  if constexpr (sizeof...(Rest) > 0) return std::tie(s.first, s.rest);
  else return std::tie(s.first);
}

namespace host {

/// What is known of the bytes of a state. Either may be null: nothing is.
struct state_care {
  void (*tidy)(void* state) = nullptr;         ///< zero padding, canonical NaNs
  bool (*holds)(const void* state) = nullptr;  ///< false if these bytes cannot be a state
};

namespace detail {
template <class S>
concept has_parts = requires(S& s) {
  parts(s);
};

template <class S>
bool holds(S& s) {
  if constexpr (std::is_same_v<S, bool>) return *reinterpret_cast<const unsigned char*>(&s) <= 1;
  else if constexpr (has_parts<S>)
    return std::apply([](auto&... part) { return (holds(part) && ...); }, parts(s));
  else if constexpr (requires { s.holds(); }) return s.holds();
  else return true;
}

template <class S>
void tidy(S& s) {
  if constexpr (number<S>) {
    s = canonical(s);
  } else if constexpr (has_parts<S>) {
    std::byte clean[sizeof(S)]{};
    const auto* start = reinterpret_cast<const std::byte*>(&s);
    const auto copy = [&](auto& part) {
      tidy(part);
      std::memcpy(clean + (reinterpret_cast<const std::byte*>(&part) - start), &part, sizeof part);
    };
    std::apply([&](auto&... part) { (copy(part), ...); }, parts(s));
    std::memcpy(static_cast<void*>(&s), clean, sizeof(S));
  } else {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&s);
#endif
#endif
  }
}
}  // namespace detail

template <class S>
inline constexpr state_care care_of = {
    .tidy = [](void* state) { detail::tidy(*static_cast<S*>(state)); },
    .holds =
        [](const void* state) {
          return detail::holds(*static_cast<S*>(const_cast<void*>(state)));
        }};

}  // namespace host
}  // namespace rung
