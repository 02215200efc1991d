// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// scan_kernels for any operator and any value type, in plain C++: Blelloch's up-sweep and
// down-sweep over a block in L1, level by level. Entry 2i + 1 of an inclusive scan is the exclusive
// entry before value 2i + 2, so the last level costs one join for two entries. Cost: about 2n
// joins. Source: Blelloch, "Prefix sums and their applications" (1990).
#pragma once
#include "generic.hpp"

namespace rung::host::generic {

/// A binary counter of equal blocks: the folds before each of them, in the one order.
template <class S>
struct block_counter {
  room<S, 64> blocks, folds;  // folds[k]: everything through blocks[k - 1]; folds[0]: what was
                              // before the first block
  std::size_t count = 0, top = 0;
  bool has_start;

  explicit block_counter(const void* start) : has_start(start != nullptr) {
    if (start) std::memcpy(folds.bytes, start, sizeof(S));
  }
  const void* fold() { return top == 0 && !has_start ? nullptr : folds.data() + top; }
  template <class Op>
  void push(const Op& op, const S& block) {
    room<S, 1> t{};
    std::memcpy(t.bytes, &block, sizeof(S));
    for (std::size_t k = count++; k & 1; k >>= 1) *t.data() = op(blocks.data()[--top], *t.data());
    std::memcpy(static_cast<void*>(blocks.data() + top), t.bytes, sizeof(S));
    if (top == 0 && !has_start)
      std::memcpy(static_cast<void*>(folds.data() + 1), t.bytes, sizeof(S));
    else folds.data()[top + 1] = op(folds.data()[top], *t.data());
    top++;
  }
};

/// One block of n <= block_values values. up[] holds the levels of the up-sweep, pairs first.
/// `before` may be null. `whole` (if the block is full) receives the block's tree before `after` is
/// asked for.
template <class Op, class V>
struct block_scan {
  using S = state_t<Op, V>;
  static constexpr std::size_t block = std::max<std::size_t>(16, block_values<S> / 4);
  room<S, block> up, down[2];

  /// Joins the levels; returns the tree of the block if n is a power of two (otherwise of its
  /// leading one).
  const S* up_sweep(const Op& op, const V* x, std::size_t n, std::int64_t position) {
    S* level = up.data();
    lift_and_halve(op, x, level, n / 2, position);
    for (std::size_t m = n / 2; m > 1; m /= 2) {
      halve(op, level, level + m, m / 2);
      level += m;
    }
    return level;
  }

  /// folds[i] = the fold before position 2i of the block, for 2i < n; entry 0 is `before` (nothing
  /// there if null).
  const S* down_sweep(const Op& op, std::size_t n, const void* before) {
    S *from = down[0].data(), *to = down[1].data();
    if (before) std::memcpy(static_cast<void*>(from), before, sizeof(S));
    const int levels = n > 1 ? std::bit_width(n - 1) : 0;  // ceil(log2 n)
    for (int j = levels - 1; j >= 1; j--) {  // nodes of 2^j values; level j - 1 of up[]
      const S* left = up.data();
      for (int i = 1; i < j; i++) left += n >> i;
      const std::size_t nodes = ((n - 1) >> j) + 1, pairs = nodes / 2;
      std::size_t i = 0;
      if (!before) {
        if (nodes > 1) to[1] = left[0];
        i = 1;
      }
      expand(op, from, left, to, i, pairs);
      if (before || nodes > 1) {
        if (before) std::memcpy(static_cast<void*>(to), from, sizeof(S));
        if (nodes % 2)
          if (nodes > 1 || before) to[nodes - 1] = from[nodes / 2];
      }
      std::swap(from, to);
    }
    return from;
  }

  static void expand(const Op& op, const S* __restrict from, const S* __restrict left,
                     S* __restrict to, std::size_t begin, std::size_t pairs) {
    for (std::size_t i = begin; i < pairs; i++) {
      to[2 * i] = from[i];
      to[2 * i + 1] = op(from[i], left[2 * i]);
    }
  }

  /// The states of one block. `after`: the fold through the block, or null if the last entry has to
  /// be joined here.
  void finish(const Op& op, const V* x, std::size_t n, std::int64_t position, S* out,
              const void* before, const void* after, bool exclusive) {
    const S* folds = down_sweep(op, n, before);
    auto lifted = [&](std::size_t i) { return lift(op, x[i], position + std::int64_t(i)); };
    std::size_t i = 0;
    if (exclusive) {
      if (!before) {  // entry 0 is set by the caller
        if (n > 1) {
          const S first = lifted(0);
          out[1] = canonical_state(first);
        }
        i = 1;
      }
      for (; 2 * i + 1 < n; i++) {
        const S odd = op(folds[i], lifted(2 * i));
        out[2 * i] = canonical_state(folds[i]);
        out[2 * i + 1] = canonical_state(odd);
      }
      if (2 * i < n) out[2 * i] = canonical_state(folds[i]);
      return;
    }
    const std::size_t last = n - 1;
    if (!before) {
      const S first = lifted(0);
      if (n > 2) out[1] = canonical_state(folds[1]);
      else if (n == 2)
        out[1] =
            after ? canonical_state(copy_of<S>(after)) : canonical_state(S(op(first, lifted(1))));
      out[0] = canonical_state(first);
      i = 1;
    }
    for (; 2 * i + 2 < n; i++) {
      const S even = op(folds[i], lifted(2 * i));
      out[2 * i] = canonical_state(even);
      out[2 * i + 1] = canonical_state(folds[i + 1]);
    }
    if (2 * i == last) {
      out[last] = canonical_state(S(op(folds[i], lifted(last))));
    } else if (2 * i + 1 == last) {
      const S through = after ? copy_of<S>(after) : fold_through(op, n, before);
      out[2 * i] = canonical_state(S(op(folds[i], lifted(2 * i))));
      out[last] = canonical_state(through);
    }
  }

