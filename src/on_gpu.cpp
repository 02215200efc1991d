// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See on_gpu.hpp. The arrays lie in host memory, often in a mapped file. The cores copy a chunk to
// pinned memory while the GPU gets and folds the one before; the states of chunks are joined here,
// as a partial joins its blocks, so the bits are those of the CPU. Entries of a scan come back the
// same way.
#include "on_gpu.hpp"

#include <bit>
#include <cstdlib>
#include <rung/cpu/partial_blocks.hpp>

#include "gpu/job.hpp"

namespace rung::runtime {
namespace {

/// Bytes of elements per chunk: large enough that starting it costs nothing, small enough that
/// filling the first one, which overlaps with nothing, does not show.
constexpr std::int64_t bytes_of_chunk = std::int64_t(1) << 24;

/// A power of two of values. The environment may choose it, for tests.
std::int64_t chunk_length(const array_refs& in) {
  std::int64_t length = 0;
  if (const char* asked = std::getenv("RUNG_GPU_CHUNK")) length = std::atoll(asked);
  if (length <= 0) {
    std::size_t size = 1;
    for (const auto& ref : in.all()) size = std::max(size, ref.element_size);
    length = bytes_of_chunk / std::int64_t(size);
  }
  return std::int64_t(std::bit_floor(std::uint64_t(length)));
}

/// f(place) for positions first .. first + n - 1 in C order.
template <class F>
void walk(const host::array_ref& array, std::int64_t first, std::int64_t n, const F& f) {
  const int rank = array.shape.rank;
  std::array<std::int64_t, max_rank + 1> index{};
  std::byte* at = array.data;
  std::int64_t place = first;
  for (int d = rank; d-- > 0;) {
    const std::int64_t extent = array.shape.shape[std::size_t(d)];
    index[std::size_t(d)] = place % extent, place /= extent;
    at += index[std::size_t(d)] * array.shape.strides[std::size_t(d)];
  }
  for (std::int64_t i = 0; i < n; i++) {
    f(at);
    for (int d = rank; d-- > 0;) {  // the next position; the last axis turns fastest
      const std::int64_t stride = array.shape.strides[std::size_t(d)],
                         extent = array.shape.shape[std::size_t(d)];
      at += stride;
      if (++index[std::size_t(d)] < extent) break;
      at -= stride * extent, index[std::size_t(d)] = 0;
    }
  }
}

bool lies_side_by_side(const host::array_ref& a) {
  std::int64_t step = std::int64_t(a.element_size);
  for (int d = a.shape.rank; d-- > 0;) {
    const std::int64_t extent = a.shape.shape[std::size_t(d)];
    if (extent == 1) continue;
    if (a.shape.strides[std::size_t(d)] != step) return false;
    step *= extent;
  }
  return true;
}

/// Positions first .. first + n - 1 to memory, side by side, or from there, on all cores.
template <bool ToArray, class Byte>
void copy(const cpu_rung& where, const host::array_ref& array, std::int64_t first, std::int64_t n,
          Byte* memory) {
  const std::size_t size = array.element_size;
  const std::int64_t piece =
      std::max<std::int64_t>(1, (std::int64_t(1) << 19) / std::int64_t(size));
  const bool plain = lies_side_by_side(array);
  const auto move = [](std::byte* place, Byte* beside, std::size_t bytes) {
    if constexpr (ToArray) std::memcpy(place, beside, bytes);
    else std::memcpy(beside, place, bytes);
  };
  host::for_each_task(where, std::size_t((n + piece - 1) / piece), [&](std::size_t i) {
    const std::int64_t begin = std::int64_t(i) * piece, count = std::min(piece, n - begin);
    Byte* beside = memory + begin * std::int64_t(size);
    if (plain) {
      move(array.data + (first + begin) * std::int64_t(size), beside, std::size_t(count) * size);
    } else {
      walk(array, first + begin, count,
           [&](std::byte* place) { move(place, beside, size), beside += size; });
    }
  });
}

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

/// What a job reads.
void describe(gpu_input& job, const job_parts& parts, const rung_options& o, const array_refs& in) {
  const recipe& how = parts.how;
  const std::int64_t n = in.shape().size();
  job.op = how.kernel, job.held = how.held, job.read = how.read, job.nan = how.nan;
  job.arrays = int(in.count), job.types[0] = in.types[0], job.types[1] = in.types[1];
  job.count = n, job.chunk = chunk_length(in);
  job.fill = [&in, &o, n, cores = cpu_rung{}.with_threads(o.threads)](
                 int array, std::int64_t first, std::int64_t count, void* to) {
    if (o.progress) o.progress(o.progress_context, double(first) / double(n));
    copy<false>(cores, in.refs[std::size_t(array)], first, count, static_cast<std::byte*>(to));
  };
}
void note_gpu_run(const gpu_input& job) {
  note_run("cuda, " + std::string(rung_type_name(code_of(job.held))) + " states, " + gpu_name() +
           ", chunks of " + std::to_string(job.chunk) + " values");
}

}  // namespace

bool runs_on_gpu(const recipe& r, const rung_options& o, const array_refs& in,
                 const std::array<bool, max_rank>& folded) {
  if (o.device == RUNG_CPU) return false;
  if (is_exact(r.kernel)) return expect_cpu(o, "an exact sum"), false;
  bool whole = true;
  for (int d = 0; d < in.shape().rank; d++)
    whole = whole && (folded[std::size_t(d)] || in.shape().shape[std::size_t(d)] == 1);
  if (o.device == RUNG_AUTO) return whole && pays(r, o, in) && gpu_refusal().empty();
  if (!whole)
    expect_cpu(o, std::string(rung_op_name(r.op)) +
                      (rung_op_is_scan(r.op) ? " along one of several axes" : " of some axes"));
  if (const std::string refusal = gpu_refusal(); !refusal.empty())
    fail(error_code::device, "rung: cuda was asked for: " + refusal);
  return in.shape().size() > 0;  // of nothing there is nothing to send
}

std::string where_text() {
  return "where: cpu takes everything, cuda takes reductions and scans of whole arrays; auto is "
         "cpu, but cuda\n       for var, std, norm, logsumexp and cumlogsumexp of so many values "
         "that few cores take\n       longer than PCIe\n";
}

void expect_cpu(const rung_options& o, const std::string& what) {
  if (o.device == RUNG_CUDA)
    fail(
        error_code::bad_argument,
        "rung: " + what + " runs on the cpu only; cuda takes reductions and scans of whole arrays");
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
