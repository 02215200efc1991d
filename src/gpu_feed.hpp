// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What jobs of the GPU are fed with: arrays in host memory, often mapped files, of any layout,
// copied a chunk at a time to memory side by side, on all cores, and back.
#pragma once
#include <bit>
#include <cstdlib>

#include "gpu/job.hpp"
#include "job.hpp"

namespace rung::runtime {

/// Bytes of elements per chunk: large enough that starting it costs nothing, small enough that
/// filling the first one, which overlaps with nothing, does not show.
inline constexpr std::int64_t bytes_of_chunk = std::int64_t(1) << 24;

/// A power of two of values. The environment may choose it, for tests.
inline std::int64_t chunk_length(const array_refs& in) {
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

inline bool lies_side_by_side(const host::array_ref& a) {
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

/// What a job reads.
inline void describe(gpu_input& job, const job_parts& parts, const rung_options& o,
                     const array_refs& in) {
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
inline void note_gpu_run(const gpu_input& job, int gpus = 0) {
  note_run("cuda, " + std::string(rung_type_name(code_of(job.held))) + " states, " +
           (gpus > 1 ? std::to_string(gpus) + " of " : "") + gpu_name() + ", chunks of " +
           std::to_string(job.chunk) + " values");
}

}  // namespace rung::runtime
