// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The summary of a contiguous range of positions as the states of its maximal aligned power-of-two
// blocks, for any operator given as a table of kernels. A new block joins its left neighbour
// whenever the two are the halves of an aligned block, so what was appended or merged in which
// portions can never show.
// Cost: values are read once, on all cores; at most 2 log2(n) states are held.
#pragma once
#include <array>
#include <memory>
#include <utility>

#include "partial_bytes.hpp"
#include "run_reduce.hpp"
#include "state_bytes.hpp"

namespace rung::host {

class partial_blocks {
 public:
  /// Nothing yet, from position begin on. kernels and op must stay where they are.
  partial_blocks(const fold_kernels& kernels, const void* op, std::int64_t begin = 0)
      : kernels_(&kernels), op_(op), begin_(begin), end_(begin) {
    if (begin < 0 || begin > position_limit)
      fail(error_code::bad_argument, "rung: a partial cannot begin at position " +
                                         std::to_string(begin) + "; 0 to 2^62 are possible");
  }

  position_range range() const { return {begin_, end_}; }
  std::size_t blocks() const { return count_; }
  /// The states of the blocks from left to right.
  std::span<const std::byte> states() const {
    return {reinterpret_cast<const std::byte*>(cells_.data()), count_ * kernels_->state_size};
  }

  /// n more values, side by side and aligned to their type. If the operator throws, nothing has
  /// changed.
  void append(const cpu_rung& where, const void* values, std::int64_t n) {
    const std::ptrdiff_t size = std::ptrdiff_t(kernels_->value_size);
    const load_kernel as_they_lie{
        .arrays = 1, .element_size = {kernels_->value_size}, .direct = true, .load = nullptr};
    const place from{const_cast<void*>(values), 0, size};
    append(where, as_they_lie, nullptr, {&from, 1}, n);
  }
  /// n more values, the i-th loaded from from[a].data + i * from[a].column of every array a.
  void append(const cpu_rung& where, const load_kernel& load, const void* load_context,
              std::span<const place> from, std::int64_t n) {
    if (n < 0 || n > position_limit - end_)
      fail(error_code::bad_argument, "rung: " + std::to_string(n) +
                                         " values cannot follow position " + std::to_string(end_) +
                                         "; positions end at 2^62");
    partial_blocks next = *this;
    cpu_rung who = where;
    who.progress = nullptr;
    const std::int64_t size = std::int64_t(kernels_->value_size);
    if (n * double(size) < double(chunk_bytes)) who.threads = 1;
    const std::int64_t longest = std::max<std::int64_t>(1, floor_power(chunk_bytes / size));
    for (std::int64_t done = 0; done < n;) {
      std::array<piece, 256> pieces;
      std::size_t count = 0;
      for (; count < pieces.size() && done < n; count++) {
        const std::int64_t at = end_ + done;
        const std::int64_t length = std::min(longest, aligned_block(at, n - done));
        pieces[count] = {at, done, length};
        done += length;
      }
      cells states(cell_count(count));
      auto* first = reinterpret_cast<std::byte*>(states.data());
      for_each_task(who, count, [&](std::size_t i) {
        fold_piece(load, load_context, from, pieces[i], first + i * kernels_->state_size);
      });
      const worker_scope scope;
      for (std::size_t i = 0; i < count; i++)
        next.push(first + i * kernels_->state_size, pieces[i].length);
      if (where.progress) where.progress(where.progress_context, double(done) / double(n));
    }
    *this = std::move(next);
  }

  /// The state of the next `length` values, folded elsewhere as the tree of an aligned block:
  /// length is a power of two that divides the position where they begin.
  void append_state(const void* state, std::int64_t length) {
    if (length <= 0 || aligned_block(end_, length) != length || length > position_limit - end_)
      fail(error_code::bad_argument, "rung: " + std::to_string(length) + " values at position " +
                                         std::to_string(end_) + " are not an aligned block");
    const worker_scope scope;
    push(static_cast<const std::byte*>(state), length);
  }

  /// The partial of the positions right after these. Throws if they are not, or are of another
  /// kind.
  void merge(const partial_blocks& right) {
    if (right.kernels_->state_size != kernels_->state_size)
      fail(error_code::bad_argument, "rung: partials of different operators or types do not merge");
    if (right.begin_ != end_)
      fail(error_code::bad_argument,
           "rung: partials of positions " + range_text(range()) + " and " +
               range_text(right.range()) +
               " are not neighbours: the second must begin where the first ends");
    partial_blocks next = *this;
    const worker_scope scope;
    const std::byte* state = right.states().data();
    while (next.end_ < right.end_) {
      next.push(state, aligned_block(next.end_, right.end_ - next.end_));
      state += kernels_->state_size;
    }
    *this = std::move(next);
  }

