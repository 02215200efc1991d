// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Logical and bit operators, and counting. All are exact in any order.
#pragma once
#include "facts.hpp"

namespace rung {

/// True if some value is not zero. Empty: false. NaN is not zero.
struct any {
  template <class S>
  static constexpr bool any_order = true;
  template <class T>
  RUNG_HD constexpr bool lift(T x) const {
    return is_nonzero(x);
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return false;
  }
  RUNG_HD constexpr bool operator()(bool l, bool r) const { return l || r; }
};

/// True if no value is zero. Empty: true.
struct all {
  template <class S>
  static constexpr bool any_order = true;
  template <class T>
  RUNG_HD constexpr bool lift(T x) const {
    return is_nonzero(x);
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return true;
  }
  RUNG_HD constexpr bool operator()(bool l, bool r) const { return l && r; }
};
using logical_or = any;
using logical_and = all;

/// How many values fulfil the predicate.
template <class Predicate>
struct count_if {
  Predicate predicate;
  template <class S>
  static constexpr bool any_order = true;
  template <class T>
  RUNG_HD constexpr std::int64_t lift(T x) const {
    return predicate(x) ? 1 : 0;
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return 0;
  }
  RUNG_HD constexpr std::int64_t operator()(std::int64_t l, std::int64_t r) const {
    return add(l, r);
  }
};
template <class Predicate>
count_if(Predicate) -> count_if<Predicate>;

struct nonzero {
  template <class T>
  RUNG_HD constexpr bool operator()(T x) const {
    return is_nonzero(x);
  }
};
/// How many values are not zero.
using count_nonzero = count_if<nonzero>;

/// Bits that all, some, an odd number of the values have. The state keeps the integer's type.
struct bit_and {
  template <class S>
  static constexpr bool any_order = true;
  template <integer T>
  RUNG_HD constexpr T lift(T x) const {
    return x;
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return S(~std::uint64_t(0));
  }
  template <integer S>
  RUNG_HD constexpr S operator()(S l, S r) const {
    return S(l & r);
  }
};
struct bit_or {
  template <class S>
  static constexpr bool any_order = true;
  template <integer T>
  RUNG_HD constexpr T lift(T x) const {
    return x;
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return S(0);
  }
  template <integer S>
  RUNG_HD constexpr S operator()(S l, S r) const {
    return S(l | r);
  }
};
struct bit_xor {
  template <class S>
  static constexpr bool any_order = true;
  template <integer T>
  RUNG_HD constexpr T lift(T x) const {
    return x;
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return S(0);
  }
  template <integer S>
  RUNG_HD constexpr S operator()(S l, S r) const {
    return S(l ^ r);
  }
};

}  // namespace rung
