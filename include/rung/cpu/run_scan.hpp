// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The scan driver. Many scans are shared out among the threads, each read and written once. Few
// long ones are cut into aligned chunks that workers take in order: fold the chunk (which brings it
// into L2), publish its states, fold the published states of all earlier chunks, scan the chunk out
// of L2. So memory sees every input once there too. Source of the idea: decoupled look-back,
// Merrill and Garland (NVIDIA, 2016), here over aligned blocks in one order.
#pragma once
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "run_reduce.hpp"

namespace rung::host {

struct scanning : folding {
  const scan_kernels* scan = nullptr;
  std::size_t entry_size = 0;  ///< of what scan writes: states, or results already
  store_kernel store{};
  const void* store_context = nullptr;
  const void* init = nullptr;  ///< a state that stands before the first value, or null
  bool exclusive = false;
  bool in_place = false;
  bool stream = false;
};

/// A binary counter of equal blocks with the folds before them, `columns` states wide.
class prefix_rows {
 public:
  static std::size_t bytes(const folding& f, std::int64_t columns) {
    return 2 * state_rows::bytes(f, columns);
  }
  prefix_rows(const folding& f, std::byte* memory, std::int64_t columns, const void* start_row)
      : f_(f),
        columns_(std::size_t(columns)),
        step_(columns_ * f.fold->state_size),
        blocks_(memory),
        folds_(memory + state_rows::most * step_),
        has_start_(start_row != nullptr) {
    if (start_row) std::memcpy(folds_, start_row, step_);
  }
  /// The folds of everything pushed (and the start), or null if that is nothing.
  const std::byte* fold() const {
    return top_ == 0 && !has_start_ ? nullptr : folds_ + top_ * step_;
  }
  /// Where the next block's states go before push().
  std::byte* next() { return blocks_ + top_ * step_; }
  void push() {
    for (std::size_t k = count_++; k & 1; k >>= 1, top_--)
      f_.fold->join(f_.op, blocks_ + (top_ - 1) * step_, blocks_ + top_ * step_, columns_);
    std::byte* through = folds_ + (top_ + 1) * step_;
    if (const std::byte* before = fold()) {
      std::memcpy(through, before, step_);
      f_.fold->join(f_.op, through, blocks_ + top_ * step_, columns_);
    } else std::memcpy(through, blocks_ + top_ * step_, step_);
    top_++;
  }

