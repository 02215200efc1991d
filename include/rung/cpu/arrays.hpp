// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Typed calls made into the untyped form of the drivers: load and store kernels for C++ types.
#pragma once

#include "../base/arrays.hpp"
#include "../op.hpp"
#include "axis.hpp"
#include "generic.hpp"

namespace rung::host {

template <class T>
const T& element(const place& p, std::size_t r, std::size_t c) {
  return *reinterpret_cast<const T*>(static_cast<const std::byte*>(p.data) +
                                     std::ptrdiff_t(r) * p.row + std::ptrdiff_t(c) * p.column);
}

/// values = f(elements of the sources), converted to V.
template <class V, class F, class... Ts>
struct typed_load {
  template <std::size_t... Nth>
  static void row(const F& f, const place* from, std::size_t r, std::size_t columns, V* out,
                  std::index_sequence<Nth...>) {
    if (((from[Nth].column == std::ptrdiff_t(sizeof(Ts))) && ...)) {
      const auto rows = std::tuple(&element<Ts>(from[Nth], r, 0)...);
      for (std::size_t c = 0; c < columns; c++) out[c] = convert<V>(f(std::get<Nth>(rows)[c]...));
    } else {
      for (std::size_t c = 0; c < columns; c++)
        out[c] = convert<V>(f(element<Ts>(from[Nth], r, c)...));
    }
  }
  static void load(const void* context, const place* from, std::size_t rows, std::size_t columns,
                   void* values, std::ptrdiff_t stride) {
    for (std::size_t r = 0; r < rows; r++)
      row(*static_cast<const F*>(context), from, r, columns,
          static_cast<V*>(values) + std::ptrdiff_t(r) * stride, std::index_sequence_for<Ts...>{});
  }
  static constexpr load_kernel kernel() {
    load_kernel k{
        .arrays = sizeof...(Ts), .element_size = {sizeof(Ts)...}, .direct = false, .load = load};
    k.direct = sizeof...(Ts) == 1 && std::is_same_v<F, as_it_is> && (std::is_same_v<Ts, V> && ...);
    return k;
  }
};

/// out = the result of each state, as an R.
template <class Op, class T, class R>
struct typed_store {
  using S = state_t<Op, T>;
  static void store(const void* context, const void* states, std::ptrdiff_t stride,
                    std::size_t rows, std::size_t columns, const place* to, std::int64_t) {
    const Op& op = *static_cast<const Op*>(context);
    for (std::size_t r = 0; r < rows; r++)
      for (std::size_t c = 0; c < columns; c++) {
        const auto result = result_of<Op, T>(
            op, static_cast<const S*>(states)[std::ptrdiff_t(r) * stride + std::ptrdiff_t(c)]);
        auto& out = const_cast<R&>(element<R>(*to, r, c));
        if constexpr (number<R> && number<std::remove_cvref_t<decltype(result)>>)
          out = convert<R>(result);
        else out = result;
      }
  }
  static constexpr store_kernel kernel() {
    return {.arrays = 1,
            .element_size = {sizeof(R)},
            .direct = std::is_same_v<S, R> && number<R> && !detail_finishes,
            .store = store};
  }
  static constexpr bool detail_finishes = rung::detail::finishes<Op, S>;
};

/// out = the entries of a scan that writes results.
template <class R>
struct entry_store {
  static void store(const void*, const void* entries, std::ptrdiff_t stride, std::size_t rows,
                    std::size_t columns, const place* to, std::int64_t) {
    for (std::size_t r = 0; r < rows; r++)
      for (std::size_t c = 0; c < columns; c++)
        const_cast<R&>(element<R>(*to, r, c)) =
            static_cast<const R*>(entries)[std::ptrdiff_t(r) * stride + std::ptrdiff_t(c)];
  }
  static constexpr store_kernel kernel() {
    return {.arrays = 1, .element_size = {sizeof(R)}, .direct = true, .store = store};
  }
};

}  // namespace rung::host
