// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Random shapes and the many ways in which an array of one shape can lie in memory: axes in any
// order, gaps, negative strides, stride 0.
#pragma once
#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "cpu/random_values.hpp"
#include "rung/view.hpp"

namespace rung::test {

using lengths = std::vector<std::int64_t>;

inline std::int64_t product(const lengths& shape) {
  std::int64_t n = 1;
  for (const std::int64_t l : shape) n *= l;
  return n;
}

/// Rank 0 to 5, at most `most` elements; powers of two and their neighbours are frequent, lengths 0
/// and 1 happen.
inline lengths random_shape(generator& rng, std::int64_t most) {
  lengths shape(std::size_t(pick(rng, 0, 5)));
  std::int64_t room = most;
  for (std::int64_t& n : shape) {
    const std::int64_t usual[] = {1,  2,  3,  4,   5,   7,   8,   16,   17,
                                  31, 64, 65, 100, 128, 256, 257, 1000, 5000};
    n = one_in(rng, 25) ? 0 : usual[rng() % std::size(usual)];
    if (one_in(rng, 3)) n = pick(rng, 1, 40);
    n = std::min(n, room);
    room /= std::max<std::int64_t>(n, 1);
  }
  std::shuffle(shape.begin(), shape.end(), rng);
  return shape;
}

/// Elements side by side, bools too.
template <class T>
class block {
 public:
  explicit block(std::int64_t n) : elements_(std::make_unique<T[]>(std::size_t(n))), size_(n) {}
  std::int64_t size() const { return size_; }
  T* data() { return elements_.get(); }
  const T* data() const { return elements_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::int64_t i) { return elements_[std::size_t(i)]; }
  const T& operator[](std::int64_t i) const { return elements_[std::size_t(i)]; }
  std::span<const T> all() const { return {data(), std::size_t(size_)}; }

 private:
  std::unique_ptr<T[]> elements_;
  std::int64_t size_;
};

/// Where the elements of a shape lie, counted in elements of a block of memory.
struct placement {
  lengths shape, strides;
  std::int64_t start = 0, size = 1;  // of element (0, 0, ...), of the block

  std::int64_t at(const lengths& index) const {
    std::int64_t p = start;
    for (std::size_t d = 0; d < index.size(); d++) p += index[d] * strides[d];
    return p;
  }
  template <class T>
  view<T> over(T* block) const {
    return view<T>(block + start, extents(shape), extents(strides));
  }
};

/// repeats: stride 0 may occur, as in an input.
inline placement random_placement(generator& rng, const lengths& shape, bool repeats) {
  placement p{.shape = shape, .strides = lengths(shape.size())};
  std::vector<std::size_t> order(shape.size());  // innermost first
  std::iota(order.rbegin(), order.rend(), 0);
  if (one_in(rng, 2)) std::shuffle(order.begin(), order.end(), rng);
  const bool plain = one_in(rng, 3);
  for (const std::size_t d : order) {
    const std::int64_t n = std::max<std::int64_t>(shape[d], 1);
    const std::int64_t gap = plain || !one_in(rng, 5) ? 1 : pick(rng, 2, 3);
    p.strides[d] = p.size * gap;
    if (n == 1 && one_in(rng, 4)) p.strides[d] = pick(rng, -1000, 1000);  // means nothing
    else if (repeats && !plain && one_in(rng, 10)) p.strides[d] = 0;
    else p.size *= gap * n;
    if (shape[d] > 1 && !plain && one_in(rng, 6)) {
      p.start += p.strides[d] * (n - 1);
      p.strides[d] = -p.strides[d];
    }
    if (!plain && one_in(rng, 8)) p.size += pick(rng, 1, 5);  // rows with padding
  }
  return p;
}

/// The index of the i-th position in C order over the axes where mask is `chosen`; other axes keep
/// what they have.
inline void set_index(lengths& index, const lengths& shape, const std::vector<bool>& mask,
                      bool chosen, std::int64_t i) {
  for (std::size_t d = shape.size(); d-- > 0;)
    if (mask[d] == chosen) {
      index[d] = i % shape[d];
      i /= shape[d];
    }
}
inline std::int64_t count(const lengths& shape, const std::vector<bool>& mask, bool chosen) {
  std::int64_t n = 1;
  for (std::size_t d = 0; d < shape.size(); d++)
    if (mask[d] == chosen) n *= shape[d];
  return n;
}

}  // namespace rung::test
