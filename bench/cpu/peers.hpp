// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What else sums and scans on a CPU: the standard library, OpenMP, oneTBB, Eigen. Each is written
// as its users would write it, with the same accumulator as rung and all instructions of the
// machine.
#pragma once
#include <vector>

#include "../harness.hpp"
#include "types.hpp"

namespace bench {

/// Sums of x[0 .. n): serial ones at every size, parallel ones from 256 KiB on.
template <class T>
std::vector<candidate> sum_peers(const T* x, std::size_t n);

/// Inclusive sums of x[0 .. n) into y, likewise.
template <class T>
std::vector<candidate> scan_peers(const T* x, scan_type<T>* y, std::size_t n);

}  // namespace bench
