// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See on_gpu.hpp. The arrays lie in host memory, often in a mapped file. The cores copy a chunk to
// pinned memory while the GPU gets and folds the one before; the states of chunks are joined here,
// as a partial joins its blocks, so the bits are those of the CPU. Entries of a scan come back the
// same way.
#include "on_gpu.hpp"

#include <rung/cpu/partial_blocks.hpp>

#include "gpu_feed.hpp"

namespace rung::runtime {
namespace {

/// Whether a GPU beats the cores on an array in host memory, which has to be copied and to cross
/// PCIe first. Measured on an H200 beside 16 cores with AVX-512, f32 values in the page cache: CUDA
/// needs 0.3 s to start, then chunks go at 53 GB/s, or 6.8 GB/s per core that copies; of a scan,
/// both ways together at 38, or 5.5 per core. The cores fold sums and extremes at 8 GB/s each, 112
/// GB/s together, so these never pay, and scan no slower; var, norm and logsumexp take them 1.1
/// to 1.8 ns per value, cumlogsumexp 33 to 41.
bool pays(const recipe& r, const rung_options& o, const array_refs& in) {
  const bool slow_on_cpu = r.kernel == kernel_op::moments || r.kernel == kernel_op::norm ||
                           r.kernel == kernel_op::moments_number ||
                           r.kernel == kernel_op::log_sum_exp;
  const double cores = host::worker_count(where(o)), values = double(in.shape().size());
  double bytes = values * double(in.refs[0].element_size);
  double gpu = 0.3 + bytes / std::min(50e9, 6.8e9 * cores), cpu = values * 1.3e-9 / cores;
  if (rung_op_is_scan(r.op)) {
    bytes += values * double(rung_type_size(r.result));
    gpu = 0.3 + bytes / std::min(38e9, 5.5e9 * cores), cpu = values * 35e-9 / cores;
  }
  return slow_on_cpu && gpu < 0.8 * cpu;
}

}  // namespace

bool runs_on_gpu(const recipe& r, const rung_options& o, const array_refs& in) {
  if (o.device == RUNG_CPU || in.shape().size() == 0) return false;  // of nothing: nothing to send
  if (is_exact(r.kernel)) return expect_cpu(o, "an exact sum"), false;
  if (o.device == RUNG_AUTO) return pays(r, o, in) && gpu_refusal().empty();
  expect_gpu();
  return true;
}

void expect_gpu() {
  if (const std::string refusal = gpu_refusal(); !refusal.empty())
    fail(error_code::device, "rung: cuda was asked for: " + refusal);
}

std::string where_text() {
  return "where: cpu takes everything, cuda all but partials; auto is cpu, but cuda for var, std, "
         "norm, logsumexp\n       and cumlogsumexp of so many values that few cores take longer "
         "than PCIe\n";
}

void expect_cpu(const rung_options& o, const std::string& what) {
  if (o.device == RUNG_CUDA)
    fail(error_code::bad_argument,
         "rung: " + what + " runs on the cpu only; cuda takes reductions and scans");
}

bool has_another_way(const rung_options& o, const error& e) {
  return o.device == RUNG_AUTO &&
         (e.code() == error_code::device || e.code() == error_code::no_memory);
}

void reduce_on_gpu(const job_parts& parts, const rung_options& o, const array_refs& in,
                   std::span<const place> results) {
  const recipe& how = parts.how;
  host::partial_blocks blocks(*find_fold(how.kernel, how.held), operator_object(how.kernel));
  alignas(64) std::byte state[64], before[64];

  gpu_job job;
  describe(job, parts, o, in);
  job.take = [&](const void* part, std::int64_t count) { blocks.append_state(part, count); };
  job.so_far = [&]() -> const void* {
    if (blocks.blocks() == 0) return parts.init;
    blocks.value(before, parts.init);
    return before;
  };
  fold_on_gpu(job, state);
  note_gpu_run(job);

  const host::worker_scope scope;
  parts.store.kernel.store(parts.store.facts, state, 1, 1, 1, results.data(), job.count);
}

void scan_on_gpu(const job_parts& parts, const rung_options& o, const array_refs& in,
                 const host::array_ref& out, bool& written) {
  gpu_scan_job job;
  describe(job, parts, o, in);
  job.exclusive = o.exclusive != 0, job.init = parts.init, job.result = parts.how.result;
  job.drain = [&, cores = cpu_rung{}.with_threads(o.threads)](
                  std::int64_t first, std::int64_t count, const void* from) {
    written = true;
    copy<true>(cores, out, first, count, static_cast<const std::byte*>(from));
  };
  run_scan_on_gpu(job);
  note_gpu_run(job);
}

}  // namespace rung::runtime
