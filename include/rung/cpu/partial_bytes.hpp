// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The file form of a partial. Everything is little-endian, nothing is padded:
//   8  "RUNGPART"         4  format version (1)     4  version of the order (1)
//   4  bytes per state    4  bytes of the kind      8  begin      8  end
//   the kind, printable text such as "sum f32"; the states of the blocks of [begin, end), whose
//   number follows from begin and end; 8  FNV-1a 64 of all bytes before
// A reader trusts none of it: sizes are checked against each other before anything is read.
#pragma once
#include <bit>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../base/error.hpp"
#include "../order.hpp"

namespace rung {

/// Positions begin, begin + 1, ... end - 1.
struct position_range {
  std::int64_t begin = 0, end = 0;
  friend constexpr bool operator==(position_range, position_range) = default;
};

namespace host {

/// Positions are numbered up to here.
inline constexpr std::int64_t position_limit = std::int64_t(1) << 62;

/// The largest aligned power-of-two block that starts at a position and has at most n > 0 values.
inline std::int64_t aligned_block(std::int64_t position, std::int64_t n) {
  const std::int64_t fits = std::int64_t(std::bit_floor(std::uint64_t(n)));
  return position == 0 ? fits : std::min(fits, position & -position);
}

/// Into how many such blocks a range falls: at most 2 log2 of its length.
inline int block_count(position_range r) {
  int count = 0;
  for (; r.begin < r.end; r.begin += aligned_block(r.begin, r.end - r.begin)) count++;
  return count;
}

inline std::string range_text(position_range r) {
  return "[" + std::to_string(r.begin) + ", " + std::to_string(r.end) + ")";
}

/// What a stored partial says of itself; views into its bytes.
struct partial_header {
  std::string_view kind;
  std::size_t state_size = 0;
  position_range range;
  std::size_t blocks = 0;
  std::span<const std::byte>
      states;  ///< of the blocks from left to right, blocks * state_size bytes
};

namespace format {
inline constexpr char magic[9] = "RUNGPART";
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t fixed_bytes = 40, checksum_bytes = 8, longest_kind = 255;

inline std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const std::byte b : bytes) h = (h ^ std::uint64_t(b)) * 0x100000001b3u;
  return h;
}
inline std::uint64_t read(std::span<const std::byte> bytes, std::size_t at, int size) {
  std::uint64_t x = 0;
  for (int i = size - 1; i >= 0; i--) x = x << 8 | std::uint64_t(bytes[at + std::size_t(i)]);
  return x;
}
inline void write(std::vector<std::byte>& bytes, std::uint64_t x, int size) {
  for (int i = 0; i < size; i++) bytes.push_back(std::byte(x >> (8 * i)));
}
inline bool is_printable(std::string_view text) {
  for (const char c : text)
    if (c < ' ' || c > '~') return false;
  return true;
}
}  // namespace format

/// Reads and checks everything but the states themselves. Throws rung::error (bad_argument).
inline partial_header read_partial_header(std::span<const std::byte> bytes) {
  const auto refuse = [](const std::string& why) {
    fail(error_code::bad_argument, "rung: this cannot be read as a partial: " + why);
  };
  if (bytes.size() < sizeof format::magic - 1 ||
      std::memcmp(bytes.data(), format::magic, sizeof format::magic - 1) != 0)
    refuse("it does not begin with " + std::string(format::magic));
  if (bytes.size() < format::fixed_bytes + format::checksum_bytes)
    refuse("it has " + std::to_string(bytes.size()) + " bytes, less than the shortest one");
  const auto field = [&](std::size_t at, int size) { return format::read(bytes, at, size); };
  if (field(8, 4) != format::version)
    refuse("it has format version " + std::to_string(field(8, 4)) +
           ", this library reads version " + std::to_string(format::version));
  if (field(12, 4) != std::uint64_t(order_version))
    refuse("it was folded in order " + std::to_string(field(12, 4)) +
           ", this library folds in order " + std::to_string(order_version));
  const std::size_t body = bytes.size() - format::checksum_bytes;
  if (format::checksum(bytes.first(body)) != field(body, 8))
    refuse("its checksum does not fit its bytes, so it is damaged or cut short");

  const std::uint64_t state_size = field(16, 4), kind_size = field(20, 4), begin = field(24, 8),
                      end = field(32, 8);
  if (begin > end || end > std::uint64_t(position_limit))
    refuse("positions " + std::to_string(begin) + " to " + std::to_string(end) + " are no range");
  partial_header h;
  h.state_size = std::size_t(state_size);
  h.range = {std::int64_t(begin), std::int64_t(end)};
  h.blocks = std::size_t(block_count(h.range));
  // All factors are below 2^32, so nothing overflows.
  if (kind_size > format::longest_kind ||
      format::fixed_bytes + kind_size + h.blocks * state_size != body)
    refuse("its " + std::to_string(bytes.size()) + " bytes are not what positions " +
           range_text(h.range) + " with states of " + std::to_string(state_size) + " bytes need");
  h.kind = {reinterpret_cast<const char*>(bytes.data()) + format::fixed_bytes,
            std::size_t(kind_size)};
  if (!format::is_printable(h.kind)) refuse("its kind is not printable text");
  h.states = bytes.subspan(format::fixed_bytes + kind_size, h.blocks * h.state_size);
  return h;
}

/// The stored form of the states of range's blocks. Throws for a kind that is too long or no text.
inline std::vector<std::byte> write_partial(std::string_view kind, std::size_t state_size,
                                            position_range range,
                                            std::span<const std::byte> states) {
  static_assert(std::endian::native == std::endian::little,
                "rung: states are stored as they lie in memory, which must be little-endian");
  if (kind.size() > format::longest_kind || !format::is_printable(kind))
    fail(error_code::bad_argument,
         "rung: the kind of a partial is printable text of at most 255 characters");
  std::vector<std::byte> bytes;
  bytes.reserve(format::fixed_bytes + kind.size() + states.size() + format::checksum_bytes);
  for (int i = 0; i < 8; i++) bytes.push_back(std::byte(format::magic[i]));
  format::write(bytes, format::version, 4);
  format::write(bytes, std::uint64_t(order_version), 4);
  format::write(bytes, state_size, 4);
  format::write(bytes, kind.size(), 4);
  format::write(bytes, std::uint64_t(range.begin), 8);
  format::write(bytes, std::uint64_t(range.end), 8);
  for (const char c : kind) bytes.push_back(std::byte(c));
  bytes.insert(bytes.end(), states.begin(), states.end());
  format::write(bytes, format::checksum(bytes), 8);
  return bytes;
}

}  // namespace host
}  // namespace rung
