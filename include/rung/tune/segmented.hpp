// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How the device rung cuts segments: the one place with numbers, and what each was measured
// against, on an H200. None of them can change a bit of a result.
#pragma once
#include <cstddef>

#include "../base/machine.hpp"

namespace rung::tune {

/// Threads of a block that folds segments, and blocks that a multiprocessor holds at a time. Sums
/// of 2^28 f32 on an H200, 2026-11-30, microseconds, for lengths 1, 16, 1024 and 2^16: 128 threads
/// and ten blocks 1160, 394, 292, 261; eight 1127, 435, 305, 255; 256 threads and five 1453, 548,
/// 409, 303. Scans, lengths 16 and 1024: 128 threads and eight blocks 962 and 701, six 999 and 717.
inline constexpr int segment_threads = 128, segment_blocks = 10, segment_scan_blocks = 8;

/// A block's share is 2^k values and segments together, and a segment longer than that is cut
/// there. An eighth more than a share fits into shared memory, 18 KiB of f32; room for twice a
/// share, so that no last segment is done alone, leaves six blocks: length 1024 354.
RUNG_HD constexpr int log_segment_tile(std::size_t value_bytes, std::size_t state_bytes) {
  int k = 12;
  while (k > 8 && (value_bytes << k > 16384 || state_bytes << k > 65536)) --k;
  return k;
}

}  // namespace rung::tune
