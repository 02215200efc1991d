// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels for many short segments of any operator and value type, in plain C++: each segment is
// folded, or scanned, by itself, value after value. Cost: a call for all of them, and per segment
// its joins; blocks of up to 8 values, or 16 numbers, are joined in registers.
#pragma once
#include <bit>
#include <cstring>

#include "../op.hpp"
#include "../thread/scan.hpp"
#include "exact_lines.hpp"
#include "kernels.hpp"

namespace rung::host::generic {

/// A state that is used before anything was joined into it would be a fault, so this needs no
/// default constructor.
template <class S>
S copy_of(const void* p) {
  alignas(S) std::byte raw[sizeof(S)];
  std::memcpy(raw, p, sizeof(S));
  return *reinterpret_cast<S*>(raw);
}

template <class S>
RUNG_HD S canonical_state(S s) {
  if constexpr (number<S>) return canonical(s);
  else return s;
}

/// Values side by side that an operator takes faster than one by one; then any order gives the same
/// bits.
template <class Op, class V>
concept absorbs_lines = requires(const Op& op, state_t<Op, V>& s, const V* x) {
  absorb_line(op, s, x, std::size_t(1));
};
template <class Op, class V>
state_t<Op, V> fold_line(const Op& op, const V* x, std::size_t n) {
  auto s = identity<state_t<Op, V>>(op);
  absorb_line(op, s, x, n);
  return s;
}

/// The tree of n (a power of two) values, where the levels of block_trees would be too short.
template <std::size_t N, class Op, class V>
state_t<Op, V> small_tree(const Op& op, const V* x, std::int64_t position) {
  if constexpr (N == 1) return lift(op, x[0], position);
  else
    return op(small_tree<N / 2>(op, x, position),
              small_tree<N / 2>(op, x + N / 2, position + std::int64_t(N / 2)));
}
template <class Op, class V>
state_t<Op, V> small_tree(const Op& op, const V* x, std::size_t n, std::int64_t position) {
  if (n == 8) return small_tree<8>(op, x, position);
  if (n == 4) return small_tree<4>(op, x, position);
  if (n == 2) return small_tree<2>(op, x, position);
  if (n == 1) return small_tree<1>(op, x, position);
  if constexpr (sizeof(state_t<Op, V>) <= 8)
    if (n == 16) return small_tree<16>(op, x, position);
  return op(small_tree(op, x, n / 2, position),
            small_tree(op, x + n / 2, n / 2, position + std::int64_t(n / 2)));
}

template <class Op, class V>
void segments(const void* op_object, const void* values, const std::int64_t* at, std::size_t count,
              const void* start, const void* nothing, void* states) {
  using S = state_t<Op, V>;
  const Op& op = *static_cast<const Op*>(op_object);
  std::byte* out = static_cast<std::byte*>(states);
  for (std::size_t i = 0; i < count; i++, out += sizeof(S)) {
    const V* x = static_cast<const V*>(values) + at[i];
    const std::int64_t n = at[i + 1] - at[i];
    std::int64_t done = 0;
    if (n == 0) {
      std::memcpy(out, start ? start : nothing, sizeof(S));
      continue;
    }
    if constexpr (absorbs_lines<Op, V>) {
      S all = fold_line(op, x, std::size_t(n));
      if (start) all = op(copy_of<S>(start), all);
      std::memcpy(out, &all, sizeof(S));
      continue;
    }
    if (!start) done = std::int64_t(std::bit_floor(std::uint64_t(n)));
    S acc = start ? copy_of<S>(start) : small_tree(op, x, std::size_t(done), 0);
    while (done < n) {
      const auto m = std::int64_t(std::bit_floor(std::uint64_t(n - done)));
      acc = op(acc, small_tree(op, x + done, std::size_t(m), done));
      done += m;
    }
    std::memcpy(out, &acc, sizeof(S));
  }
}

/// Values of an array as states.
template <class Op, class V>
struct lifted_values {
  const Op& op;
  const V* x;
  RUNG_HD state_t<Op, V> operator[](std::size_t i) const { return lift(op, x[i], std::int64_t(i)); }
};
/// Where entries go.
template <class S>
struct canonical_entries {
  S* to;
  struct entry {
    S& place;
    RUNG_HD void operator=(const S& s) const { place = canonical_state(s); }
  };
  RUNG_HD entry operator[](std::size_t i) const { return {to[i]}; }
};

template <class Op, class V>
void scan_segments(const void* op_object, const void* values, const std::int64_t* at,
                   std::size_t count, void* states, const carry& c) {
  using S = state_t<Op, V>;
  const Op& op = *static_cast<const Op*>(op_object);
  for (std::size_t i = 0; i < count; i++) {
    const V* x = static_cast<const V*>(values) + at[i];
    const canonical_entries<S> entries{static_cast<S*>(states) + at[i]};
    const auto n = std::size_t(at[i + 1] - at[i]);
    if (n == 0) continue;
    const before<S> left{c.before ? copy_of<S>(c.before) : S{}, c.before != nullptr};
    S first = left.state;
    if constexpr (has_empty<Op, S>)
      if (!c.before) first = empty_state<S>(op);
    const lifted_values<Op, V> lifted{op, x};
    if (c.exclusive) rung::detail::scan_counted<true>(lifted, entries, n, op, left, first);
    else rung::detail::scan_counted<false>(lifted, entries, n, op, left, first);
  }
}

}  // namespace rung::host::generic