  /// The fold through all n (even) values of a block that is not followed by its other half.
  S fold_through(const Op& op, std::size_t n, const void* before) {
    room<S, 1> acc{};
    bool has = before != nullptr;
    if (has) std::memcpy(acc.bytes, before, sizeof(S));
    std::size_t done = 0;
    while (done < n) {
      const std::size_t m = std::bit_floor(n - done);
      const S* level = up.data();
      for (std::size_t j = 2; j < m; j *= 2) level += n / j;
      const S& t = level[done / m];
      if (has) *acc.data() = op(*acc.data(), t);
      else std::memcpy(acc.bytes, &t, sizeof(S));
      has = true;
      done += m;
    }
    return *acc.data();
  }
};

template <class Op, class V>
void scan_line(const void* op_object, const void* values, std::size_t n, void* states,
               const carry& c) {
  using S = state_t<Op, V>;
  const Op& op = *static_cast<const Op*>(op_object);
  const V* x = static_cast<const V*>(values);
  S* out = static_cast<S*>(states);
  using blocks = block_scan<Op, V>;
  auto work = std::make_unique<blocks>();
  block_counter<S> counter(c.before);
  if (c.exclusive && !c.before && n > 0) {
    // Entry 0 has nothing before it. In place, its value must be read first: finish() reads x[0]
    // before it writes out[1], and out[0] is written at the end.
  }
  for (std::size_t begin = 0; begin < n; begin += blocks::block) {
    const std::size_t m = std::min(blocks::block, n - begin);
    const std::int64_t position = c.position + std::int64_t(begin);
    const bool last = begin + m == n;
    alignas(S) std::byte before_bytes[sizeof(S)];
    const void* before = counter.fold();
    if (before) std::memcpy(before_bytes, before, sizeof(S)), before = before_bytes;
    const S* whole = m > 1 ? work->up_sweep(op, x + begin, m, position) : nullptr;
    const void* after = nullptr;
    if (m == blocks::block) {
      counter.push(op, *whole);
      after = counter.fold();
    }
    if (last && c.after) after = c.after;
    work->finish(op, x + begin, m, position, out + begin, before, after, c.exclusive);
  }
  if (c.exclusive && !c.before && n > 0) empty<Op, S>(op_object, out);
}

template <class Op, class V>
void scan_lines(const void* op_object, const void* values, std::size_t n, std::size_t count,
                void* states, const carry& c) {
  using S = state_t<Op, V>;
  for (std::size_t i = 0; i < count; i++)
    scan_line<Op, V>(op_object, static_cast<const V*>(values) + i * n, n,
                     static_cast<S*>(states) + i * n, c);
}

template <class Op, class V>
void scan_rows(const void* op_object, const void* values, std::ptrdiff_t stride, std::size_t n,
               std::size_t width, void* states, std::ptrdiff_t state_stride, const carry& c) {
  using S = state_t<Op, V>;
  const Op& op = *static_cast<const Op*>(op_object);
  constexpr std::size_t tile = std::max<std::size_t>(1, 1024 / sizeof(S));
  room<S, tile * 64> block_room, fold_room;
  for (std::size_t begin = 0; begin < width; begin += tile) {
    const V* x = static_cast<const V*>(values) + begin;
    S* out = static_cast<S*>(states) + begin;
    const std::size_t w = std::min(tile, width - begin);
    S *blocks = block_room.data(), *folds = fold_room.data();
    bool has = c.before != nullptr;
    if (has)
      std::memcpy(static_cast<void*>(folds), static_cast<const S*>(c.before) + begin,
                  w * sizeof(S));
    for (std::size_t r = 0; r < n; r++, x += stride, out += state_stride) {
      for (std::size_t i = 0; i < w; i++) blocks[i] = lift(op, x[i], c.position + std::int64_t(r));
      if (c.exclusive) {
        if (has)
          for (std::size_t i = 0; i < w; i++) out[i] = canonical_state(folds[i]);
        else
          for (std::size_t i = 0; i < w; i++) empty<Op, S>(op_object, out + i);
      }
      for (std::size_t k = r; k & 1; k >>= 1, blocks -= tile, folds -= tile)
        join_row(op, blocks - tile, blocks, blocks - tile, w);
      const bool first = folds == fold_room.data() && !c.before;
      if (first) std::memcpy(static_cast<void*>(folds + tile), blocks, w * sizeof(S));
      else join_row(op, folds, blocks, folds + tile, w);
      blocks += tile, folds += tile, has = true;
      if (c.exclusive) continue;
      if (r + 1 == n && c.after)
        for (std::size_t i = 0; i < w; i++)
          out[i] = canonical_state(static_cast<const S*>(c.after)[begin + i]);
      else
        for (std::size_t i = 0; i < w; i++) out[i] = canonical_state(folds[i]);
    }
  }
}

template <class Op, class V>
constexpr scan_kernels make_scan() {
  scan_kernels k{.line = scan_line<Op, V>, .lines = scan_lines<Op, V>, .rows = scan_rows<Op, V>};
  if constexpr (std::is_default_constructible_v<state_t<Op, V>>) k.segments = scan_segments<Op, V>;
  return k;
}

}  // namespace rung::host::generic
