// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// CUB's device scans as plain functions: cub_scan_peer.cu is compiled once with the toolkit's CUB
// and once with a newer one (BENCH_CUB: the namespace).
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace rung::bench {

struct cub_scans {
  const char* name;
  int version;
  /// Inclusive scan of n values, x and y in device memory. what: "sum", "max", "affine"; type: 'f'
  /// 'd' 'h' 'b' (bf16) 'c' (i8) 's' (i16) 'i' 'l' 'x' (pair of f32) 't' (three i32). false: not
  /// offered.
  bool (*inclusive)(const char* what, char type, const void* x, void* y, std::int64_t n,
                    cudaStream_t s);
  /// Inclusive sums that are the same bits in every run on one GPU, where CUB knows how.
  bool (*sum_run_to_run)(char type, const void* x, void* y, std::int64_t n, cudaStream_t s);
};
namespace toolkit {
extern const cub_scans scans;
}
namespace newest {
extern const cub_scans scans;
}

}  // namespace rung::bench
