// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Family axes: f32 sums and inclusive sums along every axis of arrays of several shapes.

#include <algorithm>
#include <numeric>

#include "../harness.hpp"
#include "buffer.hpp"
#include "limits.hpp"
#include "numpy_peer.hpp"
#include "ours.hpp"
#include "points.hpp"

using shape_t = std::vector<std::int64_t>;

static std::size_t count(const shape_t& shape) {
  return std::accumulate(
      shape.begin(), shape.end(), std::size_t(1),
      [](std::size_t n, std::int64_t extent) { return n * std::size_t(extent); });
}

static void add_axis(bench::family& family, const float* x, float* y, const shape_t& shape,
                     int axis) {
  const std::size_t n = count(shape), m = n / std::size_t(shape[std::size_t(axis)]);
  const std::string along = " along axis " + std::to_string(axis);
  if (!family.wants("sum" + along, "f32", 4.0 * double(n))) return;
  family.add({"sum" + along, "f32", shape, 4.0 * double(n + m),
              bench::repeat([=] { bench::our_axis_sum(x, y, shape, axis); }),
              bench::numpy_candidates("sum", "f32", shape, axis), bench::read_limits(x, 4 * n)});
  family.add({"inclusive sum" + along, "f32", shape, 8.0 * double(n),
              bench::repeat([=] { bench::our_axis_scan(x, y, shape, axis); }),
              bench::numpy_candidates("cumsum", "f32", shape, axis),
              bench::copy_limits(x, y, 8 * n)});
}

int main(int argc, char** argv) {
  const bench::options options = bench::options::parse(argc, argv);
  bench::family family("axes", options);
  std::size_t most = 0;
  for (const auto* group : {&bench::small_shapes, &bench::shapes})
    for (const shape_t& shape : *group)
      if (4.0 * double(count(shape)) <= options.max_bytes) most = std::max(most, count(shape));
  const bench::buffer in(4 * most), out(4 * most);
  const float* x = in.fill<float>(most);
  for (const auto* group : {&bench::small_shapes, &bench::shapes})
    for (const shape_t& shape : *group)
      for (int axis = 0; axis < int(shape.size()); axis++)
        add_axis(family, x, out.as<float>(), shape, axis);
  family.write();
}
