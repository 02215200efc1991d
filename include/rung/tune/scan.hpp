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

/// Which kernel, and its shape. Sizes are in rows: 32 packs of values.
struct scan_plan {
  enum class kernel { few_tiles, tiles } which;
  int warps;  ///< per block, a power of two, 16 at most
  int packs;  ///< per lane
};

/// Packs that a lane owns where there are many values: 128 bytes, before and after a
/// transformation, and no more states of packs than registers hold.
RUNG_HD constexpr int scan_packs_for(std::size_t pack_bytes, std::size_t value_bytes,
                                     std::size_t state_bytes) {
  const std::size_t bytes = pack_bytes > value_bytes ? pack_bytes : value_bytes;
  int packs = 8;
  while (packs > 1 && (packs * bytes > 128 || packs * state_bytes > 256)) packs /= 2;
  return packs;
}
/// The same where there are few.
RUNG_HD constexpr int fewer_packs(int) { return 1; }
/// Tiles that a block holds in shared memory at most, and how many of them are folded ahead. 2^28
/// values in GB/s: 7 and 5 3860, 7 and 4 3710, 5 and 3 3500; blocks of 8 warps, two at a time, 6
/// and 4 3650. Bulk copies instead of each lane's own, of a warp's part 3805, of a tile by a warp
/// of its own 3530.
inline constexpr int most_scan_stages = 7;
RUNG_HD constexpr int scan_ahead(int stages) { return stages > 5 ? stages - 2 : stages - 1; }

/// Warps that wait for prefixes. More than 12 warps in all leave lanes 128 registers, 12 leave 168,
/// which narrow values need.
RUNG_HD constexpr int scan_couriers(int pack_size, int ahead) {
  const int most = pack_size > 4 ? 3 : 5;
  return ahead < most ? ahead : most;
}
/// Whether the warps of a block begin to write a tile together, which memory likes and warps do
/// not.
RUNG_HD constexpr bool scan_in_step(int pack_size) { return pack_size <= 4; }

/// How often a block looks for another's tree before it folds that tile itself.
inline constexpr int scan_patience = 16;

/// The plan for so many rows; `packs` per lane where there are enough values.
RUNG_HD constexpr scan_plan plan_scan(std::int64_t count, int packs) {
  using kernel = scan_plan::kernel;
  const int few = fewer_packs(packs);
  for (int warps = 1; warps <= 16; warps *= 2)
    if (count <= warps * few) return {kernel::few_tiles, warps, few};
  if (count <= 4 * packs) return {kernel::few_tiles, 4, packs};
  if (count <= 128 * 8 * few) return {kernel::few_tiles, 8, few};
  if (count <= 64 * 4 * packs) return {kernel::few_tiles, 4, packs};
  for (int warps = 8; warps <= 16; warps *= 2)
    if (count <= 128 * warps * packs) return {kernel::few_tiles, warps, packs};
  return {kernel::tiles, 8, packs};
}

}  // namespace rung::tune
