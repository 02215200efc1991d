// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the memory of this machine can do: loops that read or copy and do nothing else. Several
// shapes of loop, on one thread and on all, because which one is fastest differs with the size; the
// harness takes the best of them as the limit.
#pragma once
#include <cstddef>
#include <vector>

#include "../harness.hpp"

namespace bench {

/// Loops that read `bytes` from `in`.
std::vector<limit> read_limits(const void* in, std::size_t bytes);

/// Loops that copy from `in` to `out` and move `moved` bytes in all, reads and writes together.
std::vector<limit> copy_limits(const void* in, void* out, std::size_t moved);

}  // namespace bench
