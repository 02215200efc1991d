// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See on_gpu.hpp. The arrays lie in host memory, often in a mapped file. The cores copy a chunk to
// pinned memory while the GPU gets and folds the one before; the states of chunks are joined here,
// as a partial joins its blocks, so the bits are those of the CPU. Entries of a scan come back the
// same way.
#include "on_gpu.hpp"

#include <rung/cpu/partial_blocks.hpp>
#include <thread>

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

namespace {

/// The GPUs that options name. Empty: the current one.
std::vector<int> gpus_of(const rung_options& o) {
  std::vector<int> list;
  const int there = o.gpu_count == 0 ? 0 : gpu_count();
  for (int i = 0; i < (o.gpu_count < 0 ? there : o.gpu_count); i++)
    list.push_back(o.gpu_count < 0 ? i : o.gpus[i]);
  for (const int gpu : list)
    if (gpu < 0 || gpu >= there)
      fail(error_code::bad_argument, "rung: there is no GPU " + std::to_string(gpu) +
                                         "; this machine has " + std::to_string(there) +
                                         ", counted from 0");
  return list;
}

/// f(0), ..., f(count - 1) at the same time. Throws what one of them has thrown.
template <class F>
void in_threads(std::size_t count, const F& f) {
  std::vector<std::exception_ptr> failures(count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; i++)
    threads.emplace_back([&, i] {
      try {
        f(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  for (auto& t : threads) t.join();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

/// Each GPU folds whole chunks, as many as the others, the last one what is left besides.
void fold_on_gpus(const job_parts& parts, const rung_options& o, const array_refs& in,
                  const std::vector<int>& gpus, const gpu_job& job, host::partial_blocks& blocks) {
  const auto count = std::int64_t(gpus.size());
  const std::int64_t n = job.count, chunks = (n + job.chunk - 1) / job.chunk;
  const auto cut = [&](std::int64_t g) { return std::min(n, chunks * g / count * job.chunk); };
  std::vector<host::partial_blocks> of_gpu;
  for (std::int64_t g = 0; g < count; g++)
    of_gpu.emplace_back(*find_fold(parts.how.kernel, parts.how.held),
                        operator_object(parts.how.kernel), cut(g));
  rung_options share = o;  // of the cores, too
  share.threads = std::max(1, host::worker_count(where(o)) / int(count));
  rung_options silent = share;
  silent.progress = nullptr;
  in_threads(gpus.size(), [&](std::size_t g) {
    gpu_job own;
    describe(own, parts, g == 0 ? share : silent, in);
    own.begin = cut(std::int64_t(g)), own.count = cut(std::int64_t(g) + 1) - own.begin;
    own.take = [&](const void* part, std::int64_t k) { of_gpu[g].append_state(part, k); };
    if (own.count == 0) return;
    use_gpu(gpus[g]);
    fold_on_gpu(own);
  });
  for (const auto& part : of_gpu) blocks.merge(part);
}

}  // namespace

void expect_one_gpu(const rung_options& o, const std::string& what) {
  if (o.gpu_count != 0)
    fail(error_code::bad_argument,
         "rung: several GPUs share reductions of whole arrays; " + what + " runs on one GPU");
}

void reduce_on_gpu(const job_parts& parts, const rung_options& o, const array_refs& in,
                   std::span<const place> results) {
  const recipe& how = parts.how;
  host::partial_blocks blocks(*find_fold(how.kernel, how.held), operator_object(how.kernel));
  alignas(64) std::byte state[64];

  gpu_job job;
  describe(job, parts, o, in);
  job.take = [&](const void* part, std::int64_t count) { blocks.append_state(part, count); };
  const std::vector<int> gpus = gpus_of(o);
  if (gpus.empty()) fold_on_gpu(job);
  else fold_on_gpus(parts, o, in, gpus, job, blocks);
  note_gpu_run(job, int(gpus.size()));
  blocks.value(state, parts.init);

  const host::worker_scope scope;
  parts.store.kernel.store(parts.store.facts, state, 1, 1, 1, results.data(), job.count);
}

void scan_on_gpu(const job_parts& parts, const rung_options& o, const array_refs& in,
                 const host::array_ref& out, bool& written) {
  expect_one_gpu(o, "a scan");
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
