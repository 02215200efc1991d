// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions that the warp has an instruction for (redux, vote), where the answer is exact in any
// order: sums, extremes and bits of integers, extremes of f32 and f64 (as integers of the same
// order), any, all. 64 bits go in parts: sums as 27 + 27 + 10 bits, extremes high half first.
// Cost: 1 to 3 instructions instead of 5 shuffles per 4 bytes.
#pragma once
#include "lanes.cuh"

namespace rung {

struct plus;
struct bit_and;
struct bit_or;
struct bit_xor;
struct any;
struct all;
template <bool Least, bool Numbers>
struct extreme_value;
template <class Predicate>
struct count_if;

namespace detail {

template <class S>
concept redux_integer = std::is_integral_v<S> && !std::is_same_v<S, bool>;

/// S as the 32-bit type that the instruction takes.
template <class S>
using redux_type = std::conditional_t<std::is_signed_v<S>, int, unsigned>;

template <redux_integer S>
RUNG_DEVICE S redux_sum(S v, lane_mask mask) {
  if constexpr (sizeof(S) <= 4) {
    return S(redux_add(unsigned(v), mask));
  } else {
    const auto u = std::uint64_t(v);
    constexpr unsigned part = (1u << 27) - 1;  // 32 of them fit into 32 bits
    const std::uint64_t low = redux_add(unsigned(u) & part, mask);
    const std::uint64_t middle = redux_add(unsigned(u >> 27) & part, mask);
    const std::uint64_t high = redux_add(unsigned(u >> 54), mask);
    return S(low + (middle << 27) + (high << 54));
  }
}

template <bool Least, redux_integer S>
RUNG_DEVICE S redux_extreme(S v, lane_mask mask) {
  if constexpr (sizeof(S) <= 4) {
    const auto word = redux_type<S>(v);
    return S(Least ? redux_min(word, mask) : redux_max(word, mask));
  } else {
    const auto high = redux_type<S>(v >> 32);
    const auto best = Least ? redux_min(high, mask) : redux_max(high, mask);
    const unsigned loser = Least ? 0xffffffffu : 0u;
    const unsigned low = high == best ? unsigned(v) : loser;
    const unsigned rest = Least ? redux_min(low, mask) : redux_max(low, mask);
    return S(std::uint64_t(unsigned(best)) << 32 | rest);
  }
}

/// Floats as integers of the same order, -0 below +0; NaN at the end where it wins or loses.
template <bool Least, bool Numbers, real_float S>
RUNG_DEVICE S redux_extreme(S v, lane_mask mask) {
  using Key = std::conditional_t<sizeof(S) == 4, int, std::int64_t>;
  constexpr Key highest = Key(~std::make_unsigned_t<Key>(0) >> 1);
  constexpr Key nan_place = Least != Numbers ? ~highest : highest;
  const Key bits = bits_as<Key>(v);
  const Key key = v != v ? nan_place : bits ^ (bits >> (8 * sizeof(Key) - 1) & highest);
  const Key best = redux_extreme<Least>(key, mask);
  return bits_as<S>(best ^ (best >> (8 * sizeof(Key) - 1) & highest));
}

template <class S, class F>
RUNG_DEVICE S redux_bits(S v, F&& f) {
  if constexpr (sizeof(S) <= 4) return S(f(unsigned(v)));
  else return S(std::uint64_t(f(unsigned(std::uint64_t(v) >> 32))) << 32 | f(unsigned(v)));
}

/// What the instruction does for an operator: of(v, mask). `exists` is false for all others.
template <class Op, class S>
struct hardware {
  static constexpr bool exists = false;
};
template <redux_integer S>
struct hardware<plus, S> {
  static constexpr bool exists = true;
  static RUNG_DEVICE S of(S v, lane_mask mask) { return redux_sum(v, mask); }
};
template <class P>
struct hardware<count_if<P>, std::int64_t> : hardware<plus, std::int64_t> {};
template <bool Least, bool Numbers, redux_integer S>
struct hardware<extreme_value<Least, Numbers>, S> {
  static constexpr bool exists = true;
  static RUNG_DEVICE S of(S v, lane_mask mask) { return redux_extreme<Least>(v, mask); }
};
template <bool Least, bool Numbers, real_float S>
struct hardware<extreme_value<Least, Numbers>, S> {
  static constexpr bool exists = true;
  static RUNG_DEVICE S of(S v, lane_mask mask) { return redux_extreme<Least, Numbers>(v, mask); }
};
template <redux_integer S>
struct hardware<bit_and, S> {
  static constexpr bool exists = true;
  static RUNG_DEVICE S of(S v, lane_mask m) {
    return redux_bits(v, [m](unsigned w) { return redux_and(w, m); });
  }
};
template <redux_integer S>
struct hardware<bit_or, S> {
  static constexpr bool exists = true;
  static RUNG_DEVICE S of(S v, lane_mask m) {
    return redux_bits(v, [m](unsigned w) { return redux_or(w, m); });
  }
};
template <redux_integer S>
struct hardware<bit_xor, S> {
  static constexpr bool exists = true;
  static RUNG_DEVICE S of(S v, lane_mask m) {
    return redux_bits(v, [m](unsigned w) { return redux_xor(w, m); });
  }
};
template <>
struct hardware<any, bool> {
  static constexpr bool exists = true;
  static RUNG_DEVICE bool of(bool v, lane_mask mask) { return any_lane(v, mask); }
};
template <>
struct hardware<all, bool> {
  static constexpr bool exists = true;
  static RUNG_DEVICE bool of(bool v, lane_mask mask) { return all_lanes(v, mask); }
};

}  // namespace detail
}  // namespace rung
