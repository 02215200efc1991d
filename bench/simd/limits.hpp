// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What memory can do: loops that only read, and that only copy, in the best vectors of this
// machine.
#pragma once
#include <cstddef>

namespace rung::bench {

/// Reads n bytes (a multiple of 1 KiB).
void read_only(const std::byte* from, std::size_t n);
/// Copies n bytes (a multiple of 1 KiB); `stream`: past the cache, `to` aligned to 64 bytes.
void copy_only(const std::byte* from, std::byte* to, std::size_t n, bool stream);

}  // namespace rung::bench
