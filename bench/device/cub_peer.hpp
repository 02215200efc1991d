// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// CUB's device reductions and scans as plain functions: cub_peer.cu is compiled once with the
// toolkit's CUB and once with a newer one (BENCH_CUB: the namespace).
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace rung::bench {

/// x and out in device memory; temporary storage is there from the first call on.
struct cub_calls {
  const char* name;
  int version;
  /// type: 'f' 'd' 'h' 'b' (bf16) 'c' (i8) 's' (i16) 'i' 'l'; false: not offered.
  bool (*sum)(char type, const void* x, void* out, std::int64_t n, cudaStream_t s);
  bool (*max)(char type, const void* x, void* out, std::int64_t n, cudaStream_t s);
  bool (*arg_max)(char type, const void* x, void* out, std::int64_t n, cudaStream_t s);
  /// The sum that is the same on every GPU; only in newer versions.
  bool (*sum_gpu_to_gpu)(char type, const void* x, void* out, std::int64_t n, cudaStream_t s);
};
namespace toolkit {
extern const cub_calls cub;
}
namespace newest {
extern const cub_calls cub;
}

}  // namespace rung::bench
