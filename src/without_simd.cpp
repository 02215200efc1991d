// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Without Highway: no SIMD tables, and loads in plain loops. Elements of any type, stride and byte
// order to packed values: gather (and swap) a row into native elements side by side where it is not
// that already, then convert the row. Products convert both sources, then multiply. Cost: one read
// of the elements, one write of the values, both in L1.
#include <bit>
#include <cstring>

#include "exact.hpp"
#include "tables.hpp"

namespace rung::runtime {
using host::place;
namespace {

/// What load() is told.
struct load_context {
  using convert_row = void (*)(const void* from, void* to, std::size_t n, const packed_value& nan);
  using join_row = void (*)(const void* right, void* left, std::size_t n);
  int arrays = 1;
  std::size_t element[2]{}, swap_unit[2]{}, value = 0;
  convert_row convert[2]{};
  join_row join = nullptr;
  packed_value nan{};
};

constexpr std::size_t piece = 512;  ///< elements gathered at a time

template <class E>
E read(const void* from, std::size_t i) {  // elements of a file may lie at any address
  E e;
  std::memcpy(&e, static_cast<const std::byte*>(from) + i * sizeof(E), sizeof(E));
  return e;
}
template <>
bool read<bool>(const void* from, std::size_t i) {  // any byte but 0 is true
  return static_cast<const unsigned char*>(from)[i] != 0;
}

template <class E, class P, meaning How>
void convert_row(const void* from, void* to, std::size_t n,
                 [[maybe_unused]] const packed_value& nan) {
  P* out = static_cast<P*>(to);
  for (std::size_t i = 0; i < n; i++) {
    const E e = read<E>(from, i);
    if constexpr (How == meaning::nonzero) out[i] = is_nan(e) ? nan.as<P>() : P(is_nonzero(e));
    else if constexpr (How == meaning::nan_as) out[i] = is_nan(e) ? nan.as<P>() : convert<P>(e);
    else if constexpr (How == meaning::product_conjugated && is_complex<P>) {
      const P z = convert<P>(e);
      out[i] = P(z.re, -z.im);
    } else out[i] = convert<P>(e);
  }
}

template <class P>
void multiply_row(const void* right, void* left, std::size_t n) {
  P* l = static_cast<P*>(left);
  for (std::size_t i = 0; i < n; i++) l[i] = mul(l[i], static_cast<const P*>(right)[i]);
}

template <std::size_t Size, std::size_t Unit>
void gather_row(const std::byte* from, std::ptrdiff_t step, std::byte* to, std::size_t n) {
  for (std::size_t i = 0; i < n; i++, from += step, to += Size) {
    if constexpr (Unit <= 1) std::memcpy(to, from, Size);
    else
      for (std::size_t part = 0; part < Size; part += Unit)
        for (std::size_t b = 0; b < Unit; b++) to[part + b] = from[part + Unit - 1 - b];
  }
}

void gather(std::size_t size, std::size_t unit, const std::byte* from, std::ptrdiff_t step,
            std::byte* to, std::size_t n) {
  switch (size * 32 + unit) {
    case 1 * 32:
      return gather_row<1, 0>(from, step, to, n);
    case 2 * 32:
      return gather_row<2, 0>(from, step, to, n);
    case 4 * 32:
      return gather_row<4, 0>(from, step, to, n);
    case 8 * 32:
      return gather_row<8, 0>(from, step, to, n);
    case 16 * 32:
      return gather_row<16, 0>(from, step, to, n);
    case 2 * 32 + 2:
      return gather_row<2, 2>(from, step, to, n);
    case 4 * 32 + 4:
      return gather_row<4, 4>(from, step, to, n);
    case 8 * 32 + 8:
      return gather_row<8, 8>(from, step, to, n);
    case 8 * 32 + 4:
      return gather_row<8, 4>(from, step, to, n);
    case 16 * 32 + 8:
      return gather_row<16, 8>(from, step, to, n);
  }
}

void load_row(const load_context& c, int array, const place& from, std::size_t row,
              std::size_t columns, std::byte* to) {
  const std::byte* first =
      static_cast<const std::byte*>(from.data) + std::ptrdiff_t(row) * from.row;
  if (from.column == std::ptrdiff_t(c.element[array]) && c.swap_unit[array] == 0)
    return c.convert[array](first, to, columns, c.nan);
  alignas(64) std::byte native[piece * 16];
  for (std::size_t done = 0; done < columns; done += piece) {
    const std::size_t n = std::min(piece, columns - done);
    gather(c.element[array], c.swap_unit[array], first + std::ptrdiff_t(done) * from.column,
           from.column, native, n);
    c.convert[array](native, to + done * c.value, n, c.nan);
  }
}

void load(const void* context, const place* from, std::size_t rows, std::size_t columns,
          void* values, std::ptrdiff_t stride) {
  const load_context& c = *static_cast<const load_context*>(context);
  std::byte* out = static_cast<std::byte*>(values);
  for (std::size_t r = 0; r < rows; r++, out += stride * std::ptrdiff_t(c.value)) {
    load_row(c, 0, from[0], r, columns, out);
    if (c.arrays == 1) continue;
    alignas(64) std::byte second[piece * 16];
    for (std::size_t done = 0; done < columns; done += piece) {
      place rest = from[1];
      rest.data = static_cast<std::byte*>(rest.data) + std::ptrdiff_t(done) * rest.column;
      const std::size_t n = std::min(piece, columns - done);
      load_row(c, 1, rest, r, n, second);
      c.join(second, out + done * c.value, n);
    }
  }
}

template <meaning How>
load_context::convert_row find_convert(rung_type from, packed to) {
  return visit(from, [&](auto e) {
    using E = typename decltype(e)::type;
    return visit(to, [&](auto p) -> load_context::convert_row {
      using P = typename decltype(p)::type;
      constexpr bool wanted = How == meaning::nonzero  ? std::is_same_v<P, std::int64_t>
                              : How == meaning::nan_as ? !integer<E> && !integer<P>
                              : How == meaning::product_conjugated
                                  ? is_complex<E> && is_complex<P>
                                  : !is_complex<E> || is_complex<P>;
      if constexpr (wanted) return convert_row<E, P, How>;
      else return nullptr;
    });
  });
}

}  // namespace

void make_load(loader& l, std::span<const source_type> sources, packed to, meaning how,
               packed_value nan) {
  if (how == meaning::pair) return make_pair_load(l, sources, to);
  load_context& context = l.put(load_context{});
  context.arrays = int(sources.size());
  context.nan = nan;
  context.value = rung_type_size(code_of(to));
  l.kernel = {.arrays = context.arrays, .element_size = {}, .direct = false, .load = load};
  for (std::size_t a = 0; a < sources.size(); a++) {
    const rung_type t = sources[a].type;
    const std::size_t size = rung_type_size(t), unit = is_complex_type(t) ? size / 2 : size;
    context.element[a] = l.kernel.element_size[a] = size;
    context.swap_unit[a] = sources[a].swapped && unit > 1 ? unit : 0;
    context.convert[a] = find_convert<meaning::value>(t, to);
    if (how == meaning::nonzero) context.convert[a] = find_convert<meaning::nonzero>(t, to);
    else if (how == meaning::nan_as && !is_integer(t))
      context.convert[a] = find_convert<meaning::nan_as>(t, to);
    else if (how == meaning::product_conjugated && a == 0 && is_complex_type(t))
      context.convert[a] = find_convert<meaning::product_conjugated>(t, to);
    if (!context.convert[a]) refuse_load(t, to);
  }
  context.join = visit(to, [](auto p) -> load_context::join_row {
    return multiply_row<typename decltype(p)::type>;
  });
  l.kernel.direct = how == meaning::value && context.arrays == 1 &&
                    sources[0].type == code_of(to) && !context.swap_unit[0];
}

const host::fold_kernels* simd_fold(kernel_op, packed) { return nullptr; }
const host::scan_kernels* simd_scan(kernel_op, packed) { return nullptr; }
host::stored_kernels simd_stored(loader&, kernel_op, source_type, packed) { return {}; }
const char* simd_name() { return "none"; }
bool simd_store(storer&, packed, rung_type) { return false; }

}  // namespace rung::runtime
