// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The operator behind kernel_op::moments_number.
#pragma once
#include "rung/op.hpp"

namespace rung::simd {

/// rung::moments over the values that are not NaN: a NaN is lifted to the state of no value, which
/// joins as the exact no-op.
struct moments_number : rung::moments {
  template <number T>
  constexpr auto lift(T x) const {
    using S = decltype(rung::moments::lift(x));
    return is_nan(x) ? rung::moments::identity<S>() : rung::moments::lift(x);
  }
};

}  // namespace rung::simd
