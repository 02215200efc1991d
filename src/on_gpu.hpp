// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a call runs, and reductions and scans of host arrays on the GPU.
#pragma once
#include "job.hpp"

namespace rung::runtime {

/// Whether a reduction or scan runs on the GPU, as options.device wants it. Throws if it must and
/// cannot.
bool runs_on_gpu(const recipe& r, const rung_options& options, const array_refs& in,
                 const std::array<bool, max_rank>& folded);
/// The same in words, for `rung info`.
std::string where_text();
/// Throws if options ask for cuda: `what` runs on the CPU only.
void expect_cpu(const rung_options& options, const std::string& what);
/// The reduction of whole arrays, results[p] being where plane p goes.
void reduce_on_gpu(const job_parts& parts, const rung_options& options, const array_refs& in,
                   std::span<const place> results);
/// The scan of whole arrays to out, which has the input's shape. written: whether any of it was.
void scan_on_gpu(const job_parts& parts, const rung_options& options, const array_refs& in,
                 const host::array_ref& out, bool& written);

}  // namespace rung::runtime
