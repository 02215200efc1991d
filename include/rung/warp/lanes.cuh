// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Who works together in a warp: this_warp, this_warp.sub<8>() (aligned neighbours),
// this_warp.first(m) (every lane calls, the first m bring values), lanes{mask} (any lanes, also in
// divergent code; a value's position is the rank of its lane among them). And the one exchange that
// all verbs use: read what the last lane of the aligned block of 2^k positions left of mine holds.
#pragma once
#include "../thread/reduce.hpp"
#include "choose.cuh"

namespace rung {

/// A result that one member of the group holds: `if (sum) out[0] = *sum;`.
template <class S>
struct held {
  S value;  ///< meaningful where `here`
  bool here;
  RUNG_HD explicit operator bool() const { return here; }
  RUNG_HD const S& operator*() const { return value; }
};

struct first_lanes;

/// W neighbouring lanes, aligned. Rounds: how many exchanges wait for each other; log2 W takes the
/// fewest shuffles, every round less costs one shuffle more (rounds<3>() of a warp: 7, not 5, and a
/// third faster where a warp has its scheduler to itself). Together: the whole warp calls.
template <int W = warp_size, int Rounds = detail::floor_log2(W), bool Together = W == warp_size>
struct warp_lanes {
  static_assert(detail::is_power_of_two(W) && W >= 2 && W <= warp_size,
                "rung: this_warp.sub<W>() takes W = 2, 4, 8, 16 or 32 lanes; for others use "
                "lanes{mask} or this_warp.first(m)");
  static_assert(2 * Rounds >= detail::floor_log2(W) && Rounds <= detail::floor_log2(W),
                "rung: rounds<R>() takes R from half of log2 W to log2 W");
  static constexpr int levels = detail::floor_log2(W);
  static constexpr int capacity = W, rounds_taken = Rounds;

  /// The N lanes around mine: they alone have to call.
  template <int N>
  static RUNG_HD constexpr warp_lanes<N> sub() {
    return {};
  }
  /// The same groups of N lanes, where all 32 lanes call: no masks to make up.
  template <int N>
  static RUNG_HD constexpr warp_lanes<N, detail::floor_log2(N), true> split() {
    return {};
  }
  template <int R>
  static RUNG_HD constexpr warp_lanes<W, R, Together> rounds() {
    return {};
  }
  static RUNG_HD constexpr first_lanes first(int m);

  static RUNG_HD constexpr int count() { return W; }
  static RUNG_DEVICE int rank() { return W == warp_size ? lane() : lane() & (W - 1); }
  static RUNG_DEVICE lane_mask mask() {
    if constexpr (Together) return whole_warp;
    else return ((lane_mask(1) << (W % 32)) - 1) << (lane() & ~(W - 1));
  }
  /// Levels k and k + 1 are read in one round.
  static RUNG_HD constexpr bool pairs_with_next(int k) {
    return (k == levels - 2 && Rounds < levels) || (k == levels - 4 && Rounds < levels - 1);
  }

