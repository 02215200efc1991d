// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// From a kernel_op code to the operator struct behind it, with the two operators that only the
// run-time side needs: moments and means that take a NaN for no value.
#pragma once
#include "codes.hpp"

namespace rung::runtime {

struct moments_number : moments {
  template <number T>
  RUNG_HD constexpr auto lift(T x) const {
    auto s = moments::lift(x);
    if (is_nan(x)) s = moments::identity<decltype(s)>();
    return s;
  }
};

struct mean_number : mean {
  template <number T>
  RUNG_HD constexpr auto lift(T x) const {
    auto s = mean::lift(x);
    if (is_nan(x)) s = mean::identity<decltype(s)>();
    return s;
  }
};

/// Calls f(operator) for an operator code.
template <class F>
decltype(auto) visit(kernel_op op, F&& f) {
  switch (op) {
    case kernel_op::plus:
      return f(plus{});
    case kernel_op::multiplies:
      return f(multiplies{});
    case kernel_op::minimum:
      return f(minimum{});
    case kernel_op::maximum:
      return f(maximum{});
    case kernel_op::minimum_number:
      return f(minimum_number{});
    case kernel_op::maximum_number:
      return f(maximum_number{});
    case kernel_op::min_max:
      return f(min_max{});
    case kernel_op::min_max_number:
      return f(min_max_number{});
    case kernel_op::arg_min:
      return f(arg_min{});
    case kernel_op::arg_max:
      return f(arg_max{});
    case kernel_op::arg_min_number:
      return f(arg_min_number{});
    case kernel_op::arg_max_number:
      return f(arg_max_number{});
    case kernel_op::moments:
      return f(moments{});
    case kernel_op::moments_number:
      return f(moments_number{});
    case kernel_op::mean_number:
      return f(mean_number{});
    case kernel_op::norm:
      return f(norm{});
    case kernel_op::log_sum_exp:
      return f(log_sum_exp{});
    case kernel_op::bit_or:
      return f(bit_or{});
    case kernel_op::bit_and:
      return f(bit_and{});
    default:  // exact ones: exact.cpp
      break;
  }
  fail(error_code::internal, "rung: no such operator");
}

/// Whether an operator is used over a packed type at all; keeps what is compiled to what can be
/// asked for.
template <class Op, class P>
constexpr bool is_used() {
  constexpr bool whole = std::is_integral_v<P>, real = real_float<P>;
  if constexpr (std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies>) return true;
  else if constexpr (std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum> ||
                     std::is_same_v<Op, min_max> || std::is_same_v<Op, arg_min> ||
                     std::is_same_v<Op, arg_max>)
    return whole || real;
  else if constexpr (std::is_same_v<Op, moments> || std::is_same_v<Op, moments_number> ||
                     std::is_same_v<Op, mean_number>)
    return !whole;
  else if constexpr (std::is_same_v<Op, norm>)
    return std::is_same_v<P, double> || std::is_same_v<P, complex<double>>;
  else if constexpr (std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_and>)
    return std::is_same_v<P, std::int64_t>;
  else return real;  // the _number twins, log_sum_exp
}

/// Operators that can be scanned with.
template <class Op>
inline constexpr bool is_scanned =
    std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies> || std::is_same_v<Op, minimum> ||
    std::is_same_v<Op, maximum> || std::is_same_v<Op, minimum_number> ||
    std::is_same_v<Op, maximum_number> || std::is_same_v<Op, mean_number> ||
    std::is_same_v<Op, log_sum_exp>;

}  // namespace rung::runtime
