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
/// transformation, and no more states of packs than registers hold. Sums of 2^28 f32: 32 values and
/// 8 warps 4015 GB/s, 16 values and 16 warps 3750.
RUNG_HD constexpr int scan_packs_for(std::size_t pack_bytes, std::size_t value_bytes,
                                     std::size_t state_bytes) {
  const std::size_t bytes = pack_bytes > value_bytes ? pack_bytes : value_bytes;
  int packs = 8;
  while (packs > 1 && (packs * bytes > 128 || packs * state_bytes > 256)) packs /= 2;
  return packs;
}
/// The same where there are few: lanes read and write packs where they lie. In microseconds, 1, 2,
/// 4 and 8 packs: 2^10 f32 1.93, 2.02, 2.06, 2.21.
RUNG_HD constexpr int fewer_packs(int) { return 1; }
/// Tiles that a block holds in shared memory at most, and how many of them are folded ahead. 2^28
/// f32 in GB/s: 7 and 5 3805, 7 and 4 3691 (before other changes); two blocks of 4 warps at a time,
/// 7 and 5 3516.
inline constexpr int most_scan_stages = 7;
RUNG_HD constexpr int scan_ahead(int stages) { return stages > 5 ? stages - 2 : stages - 1; }

/// Warps that wait for prefixes: 2^28 f32 in GB/s, 3 3940, 5 3997. More than 12 warps in all leave
/// lanes 128 registers, 12 leave 168, which narrow values need: i8, 2^30 values, 3 3942, 5 3363.
RUNG_HD constexpr int scan_couriers(int pack_size, int ahead) {
  const int most = pack_size > 4 ? 3 : 5;
  return ahead < most ? ahead : most;
}
/// Whether the warps of a block begin to write a tile together, which memory likes and warps do
/// not. GB/s apart and together, 2^28 values: f32 3980 and 4027, 3 i32 3919 and 4001, i64 3986 and
/// 4024, i16 3922 and 3934; but f16 3883 and 3494, i8 3200 and 2409.
RUNG_HD constexpr bool scan_in_step(int pack_size) { return pack_size <= 4; }

/// How often a block looks for another's tree before it folds that tile itself.
inline constexpr int scan_patience = 16;

/// The plan for so many rows; `packs` per lane where there are enough values. Times of f32 sums on
/// an H200, in microseconds, 2026-11-30: 2^12 values in one block 2.45, in four 2.59; 2^14 in tiles
/// of 8 warps 2.72, of 4 2.8; 2^18 8 packs and 4 warps 4.08, 8 warps 4.7; 2^20 8 packs and 8 warps
/// 6.7, 16 warps 7.2; 2^21 in one hop 9.4, by the kernel for many tiles 10.
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
