// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How the blocks of an exact sum meet. Each adds its limbs to those of the workspace, by atomics of
// integers, and arrives; the last to arrive makes the state of them, which has the same bits in any
// order, and leaves the workspace as zeros. Nobody waits. Cost: an atomic per limb and block.
#pragma once
#include "../exact/moments.hpp"
#include "reduce_kernels.cuh"

namespace rung::detail {

/// The number of values: told, or in device memory.
struct counted_values {
  std::int64_t size;
  global<const std::int64_t> count;
  bool on_device;
  RUNG_DEVICE std::int64_t operator()() const { return on_device ? std::int64_t(count[0]) : size; }
};

/// The words of one workspace.
struct exact_words {
  global<std::uint64_t> arrivals;  ///< how many blocks, and what they saw: 12 bits for each bit
  global<std::uint64_t> limbs;
  static constexpr int most_limbs = 144, most_blocks = 4095;
  static constexpr std::size_t head = 128, bytes = head + most_limbs * 8;

  /// One more block has added its limbs. What all blocks saw if it is the last one.
  RUNG_DEVICE bool arrive(std::uint32_t& seen) const {
    std::uint64_t mine = 1;
    for (int i = 0; i < 4; ++i) mine |= std::uint64_t(seen >> i & 1) << (12 + 12 * i);
    const std::uint64_t all = atomic_add<order::acq_rel>(arrivals[0], mine) + mine;
    for (int i = 0; i < 4; ++i) seen |= std::uint32_t((all >> (12 + 12 * i) & 4095) != 0) << i;
    return (all & 4095) == grid_shape().x;
  }
};

/// What a block has collected, limb by limb; all warps add to it.
template <int Limbs>
struct block_limbs {
  shared<std::uint64_t[Limbs]> limb;
  shared<std::uint32_t> seen;

  RUNG_DEVICE void clear() {
    for (int i = rank_in_block(); i < Limbs; i += int(block_shape().x)) limb[i] = 0;
    if (rank_in_block() == 0) seen = 0;
  }
  RUNG_DEVICE void add(int i, std::int64_t value) {
    if (value != 0) atomic_add<order::relaxed, scope::block>(limb[i], std::uint64_t(value));
  }
  /// (high * 2^32 + low) * 2^position units.
  RUNG_DEVICE void add(std::int64_t high, std::int64_t low, int position) {
    int128 value = (int128(high) << 32) + low;
    if (position < 0) value >>= -position, position = 0;
    value <<= position & 31;
    const int first = position >> 5;
    for (int i = 0; i < 3; ++i, value >>= 32)
      add(first + i, std::int64_t(std::uint64_t(value) & limb_mask));
    add(first + 3, std::int64_t(value));
  }
};

/// The number that limbs stand for, in units of 2^unit, if it has few digits: from the lowest limb
/// that is not zero to the highest. For all lanes of the warp.
template <int Limbs>
RUNG_DEVICE bool few_digits(const shared<std::uint64_t[Limbs]>& limb, int unit,
                            wide_number<16>& number) {
  int lowest = Limbs, highest = -1;
  RUNG_UNROLL
  for (int first = 0; first < Limbs; first += warp_size) {
    const int i = first + lane();
    const lane_mask some = lanes_where(i < Limbs && limb[i < Limbs ? i : 0] != 0);
    if (some == 0) continue;
    if (lowest == Limbs) lowest = first + lowest_bit(some);
    highest = first + highest_bit(some);
  }
  if (highest - lowest > 12) return false;
  std::uint32_t digit[16];
  std::int64_t carry = 0;
  RUNG_UNROLL
  for (int k = 0; k < 16; ++k) {
    if (lowest + k <= highest)
      carry = wrapping_add(carry, std::int64_t(std::uint64_t(limb[lowest + k])));
    digit[k] = std::uint32_t(carry);
    carry >>= 32;
  }
  number = wide_of<0>(digit, unit + 32 * lowest);
  return true;
}

/// The state that limbs stand for, in units of which 2^Shift are one of the state's.
template <class S, int Shift, int Limbs>
RUNG_DEVICE S state_of_limbs(const shared<std::uint64_t[Limbs]>& limb, std::uint32_t seen) {
  S sum{};
  std::int64_t carry = 0;
  std::uint32_t below = 0;
  RUNG_UNROLL
  for (int i = 0; i < S::digits + (Shift > 0); ++i) {
    if (i < Limbs) carry = wrapping_add(carry, std::int64_t(std::uint64_t(limb[i])));
    const auto digit = std::uint32_t(carry);
    carry >>= 32;
    if constexpr (Shift == 0) {
      sum.digit[i] = digit;
    } else {
      if (i > 0) sum.digit[i - 1] = below >> Shift | digit << (32 - Shift);
      below = digit;
    }
  }
  sum.see(seen);
  return sum;
}

/// Called by the first warp: limb(i) of what the block has, and what it saw, to the workspace; the
/// last block calls make(state). The state's unit is 2^Shift of the limbs'.
template <class S, int Shift, int Limbs, class Limb, class Make>
RUNG_DEVICE void finish_exact(shared<std::uint64_t[Limbs]>& room, const Limb& limb,
                              std::uint32_t seen, const exact_words& words, std::int64_t n,
                              const Make& make) {
  static_assert(Limbs <= exact_words::most_limbs);
  if (grid_shape().x == 1) {
    for (int i = lane(); i < Limbs; i += warp_size) room[i] = limb(i);
  } else {
    for (int i = lane(); i < Limbs; i += warp_size) {
      const std::uint64_t value = limb(i);
      if (value != 0) atomic_add(words.limbs[i], value);
    }
    fence();
    warp_barrier();
    int is_last = 0;
    if (lane() == 0) is_last = words.arrive(seen) ? 1 : 0;
    if (shuffle(is_last, 0) == 0) return;
    warp_barrier();  // what the first lane has learned, all know
    for (int i = lane(); i < Limbs; i += warp_size) {
      room[i] = load_relaxed(words.limbs[i]);
      store_relaxed(words.limbs[i], std::uint64_t(0));
    }
    if (lane() == 0) store_relaxed(words.arrivals[0], std::uint64_t(0));
  }
  warp_barrier();
  if constexpr (Make::takes_number) {
    wide_number<16> number;
    if (few_digits(room, S::unit - Shift, number)) {
      seen = shuffle(seen, 0);
      if (lane() == 0) make.put_number(number, seen, n);
      return;
    }
  }
  if (lane() == 0) make(state_of_limbs<S, Shift>(room, seen), n);
}

}  // namespace rung::detail
