// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The reduce driver: many results are shared out among the threads; few long ones are cut into
// aligned chunks whose trees are computed anywhere and joined in the one order. Cost: every source
// element is read once; one state per chunk of 256 KiB to 4 MiB is written and read.
#pragma once
#include <memory>

#include "tile.hpp"

namespace rung::host {

struct reduction : folding {
  store_kernel store{};
  const void* store_context = nullptr;
  const void* init = nullptr;  ///< a state that stands before the first value, or null
};

inline constexpr std::int64_t chunk_bytes =
    256 << 10;  ///< per task: several blocks, and a fraction of L2
inline constexpr std::int64_t most_chunk_bytes =
    4 << 20;  ///< per task of a large reduction: long streams for the prefetchers
inline constexpr std::int64_t row_bytes =
    16 << 10;  ///< of a panel: long enough for the prefetchers, states stay in L2

inline void store_tile(const reduction& r, const tile& t, const std::byte* states) {
  std::array<place, max_arrays> to;
  for (int a = 0; a < r.p.targets; a++)
    to[a] = {r.p.target[a] + t.at.target[a], 0, r.p.inner_kept().target[a]};
  r.store.store(r.store_context, states, t.columns, 1, std::size_t(t.columns), to.data(),
                r.p.length);
}

/// No values: every result is the start, or the state of nothing.
inline void store_empty(const reduction& r) {
  const worker_scope scope;
  std::byte* state = thread_buffer<2>(r.fold->state_size);
  if (r.init) std::memcpy(state, r.init, r.fold->state_size);
  else r.fold->empty(r.op, state);
  for (std::int64_t i = 0; i < tile_count(r); i++) store_tile(r, find_tile(r, i), state);
}

/// Short lines of 2^k values, back to back: many at a time.
inline void reduce_trees(const reduction& r, const tile& t) {
  const std::int64_t n = r.p.length, size = std::int64_t(r.fold->value_size);
  const loop &k = r.p.inner_kept(), &d = r.p.inner_folded();
  std::byte* states = thread_buffer<2>(std::size_t(t.columns) * r.fold->state_size);
  const std::byte* values = r.p.source[0] + t.at.source[0];
  if (!lies_ready(r, d.source[0]) || k.source[0] != n * size) {
    std::byte* loaded = thread_buffer<0>(std::size_t(t.columns * n * size));
    std::array<place, max_arrays> from;
    for (int a = 0; a < r.p.sources; a++)
      from[a] = {r.p.source[a] + t.at.source[a], k.source[a], d.source[a]};
    r.load.load(r.load_context, from.data(), std::size_t(t.columns), std::size_t(n), loaded, n);
    values = loaded;
  }
  r.fold->trees(r.op, values, std::size_t(n), std::size_t(t.columns), states);
  if (r.init) {
    std::byte* start = thread_buffer<3>(std::size_t(t.columns) * r.fold->state_size);
    for (std::int64_t c = 0; c < t.columns; c++)
      std::memcpy(start + c * std::int64_t(r.fold->state_size), r.init, r.fold->state_size);
    r.fold->join(r.op, start, states, std::size_t(t.columns));
    states = start;
  }
  store_tile(r, t, states);
}

/// Runs a reduction whose plan and kernels are set; form and tiles are chosen here.
inline void run_reduce(const cpu_rung& where, reduction& r) {
  const plan& p = r.p;
  if (p.results == 0) return;
  const std::int64_t size = std::int64_t(r.fold->value_size);
  if (p.length == 0) return store_empty(r);
  r.shape = choose_form(r);
  const loop& k = p.inner_kept();
  const std::int64_t bytes = p.results * p.length * size;
  const int workers = bytes < chunk_bytes ? 1 : worker_count(where);

  if (r.shape == form::trees) {
    r.tile_columns = std::clamp<std::int64_t>(block_bytes / (p.length * size), 1, k.length);
    if (lies_ready(r, p.inner_folded().source[0]))
      r.tile_columns = std::min(k.length, r.tile_columns * 4);
    const std::int64_t tiles = tile_count(r),
                       group = std::max<std::int64_t>(
                           1, chunk_bytes / (r.tile_columns * p.length * size));
    for_each_task(where.with_threads(workers == 1 ? 1 : where.threads),
                  std::size_t((tiles + group - 1) / group), [&](std::size_t g) {
                    for (std::int64_t i = std::int64_t(g) * group;
                         i < std::min(tiles, std::int64_t(g + 1) * group); i++)
                      reduce_trees(r, find_tile(r, i));
                  });
    return;
  }
  const bool ready = lies_ready(r, k.source[0]);
  if (r.shape == form::panel)
    r.tile_columns = std::min(
        k.length, ready ? std::max<std::int64_t>(
                              1, row_bytes / std::max(size, std::int64_t(r.fold->state_size)))
                        : std::max<std::int64_t>(
                              16, block_bytes / size / std::min<std::int64_t>(p.length, 64)));
  const std::int64_t tiles = tile_count(r);
  const std::int64_t task_bytes =
      std::clamp<std::int64_t>(bytes / (16 * workers), chunk_bytes, most_chunk_bytes);
  const std::int64_t chunk =
      std::max<std::int64_t>(1, floor_power(task_bytes / (size * r.tile_columns)));
  const std::int64_t chunks = p.length / chunk;  // whole ones
  const std::size_t row = std::size_t(r.tile_columns) * r.fold->state_size;

  std::unique_ptr<std::byte[]> partials;
  if (chunks > 1 && workers > 1 && tiles < 4 * workers) {
    partials = std::make_unique_for_overwrite<std::byte[]>(std::size_t(tiles * chunks) * row);
    for_each_task(where, std::size_t(tiles * chunks), [&](std::size_t i) {
      const std::int64_t c = std::int64_t(i) % chunks;
      fold_aligned(r, find_tile(r, std::int64_t(i) / chunks), c * chunk, chunk,
                   partials.get() + i * row);
    });
  }
  const std::int64_t group =
      partials ? 1
               : std::max<std::int64_t>(
                     1, chunk_bytes / std::max<std::int64_t>(1, r.tile_columns * p.length * size));
  const bool alone = workers == 1 || tiles == 1;
  for_each_task(alone ? where.with_threads(1) : where, std::size_t((tiles + group - 1) / group),
                [&](std::size_t g) {
                  for (std::int64_t i = std::int64_t(g) * group;
                       i < std::min(tiles, std::int64_t(g + 1) * group); i++) {
                    const tile t = find_tile(r, i);
                    state_rows rows(r, thread_buffer<2>(state_rows::bytes(r, r.tile_columns)),
                                    t.columns);
                    for (std::int64_t c = 0; c < chunks; c++) {
                      if (partials)
                        std::memcpy(rows.next(), partials.get() + std::size_t(i * chunks + c) * row,
                                    std::size_t(t.columns) * r.fold->state_size);
                      else fold_aligned(r, t, c * chunk, chunk, rows.next());
                      rows.push_equal();
                    }
                    fold_rest(r, t, chunks * chunk, p.length - chunks * chunk, rows);
                    store_tile(r, t, rows.value(r.init));
                  }
                });
}

}  // namespace rung::host
