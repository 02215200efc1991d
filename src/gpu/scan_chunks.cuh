// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A long array in host memory, scanned on the GPU chunk by chunk (scan.cuh: what chunks hand on).
// Data flow, each arrow a stream or the host:
//   host array --fill--> pinned --> GPU --load, scan, store--> results --> pinned --drain--> host
// Three chunks are under way: one comes, one is scanned and goes back, and the host is at work on
// the third. Each is filled before it is drained, so the output may be the input.
#pragma once
#include "run.cuh"
#include "scan.cuh"
#include "store.cuh"

namespace rung::runtime {

/// A chunk on its way to the GPU and back. Entries lie behind that of everything before the chunk.
struct scan_buffer : chunk_input {
  gpu_memory before, results;
  pinned_memory back;
  gpu_event scanned, returned;
  scan_buffer(const chunk_sizes& size, std::int64_t length, std::size_t entry, std::size_t result,
              bool direct)
      : chunk_input(size, length),
        before(gpu_allocate(std::size_t(length + 1) * entry)),
        back(allocate_pinned(std::size_t(length) * result)) {
    if (!direct) results.reset(gpu_allocate(std::size_t(length) * result));
  }
};

inline void scan_chunks(const gpu_scan_job& job, const gpu_scan& scan) {
  const std::int64_t length = chunk_length(job), chunks = (job.count + length - 1) / length;
  const chunk_sizes size = sizes_of(job, scan.state_size);
  const std::size_t entry = size_of(code_of(job.held)), result = size_of(job.result);
  const bool direct = job.result == code_of(job.held);
  const gpu_stream coming, scans, going;
  const device where(scans);
  const gpu_memory carry(gpu_allocate(chunk_carry::count * scan.state_size));
  scan_buffer buffers[3] = {{size, length, entry, result, direct},
                            {size, length, entry, result, direct},
                            {size, length, entry, result, direct}};
  const auto count_of = [&](std::int64_t k) { return std::min(length, job.count - k * length); };
  const auto drain = [&](std::int64_t k) {
    const scan_buffer& b = buffers[k % 3];
    b.returned.wait();
    job.drain(k * length, count_of(k), b.back.get());
  };

  for (std::int64_t k = 0; k < chunks; ++k) {
    scan_buffer& b = buffers[k % 3];
    if (k >= 3) drain(k - 3);
    const std::int64_t n = count_of(k);
    b.bring(job, size, k * length, n, coming, scans);
    scan.scan(where, scan.fold,
              {values_of(where, job, b, n), k, n, length, job.init, carry.get(), b.before.get()});
    const void* out = static_cast<const std::byte*>(b.before.get()) + (job.exclusive ? 0 : entry);
    if (!direct) {
      store_chunk(where, job.held, job.result, out, n, b.results.get());
      out = b.results.get();
    }
    b.scanned.record(scans);
    b.scanned.hold_back(going);
    copy_from_gpu_later(b.back.get(), out, std::size_t(n) * result, going);
    b.returned.record(going);
  }
  for (std::int64_t k = std::max<std::int64_t>(0, chunks - 3); k < chunks; ++k) drain(k);
}

}  // namespace rung::runtime
