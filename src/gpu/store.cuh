// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Entries of a scan, in device memory, to the type that they are wanted in: the other half of
// load.cuh. The type is looked up when the kernel runs: one kernel per packed type. Cost: one read
// of the entries, one write of the results.
#pragma once
#include "load.cuh"

namespace rung::runtime {

/// Whether entries can become results at all.
template <class P, class R>
inline constexpr bool is_stored = is_complex<P> == is_complex<R>&& integer<P> == integer<R>;

template <class R, class P>
RUNG_DEVICE void store_results(global<const P> entries, std::int64_t count,
                               global<unsigned char> to, const places_on_gpu& places) {
  if constexpr (is_stored<P, R>) {
    const auto results = as<R>(to);
    const std::int64_t threads = std::int64_t(grid_shape().x) * block_threads();
    for (std::int64_t i = std::int64_t(block_index().x) * block_threads() + thread_rank();
         i < count; i += threads) {
      const P entry = entries[places(i)];
      results[i] = convert<R>(entry);
    }
  }
}

template <class P>
RUNG_KERNEL(256)
void store_entries(global<const P> entries, int type, std::int64_t count, global<unsigned char> to,
                   places_on_gpu places) {
  with_element_type(
      type, [&](auto r) { store_results<typename decltype(r)::type>(entries, count, to, places); });
}

/// to = `count` entries from their places, which are of the packed type `held`, as results.
inline void store_chunk(const device& where, packed held, rung_type result, const void* entries,
                        std::int64_t count, void* to, const places_on_gpu& places = {}) {
  visit(held, [&](auto t) {
    using P = typename decltype(t)::type;
    const std::int64_t blocks = std::min<std::int64_t>((count + 1023) / 1024, 2048);
    launch(store_entries<P>, blocks, 256, 0, where.stream(), static_cast<const P*>(entries),
           int(result), count, static_cast<unsigned char*>(to), places);
  });
}

}  // namespace rung::runtime
