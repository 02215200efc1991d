// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads. Elements that lie side by side are converted where they are; others are first copied into
// a tile in L1 (transposed, gathered, their bytes put in order), and converted from there. Cost:
// every source byte is read once; at most two passes over L1.
#include <cstdlib>

#include "simd/memory.hpp"

namespace rung::simd {
namespace {

bool is_aligned(const void* p, std::ptrdiff_t row, std::size_t size) {
  const std::size_t align = size < 8 ? size : 8;
  return (reinterpret_cast<std::uintptr_t>(p) | std::uintptr_t(row)) % align == 0;
}

/// One source -> values, whose rows are to_step bytes apart.
void load_side(const load_plan::side& s, std::size_t value_size, const host::place& p,
               std::size_t rows, std::size_t columns, std::byte* to, std::ptrdiff_t to_step) {
  const auto* from = static_cast<const std::byte*>(p.data);
  const auto size = std::ptrdiff_t(s.size);
  if (!s.convert) {
    copy_tile({from, p.row, p.column, to, to_step, size, rows, columns}, s.size);
    for (std::size_t r = 0; s.swap && r < rows; r++)
      swap_bytes(to + std::ptrdiff_t(r) * to_step, columns * s.size, s.swap);
    return;
  }
  if (!s.swap && (p.column == size || columns == 1) && is_aligned(from, p.row, s.size))
    return s.convert(from, p.row, rows, columns, to, to_step);
  alignas(64) std::byte tile[tile_bytes];
  const bool across = std::abs(p.row) < std::abs(p.column);
  for_each_tile(rows, columns, tile_bytes / s.size, across,
                [&](std::size_t r, std::size_t c, std::size_t high, std::size_t wide) {
                  const auto row = std::ptrdiff_t(r), column = std::ptrdiff_t(c);
                  const std::ptrdiff_t tile_step = std::ptrdiff_t(wide) * size;
                  copy_tile({from + row * p.row + column * p.column, p.row, p.column, tile,
                             tile_step, size, high, wide},
                            s.size);
                  if (s.swap) swap_bytes(tile, high * wide * s.size, s.swap);
                  s.convert(tile, tile_step, high, wide,
                            to + row * to_step + column * std::ptrdiff_t(value_size), to_step);
                });
}

void load(const void* context, const host::place* from, std::size_t rows, std::size_t columns,
          void* values, std::ptrdiff_t stride) {
  const load_plan& plan = *static_cast<const load_plan*>(context);
  const bool two = plan.kernel.arrays == 2;
  host::place first = from[0], second = two ? from[1] : host::place{};
  auto* to = static_cast<std::byte*>(values);
  const auto value_size = std::ptrdiff_t(plan.value_size);
  std::ptrdiff_t step = stride * value_size;
  if (columns == 1 && stride == 1) {  // a line that was handed over as a column
    columns = rows, rows = 1;
    first.column = first.row, second.column = second.row;
  }
  const bool one_run = first.row == std::ptrdiff_t(columns) * first.column &&
                       (!two || second.row == std::ptrdiff_t(columns) * second.column);
  if (one_run && stride == std::ptrdiff_t(columns)) columns *= rows, rows = 1;
  load_side(plan.sides[0], plan.value_size, first, rows, columns, to, step);
  if (two) {
    const auto multiply = find_product(plan.to, plan.how == load_how::product_conjugated);
    alignas(64) std::byte tile[tile_bytes];
    for_each_tile(rows, columns, tile_bytes / plan.value_size, false,
                  [&](std::size_t r, std::size_t c, std::size_t high, std::size_t wide) {
                    const auto row = std::ptrdiff_t(r), column = std::ptrdiff_t(c);
                    host::place p = second;
                    p.data = static_cast<std::byte*>(p.data) + row * p.row + column * p.column;
                    const std::ptrdiff_t tile_step = std::ptrdiff_t(wide) * value_size;
                    load_side(plan.sides[1], plan.value_size, p, high, wide, tile, tile_step);
                    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(high); i++)
                      multiply(to + (row + i) * step + column * value_size, tile + i * tile_step,
                               wide);
                  });
  }
  if (plan.how == load_how::nan_as)
    if (const auto replace = find_nan_replacement(plan.to))
      for (std::ptrdiff_t r = 0; r < std::ptrdiff_t(rows); r++)
        replace(to + r * step, columns, plan.instead);
}

bool is_complex_element(element e) { return e == element::c64 || e == element::c128; }

bool is_same(element e, packed p) {
  switch (p) {
    case packed::i64:
      return e == element::i64 || e == element::u64;
    case packed::u64:
      return e == element::i64 || e == element::u64;
    case packed::f32:
      return e == element::f32;
    case packed::f64:
      return e == element::f64;
    case packed::c64:
      return e == element::c64;
    case packed::c128:
      return e == element::c128;
    case packed::f16:
      return e == element::f16;
    case packed::bf16:
      return e == element::bf16;
    case packed::i32:
      return e == element::i32;
  }
  return false;
}

bool fill_side(load_plan::side& s, in_memory from, packed to, load_how how) {
  s.size = size_of(from.type);
  if (from.swapped && s.size > 1) s.swap = is_complex_element(from.type) ? s.size / 2 : s.size;
  if (how == load_how::nonzero || how == load_how::nonzero_number)
    s.convert = find_nonzero(from.type, how == load_how::nonzero_number);
  else if (is_same(from.type, to)) return true;
  else s.convert = find_widening(from.type, to);
  return s.convert != nullptr;
}

}  // namespace

load_plan find_load(in_memory from, packed to, load_how how, in_memory second) {
  const bool two = how == load_how::product || how == load_how::product_conjugated;
  load_plan p;
  p.to = to, p.how = how, p.value_size = size_of(to);
  const bool counts = how == load_how::nonzero || how == load_how::nonzero_number;
  if (counts && to != packed::i64) return {};
  if (!fill_side(p.sides[0], from, to, how)) return {};
  if (two && !fill_side(p.sides[1], second, to, how)) return {};
  const bool copies = !p.sides[0].convert && !p.sides[0].swap;
  p.kernel.arrays = two ? 2 : 1;
  p.kernel.element_size[0] = p.sides[0].size;
  p.kernel.element_size[1] = p.sides[1].size;
  p.kernel.direct = copies && !two && (how == load_how::value || !find_nan_replacement(to));
  p.kernel.load = load;
  return p;
}

std::size_t size_of(element e) {
  constexpr std::size_t sizes[element_count] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
  return sizes[int(e)];
}
std::size_t size_of(packed p) {
  constexpr std::size_t sizes[] = {8, 8, 4, 8, 8, 16, 2, 2, 4};
  return sizes[int(p)];
}

}  // namespace rung::simd