 private:
  const folding& f_;
  std::size_t columns_, step_, count_ = 0, top_ = 0;
  std::byte *blocks_, *folds_;
  bool has_start_;
};

/// True if states can be written where the results belong.
inline bool lies_ready_to_write(const scanning& s, std::int64_t step) {
  const std::int64_t size = std::int64_t(s.entry_size),
                     align = std::min<std::int64_t>(8, size & -size);
  const loop &k = s.p.inner_kept(), &d = s.p.inner_folded();
  return s.store.direct && step == size && k.target[0] % size == 0 && d.target[0] % size == 0 &&
         reinterpret_cast<std::uintptr_t>(s.p.target[0]) % std::uintptr_t(align) == 0;
}

inline void store_block(const scanning& s, const tile& t, std::int64_t begin, std::int64_t n,
                        const std::byte* states) {
  const loop &k = s.p.inner_kept(), &d = s.p.inner_folded();
  for_each_run(s.p, begin, n, [&](const offsets& o, std::int64_t m, std::int64_t done) {
    std::array<place, max_arrays> to;
    for (int a = 0; a < s.p.targets; a++) {
      std::byte* at = s.p.target[a] + t.at.target[a] + o.target[a];
      to[a] = t.columns == 1 ? place{at, 0, d.target[a]} : place{at, d.target[a], k.target[a]};
    }
    const std::byte* from = states + done * t.columns * std::int64_t(s.entry_size);
    if (t.columns == 1) s.store.store(s.store_context, from, m, 1, std::size_t(m), to.data(), 1);
    else
      s.store.store(s.store_context, from, t.columns, std::size_t(m), std::size_t(t.columns),
                    to.data(), 1);
  });
}

/// Scans positions [begin, begin + n) of a tile. before: the folds of what came earlier (columns
/// states) or null; after: the folds through this range if it is a whole chunk, or null; next:
/// where the n positions start that this thread is to work on afterwards, or -1.
inline void scan_range(const scanning& s, const tile& t, std::int64_t begin, std::int64_t n,
                       const std::byte* before, const std::byte* after, std::int64_t next = -1) {
  const loop &k = s.p.inner_kept(), &d = s.p.inner_folded();
  const std::int64_t size = std::int64_t(s.fold->value_size),
                     state_size = std::int64_t(s.fold->state_size),
                     out_size = std::int64_t(s.entry_size);
  const bool line = t.columns == 1 && s.shape != form::panel;
  if (s.p.folded.count == 1 && lies_ready(s, line ? d.source[0] : k.source[0]) &&
      lies_ready_to_write(s, line ? d.target[0] : k.target[0])) {
    const std::byte* from = s.p.source[0] + t.at.source[0] + begin * d.source[0];
    std::byte* to = s.p.target[0] + t.at.target[0] + begin * d.target[0];
    const carry c{.before = before,
                  .after = after,
                  .position = s.first + begin,
                  .exclusive = s.exclusive,
                  .stream = s.stream,
                  .ahead = next < 0 ? nullptr : from + (next - begin) * d.source[0]};
    if (line) s.scan->line(s.op, from, std::size_t(n), to, c);
    else
      s.scan->rows(s.op, from, d.source[0] / size, std::size_t(n), std::size_t(t.columns), to,
                   d.target[0] / out_size, c);
    return;
  }
  const std::int64_t rows = floor_power(block_bytes / (std::max(size, out_size) * t.columns));
  std::byte* values = thread_buffer<0>(std::size_t(rows * t.columns * size));
  std::byte* states = thread_buffer<4>(std::size_t(rows * t.columns * out_size));
  prefix_rows prefix(s, thread_buffer<5>(prefix_rows::bytes(s, t.columns)), t.columns, before);
  std::byte* kept = thread_buffer<6>(std::size_t(t.columns * state_size));
  for (std::int64_t done = 0; done < n; done += rows) {
    const std::int64_t m = std::min(rows, n - done), at = begin + done;
    load_block(s, t, at, m, values);
    carry c{.position = s.first + at, .exclusive = s.exclusive};
    if (const std::byte* b = prefix.fold())
      c.before = std::memcpy(kept, b, std::size_t(t.columns * state_size));
    if (m == rows) {
      if (line) s.fold->tree(s.op, values, std::size_t(m), s.first + at, prefix.next());
      else
        s.fold->tree_rows(s.op, values, t.columns, std::size_t(m), std::size_t(t.columns),
                          s.first + at, prefix.next());
      prefix.push();
      c.after = done + m == n && after ? after : prefix.fold();
    }
    if (line) s.scan->line(s.op, values, std::size_t(m), states, c);
    else
      s.scan->rows(s.op, values, t.columns, std::size_t(m), std::size_t(t.columns), states,
                   t.columns, c);
    store_block(s, t, at, m, states);
  }
}

/// Short lines of 2^k values, many at a time.
inline void scan_lines(const scanning& s, const tile& t) {
  const std::int64_t n = s.p.length, size = std::int64_t(s.fold->value_size),
                     out_size = std::int64_t(s.entry_size);
  const loop &k = s.p.inner_kept(), &d = s.p.inner_folded();
  const std::byte* values = s.p.source[0] + t.at.source[0];
  if (!lies_ready(s, d.source[0]) || k.source[0] != n * size) {
    std::byte* loaded = thread_buffer<0>(std::size_t(t.columns * n * size));
    std::array<place, max_arrays> from;
    for (int a = 0; a < s.p.sources; a++)
      from[a] = {s.p.source[a] + t.at.source[a], k.source[a], d.source[a]};
    s.load.load(s.load_context, from.data(), std::size_t(t.columns), std::size_t(n), loaded, n);
    values = loaded;
  }
  std::byte* to = s.p.target[0] + t.at.target[0];
  const bool ready = lies_ready_to_write(s, d.target[0]) && k.target[0] == n * out_size;
  std::byte* states = ready ? to : thread_buffer<4>(std::size_t(t.columns * n * out_size));
  const carry c{.before = s.init, .exclusive = s.exclusive, .stream = ready && s.stream};
  s.scan->lines(s.op, values, std::size_t(n), std::size_t(t.columns), states, c);
  if (ready) return;
  std::array<place, max_arrays> at;
  for (int a = 0; a < s.p.targets; a++)
    at[a] = {s.p.target[a] + t.at.target[a], k.target[a], d.target[a]};
  s.store.store(s.store_context, states, n, std::size_t(t.columns), std::size_t(n), at.data(), 1);
}

/// The state `start` once per column, or null.
inline const std::byte* start_row(const scanning& s, std::int64_t columns) {
  if (!s.init) return nullptr;
  std::byte* row = thread_buffer<7>(std::size_t(columns) * s.fold->state_size);
  for (std::int64_t c = 0; c < columns; c++)
    std::memcpy(row + c * std::int64_t(s.fold->state_size), s.init, s.fold->state_size);
  return row;
}

/// Few long scans on many threads: chunks in order, look-back over their published folds.
class chunked_scan {
 public:
  chunked_scan(const scanning& s, std::int64_t chunk)
      : s_(s),
        chunk_(chunk),
        chunks_((s.p.length + chunk - 1) / chunk),
        tiles_(tile_count(s)),
        row_(std::size_t(s.tile_columns) * s.fold->state_size),
        sums_(std::make_unique_for_overwrite<std::byte[]>(std::size_t(tiles_ * chunks_) * row_)),
        ready_(std::size_t(tiles_ * chunks_)) {}

