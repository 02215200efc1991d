// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Positions in a stable order by key: a radix sort, least digit first, 8 bits at a time. Data flow
// of a pass: each block counts the digits of its keys (count_digits); a scan over all counts, digit
// by digit, says where each block's keys of a digit go (scan.cuh); each block ranks its keys, equal
// digits in the order in which they stand, and moves them (move_keys). Cost per pass: keys read
// twice, keys and positions written once. Source: Zagha and Blelloch, "Radix sort for vector
// multiprocessors" (1991).
#pragma once
#include "scan.cuh"

namespace rung {

namespace detail {

inline constexpr int log_digits = 8, digits = 1 << log_digits, order_threads = 256,
                     order_rounds = 8, order_tile = order_threads * order_rounds;

/// Keys as unsigned numbers of the same order, and their own positions.
template <class K>
struct keys_as_given {
  global<const K> keys;
  using bits = std::make_unsigned_t<K>;
  static constexpr bits sign = std::is_signed_v<K> ? bits(bits(1) << (8 * sizeof(K) - 1)) : bits(0);
  static constexpr int used = 8 * int(sizeof(K));
  RUNG_DEVICE bits key(std::int64_t i) const {
    const K k = load_read_only(keys[i]);
    return bits(bits(k) ^ sign);
  }
  RUNG_DEVICE std::int64_t position(std::int64_t i) const { return i; }
};
/// Group numbers; all that are none, as one more group.
template <class K>
struct group_numbers {
  global<const K> ids;
  std::uint64_t groups;
  using bits = std::uint64_t;
  RUNG_DEVICE bits key(std::int64_t i) const {
    const K id = load_read_only(ids[i]);
    const auto g = std::uint64_t(std::int64_t(id));
    return g < groups ? g : groups;
  }
  RUNG_DEVICE std::int64_t position(std::int64_t i) const { return i; }
};
/// What a pass leaves to the next.
template <class Bits>
struct keys_in_order {
  global<Bits> keys;
  global<std::int64_t> order;
  using bits = Bits;
  RUNG_DEVICE bits key(std::int64_t i) const { return load_read_only(keys[i]); }
  RUNG_DEVICE std::int64_t position(std::int64_t i) const { return load_read_only(order[i]); }
};
template <class Bits>
RUNG_DEVICE int digit_of(Bits key, int shift) {
  return int(key >> shift & Bits(digits - 1));
}

/// counts[digit * blocks + block].
template <class From>
RUNG_KERNEL(order_threads)
void count_digits(From from, std::int64_t n, int shift, global<std::int64_t> counts) {
  auto& found = scratch<shared<unsigned[digits]>>();
  const int me = int(thread_index().x);
  const std::int64_t block = block_index().x, first = block * order_tile;
  wait_for_previous_launch();
  allow_next_launch();
  found[me] = 0u;
  block_barrier();
  for (int r = 0; r < order_rounds; ++r) {
    const std::int64_t i = first + r * order_threads + me;
    if (i < n) atomic_add(found[digit_of(from.key(i), shift)], 1u);
  }
  block_barrier();
  const unsigned mine = found[me];
  counts[me * std::int64_t(grid_shape().x) + block] = mine;
}

/// Moves keys and positions to where they belong: starts[digit * blocks + block] and on.
template <class From>
RUNG_KERNEL(order_threads)
void move_keys(From from, std::int64_t n, int shift, global<const std::int64_t> starts,
               keys_in_order<typename From::bits> to) {
  constexpr int warps = order_threads / warp_size;
  struct ranks {
    shared<unsigned[warps * digits]> of_warp;  ///< keys of a digit that a warp has moved
    shared<std::int64_t[digits]> start;
  };
  using bits = typename From::bits;
  auto& s = scratch<ranks>();
  const int me = int(thread_index().x), warp = warp_in_block();
  const std::int64_t block = block_index().x,
                     first = block * order_tile + std::int64_t(warp) * warp_size * order_rounds;
  wait_for_previous_launch();
  allow_next_launch();
  for (int w = 0; w < warps; ++w) s.of_warp[w * digits + me] = 0u;
  block_barrier();
  // A warp has neighbouring keys, round after round: first how many of each digit.
  bits key[order_rounds];
  unsigned rank[order_rounds];
  RUNG_UNROLL
  for (int r = 0; r < order_rounds; ++r) {
    const std::int64_t i = first + r * warp_size + lane();
    const bool here = i < n;
    key[r] = here ? from.key(i) : bits(0);
    const int digit = here ? digit_of(key[r], shift) : digits;
    const lane_mask same = match_any(digit);
    const lane_mask left = same & lanes_below();
    unsigned before = 0;
    if (here) before = s.of_warp[warp * digits + digit];
    warp_barrier();
    if (here && left == 0) s.of_warp[warp * digits + digit] = before + unsigned(bit_count(same));
    warp_barrier();
    rank[r] = before + unsigned(bit_count(left));
  }
  block_barrier();
  unsigned before = 0;
  for (int w = 0; w < warps; ++w) {
    const unsigned here = s.of_warp[w * digits + me];
    s.of_warp[w * digits + me] = before;
    before += here;
  }
  const std::int64_t start = load_read_only(starts[me * std::int64_t(grid_shape().x) + block]);
  s.start[me] = start;
  block_barrier();
  RUNG_UNROLL
  for (int r = 0; r < order_rounds; ++r) {
    const std::int64_t i = first + r * warp_size + lane();
    if (i >= n) continue;
    const int digit = digit_of(key[r], shift);
    const std::int64_t place =
        std::int64_t(s.start[digit]) + unsigned(s.of_warp[warp * digits + digit]) + rank[r];
    to.keys[place] = key[r];
    to.order[place] = from.position(i);
  }
}

template <class Bits>
std::size_t order_bytes(std::int64_t n) {
  const auto blocks = std::size_t((n + order_tile - 1) / order_tile);
  return std::size_t(n) * 2 * (sizeof(Bits) + 8) + blocks * digits * 8 + 80;
}
/// The stable order of n keys by their lowest `used` bits; memory of order_bytes.
template <class Given>
keys_in_order<typename Given::bits> order_of(const device& where, const Given& given,
                                             std::int64_t n, int used, void* memory) {
  using bits = typename Given::bits;
  const std::int64_t blocks = (n + order_tile - 1) / order_tile;
  auto* at = static_cast<unsigned char*>(memory);
  const auto take = [&](std::size_t bytes) {
    auto* const from = at;
    at += (bytes + 15) / 16 * 16;
    return from;
  };
  auto* const counts = reinterpret_cast<std::int64_t*>(take(std::size_t(blocks) * digits * 8));
  keys_in_order<bits> pair[2];
  for (auto& p : pair) {
    auto* const keys = reinterpret_cast<bits*>(take(std::size_t(n) * sizeof(bits)));
    p = {keys, reinterpret_cast<std::int64_t*>(take(std::size_t(n) * 8))};
  }
  const view<std::int64_t> all(counts, {blocks * digits});
  int to = 0;
  const auto pass = [&](const auto& from, int shift) {
    using From = std::remove_cvref_t<decltype(from)>;
    const launch_options early{.early = where.overlaps()};
    launch_with(early, count_digits<From>, blocks, order_threads, digits * 4, where.stream(), from,
                n, shift, counts);
    exclusive_scan(where, all, all, plus{});
    launch_with(early, move_keys<From>, blocks, order_threads,
                order_threads / warp_size * digits * 4 + digits * 8, where.stream(), from, n, shift,
                counts, pair[to]);
    to ^= 1;
  };
  if (n == 0) return pair[0];
  pass(given, 0);
  for (int shift = log_digits; shift < used; shift += log_digits) pass(pair[to ^ 1], shift);
  return pair[to ^ 1];
}

}  // namespace detail
}  // namespace rung
