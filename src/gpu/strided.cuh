// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Between arrays in device memory, of any type and strides, and packed values that stand line after
// line: the load before a fold or scan of lines, and the store of entries behind it. Threads follow
// the array in the order of its memory, so its accesses are neighbours; those to the values, which
// may be far apart, meet in the L2. Types are looked up when the kernel runs: one kernel per packed
// type. Cost: one read, one write; of products a launch per array.
#pragma once
#include <algorithm>
#include <rung/base/loops.hpp>

#include "store.cuh"

namespace rung::runtime {

/// A step along every axis of an array: in bytes there, and in values of the lines.
struct strided_places {
  struct place {
    std::int64_t bytes = 0, value = 0;
  };
  struct loop {
    divider length;
    place step;
  };
  int count = 0;  ///< innermost first
  loop loops[max_rank + 2];

  RUNG_DEVICE place operator()(std::int64_t i) const {
    place at;
    for (int d = 0; d < count; ++d) {
      const std::int64_t outer = d + 1 < count ? loops[d].length.quotient(i) : 0;
      const std::int64_t here = i - outer * loops[d].length.divisor;
      at.bytes += here * loops[d].step.bytes;
      at.value += here * loops[d].step.value;
      i = outer;
    }
    return at;
  }
};

/// Which array of a plan, and how far apart the values are that it fills.
struct strided_array {
  bool is_target;
  int number;
  std::int64_t spread = 1;
};
/// The plan's loops, values counted line by line, kept loops before folded ones.
inline strided_places places_of(const host::plan& p, const strided_array& which) {
  struct step {
    std::int64_t length, bytes, value;
  };
  std::array<step, max_rank + 2> steps;
  int count = 0;
  std::int64_t value = which.spread;
  const auto push = [&](const host::loop_list& loops) {
    for (int d = loops.count; d-- > 0; value *= loops[d].length) {
      if (loops[d].length <= 1) continue;
      const auto& bytes = which.is_target ? loops[d].target : loops[d].source;
      steps[std::size_t(count++)] = {loops[d].length, bytes[std::size_t(which.number)], value};
    }
  };
  push(p.folded), push(p.kept);
  std::stable_sort(steps.begin(), steps.begin() + count, [](const step& a, const step& b) {
    return std::abs(a.bytes) < std::abs(b.bytes);
  });
  strided_places to;
  for (int i = 0; i < count; ++i) {
    const step& s = steps[std::size_t(i)];
    if (to.count > 0) {  // one loop, if both sides allow it
      strided_places::loop& last = to.loops[to.count - 1];
      if (last.step.bytes * last.length.divisor == s.bytes &&
          last.step.value * last.length.divisor == s.value) {
        last.length = divider(last.length.divisor * s.length);
        continue;
      }
    }
    to.loops[to.count++] = {divider(s.length), {s.bytes, s.value}};
  }
  return to;
}

/// Where the values of a line stand in its array, if not one after the other.
struct reordering {
  global<const std::int64_t> order;
  std::int64_t count = 0, stride = 0;  ///< of the array, in bytes
  bool some = false;
  RUNG_DEVICE std::int64_t bytes(std::int64_t i) const {
    const std::int64_t at = order[i];
    return (at < 0 ? 0 : at >= count ? count - 1 : at) * stride;
  }
};

template <class E, class P>
RUNG_DEVICE void load_strided(global<const unsigned char> from, const load_step& step, const P& nan,
                              std::int64_t count, global<P> to, const strided_places& places,
                              const reordering& order) {
  using stored = std::conditional_t<std::is_same_v<E, bool>, unsigned char, E>;
  const std::int64_t threads = std::int64_t(grid_shape().x) * block_threads();
  for (std::int64_t i = std::int64_t(block_index().x) * block_threads() + thread_rank(); i < count;
       i += threads) {
    const strided_places::place at = places(i);
    const std::int64_t bytes = order.some ? order.bytes(i) : at.bytes;
    P left{};
    if (step.what == load_step::times) left = to[at.value];
    const stored e = as<const stored>(from + static_cast<std::ptrdiff_t>(bytes))[0];
    if constexpr (std::is_same_v<E, bool>) to[at.value] = step_value<P>(e != 0, step, nan, left);
    else to[at.value] = step_value<P>(e, step, nan, left);
  }
}
template <class P>
RUNG_KERNEL(256)
void load_strided_values(global<const unsigned char> from, load_step step, P nan,
                         std::int64_t count, global<P> to,
                         const RUNG_CONSTANT strided_places places, reordering order) {
  with_element_type(step.type, [&](auto t) {
    load_strided<typename decltype(t)::type, P>(from, step, nan, count, to, places, order);
  });
}

/// Of entries in lines: those outside positions begin to end - 1 are that of no values.
template <class P>
struct entry_range {
  static constexpr std::int64_t all = -1, none = -2;
  global<const std::int64_t> offsets;
  std::int64_t segments = all;  ///< from offsets[0] to offsets[segments]
  P outside{};
};
template <class R, class P>
RUNG_DEVICE void store_strided(global<const P> entries, std::int64_t count,
                               global<unsigned char> to, const strided_places& places,
                               const reordering& order, const entry_range<P>& range) {
  if constexpr (is_stored<P, R>) {
    std::int64_t begin = 0, end = range.segments == range.none ? 0 : highest_value<std::int64_t>();
    if (range.segments >= 0) begin = range.offsets[0], end = range.offsets[range.segments];
    const std::int64_t threads = std::int64_t(grid_shape().x) * block_threads();
    for (std::int64_t i = std::int64_t(block_index().x) * block_threads() + thread_rank();
         i < count; i += threads) {
      const strided_places::place at = places(i);
      const std::int64_t bytes = order.some ? order.bytes(i) : at.bytes;
      P entry = range.outside;
      if (i >= begin && i < end) entry = entries[at.value];
      as<R>(to + static_cast<std::ptrdiff_t>(bytes))[0] = convert<R>(canonical(entry));
    }
  }
}
template <class P>
RUNG_KERNEL(256)
void store_strided_entries(global<const P> entries, int type, std::int64_t count,
                           global<unsigned char> to, const RUNG_CONSTANT strided_places places,
                           reordering order, entry_range<P> range) {
  with_element_type(type, [&](auto r) {
    store_strided<typename decltype(r)::type>(entries, count, to, places, order, range);
  });
}

}  // namespace rung::runtime
