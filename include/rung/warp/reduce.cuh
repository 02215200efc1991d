// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce of the lanes of a warp, in the one order: the result is the fold of the values by rank.
// Values are states of the operator (lift() them first) of 1 to 1024 bytes, and no operator needs
// an identity. Cost for a whole warp, per 4 bytes of state: 5 shuffles and calls for a result on
// the last lane, the same for all lanes if the operands may change sides, otherwise one shuffle
// more; 1 to 3 redux where hardware.cuh has one. first(m) and lanes{mask}: one up-sweep, then a
// call per set bit.
#pragma once
#include "hardware.cuh"
#include "sweep.cuh"

namespace rung {

namespace detail {

template <class Op, class S>
RUNG_HD constexpr void check_states() {
  static_assert(std::is_trivially_copyable_v<S>,
                "rung: lanes exchange values as bytes: the type must be trivially copyable");
  static_assert(joins<Op, S>,
                "rung: the operator must be callable as op(left, right) on two of these values and "
                "return one; inside a kernel values are states: lift(op, x, position) makes one");
}

/// The last lane gets the tree of all: values travel to the right, operands keep their sides.
template <int K, class G, class S, class Op>
RUNG_DEVICE S climb_right(S v, const Op& op) {
  constexpr int W = G::capacity;
  if constexpr (K == G::levels) {
    return v;
  } else if constexpr (G::pairs_with_next(K)) {
    constexpr int d = 1 << K;
    const S c = shuffle_up(v, d, G::mask(), W), b = shuffle_up(v, 2 * d, G::mask(), W),
            a = shuffle_up(v, 3 * d, G::mask(), W);
    return climb_right<K + 2, G>(S(op(op(a, b), op(c, v))), op);
  } else {
    const S left = shuffle_up(v, 1 << K, G::mask(), W);
    return climb_right<K + 1, G>(S(op(left, v)), op);
  }
}

/// The butterfly: all lanes get the tree; operands change sides.
template <int K, class G, class S, class Op>
RUNG_DEVICE S butterfly(S v, const Op& op) {
  constexpr int W = G::capacity;
  if constexpr (K == G::levels) {
    return v;
  } else if constexpr (G::pairs_with_next(K)) {
    constexpr int d = 1 << K;
    const S b = shuffle_xor(v, d, G::mask(), W), c = shuffle_xor(v, 2 * d, G::mask(), W),
            e = shuffle_xor(v, 3 * d, G::mask(), W);
    return butterfly<K + 2, G>(S(op(op(v, b), op(c, e))), op);
  } else {
    return butterfly<K + 1, G>(S(op(v, shuffle_xor(v, 1 << K, G::mask(), W))), op);
  }
}

/// Level K of the batched butterfly: of the values that are left, a lane keeps the ones whose
/// number has its own bit K, and sends the others to the lane that differs there.
template <int K, int W, class S, std::size_t N, class Op>
RUNG_DEVICE S halve(const S (&x)[N], int rank, lane_mask mask, const Op& op) {
  if constexpr ((1 << K) == W) {
    return x[0];
  } else {
    const unsigned right = unsigned(rank) & 1u << K;
    S y[(N + 1) / 2];
    RUNG_UNROLL
    for (std::size_t i = 0; i < (N + 1) / 2; ++i) {
      const bool pair = 2 * i + 1 < N;  // the last of an odd number has nobody to stand beside
      const S even = x[2 * i], odd = x[2 * i + pair];
      const S mine = choose(right, odd, even);
      const S got = shuffle_xor(choose(right, even, odd), 1 << K, mask, W);
      if constexpr (commutes<Op, S>) y[i] = op(mine, got);
      else y[i] = op(choose(right, got, mine), choose(right, mine, got));
    }
    return halve<K + 1, W>(y, rank, mask, op);
  }
}

}  // namespace detail

template <lane_group G, class S, class Op>
RUNG_DEVICE S reduce(G group, const S& v, const Op& op);

/// The fold of the group's values, one per lane, on the last lane of the group that brings one.
template <lane_group G, class S, class Op>
RUNG_DEVICE held<S> reduce_to_one(G group, const S& v, const Op& op) {
  detail::check_states<Op, S>();
  const bool here = group.rank() == group.count() - 1;
  if constexpr (detail::hardware<Op, S>::exists && group_is_one_mask<G>)
    return {reduce(group, v, op), here};
  else if constexpr (is_whole<G>) return {detail::climb_right<0, G>(v, op), here};
  else return {detail::up_sweep(group, v, op).inclusive(op, nothing(op, v)), here};
}

/// The fold of the group's values, one per lane, for every lane that calls. first(0): the
/// operator's empty state.
template <lane_group G, class S, class Op>
RUNG_DEVICE S reduce(G group, const S& v, const Op& op) {
  detail::check_states<Op, S>();
  if constexpr (detail::hardware<Op, S>::exists && group_is_one_mask<G>) {
    if constexpr (std::is_same_v<G, first_lanes>)
      return detail::hardware<Op, S>::of(group.rank() < group.m ? v : identity<S>(op),
                                         group.mask());
    else return detail::hardware<Op, S>::of(v, group.mask());
  } else if constexpr (is_whole<G> && commutes<Op, S>) {
    return detail::butterfly<0, G>(v, op);
  } else {
    if constexpr (std::is_same_v<G, first_lanes>)
      if (group.m == 0) return detail::result_of_nothing(op, v);
    return group.from_last(reduce_to_one(group, v, op).value);
  }
}

/// K values per lane, lane after lane: position rank * K + item. K is a power of two.
template <lane_group G, class S, std::size_t K, class Op>
RUNG_DEVICE S reduce(G group, const S (&x)[K], const Op& op) {
  static_assert(
      detail::is_power_of_two(K),
      "rung: the values of one lane must be a whole tree, 1, 2, 4, ... of them; for other "
      "numbers use this_block with an exchange_scratch");
  return reduce(group, reduce(this_thread, x, op), op);
}

/// K reductions at once, each of one value per lane: lane j of the group gets the fold of
/// everyone's x[j]. Every exchange halves the number of values that a lane still carries: K - 1 +
/// log2(W / K) shuffles for a power of two, where K calls of reduce would take K log2 W. Up to 8
/// instructions of the hardware (none of which waits for another) are faster still.
template <int W, int R, bool Together, class S, std::size_t K, class Op>
RUNG_DEVICE S reduce_each(warp_lanes<W, R, Together> group, const S (&x)[K], const Op& op) {
  static_assert(K <= W, "rung: reduce_each has one lane for each result: K is W at most");
  detail::check_states<Op, S>();
  if constexpr (detail::hardware<Op, S>::exists && W == warp_size && sizeof(S) <= 4 && K <= 8) {
    S mine = detail::hardware<Op, S>::of(x[0], whole_warp);
    RUNG_UNROLL
    for (std::size_t j = 1; j < K; ++j)
      mine = detail::choose(group.rank() == int(j), detail::hardware<Op, S>::of(x[j], whole_warp),
                            mine);
    return mine;
  } else {
    return detail::halve<0, W>(x, group.rank(), group.mask(), op);
  }
}

}  // namespace rung
