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

/// Packs of 16 bytes that a lane reads before it folds them: bytes in flight against registers.
inline constexpr int packs_of_few_tiles = 4, packs_of_tiles = 8;
/// How many of them are neighbours: what a lane folds alone is not exchanged.
RUNG_HD constexpr int adjacent_packs(std::size_t state_bytes) { return state_bytes > 16 ? 4 : 1; }
/// Blocks of 512 threads that a multiprocessor must hold at the same time, which limits the
/// registers: three for sums of f32 (18.3 us for 2^24, without the limit 19.7), but not for wider
/// states or packs of more values, which do not fit into 40 registers (f64, 2^28: 476 us, with
/// three 498; f16: 124 us, with three 131; arg_max: 242 us, with one 265). Two of those bring
/// 128 KiB under way. States above 16 bytes need all registers.
RUNG_HD constexpr int blocks_of_tiles(std::size_t state_bytes, int pack) {
  return state_bytes <= 4 && pack <= 4 ? 3 : state_bytes <= 16 ? 2 : 1;
}

/// The plan for so many rows of 512 bytes. Times of f32 sums, in microseconds, 2026-11-30.
RUNG_HD constexpr reduce_plan plan_reduce(std::int64_t rows) {
  // 2^12 values: one block 1.55, blocks that post 2.35.
  if (rows <= 32) return {reduce_plan::kernel::one_block, rows < 1 ? 1 : int(rows), 0};
  // One warp folds what 128 blocks have posted. 2^14: 4, 8, 16 warps 2.35, 2.39, 2.51;
  // 2^18: 2.68, 2.67, 2.91; 2^20 takes 16: 4.21, larger tiles 4.26 to 4.41.
  for (int warps = 4; warps <= 16; warps *= 2)
    if (rows <= std::int64_t(128) * warps * packs_of_few_tiles)
      return {reduce_plan::kernel::few_tiles, warps, 0};
  // 2^22: 8 warps 7.15, 16 warps 7.93.
  if (rows <= 1 << 15) return {reduce_plan::kernel::tiles, 8, 0};
  // Longer tiles, as long as there are enough. 2^24: one group 18.1, four 18.9; 2^28: eight 234.8,
  // four 236.7; 2^30: eight 926.4, sixteen 931.5. Beyond: fewer than 32768 words to fold.
  const std::int64_t tiles = rows / (16 * packs_of_tiles);
  int log = 0;
  while (log < 3 && tiles >> (log + 1) >= 2048) ++log;
  while (log < 5 && tiles >> (log + 1) >= 8192) ++log;
  return {reduce_plan::kernel::tiles, 16, log};
}

}  // namespace rung::tune
