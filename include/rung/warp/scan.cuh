// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of the lanes of a warp, in the one order: entry r is the fold of ranks 0 .. r (inclusive)
// or 0 .. r - 1 (exclusive), the same bits as reduce of those lanes. Data flow: one up-sweep, then
// each lane folds the blocks its own rank is made of. Cost for a whole warp, per 4 bytes of state:
// 5 shuffles and calls on the way up, at most 5 calls down, both entries from one sweep. Exact in
// any order: Kogge-Stone, 5 shuffles and calls. After the operator: an init, total_to(t), or both.
#pragma once
#include "../thread/scan.hpp"
#include "reduce.cuh"

namespace rung {

/// Where a scan puts the fold of all its values, the init included, for every member of the group.
template <class S>
struct total_to {
  S& place;
  RUNG_HD constexpr explicit total_to(S& t) : place(t) {}
};
template <class S>
total_to(S&) -> total_to<S>;

/// Both entries of one position.
template <class S>
struct scan_entries {
  S exclusive, inclusive;
};

namespace detail {

template <class M>
inline constexpr bool is_total = false;
template <class S>
inline constexpr bool is_total<total_to<S>> = true;
template <class... More>
inline constexpr bool has_total = (is_total<More> || ...);
template <class... More>
inline constexpr bool has_init = (!is_total<More> || ...);

/// What stands left of all values: the init among `more`, or nothing.
template <class S, class Op>
RUNG_DEVICE before<S> start_of(const Op& op, const S& any) {
  return nothing(op, any);
}
template <class S, class Op, class First, class... Rest>
RUNG_DEVICE before<S> start_of(const Op& op, const S& any, const First& first,
                               const Rest&... rest) {
  if constexpr (is_total<First>) {
    return start_of<S>(op, any, rest...);
  } else if constexpr (std::is_same_v<First, before<S>>) {
    return first;  // from a larger group: perhaps nothing
  } else {
    static_assert(std::is_convertible_v<First, S>,
                  "rung: after the operator a scan takes an init of the values' own type, and "
                  "total_to(t)");
    return {S(first), true};
  }
}
template <class S, class... More>
RUNG_DEVICE void put_total(const S& total, const More&... more) {
  auto put = [&](const auto& m) {
    if constexpr (is_total<std::remove_cvref_t<decltype(m)>>) m.place = total;
  };
  (put(more), ...);
}

/// The exclusive entry of a position; of the first one, if nothing was given to stand left of it,
/// the operator's empty state.
template <bool HasInit, class S, class Op>
RUNG_DEVICE S exclusive_entry_of(const before<S>& left, bool is_first, const Op& op) {
  if constexpr (HasInit) {
    return left.state;
  } else {
    return choose(is_first, first_entry<S>(op), left.state);
  }
}

/// Exact in any order: each step doubles the range that a lane has folded.
template <class G, class S, class Op>
RUNG_DEVICE S kogge_stone(G group, S v, const Op& op) {
  RUNG_UNROLL
  for (int d = 1; d < G::capacity; d *= 2) {
    const S left = shuffle_up(v, unsigned(d), group.mask(), G::capacity);
    v = choose(group.rank() >= d, S(op(left, v)), v);
  }
  return v;
}
/// The whole warp scans 4 bytes in 4 rounds unless told otherwise: where shuffles are the limit
/// that takes no longer than 5 with one shuffle less, and where lanes wait for them it is faster.
template <class S, class G>
RUNG_DEVICE auto as_measured(const G& group) {
  if constexpr (std::is_same_v<G, warp_lanes<>> && sizeof(S) <= 4)
    return group.template rounds<4>();
  else return group;
}
template <class G, class Op, class S>
inline constexpr bool scans_in_any_order = is_whole<G>&& any_order<Op, S>;

/// The last inclusive entry, for all.
template <bool HasInit, class G, class S, class Op>
RUNG_DEVICE S total_of(G group, const S& entry, const before<S>& start, const Op& op) {
  if constexpr (std::is_same_v<G, first_lanes>)
    if (group.m == 0) return HasInit ? start.state : result_of_nothing(op, entry);
  return group.from_last(entry);
}

}  // namespace detail

/// The fold of the values of ranks 0 .. mine.
template <lane_group G, class S, class Op, class... More>
RUNG_DEVICE S inclusive_scan(G group, const S& v, const Op& op, const More&... more) {
  detail::check_states<Op, S>();
  const before<S> start = detail::start_of<S>(op, v, more...);
  S entry;
  if constexpr (detail::scans_in_any_order<G, Op, S>) {
    entry = detail::kogge_stone(group, v, op);
    if constexpr (detail::has_init<More...>) entry = op(start.state, entry);
  } else {
    entry = detail::up_sweep(detail::as_measured<S>(group), v, op).inclusive(op, start);
  }
  if constexpr (detail::has_total<More...>)
    detail::put_total(detail::total_of<detail::has_init<More...>>(group, entry, start, op),
                      more...);
  return entry;
}

/// The fold of the values of the ranks before mine, and of those up to mine.
template <lane_group G, class S, class Op, class... More>
RUNG_DEVICE scan_entries<S> both_scans(G group, const S& v, const Op& op, const More&... more) {
  detail::check_states<Op, S>();
  const before<S> start = detail::start_of<S>(op, v, more...);
  const auto blocks = detail::up_sweep(detail::as_measured<S>(group), v, op);
  const S inclusive = blocks.inclusive(op, start);
  if constexpr (detail::has_total<More...>)
    detail::put_total(detail::total_of<detail::has_init<More...>>(group, inclusive, start, op),
                      more...);
  return {detail::exclusive_entry_of<detail::has_init<More...>>(blocks.exclusive(op, start),
                                                                blocks.rank == 0, op),
          inclusive};
}

/// The fold of the values of the ranks before mine; the first one gets the init, or the operator's
/// empty state.
template <lane_group G, class S, class Op, class... More>
RUNG_DEVICE S exclusive_scan(G group, const S& v, const Op& op, const More&... more) {
  detail::check_states<Op, S>();
  if constexpr (detail::has_total<More...>) {
    return both_scans(group, v, op, more...).exclusive;
  } else if constexpr (std::is_same_v<Op, plus> && detail::redux_integer<S> && is_whole<G>) {
    using U = std::make_unsigned_t<S>;
    return S(U(inclusive_scan(group, v, op, more...)) - U(v));  // exact: integers wrap
  } else {
    const auto start = detail::start_of<S>(op, v, more...);
    const auto blocks = detail::up_sweep<false>(detail::as_measured<S>(group), v, op);
    return detail::exclusive_entry_of<detail::has_init<More...>>(blocks.exclusive(op, start),
                                                                 blocks.rank == 0, op);
  }
}

}  // namespace rung
