// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The value types that are measured: their names, the type they are summed in and the type that a
// running sum is stored in.
#pragma once
#include <cstdint>
#include <rung/base/half.hpp>
#include <string>
#include <type_traits>

namespace bench {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, rung::f16> || std::is_same_v<T, rung::bf16>;
template <class T>
using sum_type = std::conditional_t<is_half<T>, float,
                                    std::conditional_t<std::is_integral_v<T>, std::int64_t, T>>;
template <class T>
using scan_type = std::conditional_t<is_half<T>, T, sum_type<T>>;

template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, float>) return "f32";
  else if constexpr (std::is_same_v<T, double>) return "f64";
  else if constexpr (std::is_same_v<T, rung::f16>) return "f16";
  else if constexpr (std::is_same_v<T, rung::bf16>) return "bf16";
  else return "i" + std::to_string(8 * sizeof(T));
}

/// Calls f(T()) for every measured type.
template <class F>
void for_each_type(F f) {
  f(float()), f(double()), f(rung::f16()), f(rung::bf16()), f(std::int32_t());
}

}  // namespace bench
