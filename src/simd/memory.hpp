// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps that loads and stores are put together from (load.cpp, store.cpp), each compiled once
// per instruction set: conversions of rows (convert_*.cpp), copies of tiles with strides
// (tiles.cpp).
#pragma once
#include <algorithm>

#include "simd/kernels.hpp"

namespace rung::simd {

/// Element -> packed value; nullptr: no such conversion.
convert_rows find_widening(element from, packed to);
/// Element -> i64, 1 where it is not zero; NaN counts as 1, or with `number` as 0.
convert_rows find_nonzero(element from, bool number);
/// Packed state -> element, NaN canonical.
convert_rows find_narrowing(packed from, element to);

/// values[i] = values[i] * others[i] (or its conjugate times others[i]) for n packed values.
using multiply_values = void (*)(void* values, const void* others, std::size_t n);
multiply_values find_product(packed, bool conjugated);
/// values[i] = *instead where values[i] is NaN.
using replace_values = void (*)(void* values, std::size_t n, const void* instead);
replace_values find_nan_replacement(packed);

/// rows * columns elements of 1, 2, 4, 8 or 16 bytes; steps in bytes.
struct tile_copy {
  const std::byte* from;
  std::ptrdiff_t from_row, from_column;
  std::byte* to;
  std::ptrdiff_t to_row, to_column;
  std::size_t rows, columns;
};
void copy_tile(const tile_copy&, std::size_t size);
/// Reverses every run of `unit` (2, 4 or 8) bytes in n bytes.
void swap_bytes(std::byte* data, std::size_t n, std::size_t unit);

/// f(first row, first column, rows, columns) over tiles of at most `most` elements: whole rows
/// where they fit, or, where memory is contiguous down the columns (`across`), at least 64 high.
template <class F>
void for_each_tile(std::size_t rows, std::size_t columns, std::size_t most, bool across, F&& f) {
  const std::size_t widest = across ? std::max<std::size_t>(16, most / 64) : most;
  const std::size_t wide = std::clamp<std::size_t>(columns, 1, widest), high = most / wide;
  for (std::size_t r = 0; r < rows; r += high)
    for (std::size_t c = 0; c < columns; c += wide)
      f(r, c, std::min(rows - r, high), std::min(columns - c, wide));
}

inline constexpr std::size_t tile_bytes = 8192;  ///< of a scratch tile: a few of them fit in L1

}  // namespace rung::simd
