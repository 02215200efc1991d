// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// "The same bits" for tests: EXPECT_PRED_FORMAT2(same, got, want). Padding does not count, and all
// NaNs are one; -0.0 and 0.0 are not the same.
#pragma once
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <tuple>

#include "rung/cpu/state_bytes.hpp"

namespace rung::test {

template <class T>
bool same_bits(T a, T b) {
  if (std::memcmp(&a, &b, sizeof(T)) == 0) return true;
  host::detail::tidy(a);
  host::detail::tidy(b);
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class... T>
bool same_bits(const std::tuple<T...>& a, const std::tuple<T...>& b) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (same_bits(std::get<I>(a), std::get<I>(b)) && ...);
  }
  (std::index_sequence_for<T...>());
}

template <class T>
std::string hex(const T& x) {
  std::string s;
  char two[3];
  for (std::size_t i = sizeof(T); i-- > 0;) {
    std::snprintf(two, sizeof two, "%02x", reinterpret_cast<const unsigned char*>(&x)[i]);
    s += two;
  }
  if constexpr (is_half<T>) s += " = " + std::to_string(float(x));
  else if constexpr (std::is_arithmetic_v<T>) {
    char text[40];
    std::snprintf(text, sizeof text, " = %.17g", double(x));
    s += text;
  }
  return s;
}

struct same_format {
  template <class A, class B>
  testing::AssertionResult operator()(const char* a_text, const char* b_text, const A& a,
                                      const B& b) const {
    static_assert(std::is_same_v<A, B>, "compare values of one type");
    if (same_bits(a, b)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << a_text << " is " << hex(a) << "\n"
                                       << b_text << " is " << hex(b);
  }
};
inline constexpr same_format same;

}  // namespace rung::test
