// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How the CPU drivers walk the loops of a call: rows of the innermost kept loop, runs of the
// innermost folded one.
#pragma once
#include "../base/loops.hpp"
#include "kernels.hpp"

namespace rung::host {

/// Offsets of the outer kept loops (all but the innermost) for a row number.
struct offsets {
  std::array<std::int64_t, max_arrays> source{}, target{};
};
inline offsets outer_offsets(const plan& p, std::int64_t row) {
  offsets o;
  for (int d = p.kept.count - 2; d >= 0; d--) {
    const std::int64_t i = row % p.kept[d].length;
    row /= p.kept[d].length;
    for (int a = 0; a < p.sources; a++) o.source[a] += i * p.kept[d].source[a];
    for (int a = 0; a < p.targets; a++) o.target[a] += i * p.kept[d].target[a];
  }
  return o;
}

/// Splits positions [begin, begin + n) of the folded loops into runs along the innermost one and
/// calls f(offsets of the first position, how many positions, where they lie in [0, n)).
template <class F>
void for_each_run(const plan& p, std::int64_t begin, std::int64_t n, F&& f) {
  const loop& inner = p.inner_folded();
  for (std::int64_t done = 0; done < n;) {
    std::int64_t at = begin + done;
    const std::int64_t i = at % inner.length, m = std::min(n - done, inner.length - i);
    at /= inner.length;
    offsets o;
    auto step = [&](const loop& l, std::int64_t k) {
      for (int a = 0; a < p.sources; a++) o.source[a] += k * l.source[a];
      for (int a = 0; a < p.targets; a++) o.target[a] += k * l.target[a];
    };
    step(inner, i);
    for (int d = p.folded.count - 2; d >= 0; d--) {
      step(p.folded[d], at % p.folded[d].length);
      at /= p.folded[d].length;
    }
    f(o, m, done);
    done += m;
  }
}

}  // namespace rung::host