  void run(const cpu_rung& where, int workers) {
    progress_meter meter(where, std::size_t(tiles_ * chunks_));
    run_workers(where, workers, [&] {
      try {
        work(meter);
      } catch (...) {
        failed_.store(true);  // nobody may wait for a chunk that will never come
        throw;
      }
    });
  }

 private:
  void work(progress_meter& meter) {
    std::int64_t current = -1, seen = 0;
    std::byte* memory = thread_buffer<8>(prefix_rows::bytes(s_, s_.tile_columns) + row_);
    std::unique_ptr<prefix_rows> prefix;
    std::byte* before_copy = memory + prefix_rows::bytes(s_, s_.tile_columns);
    const std::int64_t count = tiles_ * chunks_;
    for (std::int64_t i = next_.fetch_add(1), following; i < count; i = following) {
      const std::int64_t tile_index = i / chunks_, c = i % chunks_;
      const tile t = find_tile(s_, tile_index);
      if (tile_index != current) {
        current = tile_index, seen = 0;
        prefix = std::make_unique<prefix_rows>(s_, memory, t.columns, start_row(s_, t.columns));
      }
      const std::int64_t begin = c * chunk_, n = std::min(chunk_, s_.p.length - begin);
      const bool whole = n == chunk_;
      if (whole) {
        fold_aligned(s_, t, begin, n, sums_.get() + std::size_t(i) * row_);
        ready_[std::size_t(i)].store(1, std::memory_order_release);
      }
      for (; seen < c; seen++)
        if (!take(*prefix, tile_index * chunks_ + seen, t)) return;
      const std::byte* before = prefix->fold();
      if (before)
        before = static_cast<std::byte*>(
            std::memcpy(before_copy, before, std::size_t(t.columns) * s_.fold->state_size));
      if (whole) take(*prefix, i, t), seen++;
      // Taken before this one is scanned, so that its values come from memory while entries go
      // there.
      following = next_.fetch_add(1);
      const bool same_tile = following < count && following / chunks_ == tile_index,
                 next_is_whole = (following % chunks_ + 1) * chunk_ <= s_.p.length;
      scan_range(s_, t, begin, n, before, whole ? prefix->fold() : nullptr,
                 whole && same_tile && next_is_whole ? following % chunks_ * chunk_ : -1);
      meter.advance();
    }
  }
  /// False if another worker has failed: the exception that counts is that one's.
  bool take(prefix_rows& prefix, std::int64_t i, const tile& t) {
    for (int spins = 0; !ready_[std::size_t(i)].load(std::memory_order_acquire); spins++) {
      if (failed_.load(std::memory_order_relaxed)) return false;
      if (spins > 1000) std::this_thread::yield(), spins = 0;
    }
    std::memcpy(prefix.next(), sums_.get() + std::size_t(i) * row_,
                std::size_t(t.columns) * s_.fold->state_size);
    prefix.push();
    return true;
  }

