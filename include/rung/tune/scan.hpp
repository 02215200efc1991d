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
/// Tiles that a block holds in shared memory at most, and how many of them are folded ahead.
inline constexpr int most_scan_stages = 7;
RUNG_HD constexpr int scan_ahead(int stages) { return stages > 5 ? stages - 2 : stages - 1; }

/// How often a block looks for another's tree before it folds that tile itself.
inline constexpr int scan_patience = 16;

/// The plan for so many rows; `rows` per warp where there are enough values.
RUNG_HD constexpr scan_plan plan_scan(std::int64_t count, int rows) {
  for (int warps = 1; warps <= 16; warps *= 2)
    if (count <= warps) return {scan_plan::kernel::few_tiles, warps, 1};
  for (int warps = 4; warps <= 8; warps *= 2)
    if (count <= 128 * warps) return {scan_plan::kernel::few_tiles, warps, 1};
  for (int warps = 4; warps <= 16; warps *= 2)
    if (count <= std::int64_t(128) * warps * rows)
      return {scan_plan::kernel::few_tiles, warps, rows};
  return {scan_plan::kernel::tiles, 16, rows};
}

}  // namespace rung::tune
