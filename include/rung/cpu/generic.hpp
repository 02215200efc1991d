// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// fold_kernels for any operator and any value type, in plain C++: a block that fits in L1 is halved
// level by level, so that every level is one loop without dependences, which compilers vectorise.
// Data flow: values --lift, join neighbours--> n/2 states --join--> n/4 ... 1; larger trees by a
// binary counter of blocks. Cost: n - 1 joins, about 2n states through L1.
#pragma once
#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>

#include "../op.hpp"
#include "generic_segments.hpp"

namespace rung::host::generic {

/// Room for N objects of a type that need not have a default constructor.
template <class S, std::size_t N>
struct room {
  alignas(64) std::byte bytes[sizeof(S) * N];
  S* data() { return reinterpret_cast<S*>(bytes); }
};

template <class S>
inline constexpr std::size_t block_values = std::bit_floor(std::size_t(16384) / sizeof(S) < 64
                                                               ? 64
                                                               : 16384 / sizeof(S));

/// to[i] = op(from[2i], from[2i + 1]) for i < n.
template <class Op, class S>
void halve(const Op& op, const S* __restrict from, S* __restrict to, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) to[i] = op(from[2 * i], from[2 * i + 1]);
}
template <class Op, class V, class S>
void lift_and_halve(const Op& op, const V* __restrict from, S* __restrict to, std::size_t n,
                    std::int64_t position) {
  for (std::size_t i = 0; i < n; i++)
    to[i] = op(lift(op, from[2 * i], position + std::int64_t(2 * i)),
               lift(op, from[2 * i + 1], position + std::int64_t(2 * i + 1)));
}

/// The perfect trees over n <= block_values values each, count of them back to back, n * count <=
/// block_values.
template <class Op, class V, class S = state_t<Op, V>>
void block_trees(const Op& op, const V* values, std::size_t n, std::size_t count,
                 std::int64_t position, S* states) {
  room<S, block_values<S> / 2> a;
  room<S, block_values<S> / 4> b;
  if (n == 1) {
    for (std::size_t i = 0; i < count; i++) states[i] = lift(op, values[i], position);
    return;
  }
  S *from = a.data(), *to = b.data();
  lift_and_halve(op, values, n == 2 ? states : from, n / 2 * count, position);
  for (n /= 2; n > 1; n /= 2) {
    halve(op, from, n == 2 ? states : to, n / 2 * count);
    std::swap(from, to);
  }
}

/// The perfect tree over n (a power of two) contiguous values.
template <class Op, class V>
void tree(const void* op_object, const void* values, std::size_t n, std::int64_t position,
          void* state) {
  using S = state_t<Op, V>;
  const Op& op = *static_cast<const Op*>(op_object);
  const V* x = static_cast<const V*>(values);
  if constexpr (absorbs_lines<Op, V>) {
    const S all = fold_line(op, x, n);
    std::memcpy(state, &all, sizeof(S));
    return;
  }
  constexpr std::size_t block = block_values<S>;
  if (n <= block) return block_trees(op, x, n, 1, position, static_cast<S*>(state));
  room<S, 64> stack;
  S* top = stack.data();
  for (std::size_t i = 0; i < n / block; i++) {
    room<S, 1> t{};
    block_trees(op, x + i * block, block, 1, position + std::int64_t(i * block), t.data());
    for (std::size_t k = i; k & 1; k >>= 1) *t.data() = op(*--top, *t.data());
    std::memcpy(static_cast<void*>(top++), t.data(), sizeof(S));
  }
  std::memcpy(state, stack.data(), sizeof(S));
}

template <class Op, class V>
void trees(const void* op_object, const void* values, std::size_t n, std::size_t count,
           void* states) {
  using S = state_t<Op, V>;
  const Op& op = *static_cast<const Op*>(op_object);
  const V* x = static_cast<const V*>(values);
  S* out = static_cast<S*>(states);
  constexpr std::size_t block = block_values<S>;
  if (absorbs_lines<Op, V> || is_positional<Op, V> ||
      n >= block) {  // every tree starts at position 0
    for (std::size_t i = 0; i < count; i++) tree<Op, V>(op_object, x + i * n, n, 0, out + i);
    return;
  }
  for (std::size_t i = 0; i < count;) {
    const std::size_t m = std::min(count - i, block / n);
    block_trees(op, x + i * n, n, m, 0, out + i);
    i += m;
  }
}

