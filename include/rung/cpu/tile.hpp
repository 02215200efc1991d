// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A tile: one result, or the results of neighbouring kept positions (columns), folded over aligned
// ranges of positions (rows). Values are used where they lie if they are values already, otherwise
// an L1-sized block is loaded at a time. Three forms, chosen by where the short strides are:
//   line    one result; its values side by side (or gathered)      -> tree
//   panel   many results, a row of values per position             -> tree_rows
//   trees   many short lines of 2^k values, back to back            -> trees
#pragma once
#include <bit>
#include <cstring>

#include "axis.hpp"
#include "threads.hpp"

namespace rung::host {

enum class form { line, panel, trees };

/// What the tiles of a reduce and of a scan have in common.
struct folding {
  plan p;
  const void* op = nullptr;
  const fold_kernels* fold = nullptr;
  load_kernel load{};
  const void* load_context = nullptr;
  form shape = form::line;
  std::int64_t tile_columns = 1;  ///< results per tile
  std::int64_t first = 0;  ///< position of the first value, a multiple of a power of two >= length
};

/// A place in the kept loops: `columns` results from column `first` of outer row `row`.
struct tile {
  offsets at;
  std::int64_t columns;
};

inline constexpr std::int64_t block_bytes = 16384;  ///< loaded values at a time: half of L1
inline constexpr std::int64_t short_line = 64;  ///< lines up to this length are folded column-wise

inline std::int64_t floor_power(std::int64_t n) {
  return std::int64_t(std::bit_floor(std::uint64_t(std::max<std::int64_t>(n, 1))));
}

inline form choose_form(const folding& f) {
  const loop &k = f.p.inner_kept(), &d = f.p.inner_folded();
  const std::int64_t element = std::int64_t(f.load.element_size[0]);
  if (k.length == 1) return form::line;
  const bool power = std::has_single_bit(std::uint64_t(f.p.length)) &&
                     !(f.first != 0 && f.fold->positional);  // trees begin at position 0
  const bool back_to_back = f.load.direct && k.source[0] == f.p.length * element;
  if (f.p.folded.count == 1 && d.source[0] == element && power &&
      (f.p.length <= 256 || (back_to_back && f.p.length * element <= block_bytes / 4)))
    return form::trees;
  if (f.p.length <= short_line) return form::panel;
  return std::abs(k.source[0]) < std::abs(d.source[0]) && k.length >= 3 ? form::panel : form::line;
}

/// True if the values of innermost step `step` can be used where they lie.
inline bool lies_ready(const folding& f, std::int64_t step) {
  if (!f.load.direct) return false;
  const std::int64_t size = std::int64_t(f.load.element_size[0]),
                     align = std::min<std::int64_t>(8, size & -size);
  const loop &k = f.p.inner_kept(), &d = f.p.inner_folded();
  return step == size && k.source[0] % size == 0 && d.source[0] % size == 0 &&
         reinterpret_cast<std::uintptr_t>(f.p.source[0]) % std::uintptr_t(align) == 0;
}

inline std::int64_t tiles_per_row(const folding& f) {
  return (f.p.inner_kept().length + f.tile_columns - 1) / f.tile_columns;
}
inline std::int64_t tile_count(const folding& f) {
  return f.p.results / f.p.inner_kept().length * tiles_per_row(f);
}
inline tile find_tile(const folding& f, std::int64_t index) {
  const std::int64_t per_row = tiles_per_row(f), first = index % per_row * f.tile_columns;
  tile t{outer_offsets(f.p, index / per_row),
         std::min(f.tile_columns, f.p.inner_kept().length - first)};
  for (int a = 0; a < f.p.sources; a++) t.at.source[a] += first * f.p.inner_kept().source[a];
  for (int a = 0; a < f.p.targets; a++) t.at.target[a] += first * f.p.inner_kept().target[a];
  return t;
}

/// Loads positions [begin, begin + n) of a tile: value (r, c) goes to values[r * columns + c].
inline void load_block(const folding& f, const tile& t, std::int64_t begin, std::int64_t n,
                       std::byte* values) {
  const loop &k = f.p.inner_kept(), &d = f.p.inner_folded();
  for_each_run(f.p, begin, n, [&](const offsets& o, std::int64_t m, std::int64_t done) {
    std::array<place, max_arrays> from;
    for (int a = 0; a < f.p.sources; a++)
      from[a] = {f.p.source[a] + t.at.source[a] + o.source[a], d.source[a], k.source[a]};
    std::byte* to = values + done * t.columns * std::int64_t(f.fold->value_size);
    if (t.columns == 1) {  // one result: the positions are the columns of a single row
      for (int a = 0; a < f.p.sources; a++) from[a].row = 0, from[a].column = d.source[a];
      f.load.load(f.load_context, from.data(), 1, std::size_t(m), to, std::ptrdiff_t(m));
    } else
      f.load.load(f.load_context, from.data(), std::size_t(m), std::size_t(t.columns), to,
                  t.columns);
  });
}

/// Rows of states, one state per column: a binary counter of equal blocks, then blocks that get
/// smaller. Their left fold is the fold of everything pushed.
class state_rows {
 public:
  static constexpr int most = 66;
  static std::size_t bytes(const folding& f, std::int64_t columns) {
    return most * std::size_t(columns) * f.fold->state_size;
  }

