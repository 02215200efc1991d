// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans whose arrays lie in GPU memory (options.memory), once their arguments are
// checked: what gpu/resident.hpp is told.
#pragma once
#include "job.hpp"

namespace rung::runtime {

inline bool is_in_gpu_memory(const rung_options& o) { return o.memory == RUNG_GPU_MEMORY; }
/// Throws if options say that arrays lie in GPU memory: `what` takes host memory alone.
void expect_host_memory(const rung_options& options, const std::string& what);

/// results[p]: plane p with strides for all axes of the input, 0 along the folded ones.
void reduce_in_gpu_memory(const recipe& how, const rung_options& options, const array_refs& in,
                          const std::array<bool, max_rank>& folded,
                          std::span<const host::array_ref> results);
/// out has the input's shape, and strides for all its axes.
void scan_in_gpu_memory(const recipe& how, const rung_options& options, const array_refs& in,
                        const std::array<bool, max_rank>& folded, const host::array_ref& out);
/// Of the segments of a line, whose offsets lie in GPU memory too; order may be null. results: one
/// for each plane, or the scan's.
void segments_in_gpu_memory(const recipe& how, const rung_options& options, const array_refs& in,
                            const rung_array& offsets, const rung_array* order,
                            std::span<const host::array_ref> results);

}  // namespace rung::runtime
