// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Who works together in a warp: this_warp, this_warp.sub<8>() (aligned neighbours),
// this_warp.first(m) (every lane calls, the first m bring values), lanes{mask} (any lanes, also in
// divergent code; a value's position is the rank of its lane among them). And the one exchange that
// all verbs use: read what the last lane of the aligned block of 2^k positions left of mine holds.
// Nobody ever reads from the right, so no value has to be made up for a lane that is not there.
#pragma once
#include <utility>

#include "../base/gpu.cuh"
#include "../thread/reduce.hpp"

namespace rung {

namespace detail {

/// yes where some bit is set, otherwise no. The instruction, not `?:`: between two branches with
/// the same condition nvcc 13.0 may move a shuffle into both, where lanes no longer meet. So what
/// is chosen by lane between shuffles is chosen here.
RUNG_DEVICE std::uint32_t choose_word(unsigned bits, std::uint32_t yes, std::uint32_t no) {
#if defined(__CUDA_ARCH__)
  std::uint32_t chosen;
  asm("{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.b32 %0, %1, %2, p; }"
      : "=r"(chosen)
      : "r"(yes), "r"(no), "r"(bits));
  return chosen;
#else
  return bits != 0 ? yes : no;
#endif
}
template <class S, std::size_t... Word>
RUNG_DEVICE S choose_words(unsigned bits, const S& yes, const S& no, std::index_sequence<Word...>) {
  std::uint32_t a[sizeof...(Word)] = {}, b[sizeof...(Word)] = {};
  __builtin_memcpy(a, &yes, sizeof(S));
  __builtin_memcpy(b, &no, sizeof(S));
  ((a[Word] = choose_word(bits, a[Word], b[Word])), ...);
  S chosen = yes;
  __builtin_memcpy(static_cast<void*>(&chosen), a, sizeof(S));
  return chosen;
}
template <class S>
RUNG_DEVICE S choose(unsigned bits, const S& yes, const S& no) {
  return choose_words(bits, yes, no, std::make_index_sequence<(sizeof(S) + 3) / 4>{});
}

}  // namespace detail

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
    int position;
    lane_mask members;
    /// From the last lane of the block of 2^k left of my own, or `further` lanes before that. Where
    /// no such block is: my own value.
    template <class S>
    RUNG_DEVICE S left(const S& v, int k, int further = 0) const {
      return shuffle_up(v, unsigned((position & ((1 << k) - 1)) + 1 + further), members, W);
    }
  };
  static RUNG_DEVICE links connect() { return {rank(), mask()}; }
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

/// Lanes 0 .. m - 1 alone call: the end of a block that has no whole warp left.
struct low_lanes : warp_lanes<> {
  int m;
  RUNG_DEVICE explicit low_lanes(int lanes) : m(lanes) {}
  RUNG_DEVICE int count() const { return m; }
  RUNG_DEVICE lane_mask mask() const { return whole_warp >> (warp_size - m); }
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
