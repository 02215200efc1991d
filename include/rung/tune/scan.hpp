// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How the device rung cuts an array for its scans: the one place with numbers, and what each was
// measured against, on an H200. None of them can change a bit of a result.
#pragma once
#include <cstddef>
#include <cstdint>

#include "../base/machine.hpp"

namespace rung::tune {

/// Which kernel, and its shape. Sizes are in rows: 32 lanes, a pack of values each.
struct scan_plan {
  enum class kernel { few_tiles, tiles } which;
  int warps;  ///< per block, a power of two, 16 at most
  int rows;   ///< per warp
};

/// Rows per warp where there are many values: 64 bytes per lane, 32 values at most.
RUNG_HD constexpr int scan_rows_for(std::size_t pack_bytes, int pack_size) {
  const int by_bytes = pack_bytes <= 16 ? 4 : pack_bytes <= 32 ? 2 : 1;
  return pack_size > 8 && by_bytes > 2 ? 2 : by_bytes;
}
/// Tiles that a block holds in shared memory at most, and how many of them are folded ahead. 2^28
/// values in GB/s: 7 and 5 3860, 7 and 4 3710, 5 and 3 3500; blocks of 8 warps, two at a time, 6
/// and 4 3650. Bulk copies instead of each lane's own, of a warp's part 3805, of a tile by a warp
/// of its own 3530.
inline constexpr int most_scan_stages = 7;
RUNG_HD constexpr int scan_ahead(int stages) { return stages > 5 ? stages - 2 : stages - 1; }

/// Whether the warps of a block begin to write a tile together, which memory likes and warps do
/// not. GB/s, 2^28 values, apart and together: sums of f32 3860 and 3930, i32 3841 and 3911, i64
/// 3664 and 3902; but f64 3796 and 3698, f16 3802 and 3288, a user's maximum of f32 3849 and 3593.
RUNG_HD constexpr bool scan_in_step(std::size_t state_bytes, int pack_size, bool any_order,
                                    bool has_identity) {
  return has_identity && (state_bytes <= 4 ? pack_size <= 4 : state_bytes <= 8 && any_order);
}

/// How often a block looks for another's tree before it folds that tile itself.
inline constexpr int scan_patience = 16;

/// The plan for so many rows; `rows` per warp where there are enough values. Times of f32 sums on
/// an H200, in microseconds, 2026-11-30.
RUNG_HD constexpr scan_plan plan_scan(std::int64_t count, int rows) {
  // Two rows per warp, not one: 2^10 values 1.98 (1.91), 2^12 2.44 (2.82), 2^16 3.01 (3.15), 2^18
  // 4.40 (4.59). One block to 2^12: two take 2.84.
  const int low = rows < 2 ? rows : 2;
  for (int warps = 1; warps <= 16; warps *= 2)
    if (count <= warps * low) return {scan_plan::kernel::few_tiles, warps, low};
  // 2^14: 4 warps 2.86, 8 2.89, 16 3.18; 2^16: 4 3.22, 8 3.01, 16 3.27; 2^18: 8 4.53, 16 4.40.
  for (int warps = 4; warps <= 16; warps *= 2)
    if (count <= std::int64_t(8) * warps * warps * low)
      return {scan_plan::kernel::few_tiles, warps, low};
  // 2^20: four rows and 128 tiles 7.01, the kernel for many tiles 8.79.
  if (count <= std::int64_t(128) * 16 * rows) return {scan_plan::kernel::few_tiles, 16, rows};
  return {scan_plan::kernel::tiles, 16, rows};
}

}  // namespace rung::tune
