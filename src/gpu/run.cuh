// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A job from elements on the host to a state: chunks (chunks.cuh), each loaded (load.cuh) and
// folded by a fold that is handed in.
#pragma once
#include "chunks.cuh"
#include "fold.cuh"
#include "load.cuh"

namespace rung::runtime {

inline std::size_t size_of(rung_type type) {
  return visit(type, [](auto t) { return sizeof(typename decltype(t)::type); });
}

inline void run_on_gpu(const gpu_job& job, const gpu_fold& fold, void* state) {
  const bool direct = is_direct(job);
  chunk_sizes size{job.arrays, {}, direct ? 0 : size_of(code_of(job.held)), fold.state_size};
  for (int a = 0; a < job.arrays; ++a) size.element[a] = size_of(job.types[a].type);
  fold_chunks(
      job, size,
      [&](const device& where, void* const elements[2], void* values, std::int64_t n,
          std::int64_t position, const void* start, void* out) {
        if (!direct) load_chunk(where, job, elements, n, values);
        fold.fold(where, direct ? elements[0] : values, n, position, start, out);
      },
      state);
}

}  // namespace rung::runtime
