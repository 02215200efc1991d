// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores: states -> elements, converted where they belong if they lie side by side there, otherwise
// in a tile in L1 and copied from there (transposed, scattered, their bytes put in order). Cost:
// every target byte is written once; at most two passes over L1.
#include <cstdlib>

#include "simd/memory.hpp"

namespace rung::simd {
namespace {

bool is_aligned(const void* p, std::ptrdiff_t row, std::size_t size) {
  const std::size_t align = size < 8 ? size : 8;
  return (reinterpret_cast<std::uintptr_t>(p) | std::uintptr_t(row)) % align == 0;
}

void store(const void* context, const void* states, std::ptrdiff_t stride, std::size_t rows,
           std::size_t columns, const host::place* to, std::int64_t) {
  const store_plan& plan = *static_cast<const store_plan*>(context);
  const auto size = std::ptrdiff_t(plan.size), state_size = std::ptrdiff_t(plan.state_size);
  host::place p = to[0];
  if (columns == 1 && stride == 1) {  // a line that was handed over as a column
    columns = rows, rows = 1;
    p.column = p.row;
  }
  if (p.row == std::ptrdiff_t(columns) * p.column && stride == std::ptrdiff_t(columns))
    columns *= rows, rows = 1;
  const auto* from = static_cast<const std::byte*>(states);
  auto* target = static_cast<std::byte*>(p.data);
  const std::ptrdiff_t step = stride * state_size;
  if (!plan.swap && (p.column == size || columns == 1) && is_aligned(target, p.row, plan.size))
    return plan.convert(from, step, rows, columns, target, p.row);
  alignas(64) std::byte tile[tile_bytes];
  const bool across = std::abs(p.row) < std::abs(p.column);
  for_each_tile(rows, columns, tile_bytes / plan.size, across,
                [&](std::size_t r, std::size_t c, std::size_t high, std::size_t wide) {
                  const auto row = std::ptrdiff_t(r), column = std::ptrdiff_t(c);
                  const std::ptrdiff_t tile_step = std::ptrdiff_t(wide) * size;
                  plan.convert(from + row * step + column * state_size, step, high, wide, tile,
                               tile_step);
                  if (plan.swap) swap_bytes(tile, high * wide * plan.size, plan.swap);
                  copy_tile({tile, tile_step, size, target + row * p.row + column * p.column, p.row,
                             p.column, high, wide},
                            plan.size);
                });
}

}  // namespace

store_plan find_store(packed from, in_memory to) {
  store_plan p;
  p.state_size = size_of(from), p.size = size_of(to.type);
  p.convert = find_narrowing(from, to.type);
  if (!p.convert) return {};
  const bool is_complex = to.type == element::c64 || to.type == element::c128;
  if (to.swapped && p.size > 1) p.swap = is_complex ? p.size / 2 : p.size;
  const bool integer = from == packed::i64 || from == packed::u64;
  const bool same = integer ? to.type == element::i64 || to.type == element::u64
                            : (from == packed::f32 && to.type == element::f32) ||
                                  (from == packed::f64 && to.type == element::f64) ||
                                  (from == packed::c64 && to.type == element::c64) ||
                                  (from == packed::c128 && to.type == element::c128);
  p.kernel = {.arrays = 1, .element_size = {p.size}, .direct = same && !p.swap, .store = store};
  return p;
}

}  // namespace rung::simd