  /// *state = the fold of all positions, after start if there is one. Throws if the range does not
  /// begin at 0, or is empty and the operator has no state of nothing.
  void value(void* state, const void* start = nullptr) const {
    if (begin_ != 0)
      fail(error_code::bad_argument,
           "rung: the partial of positions " + range_text(range()) +
               " has no value of its own; merge it with what comes before, from position 0 on");
    const worker_scope scope;
    const std::size_t size = kernels_->state_size;
    const std::byte *next = states().data(), *last = next + states().size();
    cells acc(cell_count(1));
    if (start) {
      std::memcpy(acc.data(), start, size);
    } else if (next != last) {
      std::memcpy(acc.data(), next, size);
      next += size;
    } else if (kernels_->has_empty) {
      kernels_->empty(op_, acc.data());
    } else {
      fail(error_code::empty, "rung: the partial of no values has no value");
    }
    for (; next != last; next += size) kernels_->join(op_, acc.data(), next, 1);
    std::memcpy(state, acc.data(), size);
  }

  /// The stored form (partial_bytes.hpp). Equal partials of one kind have equal bytes, as far as
  /// `care` knows the state type.
  std::vector<std::byte> save(std::string_view kind, const state_care& care) const {
    cells copy = cells_;
    auto* first = reinterpret_cast<std::byte*>(copy.data());
    for (std::size_t i = 0; care.tidy && i < count_; i++)
      care.tidy(first + i * kernels_->state_size);
    return write_partial(kind, kernels_->state_size, range(), {first, states().size()});
  }
  /// What save() gave. Throws rung::error for bytes that are anything else, or of another kind.
  static partial_blocks load(std::span<const std::byte> bytes, const fold_kernels& kernels,
                             const void* op, std::string_view kind, const state_care& care) {
    const partial_header h = read_partial_header(bytes);
    if (h.kind != kind)
      fail(error_code::bad_argument, "rung: this is a partial of kind \"" + std::string(h.kind) +
                                         "\", not \"" + std::string(kind) + "\"");
    if (h.state_size != kernels.state_size)
      fail(error_code::bad_argument,
           "rung: this partial has states of " + std::to_string(h.state_size) +
               " bytes, the operator's have " + std::to_string(kernels.state_size));
    partial_blocks p(kernels, op, h.range.begin);
    p.end_ = h.range.end, p.count_ = h.blocks;
    p.cells_.resize(p.cell_count(h.blocks));
    auto* first = reinterpret_cast<std::byte*>(p.cells_.data());
    if (h.blocks > 0) std::memcpy(first, h.states.data(), h.states.size());
    for (std::size_t i = 0; care.holds && i < h.blocks; i++)
      if (!care.holds(first + i * h.state_size))
        fail(error_code::bad_argument,
             "rung: this cannot be read as a partial: the state of block " + std::to_string(i) +
                 " is not one");
    return p;
  }

 private:
  struct alignas(64) cell {
    std::byte bytes[64];
  };
  using cells = std::vector<cell>;
  /// A block that one worker folds: its position, and where its values start.
  struct piece {
    std::int64_t position, offset, length;
  };

  std::size_t cell_count(std::size_t states) const {
    return (states * kernels_->state_size + sizeof(cell) - 1) / sizeof(cell);
  }

  /// A block at the right end; joins it with its left half as often as there is one.
  void push(const std::byte* state, std::int64_t length) {
    const std::size_t size = kernels_->state_size;
    cells_.resize(std::max(cells_.size(), cell_count(count_ + 1)));
    auto* top = reinterpret_cast<std::byte*>(cells_.data()) + count_++ * size;
    std::memcpy(top, state, size);
    std::int64_t at = end_;
    end_ += length;
    for (; (at & length) != 0 && at - length >= begin_;
         at -= length, length *= 2, count_--, top -= size)
      kernels_->join(op_, top - size, top, 1);
  }

  void fold_piece(const load_kernel& load, const void* load_context, std::span<const place> from,
                  const piece& p, std::byte* state) const {
    const std::int64_t size = std::int64_t(kernels_->value_size);
    const auto address = [&](const place& array, std::int64_t i) {
      return static_cast<std::byte*>(array.data) + (p.offset + i) * array.column;
    };
    if (load.direct && from[0].column == size)
      return kernels_->tree(op_, address(from[0], 0), std::size_t(p.length), p.position, state);
    const std::int64_t rows =
        std::min(p.length, std::max<std::int64_t>(1, floor_power(block_bytes / size)));
    std::byte* values = thread_buffer<0>(std::size_t(rows * size));
    partial_blocks blocks(*kernels_, op_, p.position);
    for (std::int64_t done = 0; done < p.length; done += rows) {
      std::array<place, max_arrays> at{};
      for (std::size_t a = 0; a < from.size(); a++)
        at[a] = {address(from[a], done), 0, from[a].column};
      load.load(load_context, at.data(), 1, std::size_t(rows), values, rows);
      kernels_->tree(op_, values, std::size_t(rows), p.position + done, state);
      blocks.push(state, rows);
    }
    std::memcpy(state, blocks.states().data(), kernels_->state_size);
  }

  const fold_kernels* kernels_;
  const void* op_;
  std::int64_t begin_, end_;
  std::size_t count_ = 0;
  cells cells_;
};

}  // namespace rung::host
