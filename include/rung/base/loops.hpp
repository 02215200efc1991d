// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// From an n-d call to two short lists of loops: the kept axes, which index independent results, and
// the folded axes, whose values stand in C order. Axes of length one go, neighbours merge where
// every array allows it, kept axes may be reordered and reversed (results do not meet), folded ones
// never (their order is the contract). The same for the CPU and for GPUs.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "layout.hpp"

namespace rung::host {

/// A call reads or writes so many arrays at most.
inline constexpr int max_arrays = 4;

/// An array that takes part in a call: where it starts, and its strides along the axes of the
/// call's shape.
struct array_ref {
  std::byte* data = nullptr;
  layout shape;
  std::size_t element_size = 0;
};

/// One loop: its length and the byte step in every source and target.
struct loop {  // plain memory: a plan has many, and sets the few that it uses
  std::int64_t length;
  std::array<std::int64_t, max_arrays> source, target;
};

/// Loops, outermost first. Only those in use are copied.
struct loop_list {
  int count = 0;
  std::array<loop, max_rank + 1> loops;  // a device may split one in two

  loop_list() {}
  loop_list(const loop_list& other) { *this = other; }
  loop_list& operator=(const loop_list& other) {
    count = other.count;
    for (int d = 0; d < count; d++) loops[d] = other.loops[d];
    return *this;
  }
  loop& operator[](int d) { return loops[d]; }
  const loop& operator[](int d) const { return loops[d]; }
  void push(const loop& l) { loops[count++] = l; }
  const loop& inner() const { return loops[count - 1]; }
};

struct plan {
  loop_list kept, folded;
  std::array<std::byte*, max_arrays> source{}, target{};
  int sources = 0, targets = 0;
  std::int64_t results = 1, length = 1;  // products of the two lists

  const loop& inner_kept() const { return kept.inner(); }
  const loop& inner_folded() const { return folded.inner(); }
};

namespace detail {
inline bool same_step(const loop& outer, const loop& inner, const plan& p) {
  for (int a = 0; a < p.sources; a++)
    if (outer.source[a] != inner.source[a] * inner.length) return false;
  for (int a = 0; a < p.targets; a++)
    if (outer.target[a] != inner.target[a] * inner.length) return false;
  return true;
}
inline void merge(loop_list& loops, const plan& p) {
  int kept = 0;
  for (int d = 0; d < loops.count; d++) {
    if (kept > 0 && same_step(loops[kept - 1], loops[d], p)) {
      loops[d].length *= loops[kept - 1].length;
      loops[kept - 1] = loops[d];
    } else loops[kept++] = loops[d];
  }
  loops.count = kept;
}
inline void make_forward(loop& l, plan& p) {
  if (l.source[0] >= 0) return;
  for (int a = 0; a < p.sources; a++)
    p.source[a] += l.source[a] * (l.length - 1), l.source[a] = -l.source[a];
  for (int a = 0; a < p.targets; a++)
    p.target[a] += l.target[a] * (l.length - 1), l.target[a] = -l.target[a];
}
inline bool is_outer(const loop& a, const loop& b) {
  const auto key = [](const loop& l) { return std::pair(l.source[0], std::abs(l.target[0])); };
  return key(a) > key(b);
}
}  // namespace detail

/// The plan of a call over `shape`: every source has its axes; a target has them all (scan) or only
/// the kept ones, with step 0 along the folded ones (reduce). free_order: the operator is exact in
/// any order and blind to positions.
inline plan make_plan(const layout& shape, const std::array<bool, max_rank>& is_folded,
                      std::span<const array_ref> sources, std::span<const array_ref> targets,
                      bool free_order) {
  plan p;
  p.sources = int(sources.size()), p.targets = int(targets.size());
  for (int a = 0; a < p.sources; a++) p.source[a] = sources[a].data;
  for (int a = 0; a < p.targets; a++) p.target[a] = targets[a].data;
  for (int d = 0; d < shape.rank; d++) {
    (is_folded[d] ? p.length : p.results) *= shape.shape[d];
    if (shape.shape[d] == 1) continue;
    loop l{.length = shape.shape[d], .source = {}, .target = {}};
    for (int a = 0; a < p.sources; a++) l.source[a] = sources[a].shape.strides[d];
    for (int a = 0; a < p.targets; a++) l.target[a] = targets[a].shape.strides[d];
    (is_folded[d] ? p.folded : p.kept).push(l);
  }
  if (p.results == 0) return p;
  if (p.length == 0) {  // nothing is read, but every result is written
    p.folded.count = 0;
    for (int d = 0; d < p.kept.count; d++) p.kept[d].source = {};
  }
  auto order_freely = [&](loop_list& loops) {
    for (int d = 0; d < loops.count; d++) detail::make_forward(loops[d], p);
    for (int d = 1; d < loops.count; d++)  // few loops, mostly sorted already: insertion
      for (int e = d; e > 0 && detail::is_outer(loops[e], loops[e - 1]); e--)
        std::swap(loops[e], loops[e - 1]);
  };
  order_freely(p.kept);
  if (free_order) order_freely(p.folded);
  detail::merge(p.kept, p);
  detail::merge(p.folded, p);
  // One result; one value, or none.
  if (p.kept.count == 0) p.kept.push({.length = 1, .source = {}, .target = {}});
  if (p.folded.count == 0) p.folded.push({.length = p.length, .source = {}, .target = {}});
  return p;
}

}  // namespace rung::host