  struct links {
    lane_mask members;
    /// In the right half of a block of 2^(k+1): from the last lane of the left half. In the left
    /// half: from there too, which is no block to the left, and nobody uses it.
    template <class S>
    RUNG_DEVICE S left(const S& v, int k) const {
      return read(v, (1 << k) - 1, 2 << k);
    }
    /// From the middle of that left half: the last lane of its first half.
    template <class S>
    RUNG_DEVICE S farther_left(const S& v, int k) const {
      return read(v, (1 << k) / 2 - 1, 2 << k);
    }
    template <class S>
    RUNG_DEVICE S read(const S& v, int source, int width) const {
      return detail::by_halves(v, [&](auto w) { return shuffle(w, source, members, width); });
    }
  };
  static RUNG_DEVICE links connect() { return {mask()}; }
  /// v of the last lane that brings one, for all.
  template <class S>
  static RUNG_DEVICE S from_last(const S& v) {
    return shuffle(v, W - 1, mask(), W);
  }
};
/// The 32 lanes of the calling warp.
inline constexpr warp_lanes<> this_warp{};

/// Every lane of the warp calls; the first m bring values, the others get results where all do.
struct first_lanes : warp_lanes<> {
  int m;
  RUNG_HD constexpr explicit first_lanes(int values) : m(values) {}
  RUNG_HD constexpr int count() const { return m; }
  template <class S>
  RUNG_DEVICE S from_last(const S& v) const {
    return shuffle(v, m - 1);
  }
};
template <int W, int Rounds, bool Together>
RUNG_HD constexpr first_lanes warp_lanes<W, Rounds, Together>::first(int m) {
  static_assert(W == warp_size, "rung: first(m) is for the whole warp; use lanes{mask}");
  return first_lanes(m);
}

namespace detail {

/// Lanes 0 .. m - 1 alone call: the end of a block that has no whole warp left. Nobody reads from
/// the right, where a lane may be missing.
struct low_lanes : warp_lanes<> {
  int m;
  RUNG_DEVICE explicit low_lanes(int lanes) : m(lanes) {}
  RUNG_DEVICE int count() const { return m; }
  RUNG_DEVICE lane_mask mask() const { return whole_warp >> (warp_size - m); }
  struct links {
    int position;
    lane_mask members;
    /// From the last lane of the block of 2^k left of my own; where no such block is: my own value.
    template <class S>
    RUNG_DEVICE S left(const S& v, int k) const {
      const unsigned distance = unsigned((position & ((1 << k) - 1)) + 1);
      return by_halves(v, [&](auto w) { return shuffle_up(w, distance, members); });
    }
  };
  RUNG_DEVICE links connect() const { return {lane(), mask()}; }
};

}  // namespace detail

/// Any lanes: exactly those of the mask call, together or not, and nobody else has to. Connecting
/// them takes 4 shuffles, which do not wait for the values.
struct lanes {
  lane_mask members;
  static constexpr int levels = 5, capacity = warp_size;
  RUNG_DEVICE explicit lanes(lane_mask mask) : members(mask) {}
  static RUNG_HD constexpr bool pairs_with_next(int) { return false; }
  RUNG_DEVICE int count() const { return bit_count(members); }
  RUNG_DEVICE int rank() const { return bit_count(members & lanes_below()); }
  RUNG_DEVICE lane_mask mask() const { return members; }

  struct links {
    int before_block[levels];  // the lane before my aligned block of 2^k ranks; my own if none is
    lane_mask members;
    template <class S>
    RUNG_DEVICE S left(const S& v, int k) const {
      return shuffle(v, before_block[k], members);
    }
  };
  RUNG_DEVICE links connect() const {
    links to{{}, members};
    const lane_mask below = members & lanes_below();
    const int position = bit_count(below);
    int source = below != 0 ? highest_bit(below) : -1;
    RUNG_UNROLL
    for (int k = 0; k < levels; ++k) {
      to.before_block[k] = source >= 0 ? source : lane();
      // My block of 2^(k+1) begins where the one left of mine does, if I am in its right half.
      if (k + 1 < levels) {
        const int further = shuffle(source, to.before_block[k], members);
        if ((position >> k & 1) != 0) source = further;
      }
    }
    return to;
  }
  template <class S>
  RUNG_DEVICE S from_last(const S& v) const {
    return shuffle(v, highest_bit(members), members);
  }
};

/// A group of lanes that the verbs take.
template <class G>
concept lane_group = requires(const G& g) {
  g.connect();
  g.mask();
  g.rank();
};
/// Groups whose lanes are one mask per warp, as the warp's own instructions want it.
template <class G>
inline constexpr bool group_is_one_mask = G::capacity == warp_size;
/// Aligned lanes that are all there: cheaper exchanges.
template <class G>
inline constexpr bool is_whole = false;
template <int W, int Rounds, bool Together>
inline constexpr bool is_whole<warp_lanes<W, Rounds, Together>> = true;

}  // namespace rung
