// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of one thread's own values, in the one order, on the host and on the device. Entry i ends
// with an aligned block of 2^k values, k the number of trailing ones of i; what stands left of that
// block is an entry that is there already. So each value costs its share of one perfect tree and
// one join: at most 2 n operator calls, the same as Blelloch's two sweeps. Arrays are scanned in
// place. The total comes back: the fold of everything, what stands left of it included.
#pragma once
#include "reduce.hpp"

namespace rung {

namespace detail {

/// x[i] = the fold of x[0 .. i] after `left`, for i < n, n <= K. Returns the last entry; the state
/// of `left` if there is none.
template <int K, class S, class X, class Op>
RUNG_HD constexpr S inclusive_in_place(X& x, int n, const Op& op, const before<S>& left) {
  constexpr int levels = floor_log2(K) + 1;
  S block[levels] = {};  // block[k]: the tree of the last 2^k values
  S total = left.state;
  RUNG_UNROLL
  for (int i = 0; i < K; ++i) {
    if (i >= n) break;
    S v = x[i];
    RUNG_UNROLL
    for (int k = 0; k < levels; ++k) {
      if ((i >> k & 1) == 0) {
        block[k] = v;
        break;
      }
      v = op(block[k], v);
    }
    const int above = i & (i + 1);  // where the block of v begins
    total = above != 0 ? S(op(x[above - 1], v)) : after(op, left, v);
    x[i] = total;
  }
  return total;
}

/// x[i] = the fold of x[0 .. i) after `left`, for i < n; x[0] = first. Returns the total.
template <int K, class S, class X, class Op>
RUNG_HD constexpr S exclusive_in_place(X& x, int n, const Op& op, const before<S>& left,
                                       const S& first) {
  if (n == 0) return left.state;
  const S total = inclusive_in_place<K>(x, n, op, left);
  RUNG_UNROLL
  for (int i = K - 1; i > 0; --i)
    if (i < n) x[i] = x[i - 1];
  x[0] = first;
  return total;
}

/// What the first entry of an exclusive scan is when nothing was given to stand left of it.
template <class S, class Op>
RUNG_HD constexpr S first_entry(const Op& op) {
  static_assert(has_empty<Op, S>,
                "rung: the first entry of an exclusive scan is the fold of nothing, and this "
                "operator has no identity and no empty result: give an init");
  return empty_state<S>(op);
}

/// The entry of value number i, v, given those of the values before it. block[k]: the tree of the
/// last 2^k values; end[k]: the entry at its end; both are kept up to date.
template <class S, class Blocks, class Ends, class Op>
RUNG_HD constexpr S next_entry(Blocks&& block, Ends&& end, std::uint64_t i, S v, const Op& op,
                               const before<S>& left) {
  int k = 0;
  for (; (i >> k & 1) != 0; ++k) v = op(S(block[k]), v);
  const std::uint64_t above = i & (i + 1);  // where the block of v begins
  int up = k;
  while (above != 0 && (above >> up & 1) == 0) ++up;
  const S entry = above != 0 ? S(op(S(end[up]), v)) : after(op, left, v);
  block[k] = v, end[k] = entry;
  return entry;
}

/// Entries of a run-time number of values go to y[0 .. n); x and y may be the same.
template <bool Exclusive, class S, class X, class Y, class Op>
RUNG_HD constexpr S scan_counted(const X& x, Y& y, std::size_t n, const Op& op,
                                 const before<S>& left, const S& first) {
  S block[64], end[64];
  S last = first;
  for (std::size_t i = 0; i < n; ++i) {
    const S entry = next_entry<S>(block, end, i, x[i], op, left);
    y[i] = Exclusive ? last : entry;
    last = entry;
  }
  return last;
}

}  // namespace detail

// ---------------------------------------------------------------- arrays in registers, in place

template <class S, std::size_t K, class Op>
RUNG_HD constexpr S inclusive_scan(this_thread_rung, S (&x)[K], const Op& op) {
  return detail::inclusive_in_place<int(K)>(x, int(K), op, nothing(op, x[0]));
}
template <class S, std::size_t K, class Op>
RUNG_HD constexpr S inclusive_scan(this_thread_rung, S (&x)[K], const Op& op,
                                   const std::type_identity_t<S>& init) {
  return detail::inclusive_in_place<int(K)>(x, int(K), op, before<S>{init, true});
}
template <class S, std::size_t K, class Op>
RUNG_HD constexpr S exclusive_scan(this_thread_rung, S (&x)[K], const Op& op) {
  const S first = detail::first_entry<S>(op);
  return detail::exclusive_in_place<int(K)>(x, int(K), op, nothing(op, x[0]), first);
}
template <class S, std::size_t K, class Op>
RUNG_HD constexpr S exclusive_scan(this_thread_rung, S (&x)[K], const Op& op,
                                   const std::type_identity_t<S>& init) {
  return detail::exclusive_in_place<int(K)>(x, int(K), op, before<S>{init, true}, S(init));
}

template <class S, std::size_t K, class... More>
RUNG_HD S inclusive_scan(this_thread_rung, std::array<S, K>& x, const More&... more) {
  return inclusive_scan(this_thread, reinterpret_cast<S(&)[K]>(x), more...);
}
template <class S, std::size_t K, class... More>
RUNG_HD S exclusive_scan(this_thread_rung, std::array<S, K>& x, const More&... more) {
  return exclusive_scan(this_thread, reinterpret_cast<S(&)[K]>(x), more...);
}

// ---------------------------------------------------------------- any number of values

/// y[i] = the fold of x[0 .. i], for anything with an index. S is the state's type.
template <class S, class X, class Y, class Op>
RUNG_HD constexpr S inclusive_scan(this_thread_rung, const X& x, Y&& y, std::size_t n,
                                   const Op& op) {
  if (n == 0) return detail::result_of_nothing(op, S{});
  return detail::scan_counted<false>(x, y, n, op, before<S>{x[0], false}, S(x[0]));
}
template <class S, class X, class Y, class Op>
RUNG_HD constexpr S inclusive_scan(this_thread_rung, const X& x, Y&& y, std::size_t n, const Op& op,
                                   const std::type_identity_t<S>& init) {
  return detail::scan_counted<false>(x, y, n, op, before<S>{init, true}, S(init));
}
/// y[i] = the fold of x[0 .. i).
template <class S, class X, class Y, class Op>
RUNG_HD constexpr S exclusive_scan(this_thread_rung, const X& x, Y&& y, std::size_t n,
                                   const Op& op) {
  const S first = detail::first_entry<S>(op);
  if (n == 0) return first;
  return detail::scan_counted<true>(x, y, n, op, before<S>{first, false}, first);
}
template <class S, class X, class Y, class Op>
RUNG_HD constexpr S exclusive_scan(this_thread_rung, const X& x, Y&& y, std::size_t n, const Op& op,
                                   const std::type_identity_t<S>& init) {
  return detail::scan_counted<true>(x, y, n, op, before<S>{init, true}, S(init));
}

/// Spans of the same length; on the device they need --expt-relaxed-constexpr.
template <class T, std::size_t N, class S, std::size_t M, class Op, class... Init>
constexpr S inclusive_scan(this_thread_rung, std::span<T, N> x, std::span<S, M> y, const Op& op,
                           const Init&... init) {
  return inclusive_scan<S>(this_thread, x.data(), y.data(), x.size(), op, init...);
}
template <class T, std::size_t N, class S, std::size_t M, class Op, class... Init>
constexpr S exclusive_scan(this_thread_rung, std::span<T, N> x, std::span<S, M> y, const Op& op,
                           const Init&... init) {
  return exclusive_scan<S>(this_thread, x.data(), y.data(), x.size(), op, init...);
}

}  // namespace rung
