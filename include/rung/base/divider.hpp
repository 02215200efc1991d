// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Division by a number that is known beforehand: one product instead of the hundred instructions
// that a 64-bit division takes on a GPU. Source: Granlund and Montgomery, "Division by invariant
// integers using multiplication" (1994).
#pragma once
#include <cstdint>

#include "machine.hpp"

namespace rung {

/// n / divisor for n from 0 to 2^63 - 1; the divisor is 1 or more.
struct divider {
  std::int64_t divisor = 1;
  std::uint64_t multiplier = std::uint64_t(1) << 63;  ///< of 2 n, to be shifted by 64 + shift
  int shift = 0;

  divider() = default;
  explicit divider(std::int64_t by) : divisor(by) {
    while ((std::int64_t(1) << shift) < by && shift < 62) ++shift;
    // 2^(63 + shift) / by, rounded up: the error is below 2^shift / 2^(63 + shift), so that no
    // numerator notices it.
    using wide = unsigned __int128;
    multiplier = std::uint64_t(((wide(1) << (63 + shift)) + wide(by) - 1) / wide(by));
  }
  RUNG_HD std::int64_t quotient(std::int64_t n) const {
    using wide = unsigned __int128;
    return std::int64_t(std::uint64_t(wide(std::uint64_t(n) << 1) * multiplier >> 64) >> shift);
  }
};

}  // namespace rung
