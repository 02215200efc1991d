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

/// What a chunk of a job needs in bytes, and whether its elements are values as they are.
inline chunk_sizes sizes_of(const gpu_input& job, std::size_t state) {
  chunk_sizes size{job.arrays, {}, is_direct(job) ? 0 : size_of(code_of(job.held)), state};
  for (int a = 0; a < job.arrays; ++a) size.element[a] = size_of(job.types[a].type);
  return size;
}
/// The values of a chunk, loaded where its elements are something else.
inline const void* values_of(const device& where, const gpu_input& job, const chunk_input& chunk,
                             std::int64_t n) {
  if (chunk.values == nullptr) return chunk.elements[0].get();
  load_chunk(where, job, chunk.elements, n, chunk.values.get());
  return chunk.values.get();
}

inline void run_on_gpu(const gpu_job& job, const gpu_fold& fold) {
  fold_chunks(job, sizes_of(job, fold.state_size),
              [&](const device& where, const chunk_input& chunk, std::int64_t n,
                  std::int64_t position, void* out) {
                fold.fold(where, values_of(where, job, chunk, n), n, position, nullptr, out);
              });
}

}  // namespace rung::runtime