  const scanning& s_;
  std::int64_t chunk_, chunks_, tiles_;
  std::size_t row_;
  std::unique_ptr<std::byte[]> sums_;
  std::vector<std::atomic<std::uint8_t>> ready_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> failed_{false};
};

inline constexpr std::int64_t stream_bytes = 16 << 20;    ///< outputs from here on bypass the cache
inline constexpr std::int64_t least_row_bytes = 2 << 10;  ///< of a panel, for more of them

/// Runs a scan whose plan and kernels are set; form and tiles are chosen here.
inline void run_scan(const cpu_rung& where, scanning& s) {
  const plan& p = s.p;
  if (p.results == 0 || p.length == 0) return;
  const std::int64_t size = std::int64_t(std::max(s.fold->value_size, s.entry_size));
  const std::int64_t bytes = p.results * p.length * size;
  s.stream = !s.in_place && bytes >= stream_bytes;
  s.shape = choose_form(s);
  const loop& k = p.inner_kept();
  const int workers = bytes < chunk_bytes ? 1 : worker_count(where);
  const cpu_rung who = workers == 1 ? where.with_threads(1) : where;

  if (s.shape == form::trees)
    s.tile_columns = std::clamp<std::int64_t>(block_bytes / (p.length * size), 1, k.length);
  if (s.shape == form::panel) {
    const bool ready = lies_ready(s, k.source[0]) && lies_ready_to_write(s, k.target[0]);
    // Narrow ones rather than chunks, which read everything twice.
    const std::int64_t most = std::max<std::int64_t>(1, row_bytes / size),
                       least = std::max<std::int64_t>(1, least_row_bytes / size);
    s.tile_columns = std::min(
        k.length, ready ? std::clamp(k.length / (4 * workers), least, most)
                        : std::max<std::int64_t>(
                              16, block_bytes / size / std::min<std::int64_t>(p.length, 64)));
  }
  const std::int64_t tiles = tile_count(s), tile_bytes = s.tile_columns * p.length * size;
  const std::int64_t chunk = floor_power(chunk_bytes / (size * s.tile_columns));
  const int enough = s.shape == form::panel ? 2 : 4;  // tiles per worker
  if (s.shape != form::trees && workers > 1 && tiles < enough * workers && p.length >= 4 * chunk)
    return chunked_scan(s, chunk).run(where, workers);

  const std::int64_t group = std::max<std::int64_t>(1, chunk_bytes / tile_bytes);
  for_each_task(who, std::size_t((tiles + group - 1) / group), [&](std::size_t g) {
    for (std::int64_t i = std::int64_t(g) * group; i < std::min(tiles, std::int64_t(g + 1) * group);
         i++) {
      const tile t = find_tile(s, i);
      if (s.shape == form::trees) scan_lines(s, t);
      else scan_range(s, t, 0, p.length, start_row(s, t.columns), nullptr);
    }
  });
}

}  // namespace rung::host
