// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels that the compiled library (link rung::rung) has for the library's own operators: SIMD
// for the machine it runs on. compiled_kernel<Op, V> says which of them serves an operator over a
// C++ type, and what its values are held in.
#pragma once
#include <array>
#include <cstdint>

#include "../op.hpp"
#include "../transform.hpp"
#include "kernels.hpp"

namespace rung::host {

enum class packed : std::uint8_t { i64, u64, f32, f64, c64, c128 };

enum class kernel_op : std::uint8_t {
  plus,
  multiplies,
  minimum,
  maximum,
  minimum_number,
  maximum_number,
  min_max,
  min_max_number,
  arg_min,
  arg_max,
  arg_min_number,
  arg_max_number,
  moments,
  moments_number,  ///< moments in which NaN counts as no value
  norm,
  log_sum_exp,
  bit_or,
  bit_and,
  mean_number,  ///< mean, likewise
  exact_plus,
  exact_norm,
  exact_moments,
  exact_mean,
  exact_mean_number,     ///< a NaN counts as no value
  exact_moments_number,  ///< likewise
  exact_dot,             ///< of pairs, held as complex numbers
  none
};

enum class element_type : std::uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  c64,
  c128,
  other
};

// Defined in the compiled library. Null where a pair has no meaning.
const fold_kernels* compiled_fold(kernel_op op, packed type);
const scan_kernels* compiled_scan(kernel_op op, packed type);
/// Room for what a compiled load is told; it stays where it is for the call.
struct load_facts {
  alignas(16) std::byte bytes[192];
};
load_kernel compiled_load(element_type from, packed to, load_facts& facts);
/// Kernels whose values are the elements as they are stored (sums of f16, bf16 and i32): fold has
/// the states of op over `held`; scan writes entries of type `entry`. fold is null where there are
/// none.
struct stored_kernels {
  const fold_kernels* fold = nullptr;
  const scan_kernels* scan = nullptr;
  element_type entry = element_type::other;
  load_kernel load{};
};
stored_kernels compiled_stored(kernel_op op, element_type from, packed held, load_facts& facts);

namespace detail {
template <class T, class... List>
constexpr int place_in_list() {
  int at = 0, found = -1;
  ((std::is_same_v<T, List> ? void(found = at) : void(), at++), ...);
  return found;
}
template <class Op>
constexpr kernel_op code_of_operator() {
  constexpr int at =
      place_in_list<Op, plus, multiplies, minimum, maximum, minimum_number, maximum_number, min_max,
                    min_max_number, arg_min, arg_max, arg_min_number, arg_max_number, moments, void,
                    norm, log_sum_exp, bit_or, bit_and, void, exact_plus, exact_norm, exact_moments,
                    exact_mean>();
  return at < 0 ? kernel_op::none : kernel_op(at);
}
template <class T>
constexpr element_type code_of_element() {
  constexpr int at = place_in_list<T, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, f16,
                                   bf16, float, double, complex<float>, complex<double>>();
  return at < 0 ? element_type::other : element_type(at);
}
template <class P>
constexpr int code_of_packed =
    place_in_list<P, std::int64_t, std::uint64_t, float, double, complex<float>, complex<double>>();

/// True if every V is a P.
template <class V, class P>
constexpr bool is_exact_in() {
  if constexpr (std::is_same_v<V, P>) return true;
  else if constexpr (is_half<V>) return std::is_same_v<P, float> || std::is_same_v<P, double>;
  else if constexpr (std::is_same_v<P, double>)
    return std::is_same_v<V, float> || (integer<V> && sizeof(V) <= 4);
  else if constexpr (integer<V>) return std::is_same_v<P, accumulator_t<V>>;
  else return std::is_same_v<P, complex<double>> && std::is_same_v<V, complex<float>>;
}
/// The pairs that compiled_fold has kernels for.
template <class Op, class P>
constexpr bool is_compiled_over() {
  switch (code_of_operator<Op>()) {
    case kernel_op::plus:
    case kernel_op::multiplies:
      return true;
    case kernel_op::minimum:
    case kernel_op::maximum:
    case kernel_op::min_max:
    case kernel_op::arg_min:
    case kernel_op::arg_max:
      return !is_complex<P>;
    case kernel_op::moments:
      return !integer<P>;
    case kernel_op::norm:
      return std::is_same_v<P, double> || std::is_same_v<P, complex<double>>;
    case kernel_op::bit_or:
    case kernel_op::bit_and:
      return std::is_same_v<P, std::int64_t>;
    case kernel_op::exact_norm:
    case kernel_op::exact_moments:
    case kernel_op::exact_mean:
      return !is_complex<P>;
    default:
      return real_float<P>;
  }
}

/// The pairs that compiled_stored may have kernels for: others need not ask, in every call.
template <class Op, class V>
inline constexpr bool may_be_stored = code_of_operator<Op>() == kernel_op::plus &&
                                      (is_half<V> || std::is_same_v<V, std::int32_t>);

/// The packed type in which op holds values of type V, or void: a type over which the states are
/// the very same.
template <class Op, class V>
struct held {
  template <class P>
  static constexpr bool fits() {
    if constexpr (code_of_packed<P> < 0 || !is_exact_in<V, P>() || !is_compiled_over<Op, P>())
      return false;
    else if constexpr (number<V> && operator_over<Op, V> && operator_over<Op, P>)
      return std::is_same_v<state_t<Op, V>, state_t<Op, P>>;
    else return false;
  }
  template <class P, class Next>
  using or_else = std::conditional_t<fits<P>(), P, Next>;
  using type = or_else<
      V,
      or_else<std::int64_t,
              or_else<std::uint64_t,
                      or_else<float, or_else<double, or_else<complex<float>,
                                                             or_else<complex<double>, void>>>>>>>;
};
}  // namespace detail

template <class Op, class V>
struct compiled_kernel {
  static constexpr kernel_op op = detail::code_of_operator<Op>();
  using held = typename std::conditional_t<op == kernel_op::none, std::type_identity<void>,
                                           detail::held<Op, V>>::type;
  static constexpr bool exists = op != kernel_op::none && !std::is_void_v<held>;
  static constexpr packed type = packed(exists ? detail::code_of_packed<held> : 0);
};

}  // namespace rung::host
