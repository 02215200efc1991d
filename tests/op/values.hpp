// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of a type that find faults: zeros of both signs, subnormals, ends of the range,
// infinities, NaN; and what an operator gives for a list of values by the oracle alone.
#pragma once
#include <cmath>
#include <vector>

#include "rung/order.hpp"

namespace rung::test {

template <class T>
std::vector<T> hard_values() {
  std::vector<T> v;
  if constexpr (is_half<T>) {
    for (const std::uint16_t bits : {0x0000, 0x8000, 0x0001, 0x8001, 0x3f80, 0x3c00, 0xbc00, 0x7b00,
                                     0xfb00, 0x0400, 0x7e00, 0xfe01})
      v.push_back(T::from_bits(bits));
    v.push_back(T(INFINITY)), v.push_back(T(-INFINITY));
  } else if constexpr (is_complex<T>) {
    using R = decltype(T().re);
    for (const R re : {R(0), R(-0.0), R(1.5), -infinity<R>, quiet_nan<R>})
      for (const R im : {R(0), R(-0.0), R(-3), infinity<R>, quiet_nan<R>}) v.push_back({re, im});
  } else if constexpr (real_float<T>) {
    using limits = std::numeric_limits<T>;
    v = {T(0),
         T(-0.0),
         T(1),
         T(-1),
         T(0.1),
         limits::min(),
         -limits::min(),
         limits::max(),
         limits::lowest(),
         limits::denorm_min(),
         -limits::denorm_min(),
         limits::infinity(),
         -limits::infinity(),
         limits::quiet_NaN(),
         -limits::quiet_NaN()};
  } else if constexpr (std::is_same_v<T, bool>) {
    v = {false, true};
  } else {
    using limits = std::numeric_limits<T>;
    v = {T(0), T(1), T(2), T(-1), T(7), limits::max(), limits::min(), T(limits::max() - 1)};
  }
  return v;
}

/// The result of op over values, by fold; that of nothing where there are none.
template <class T, class Op>
auto value_of(const Op& op, const std::vector<T>& values) {
  std::optional<state_t<Op, T>> state;
  if constexpr (std::is_same_v<T, bool>) {  // std::vector<bool> is no array
    for (std::size_t i = 0; i < values.size(); i++) {
      const auto s = lift(op, bool(values[i]), std::int64_t(i));
      state = state ? op(*state, s) : s;
    }
  } else {
    state = fold(op, std::span<const T>(values));
  }
  if constexpr (has_empty<Op, state_t<Op, T>>)
    if (!state) state = empty_state<state_t<Op, T>>(op);
  return result_of<Op, T>(op, state.value());
}

}  // namespace rung::test
