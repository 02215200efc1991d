// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Family cpu_reduce: the sum of every type at every size, and what a call on 100 values costs.

#include <algorithm>
#include <cstdio>

#include "../harness.hpp"
#include "buffer.hpp"
#include "limits.hpp"
#include "numpy_peer.hpp"
#include "ours.hpp"
#include "peers.hpp"
#include "points.hpp"

template <class T>
static void add_sum(bench::family& family, const bench::buffer& in, std::size_t n) {
  const std::string type = bench::type_name<T>();
  const double bytes = double(n * sizeof(T));
  if (!family.wants("sum", type, bytes)) return;
  const T* x = in.fill<T>(n);
  bench::point p{"sum",
                 type,
                 {std::int64_t(n)},
                 bytes,
                 bench::repeat([=] { bench::our_sum(x, n); }),
                 bench::sum_peers(x, n),
                 bench::read_limits(x, n * sizeof(T))};
  for (auto& numpy : bench::numpy_candidates("sum", type, p.shape)) p.peers.push_back(numpy);
  family.add(p);
}

int main(int argc, char** argv) {
  const bench::options options = bench::options::parse(argc, argv);
  bench::family family("cpu_reduce", options);
  const bench::buffer in(std::size_t(std::min(options.max_bytes, double(bench::sizes.back()))));
  bench::for_each_type([&]<class T>(T) {
    for (std::size_t bytes : bench::sizes) add_sum<T>(family, in, bytes / sizeof(T));
  });
  add_sum<float>(family, in, 100);
  family.write();
}
