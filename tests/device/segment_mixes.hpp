// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Lengths of segments for the tests of segments on the device rung, and values in device memory as
// calls take them.
#pragma once
#include "device/calls.hpp"
#include "rung/device/device.cuh"
#include "rung/transform.hpp"

namespace rung::tests {

using offset_vector = std::vector<std::int64_t>;

/// Offsets of segments of these lengths, the first at `first`.
inline offset_vector offsets_of(const std::vector<std::int64_t>& lengths, std::int64_t first = 0) {
  offset_vector offsets{first};
  for (const std::int64_t n : lengths) offsets.push_back(offsets.back() + n);
  return offsets;
}
/// Mixes of lengths; a share has `size` values and segments together.
inline std::vector<std::vector<std::int64_t>> mixes(std::int64_t size) {
  std::vector<std::vector<std::int64_t>> all{{},
                                             {0},
                                             {1},
                                             {size},
                                             {size - 1, size, size + 1, 0, 2 * size, 2 * size + 1},
                                             {0, 0, 0, 3 * size + 17, 0, 0, 5, 16, 15, 17},
                                             {67 * size + 30, 3},
                                             {size - 2, 3, size - 4, 5, 1, 255, 256, 257}};
  std::mt19937 bits(5);
  std::vector<std::int64_t> ones(std::size_t(2 * size), 1), short_ones, none(std::size_t(3 * size)),
      mixed, skewed;
  for (int i = 0; i < 300; ++i) short_ones.push_back(std::int64_t(bits() % 9));
  for (int i = 0; i < 60; ++i)
    mixed.push_back(std::int64_t(bits() % 3 == 0 ? bits() % 600 : bits() % 40));
  for (int i = 0; i < 40; ++i) skewed.push_back(std::int64_t(1) << bits() % 11);
  none[std::size_t(size) + 7] = 2 * size + 5;
  all.insert(all.end(), {ones, short_ones, none, mixed, skewed});
  return all;
}
/// Offsets that fall, leave the array, or are anything at all.
template <class Bits>
offset_vector wrong_offsets(Bits& bits) {
  offset_vector wrong;
  const int count = 1 + int(bits() % 400);
  std::int64_t last = 0;
  for (int i = 0; i <= count; ++i) {
    last += std::int64_t(bits() % 30);
    const auto kind = bits() % 20;
    wrong.push_back(kind == 0   ? std::int64_t(bits())
                    : kind == 1 ? std::int64_t(bits() % 10000) - 2500
                    : kind == 2 ? last + 2000
                                : last);
  }
  return wrong;
}

template <class T>
view<const T> read(const gpu_array<T>& x) {
  return {x.data(), {std::int64_t(x.size())}};
}
template <class T>
view<T> write(const gpu_array<T>& x) {
  return {x.data(), {std::int64_t(x.size())}};
}
template <class T>
into<T> all_of(const gpu_array<T>& x) {
  return into<T>(write(x));
}

}  // namespace rung::tests
