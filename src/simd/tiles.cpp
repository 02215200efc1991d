// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies of tiles between any two strided places, and reversal of bytes. Rows that are contiguous
// on both sides are copied, rows that are contiguous columns on the other side are transposed in
// registers (elements of 4 and 8 bytes), everything else goes element by element.
// Cost: each source and target line of cache is touched once per tile.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/tiles.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
#include "simd/x86-inl.hpp"
//
#include "simd/vec-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using std::size_t;

/// Any bytes of this size: memcpy keeps every alignment and every bit.
template <size_t size>
struct element_of {
  std::byte bytes[size];
};

template <size_t size>
void copy_elements(const tile_copy& t) {
  for (size_t r = 0; r < t.rows; r++) {
    const std::byte* from = t.from + std::ptrdiff_t(r) * t.from_row;
    std::byte* to = t.to + std::ptrdiff_t(r) * t.to_row;
    size_t c = 0;
    for (; c + 4 <= t.columns; c += 4, from += 4 * t.from_column, to += 4 * t.to_column) {
      element_of<size> e[4];
      for (int i = 0; i < 4; i++) std::memcpy(&e[i], from + i * t.from_column, size);
      for (int i = 0; i < 4; i++) std::memcpy(to + i * t.to_column, &e[i], size);
    }
    for (; c < t.columns; c++, from += t.from_column, to += t.to_column)
      std::memcpy(to, from, size);
  }
}

/// The same with the roles of rows and columns exchanged.
tile_copy turned(const tile_copy& t) {
  return {t.from, t.from_column, t.from_row, t.to, t.to_column, t.to_row, t.columns, t.rows};
}

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
template <class L, size_t distance, size_t N>
HWY_INLINE void transpose_level(vec<L> (&v)[N]) {
  if constexpr (distance < N) {
    for (size_t i = 0; i < N; i++)
      if ((i & distance) == 0) exchange<distance * sizeof(L)>(v[i], v[i + distance]);
    transpose_level<L, distance * 2>(v);
  }
}

/// from: columns contiguous (from_row is the size); to: rows contiguous.
template <class L>
void transpose_tile(const tile_copy& t) {
  constexpr size_t N = vector_bytes / sizeof(L);
  const full<L> d;
  const size_t whole_rows = t.rows / N * N, whole_columns = t.columns / N * N;
  for (size_t c = 0; c < whole_columns; c += N)
    for (size_t r = 0; r < whole_rows; r += N) {
      const std::byte* from = t.from + r * sizeof(L) + std::ptrdiff_t(c) * t.from_column;
      std::byte* to = t.to + std::ptrdiff_t(r) * t.to_row + c * sizeof(L);
      vec<L> v[N];
      for (size_t i = 0; i < N; i++)
        v[i] = hn::LoadU(d, reinterpret_cast<const L*>(from + std::ptrdiff_t(i) * t.from_column));
      transpose_level<L, 1>(v);
      for (size_t i = 0; i < N; i++)
        hn::StoreU(v[i], d, reinterpret_cast<L*>(to + std::ptrdiff_t(i) * t.to_row));
    }
  tile_copy rest = t;  // the columns that are left, then the rows that are left of the whole ones
  rest.from += std::ptrdiff_t(whole_columns) * t.from_column;
  rest.to += whole_columns * sizeof(L);
  rest.columns -= whole_columns;
  copy_elements<sizeof(L)>(rest);
  rest = t;
  rest.from += whole_rows * sizeof(L);
  rest.to += std::ptrdiff_t(whole_rows) * t.to_row;
  rest.rows -= whole_rows, rest.columns = whole_columns;
  copy_elements<sizeof(L)>(rest);
}
#endif

template <size_t size>
void copy_sized(const tile_copy& t) {
  constexpr auto s = std::ptrdiff_t(size);
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
  if constexpr (size == 4 || size == 8) {
    using L = std::conditional_t<size == 4, float, double>;
    const bool aligned =
        (reinterpret_cast<std::uintptr_t>(t.from) | reinterpret_cast<std::uintptr_t>(t.to) |
         std::uintptr_t(t.from_row) | std::uintptr_t(t.from_column) | std::uintptr_t(t.to_row) |
         std::uintptr_t(t.to_column)) %
            size ==
        0;
    if (aligned && t.from_row == s && t.to_column == s) return transpose_tile<L>(t);
    if (aligned && t.from_column == s && t.to_row == s) return transpose_tile<L>(turned(t));
  }
#endif
  if (t.from_column == s && t.to_column == s) {
    for (size_t r = 0; r < t.rows; r++)
      std::memcpy(t.to + std::ptrdiff_t(r) * t.to_row, t.from + std::ptrdiff_t(r) * t.from_row,
                  t.columns * size);
  } else {
    copy_elements<size>(t);
  }
}

void copy_tile(const tile_copy& t, size_t size) {
  switch (size) {
    case 1:
      return copy_sized<1>(t);
    case 2:
      return copy_sized<2>(t);
    case 4:
      return copy_sized<4>(t);
    case 8:
      return copy_sized<8>(t);
    default:
      return copy_sized<16>(t);
  }
}

template <class U>
void swap_units(std::byte* data, size_t n) {
  for (size_t i = 0; i < n / sizeof(U); i++) {
    U u;
    std::memcpy(&u, data + i * sizeof(U), sizeof(U));
    if constexpr (sizeof(U) == 2) u = __builtin_bswap16(u);
    else if constexpr (sizeof(U) == 4) u = __builtin_bswap32(u);
    else u = __builtin_bswap64(u);
    std::memcpy(data + i * sizeof(U), &u, sizeof(U));
  }
}
void swap_bytes(std::byte* data, size_t n, size_t unit) {
  if (unit == 2) return swap_units<std::uint16_t>(data, n);
  if (unit == 4) return swap_units<std::uint32_t>(data, n);
  swap_units<std::uint64_t>(data, n);
}

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(copy_tile);
HWY_EXPORT(swap_bytes);
void copy_tile(const tile_copy& t, std::size_t size) { HWY_DYNAMIC_DISPATCH(copy_tile)(t, size); }
void swap_bytes(std::byte* data, std::size_t n, std::size_t unit) {
  HWY_DYNAMIC_DISPATCH(swap_bytes)(data, n, unit);
}
}  // namespace rung::simd
#endif