template <class Op, class S>
void join_row(const Op& op, const S* left, const S* right, S* out, std::size_t width) {
  for (std::size_t c = 0; c < width; c++) out[c] = op(left[c], right[c]);
}

/// Columns as lines, some hundred rows at a time.
template <class Op, class V, class S>
void absorb_columns(const Op& op, const V* x, std::ptrdiff_t stride, std::size_t n,
                    std::size_t width, S* states) {
  constexpr std::size_t rows = 256, columns = 16;
  room<V, rows * columns> line;
  for (std::size_t first = 0; first < n; first += rows)
    for (std::size_t left = 0; left < width; left += columns) {
      const std::size_t m = std::min(rows, n - first), w = std::min(columns, width - left);
      for (std::size_t r = 0; r < m; r++)
        for (std::size_t c = 0; c < w; c++)
          line.data()[c * rows + r] =
              x[std::ptrdiff_t(first + r) * stride + std::ptrdiff_t(left + c)];
      for (std::size_t c = 0; c < w; c++)
        absorb_line(op, states[left + c], line.data() + c * rows, m);
    }
}

template <class Op, class V>
void tree_rows(const void* op_object, const void* values, std::ptrdiff_t stride, std::size_t n,
               std::size_t width, std::int64_t position, void* states) {
  using S = state_t<Op, V>;
  const Op& op = *static_cast<const Op*>(op_object);
  if constexpr (absorbs_lines<Op, V>) {
    S* out = static_cast<S*>(states);
    for (std::size_t c = 0; c < width; c++) out[c] = identity<S>(op);
    absorb_columns(op, static_cast<const V*>(values), stride, n, width, out);
    return;
  }
  constexpr std::size_t tile = std::max<std::size_t>(1, 1024 / sizeof(S));
  room<S, tile * 64> stack;  // a binary counter of rows of states; only log2(n) of them are touched
  for (std::size_t begin = 0; begin < width; begin += tile) {
    const V* x = static_cast<const V*>(values) + begin;
    const std::size_t w = std::min(tile, width - begin);
    S* top = stack.data();
    for (std::size_t r = 0; r < n; r += 2) {
      const V *upper = x + std::ptrdiff_t(r) * stride, *lower = upper + stride;
      if (n == 1) {
        for (std::size_t c = 0; c < w; c++) top[c] = lift(op, upper[c], position);
        break;
      }
      for (std::size_t c = 0; c < w; c++)
        top[c] = op(lift(op, upper[c], position + std::int64_t(r)),
                    lift(op, lower[c], position + std::int64_t(r + 1)));
      for (std::size_t k = r / 2; k & 1; k >>= 1, top -= tile)
        join_row(op, top - tile, top, top - tile, w);
      top += tile;
    }
    std::memcpy(static_cast<void*>(static_cast<S*>(states) + begin), stack.data(), w * sizeof(S));
  }
}

template <class Op, class S>
void join(const void* op, void* left, const void* right, std::size_t width) {
  S* l = static_cast<S*>(left);
  join_row(*static_cast<const Op*>(op), l, static_cast<const S*>(right), l, width);
}

template <class Op, class S>
void empty(const void* op, void* state) {
  if constexpr (has_empty<Op, S>) {
    const S s = empty_state<S>(*static_cast<const Op*>(op));
    std::memcpy(state, &s, sizeof(S));
  }
}

/// The table of an operator over values of type V.
template <class Op, class V>
constexpr fold_kernels make_fold() {
  using S = state_t<Op, V>;
  return {.value_size = sizeof(V),
          .state_size = sizeof(S),
          .any_order = any_order<Op, S>,
          .positional = is_positional<Op, V>,
          .has_empty = has_empty<Op, S>,
          .tree = tree<Op, V>,
          .trees = trees<Op, V>,
          .tree_rows = tree_rows<Op, V>,
          .join = join<Op, S>,
          .empty = empty<Op, S>,
          .segments = segments<Op, V>};
}

}  // namespace rung::host::generic
