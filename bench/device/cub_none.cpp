// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of a newer CUB where none was given.
#include "cub_peer.hpp"
#include "cub_scan_peer.hpp"
#include "cub_segments_peer.hpp"

namespace rung::bench::newest {
const cub_calls cub{nullptr, 0, nullptr, nullptr, nullptr, nullptr};
const cub_scans scans{nullptr, 0, nullptr, nullptr};
const cub_segments segments{nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr};
}  // namespace rung::bench::newest
