// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Family cpu_scan: the inclusive sum of every type at every size.

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
static void add_scan(bench::family& family, const bench::buffer& in, const bench::buffer& out,
                     std::size_t n) {
  using S = bench::scan_type<T>;
  const std::string type = bench::type_name<T>();
  const std::size_t bytes = n * (sizeof(T) + sizeof(S));
  if (!family.wants("inclusive sum", type, double(n * sizeof(T)))) return;
  const T* x = in.fill<T>(n);
  S* y = out.as<S>();
  bench::point p{"inclusive sum",
                 type,
                 {std::int64_t(n)},
                 double(bytes),
                 bench::repeat([=] { bench::our_scan(x, y, n); }),
                 bench::scan_peers(x, y, n),
                 bench::copy_limits(x, y, 2 * n * sizeof(T))};
  for (auto& numpy : bench::numpy_candidates("cumsum", type, p.shape)) p.peers.push_back(numpy);
  family.add(p);
}

int main(int argc, char** argv) {
  const bench::options options = bench::options::parse(argc, argv);
  bench::family family("cpu_scan", options);
  const auto most = std::size_t(std::min(options.max_bytes, double(bench::sizes.back())));
  const bench::buffer in(most), out(2 * most);  // i32 is summed into i64
  bench::for_each_type([&]<class T>(T) {
    for (std::size_t bytes : bench::sizes) add_scan<T>(family, in, out, bytes / sizeof(T));
  });
  add_scan<float>(family, in, out, 100);
  family.write();
}
