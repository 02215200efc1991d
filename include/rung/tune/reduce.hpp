// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How the device rung cuts an array for reduce: the one place with numbers, and what each was
// measured against, on an H200. None of them can change a bit of a result. tools/tune.py measures
// the candidates.
#pragma once
#include <cstddef>
#include <cstdint>

#include "../base/machine.hpp"

namespace rung::tune {

/// Which kernel, and its shape. Sizes are in rows: 32 lanes, a pack of 16 bytes each.
struct reduce_plan {
  enum class kernel { one_block, few_tiles, tiles } which;
  int warps;       ///< per block, a power of two but for one_block
  int log_groups;  ///< tiles: each warp folds 2^log_groups groups of rows
};

/// What the numbers depend on beside the size.
struct reduce_kind {
  bool slow_joins = false;  ///< joins cost more than the exchanges (moments, log_sum_exp)
  bool wide = false;        ///< states above 8 bytes
  bool whole = true;        ///< nothing is left over, or it costs little (many rows in free order)
  int pack = 4;             ///< values in 16 bytes
};

/// Packs of 16 bytes that a lane reads before it folds them: bytes in flight against registers.
inline constexpr int packs_of_small_block = 4, packs_of_block = 8, packs_of_few_tiles = 4,
                     packs_of_tiles = 8;
/// How many of them are neighbours: what a lane folds alone is not exchanged. But 32 values at
/// most, so that a lane's share that is not whole is one value for each lane.
RUNG_HD constexpr int adjacent_packs(std::size_t state_bytes, bool slow_joins, int pack) {
  return state_bytes <= 16 && !slow_joins ? 1 : pack <= 8 ? 4 : 2;
}
/// Warps per block where there are many tiles: for joins that need all registers, half as many.
RUNG_HD constexpr int warps_of_tiles(bool slow_joins) { return slow_joins ? 8 : 16; }
/// Blocks that a multiprocessor must hold at the same time, which limits the registers. Two of 16
/// warps bring 128 KiB under way (f32, 2^30: 938 us, with three 954 to 966; f64, 2^28: 472, with
/// three 498; f16: 123, with three 131; arg_max: 242, with one 265). Two of 8 warps for slow joins
/// (moments, 2^28: 259 us, with three 275; log_sum_exp, 2^30: 1303, with three 1305). States above
/// 16 bytes need all registers.
RUNG_HD constexpr int blocks_of_tiles(std::size_t state_bytes, bool slow_joins) {
  return slow_joins || state_bytes <= 16 ? 2 : 1;
}

/// The plan for so many rows of 512 bytes. Times of f32 sums, in microseconds, 2026-11-30.
RUNG_HD constexpr reduce_plan plan_reduce(std::int64_t rows, reduce_kind kind = {}) {
  using which = reduce_plan::kernel;
  // One block. 2^10: 8 warps of one row 1.33, 2 of four 1.41. 2^12: 32 of one row 1.58, 16 of two
  // 1.45, 8 of four 1.43, 4 of eight 1.65. 2^14: 16 of eight 1.76, blocks that post 2.17. With a
  // part of some rows left over, 16 warps: 5000 f32 2.05 (8 warps 2.58, blocks that post 2.75), f64
  // 2.49 (3.27), arg_max 2.66 (5 warps 3.53); 16000 f32 2.67 (2.65).
  if (rows <= 8 || (rows <= 32 && !kind.whole))
    return {which::one_block, rows < 1 ? 1 : int(rows), 0};
  if (rows <= 32) return {which::one_block, int((rows + 3) / 4), 0};
  if (rows <= 128) return {which::one_block, 16, 0};
  // One warp folds what 128 blocks have posted. 2^16: 4, 8, 16 warps 2.37, 2.36, 2.37; 2^18: 2.53,
  // 2.44, 2.84; 2^20 takes 16: 3.97, larger tiles 3.7 to 4.2. What is left over is shared by the
  // warps of one block. 100003 f32: 3.21, 3.09, 3.23, f16 3.14, 3.11, 3.30, f64 3.80, 3.74, 3.44.
  for (int warps = kind.whole ? 4 : kind.pack > 2 ? 8 : 16; warps <= 16; warps *= 2)
    if (rows <= std::int64_t(warps == 16 ? 128 : 64) * warps * packs_of_few_tiles)
      return {which::few_tiles, warps, 0};
  if (kind.slow_joins) {
    // Moments: 2^22 two groups per warp 12.8 (one 14.7), 2^24 eight 24.8 (one 33), 2^26 sixteen 72
    // (four 79), 2^30 thirty-two 1041 with sum, min and max (eight 1086).
    const int warps = warps_of_tiles(true);
    const std::int64_t tiles = rows / (warps * packs_of_tiles);
    int log = 0;
    while (log < 4 && tiles >> (log + 1) >= 256) ++log;
    if (tiles >> 5 >= 2048) log = 5;
    return {which::tiles, warps, log};
  }
  // 2^22: 8 warps 7.2, 16 warps 7.5; f16 5.38, 5.37, 3000001 of them 6.0, 5.43. arg_max: 8.4, two
  // groups 8.0; 2^24: eight 19.2, one 22.9.
  if (rows <= 1 << 15) return {which::tiles, kind.pack > 4 ? 16 : 8, kind.wide ? 1 : 0};
  if (rows <= 1 << 17 && kind.wide) return {which::tiles, 8, 3};
  // Longer tiles, as long as there are enough. 2^24: one group 17.9, two 19.7, eight 19.2; 2^26:
  // one 63.1, two 65.1, eight 63.5; 2^28: one 241.7, four 238.9, eight 237.8; 2^30: eight 937.9,
  // sixteen 946.2. Beyond: fewer than 32768 words to fold.
  const std::int64_t tiles = rows / (16 * packs_of_tiles);
  int log = tiles >= 4096 ? 3 : 0;
  while (log < 5 && tiles >> (log + 1) >= 8192) ++log;
  return {which::tiles, 16, log};
}

}  // namespace rung::tune
