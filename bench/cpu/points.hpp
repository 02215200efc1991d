// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The sizes and shapes that the CPU is measured at.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// Input bytes: in L1, in L2, at the edge of L2, beyond most caches, beyond all.
inline const std::vector<std::size_t> sizes = {16 << 10, 256 << 10, 1 << 20, 64 << 20, 1 << 30};

/// Few long rows, a square, many short rows, and three axes: 2^26, 2^26, 2^26 and 2^26 values.
inline const std::vector<std::vector<std::int64_t>> shapes = {
    {16, 1 << 22}, {4096, 16384}, {1 << 22, 16}, {256, 512, 512}};

/// Small shapes with the same kinds of axes, for the cache and for a quick look.
inline const std::vector<std::vector<std::int64_t>> small_shapes = {
    {16, 1 << 12}, {256, 256}, {1 << 12, 16}};

}  // namespace bench
