// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How a range of positions, which may begin and end anywhere, is cut into aligned power-of-two
// blocks and these into pieces of at most a tile, in numbers alone: any piece, and any block, can
// be told from its number, on the host and in a kernel. At most 2 log2(n) blocks, and as many
// pieces that are no tiles.
#pragma once
#include <cstdint>

#include "../base/machine.hpp"

namespace rung::detail {

/// The largest aligned power-of-two block that starts at a position and has at most n > 0 values.
RUNG_HD constexpr std::int64_t block_at(std::int64_t position, std::int64_t n) {
  std::int64_t length = position == 0 ? std::int64_t(1) << 62 : position & -position;
  while (length > n) length >>= 1;
  return length;
}
RUNG_HD constexpr int blocks_between(std::int64_t begin, std::int64_t end) {
  int count = 0;
  for (; begin < end; begin += block_at(begin, end - begin)) ++count;
  return count;
}
struct aligned_range {
  std::int64_t position, length;
};
/// Number i of the blocks from a position to another.
RUNG_HD constexpr aligned_range nth_block(std::int64_t begin, std::int64_t end, int i) {
  for (; i > 0; --i) begin += block_at(begin, end - begin);
  return {begin, block_at(begin, end - begin)};
}

/// How a range is cut: `head` pieces to the first tile, tiles, `tail` pieces.
struct piece_cut {
  std::int64_t begin, first, behind, end;  ///< whole tiles from first to behind
  int log_size, head, tail;
  RUNG_HD constexpr piece_cut(std::int64_t b, std::int64_t e, int log_size)
      : begin(b), first(((b - 1) >> log_size) + 1), behind(0), end(e), log_size(log_size) {
    first <<= log_size;
    if (first > e) first = e;
    behind = first + ((e - first) >> log_size << log_size);
    head = blocks_between(b, first), tail = blocks_between(behind, e);
  }
  RUNG_HD constexpr std::int64_t tiles() const { return (behind - first) >> log_size; }
  RUNG_HD constexpr std::int64_t pieces() const { return head + tiles() + tail; }
  RUNG_HD constexpr int blocks() const { return blocks_between(begin, end); }
  RUNG_HD constexpr aligned_range piece(std::int64_t i) const {
    if (i < head) return nth_block(begin, first, int(i));
    if (i >= head + tiles()) return nth_block(behind, end, int(i - head - tiles()));
    return {first + ((i - head) << log_size), std::int64_t(1) << log_size};
  }
  /// The pieces of block number j: the first, and how many.
  RUNG_HD constexpr aligned_range pieces_of(int j) const {
    const aligned_range block = nth_block(begin, end, j);
    if (block.length >> log_size != 0)
      return {head + ((block.position - first) >> log_size), block.length >> log_size};
    return {j < head ? j : pieces() - (blocks() - j), 1};
  }
};

}  // namespace rung::detail
