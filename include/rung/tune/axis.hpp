// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How the device rung cuts folds along axes: the one place with numbers, and what each was measured
// against, on an H200. None of them can change a bit of a result.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../base/machine.hpp"

namespace rung::tune {

/// Neighbouring results that a lane folds, or scans, at the same time: 16 bytes, but few states.
RUNG_HD constexpr int column_pack(std::size_t state_bytes, int pack) {
  const int most = state_bytes <= 8 ? 4 : state_bytes <= 32 ? 2 : 1;
  return pack < most ? pack : most;
}
/// The same where rows are evenly apart, and come by way of shared memory (f16, 1024 rows of 2^18:
/// 4 results 143 us, 8 127; but 3 rows of argmax 1108 us and 2202, with two loops of rows 201 and
/// 295).
RUNG_HD constexpr int wide_column_pack(std::size_t state_bytes, int pack) {
  const int most = state_bytes <= 4 ? 8 : state_bytes <= 16 ? 4 : state_bytes <= 32 ? 2 : 1;
  return pack < most ? pack : most;
}
/// Shared memory pays where rows are steps of a loop for so long (3 rows: 658 us and 1952).
inline constexpr int least_column_loop = 32;
/// Rows of them that a lane reads before it folds: 128 bytes under way, 4 to 16 rows; where joins
/// are slow, fewer registers.
RUNG_HD constexpr int column_batch(std::size_t pack_bytes, bool slow_joins) {
  return pack_bytes >= 32 ? 4 : pack_bytes >= 16 || slow_joins ? 8 : 16;
}

/// Batches of a lane under way in shared memory: 384 bytes, as two blocks have room for (256 bytes
/// and three blocks of 80 registers: spills, 322 us in place of 252).
RUNG_HD constexpr int column_stages(std::size_t batch_bytes) {
  return batch_bytes > 0 ? int(384 / batch_bytes) : 0;
}
/// The same where lanes scan, whose counters are in shared memory, too.
RUNG_HD constexpr int scan_column_stages(std::size_t batch_bytes) {
  return batch_bytes > 0 ? int(256 / batch_bytes) : 0;
}
/// Batches of a lane under way in registers, where joins are slow: 128 bytes (moments, 64 bytes
/// each: one 397 us, two 355; log_sum_exp, 128 bytes each: one 425 us, two 511).
RUNG_HD constexpr int column_blocks_ahead(std::size_t batch_bytes) {
  return batch_bytes > 0 && batch_bytes <= 64 ? 2 : 1;
}

/// What a plan may use; tests ask for less, to reach everything with few values.
struct axis_limits {
  int log_rows = 6;     ///< columns: rows of a lane, 2^6 at most
  int threads = 256;    ///< columns: of a block, 256 at most
  int warps = 16;       ///< long rows: of a block, 16 at most
  int wanted = 264;     ///< blocks, if there is enough to do
  int least_stage = 4;  ///< folded axes that are far apart: 2^4 positions at least in one stage
  /// Scans: lines so long are scanned as arrays, one after the other: 16 lines of 2^24 values
  /// 714 us, all at once 1017.
  std::int64_t array = std::int64_t(1) << 23;
};

/// Columns: packs side by side, lanes below each other, rows of each.
struct column_plan {
  int across, log_depth, log_rows;
};
constexpr column_plan plan_columns(std::int64_t packs, std::int64_t length, int pack_bytes,
                                   int log_batch, axis_limits most = {}) {
  const auto side_by_side = [&](int width) { return int(packs < width ? packs : width); };
  column_plan p{side_by_side(most.threads), 0, most.log_rows};
  // 512 bytes side by side (f16, 2^28 values: 256 bytes 142 us); half as many if all positions are
  // in one block then (672 rows of f32: 128 bytes 378 us).
  const int wide = std::min(most.threads, std::max(512 / pack_bytes, 32));
  for (p.log_rows = most.log_rows;; --p.log_rows) {
    // As deep as the positions need.
    p.log_depth = 0;
    p.across = side_by_side(most.threads);
    while ((std::int64_t(1) << (p.log_rows + p.log_depth)) < length) {
      const int deeper = most.threads >> (p.log_depth + 1);
      const bool fits = (std::int64_t(most.threads / (wide / 2)) << p.log_rows) >= length;
      if (deeper < 1 || deeper < side_by_side(fits ? wide / 2 : wide)) break;
      ++p.log_depth;
      p.across = side_by_side(deeper);
    }
    const std::int64_t rows = std::int64_t(1) << (p.log_rows + p.log_depth);
    const std::int64_t blocks = (packs + p.across - 1) / p.across * ((length + rows - 1) / rows);
    // Fewer rows of each lane, if none are left behind the last whole lane then.
    const bool leaves_some = length % (std::int64_t(1) << p.log_rows) != 0 && length <= rows &&
                             length >> p.log_rows > 0 &&
                             most.threads >> (p.log_depth + 1) >= side_by_side(wide);
    if (p.log_rows <= log_batch || (blocks >= most.wanted && !leaves_some)) return p;
  }
}

/// Scans of lines: rows per warp, 64 bytes per lane, 32 values at most.
RUNG_HD constexpr int scan_rows_for(std::size_t pack_bytes, int pack_size) {
  const int by_bytes = pack_bytes <= 16 ? 4 : pack_bytes <= 32 ? 2 : 1;
  return pack_size > 8 && by_bytes > 2 ? 2 : by_bytes;
}
/// Scans of columns: rows that a lane holds.
RUNG_HD constexpr int scan_column_batch(std::size_t pack_bytes, std::size_t state_bytes) {
  return pack_bytes >= 32 || state_bytes > 16 ? 4 : 8;
}
/// Positions of a part: all of them, or 2^n if there are too few lines to fill the GPU.
constexpr int scan_log_rows(std::int64_t packs, std::int64_t length, axis_limits most = {}) {
  int log_rows = 62;
  const std::int64_t wanted = std::int64_t(most.wanted) * most.threads / 2;
  if (packs >= wanted || length <= std::int64_t(1) << most.log_rows) return log_rows;
  for (log_rows = most.log_rows + 4; log_rows > most.log_rows; --log_rows)
    if ((length >> log_rows) * packs >= 2 * wanted) break;
  return log_rows;
}
}  // namespace rung::tune
