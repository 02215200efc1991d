// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes and strides of n-d arrays without their element type. Sizes are 64-bit; strides count
// bytes, may be negative or zero; the stride of an axis of length one means nothing.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "error.hpp"

namespace rung {

inline constexpr int max_rank = 16;

using extents = std::span<const std::int64_t>;

namespace detail {
inline std::string shape_text(extents shape) {
  std::string s = "(";
  for (std::size_t i = 0; i < shape.size(); i++) s += (i ? ", " : "") + std::to_string(shape[i]);
  return s + (shape.size() == 1 ? ",)" : ")");
}
}  // namespace detail

/// Shape and byte strides, rank 0 to 16. Entries from `rank` on mean nothing: they are neither set
/// nor copied, which is most of what a call for a few values would do.
struct layout {
  int rank = 0;
  std::array<std::int64_t, max_rank> shape;
  std::array<std::int64_t, max_rank> strides;  // bytes

  layout() {}
  layout(const layout& other) { *this = other; }
  layout& operator=(const layout& other) {
    rank = other.rank;
    for (int d = 0; d < rank; d++) shape[d] = other.shape[d], strides[d] = other.strides[d];
    return *this;
  }
  /// C order, elements side by side. Throws for a rank over 16, a negative length, or a size over
  /// 2^63 bytes.
  layout(extents lengths, std::size_t element_size) : rank(int(lengths.size())) {
    check_rank(lengths.size());
    std::int64_t step = std::int64_t(element_size);
    for (int d = rank - 1; d >= 0; d--) {
      if (lengths[d] < 0)
        fail(error_code::bad_argument,
             "rung: negative length in shape " + detail::shape_text(lengths));
      shape[d] = lengths[d];
      strides[d] = step;
      if (lengths[d] > 0 && __builtin_mul_overflow(step, lengths[d], &step))
        fail(error_code::bad_argument,
             "rung: shape " + detail::shape_text(lengths) + " has more than 2^63 bytes");
    }
  }
  layout(extents lengths, extents byte_strides) : rank(int(lengths.size())) {
    check_rank(lengths.size());
    if (byte_strides.size() != lengths.size())
      fail(error_code::bad_argument, "rung: " + std::to_string(byte_strides.size()) +
                                         " strides for " + std::to_string(lengths.size()) +
                                         " axes");
    for (int d = 0; d < rank; d++) shape[d] = lengths[d], strides[d] = byte_strides[d];
    for (int d = 0; d < rank; d++)
      if (shape[d] < 0)
        fail(error_code::bad_argument,
             "rung: negative length in shape " + detail::shape_text(lengths));
    check_count();
  }

  /// Throws if there are more elements than can be counted (zero-length axes aside).
  void check_count() const {
    std::int64_t n = 1;
    for (int d = 0; d < rank; d++)
      if (shape[d] > 0 && __builtin_mul_overflow(n, shape[d], &n))
        fail(error_code::bad_argument,
             "rung: shape " + detail::shape_text(lengths()) + " has more than 2^63 elements");
  }
  extents lengths() const { return {shape.data(), std::size_t(rank)}; }
  std::int64_t size() const {
    std::int64_t n = 1;
    for (int d = 0; d < rank; d++) n *= shape[d];
    return n;
  }
  /// Lowest and one-past-highest byte offset that an element touches; {0, 0} if there is none.
  std::array<std::int64_t, 2> reach(std::size_t element_size) const {
    std::int64_t low = 0, high = std::int64_t(element_size);
    for (int d = 0; d < rank; d++) {
      if (shape[d] == 0) return {0, 0};
      (strides[d] < 0 ? low : high) += strides[d] * (shape[d] - 1);
    }
    return {low, high};
  }

 private:
  static void check_rank(std::size_t r) {
    if (r > std::size_t(max_rank))
      fail(error_code::bad_argument,
           "rung: " + std::to_string(r) + " axes, at most 16 are supported");
  }
};

/// An axis counted from the back made to count from the front; an error names the axis and the
/// shape.
inline int normalise_axis(std::int64_t axis, extents shape) {
  const std::int64_t rank = std::int64_t(shape.size());
  if (axis < -rank || axis >= rank)
    fail(error_code::bad_argument, "rung: axis " + std::to_string(axis) +
                                       " is not an axis of an array of shape " +
                                       detail::shape_text(shape));
  return int(axis < 0 ? axis + rank : axis);
}

/// A set of axes to work along. Without a list: all of them. An empty list: none.
struct axes {
  bool all = true;
  int count = 0;
  std::array<std::int64_t, max_rank> list{};

  axes() = default;
  axes(std::initializer_list<std::int64_t> l) : axes(std::span(l.begin(), l.size())) {}
  explicit axes(std::span<const std::int64_t> l) : all(false), count(int(l.size())) {
    if (l.size() > std::size_t(max_rank))
      fail(error_code::bad_argument,
           "rung: " + std::to_string(l.size()) + " axes given, at most 16 are supported");
    for (int i = 0; i < count; i++) list[i] = l[i];
  }
  static axes none() { return axes(std::span<const std::int64_t>()); }

  /// One flag per axis of shape. Throws for an axis that is not there or stands twice.
  std::array<bool, max_rank> marked(extents shape) const {
    std::array<bool, max_rank> m{};
    if (all) {
      for (std::size_t d = 0; d < shape.size(); d++) m[d] = true;
      return m;
    }
    for (int i = 0; i < count; i++) {
      const int d = normalise_axis(list[i], shape);
      if (m[d])
        fail(error_code::bad_argument, "rung: axis " + std::to_string(list[i]) + " is given twice");
      m[d] = true;
    }
    return m;
  }
};

}  // namespace rung
