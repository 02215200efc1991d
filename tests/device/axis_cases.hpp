// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of axes on the device rung share: arrays that lie in memory in any way, on the GPU
// and as the values that an oracle folds.
#pragma once
#include "cpu/random_layout.hpp"
#include "device/calls.hpp"
#include "rung/device/axis.cuh"

namespace rung::tests {

using test::lengths;

/// Limits that take every way through the kernels with few values.
inline constexpr tune::axis_limits small_limits[] = {
    {}, {.log_rows = 2, .threads = 32, .warps = 2, .wanted = 1, .least_stage = 1, .array = 8000}};

inline std::string text_of(const lengths& v) {
  std::string s;
  for (const std::int64_t n : v) s += (s.empty() ? "" : ", ") + std::to_string(n);
  return "(" + s + ")";
}

/// An array with strides of its own, in GPU memory.
template <class T>
struct placed_array {
  test::placement where;
  list<T> values;
  device_values<T> memory;

  placed_array(const test::placement& p, source& from)
      : where(p), values(from.many<T>(std::size_t(p.size))), memory(values) {}
  view<const T> on_gpu() const { return where.over<const T>(static_cast<T*>(memory)); }
  const T& operator[](const lengths& index) const { return values[std::size_t(where.at(index))]; }
};

/// Axes in C order, side by side; transposed: the first axis is innermost.
inline test::placement dense(const lengths& shape, bool transposed = false) {
  test::placement p{.shape = shape, .strides = lengths(shape.size())};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t d = transposed ? i : shape.size() - 1 - i;
    p.strides[d] = p.size;
    p.size *= std::max<std::int64_t>(shape[d], 1);
  }
  return p;
}

/// The states of what stands along the folded axes at one index of the others.
template <class T>
list<T> along(const placed_array<T>& x, const std::vector<bool>& folded, lengths index) {
  list<T> line;
  const lengths& shape = x.where.shape;
  const std::int64_t n = test::count(shape, folded, true);
  for (std::int64_t i = 0; i < n; ++i) {
    test::set_index(index, shape, folded, true, i);
    line.push_back(x[index]);
  }
  return line;
}

}  // namespace rung::tests
