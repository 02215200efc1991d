// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a call runs, and reductions and scans of host arrays on the GPU.
#pragma once
#include "job.hpp"

namespace rung::runtime {

/// Whether a call runs on the GPU, as options.device wants it. Throws if it must and cannot. Calls
/// without values do not.
bool runs_on_gpu(const recipe& r, const rung_options& options, const array_refs& in);
/// Throws if no GPU can be used.
void expect_gpu();
/// The same in words, for `rung info`.
std::string where_text();
/// Throws if options ask for cuda: `what` runs on the CPU only.
void expect_cpu(const rung_options& options, const std::string& what);
/// Throws if options ask for several GPUs: `what` runs on one.
void expect_one_gpu(const rung_options& options, const std::string& what);
/// Whether a call goes on with the CPU after this error: auto does, if the GPU is busy or full.
bool has_another_way(const rung_options& options, const error& e);

/// The reduction of whole arrays, results[p] being where plane p goes.
void reduce_on_gpu(const job_parts& parts, const rung_options& options, const array_refs& in,
                   std::span<const place> results);
/// The scan of whole arrays to out, which has the input's shape. written: whether any of it was.
void scan_on_gpu(const job_parts& parts, const rung_options& options, const array_refs& in,
                 const host::array_ref& out, bool& written);

/// The same along some axes. results[p]: plane p with strides for all axes of the input, 0 along
/// the folded ones. What they work on has to fit the GPU's memory: rung::error, no_memory.
void reduce_axes_on_gpu(const job_parts& parts, const rung_options& options, const array_refs& in,
                        const std::array<bool, max_rank>& folded,
                        std::span<const host::array_ref> results);
void scan_axis_on_gpu(const job_parts& parts, const rung_options& options, const array_refs& in,
                      const std::array<bool, max_rank>& folded, const host::array_ref& out,
                      bool& written);
/// The same of the segments of a line, by checked offsets. nothing: the state of no values. Entries
/// outside all segments are not written.
void reduce_segments_on_gpu(const job_parts& parts, const rung_options& options,
                            const array_refs& in, std::span<const std::int64_t> offsets,
                            const void* nothing, std::span<const host::array_ref> results);
void scan_segments_on_gpu(const job_parts& parts, const rung_options& options, const array_refs& in,
                          std::span<const std::int64_t> offsets, const host::array_ref& out,
                          bool& written);

}  // namespace rung::runtime
