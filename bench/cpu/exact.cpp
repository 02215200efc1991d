// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Family cpu_exact: exact sums beside our plain ones.

#include <algorithm>

#include "../harness.hpp"
#include "buffer.hpp"
#include "limits.hpp"
#include "ours.hpp"
#include "points.hpp"

template <class T>
static void add_sum(bench::family& family, const bench::buffer& in, std::size_t n) {
  const std::string type = bench::type_name<T>();
  const double bytes = double(n * sizeof(T));
  if (!family.wants("exact sum", type, bytes)) return;
  const T* x = in.fill<T>(n);
  family.add({"exact sum",
              type,
              {std::int64_t(n)},
              bytes,
              bench::repeat([=] { bench::our_exact_sum(x, n); }),
              {{"rung_plain", bench::repeat([=] { bench::our_sum(x, n); })}},
              bench::read_limits(x, n * sizeof(T))});
}

int main(int argc, char** argv) {
  const bench::options options = bench::options::parse(argc, argv);
  bench::family family("cpu_exact", options);
  const bench::buffer in(std::size_t(std::min(options.max_bytes, double(bench::sizes.back()))));
  for (std::size_t bytes : bench::sizes) {
    add_sum<float>(family, in, bytes / sizeof(float));
    add_sum<double>(family, in, bytes / sizeof(double));
  }
  family.write();
}
