// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The Euclidean norm without overflow or underflow: squares are summed in f64 in three classes,
// huge values scaled down, tiny ones scaled up, so joining is three additions and there is nothing
// to rescale. Source: Blue, "A portable Fortran program to find the Euclidean norm of a vector"
// (1978), with three sums kept to the end; the thresholds leave room for 2^62 values.
#pragma once
#include <cmath>

#include "facts.hpp"

namespace rung {

/// Sums of squares: of tiny values (times 2^1200), of middling ones, of huge ones (times 2^-1200).
/// So the largest of 2^62 values and the smallest subnormal both have squares well inside the
/// range.
struct norm_state {
  double tiny, middling, huge;
};
RUNG_HD constexpr norm_state canonical(norm_state s) {
  return {canonical(s.tiny), canonical(s.middling), canonical(s.huge)};
}

struct norm {
  template <class S>
  static constexpr bool commutes = true;
  static constexpr double huge_from = 0x1p480, tiny_below = 0x1p-480, scale_up = 0x1p600,
                          scale_down = 0x1p-600;

  static RUNG_HD constexpr norm_state of_real(double x) {
    const double magnitude = x < 0 ? -x : x;
    const bool is_huge = magnitude >= huge_from, is_tiny = magnitude < tiny_below;
    const double scaled = x * (is_huge ? scale_down : is_tiny ? scale_up : 1.0);
    const double square = mul(scaled, scaled);
    return {is_tiny ? square : 0.0, is_huge || is_tiny ? 0.0 : square, is_huge ? square : 0.0};
  }
  template <number T>
  RUNG_HD constexpr norm_state lift(T x) const {
    if constexpr (is_complex<T>) {
      const complex z(x);
      return (*this)(of_real(double(z.re)), of_real(double(z.im)));
    } else {
      return of_real(convert<double>(x));
    }
  }
  template <class S>
  static RUNG_HD constexpr S identity() {
    return {0.0, 0.0, 0.0};  // squares are never -0, so +0 is an exact no-op
  }
  RUNG_HD constexpr norm_state operator()(norm_state l, norm_state r) const {
    return {l.tiny + r.tiny, l.middling + r.middling, l.huge + r.huge};
  }
  RUNG_HD double finish(norm_state s) const {
    // With huge values the tiny ones vanish below half an ulp, with middling ones likewise only if
    // they are far apart.
    if (s.huge > 0 || s.huge != s.huge)
      return std::sqrt(s.huge + mul(mul(s.middling, scale_down), scale_down)) * scale_up;
    if (s.middling > 0 || s.middling != s.middling)
      return std::sqrt(s.middling + mul(mul(s.tiny, scale_down), scale_down));
    return std::sqrt(s.tiny) * scale_down;
  }
};

}  // namespace rung
