// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of calls on the device rung share: transformations to fold, values, and the
// message of the error that a call ends with.
#pragma once

#include "warp/values.hpp"

namespace rung::tests {

struct product {
  RUNG_HD float operator()(float a, float b) const { return mul(a, b); }
};
struct square {
  RUNG_HD std::int64_t operator()(std::int64_t i) const { return i * i; }
};

/// n values without NaNs or infinities, the same for the same seed.
template <class T>
std::vector<T> some_values(std::size_t n, unsigned seed) {
  source from(seed);
  from.special = false;
  const auto x = from.many<T>(n);
  return {x.begin(), x.end()};
}
/// The message of the rung::error that f() throws.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace rung::tests