  state_rows(const folding& f, std::byte* memory, std::int64_t columns)
      : f_(f), columns_(std::size_t(columns)), step_(columns_ * f.fold->state_size), top_(memory) {}
  /// Where the states of the next block go.
  std::byte* next() { return top_; }
  /// The next block is as large as the first.
  void push_equal() {
    for (std::size_t k = blocks_++; k & 1; k >>= 1) {
      f_.fold->join(f_.op, top_ - step_, top_, columns_);
      top_ -= step_, rows_--;
    }
    push_smaller();
  }
  void push_smaller() { top_ += step_, rows_++; }
  /// The left fold of all rows, after `start` (one state, the same for every column) if there is
  /// one.
  const std::byte* value(const void* start) {
    std::byte* acc = top_ - std::ptrdiff_t(rows_) * std::ptrdiff_t(step_);
    std::byte* row = acc;
    if (start) {
      acc = top_;
      for (std::size_t c = 0; c < columns_; c++)
        std::memcpy(acc + c * f_.fold->state_size, start, f_.fold->state_size);
    } else row += step_;
    for (; row < top_; row += step_) f_.fold->join(f_.op, acc, row, columns_);
    return acc;
  }
  bool is_empty() const { return rows_ == 0; }

 private:
  const folding& f_;
  std::size_t columns_, step_, blocks_ = 0, rows_ = 0;
  std::byte* top_;
};

/// states[c] = the perfect tree over positions [begin, begin + n) of column c; n a power of two,
/// begin a multiple.
inline void fold_aligned(const folding& f, const tile& t, std::int64_t begin, std::int64_t n,
                         std::byte* states) {
  const fold_kernels& kernel = *f.fold;
  const loop &k = f.p.inner_kept(), &d = f.p.inner_folded();
  const std::int64_t size = std::int64_t(kernel.value_size);
  const bool line = t.columns == 1 && f.shape != form::panel;
  const bool one_run = f.p.folded.count == 1 || d.length % n == 0;
  if (one_run && lies_ready(f, line ? d.source[0] : k.source[0])) {
    const std::byte* values = f.p.source[0] + t.at.source[0];
    for_each_run(f.p, begin, 1,
                 [&](const offsets& o, std::int64_t, std::int64_t) { values += o.source[0]; });
    if (line) kernel.tree(f.op, values, std::size_t(n), f.first + begin, states);
    else
      kernel.tree_rows(f.op, values, d.source[0] / size, std::size_t(n), std::size_t(t.columns),
                       f.first + begin, states);
    return;
  }
  const std::int64_t rows = std::min(n, floor_power(block_bytes / (size * t.columns)));
  std::byte* values = thread_buffer<0>(std::size_t(rows * t.columns * size));
  auto fold_block = [&](std::int64_t at, std::byte* out) {
    load_block(f, t, at, rows, values);
    if (line) kernel.tree(f.op, values, std::size_t(rows), f.first + at, out);
    else
      kernel.tree_rows(f.op, values, t.columns, std::size_t(rows), std::size_t(t.columns),
                       f.first + at, out);
  };
  if (rows == n) return fold_block(begin, states);
  state_rows blocks(f, thread_buffer<1>(state_rows::bytes(f, t.columns)), t.columns);
  for (std::int64_t done = 0; done < n; done += rows) {
    fold_block(begin + done, blocks.next());
    blocks.push_equal();
  }
  std::memcpy(states, blocks.value(nullptr), std::size_t(t.columns) * kernel.state_size);
}

/// Pushes the blocks of positions [begin, begin + n), n less than what was pushed per block before.
inline void fold_rest(const folding& f, const tile& t, std::int64_t begin, std::int64_t n,
                      state_rows& rows) {
  while (n > 0) {
    const std::int64_t m = floor_power(n);
    fold_aligned(f, t, begin, m, rows.next());
    rows.push_smaller();
    begin += m, n -= m;
  }
}

}  // namespace rung::host
