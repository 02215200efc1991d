// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The calls of rung that are measured.
#pragma once
#include <vector>

#include "types.hpp"

namespace bench {

/// The sum of x[0 .. n).
template <class T>
void our_sum(const T* x, std::size_t n);

/// The exact sum of x[0 .. n).
template <class T>
void our_exact_sum(const T* x, std::size_t n);

/// The inclusive sums of x[0 .. n) into y.
template <class T>
void our_scan(const T* x, scan_type<T>* y, std::size_t n);

/// Sums of a C-ordered array along one axis into y, C-ordered without that axis.
void our_axis_sum(const float* x, float* y, const std::vector<std::int64_t>& shape, int axis);

/// Inclusive sums along one axis into y, of the same shape.
void our_axis_scan(const float* x, float* y, const std::vector<std::int64_t>& shape, int axis);

/// The sums, and the minima, of segments of x[0 .. n) into y.
template <class T>
void our_segment_sums(const T* x, std::int64_t n, const std::vector<std::int64_t>& offsets,
                      sum_type<T>* y);
template <class T>
void our_segment_minima(const T* x, std::int64_t n, const std::vector<std::int64_t>& offsets,
                        sum_type<T>* y);

/// The sums of x by ids from 0 to groups - 1 into y.
void our_sums_by_id(const double* x, const std::vector<std::int64_t>& ids, double* y,
                    std::int64_t groups);

}  // namespace bench
