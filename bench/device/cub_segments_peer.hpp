// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// CUB's segmented and by-key sums of f32 as plain functions: cub_segments_peer.cu is compiled once
// with the toolkit's CUB and once with a newer one (BENCH_CUB: the namespace).
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace rung::bench {

/// Everything in device memory; temporary storage is there from the first call on. false: not
/// offered.
struct cub_segments {
  const char* name;
  int version;
  bool (*reduce)(const float* x, const std::int32_t* offsets, float* out, std::int64_t segments,
                 cudaStream_t s);
  bool (*reduce_fixed)(const float* x, std::int64_t length, float* out, std::int64_t segments,
                       cudaStream_t s);
  bool (*scan)(const float* x, const std::int32_t* offsets, float* y, std::int64_t segments,
               cudaStream_t s);
  bool (*reduce_by_key)(const std::int32_t* keys, const float* x, std::int32_t* run_keys,
                        float* out, std::int32_t* runs, std::int64_t n, cudaStream_t s);
  bool (*scan_by_key)(const std::int32_t* keys, const float* x, float* y, std::int64_t n,
                      cudaStream_t s);
};
namespace toolkit {
extern const cub_segments segments;
}
namespace newest {
extern const cub_segments segments;
}

}  // namespace rung::bench
