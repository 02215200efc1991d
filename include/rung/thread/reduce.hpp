// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce of one thread's own values, in the one order, on the host and on the device. An array
// whose length is known is folded in registers: one perfect tree per set bit of the length, joined
// left to right; n - 1 operator calls, about log2 n deep. A run-time number of values goes through
// a binary counter: n - 1 calls and log2 n states, each value read once. This is the serial
// reference.
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "../base/gpu_types.hpp"
#include "../op/facts.hpp"

namespace rung {

/// Who works together: this thread, alone.
struct this_thread_rung {};
inline constexpr this_thread_rung this_thread{};

/// What stands left of some values: a state, or nothing.
template <class S>
struct before {
  S state;
  bool some;
};
/// Nothing stands left. An operator with an exact no-op says so with that, which costs no test;
/// `any` is any state at all.
template <class Op, class S>
RUNG_HD constexpr before<S> nothing(const Op& op, const S& any) {
  if constexpr (has_identity<Op, S> || has_instance_identity<Op, S>) return {identity<S>(op), true};
  else return {any, false};
}
/// s, with what stands left of it.
template <class Op, class S>
RUNG_HD constexpr S after(const Op& op, const before<S>& left, const S& s) {
  return left.some ? S(op(left.state, s)) : s;
}

namespace detail {

RUNG_HD constexpr int floor_log2(unsigned n) {
  int k = 0;
  while (n >> 1 >> k != 0) ++k;
  return k;
}
RUNG_HD constexpr bool is_power_of_two(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }

/// The perfect tree over x[first .. first + N).
template <class S, int N, class X, class Index, class Op>
RUNG_HD constexpr S tree_of(X& x, Index first, const Op& op) {
  if constexpr (N == 1) return x[first];
  else return op(tree_of<S, N / 2>(x, first, op), tree_of<S, N / 2>(x, first + N / 2, op));
}

/// The fold of x[first .. first + N), N known: after `left`, one tree per set bit.
template <class S, int N, class X, class Op>
RUNG_HD constexpr S fold_onto(const S& left, X& x, int first, const Op& op) {
  if constexpr (N == 0) {
    return left;
  } else {
    constexpr int block = 1 << floor_log2(N);
    return fold_onto<S, N - block>(op(left, tree_of<S, block>(x, first, op)), x, first + block, op);
  }
}
template <class S, int N, class X, class Op>
RUNG_HD constexpr S fold_known(X& x, const Op& op) {
  static_assert(N > 0, "rung: reduce needs at least one value");
  constexpr int block = 1 << floor_log2(N);
  return fold_onto<S, N - block>(tree_of<S, block>(x, 0, op), x, block, op);
}

/// The fold of the blocks of n's lowest K + 1 bits, from x[first] on.
template <int K, class S, class X, class Op>
RUNG_HD constexpr S fold_bits(before<S> left, X& x, int first, int n, const Op& op) {
  if ((n >> K & 1) != 0) {
    left = {after(op, left, tree_of<S, 1 << K>(x, first, op)), true};
    first += 1 << K;
  }
  if constexpr (K == 0) return left.state;
  else return fold_bits<K - 1>(left, x, first, n, op);
}

/// The result of no values and nothing left of them: the operator's empty state. An operator
/// without one must not be asked; it gets `any`.
template <class S, class Op>
RUNG_HD constexpr S result_of_nothing(const Op& op, const S& any) {
  if constexpr (has_empty<Op, S>) return empty_state<S>(op);
  else return any;
}

/// The binary counter: block[k] is the tree of the last 2^k values where bit k of the count is set.
template <class S>
struct counter {
  S block[64];
  std::size_t count = 0;
  /// Takes one more value; returns the tree that ends with it, of 2^(trailing ones of its index).
  template <class Op>
  RUNG_HD constexpr S push(S v, const Op& op) {
    int k = 0;
    for (std::size_t c = count++; (c & 1) != 0; c >>= 1) v = op(block[k++], v);
    block[k] = v;
    return v;
  }
  template <class Op>
  RUNG_HD constexpr before<S> fold(const Op& op, before<S> left) const {
    int k = 0;
    while (count >> k > 1) ++k;
    for (; k >= 0; --k)
      if ((count >> k & 1) != 0) left = {after(op, left, block[k]), true};
    return left;
  }
};

}  // namespace detail

/// The fold of an array in registers.
template <class S, std::size_t K, class Op>
RUNG_HD constexpr S reduce(this_thread_rung, const S (&x)[K], const Op& op) {
  return detail::fold_known<S, int(K)>(x, op);
}
template <class S, std::size_t K, class Op>
RUNG_HD S reduce(this_thread_rung, const std::array<S, K>& x, const Op& op) {
  return reduce(this_thread, reinterpret_cast<const S(&)[K]>(x), op);
}
template <class S, int K, class Op>
RUNG_HD constexpr S reduce(this_thread_rung, const pack<S, K>& x, const Op& op) {
  return reduce(this_thread, x.values, op);
}

/// The fold of x[0 .. n) continued from `left`, n <= Most: unrolled, each value at most once. With
/// no values and nothing left: the operator's empty state.
template <int Most, class S, class X, class Op>
RUNG_HD constexpr S reduce_at_most(this_thread_rung, X& x, int n, const Op& op, before<S> left) {
  if (n == 0 && !left.some) return detail::result_of_nothing(op, left.state);
  return detail::fold_bits<detail::floor_log2(Most)>(left, x, 0, n, op);
}

/// The fold of x[0 .. n) for anything with an index: pointers, global<T>, shared_view<T>. S is the
/// state's type. No values: the operator's empty state.
template <class S, class X, class Op>
RUNG_HD constexpr S reduce(this_thread_rung, const X& x, std::size_t n, const Op& op) {
  if (n == 0) return detail::result_of_nothing(op, S{});
  detail::counter<S> c;
  for (std::size_t i = 0; i < n; ++i) c.push(x[i], op);
  return c.fold(op, before<S>{c.block[0], false}).state;
}
/// The same of a span; on the device this needs --expt-relaxed-constexpr, for the span.
template <class T, std::size_t N, class Op>
constexpr auto reduce(this_thread_rung, std::span<T, N> x, const Op& op) {
  using S = std::remove_const_t<T>;
  const T* values = x.data();
  if constexpr (N == std::dynamic_extent) return reduce<S>(this_thread, values, x.size(), op);
  else return detail::fold_known<S, int(N)>(values, op);
}

}  // namespace rung
