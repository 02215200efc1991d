// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of a block of 32 to 1024 threads, 1 and 8 values per thread: rung, CUB's BlockScan (two
// algorithms). Every call ends with the barrier that lets its scratch be used again.
// block_scan [result.json]
#include <cub/block/block_scan.cuh>

#include "../warp/cycles.cuh"

namespace rung::bench {

template <class T, int Threads, result Kind>
struct ours {
  static constexpr const char* name =
      Kind == result::inclusive ? "inclusive_scan" : "exclusive_scan";
  static constexpr bool is_ours = true;
  static constexpr auto computes = Kind;
  static constexpr int holder = -1;
  using storage = block_scratch<state_of<T>>;
  template <int K>
  static __device__ void call(T (&x)[K], storage& scratch) {
    state_of<T> s[K];
    for (int j = 0; j < K; ++j) s[j] = up(x[j]);
    if constexpr (Kind == result::inclusive) inclusive_scan(block_of<Threads>(scratch), s, plus{});
    else exclusive_scan(block_of<Threads>(scratch), s, plus{});
    for (int j = 0; j < K; ++j) x[j] = down<T>(s[j]);
    __syncthreads();
  }
};
template <class T, int Threads, result Kind, cub::BlockScanAlgorithm Algorithm>
struct cub_scan {
  static constexpr const char* name =
      Algorithm == cub::BLOCK_SCAN_WARP_SCANS ? "cub_warp_scans" : "cub_raking";
  static constexpr bool is_ours = false;
  static constexpr auto computes = Kind;
  static constexpr int holder = -1;
  using scanner = cub::BlockScan<T, Threads, Algorithm>;
  using storage = typename scanner::TempStorage;
  template <int K>
  static __device__ void call(T (&x)[K], storage& s) {
    if constexpr (Kind == result::inclusive) scanner(s).InclusiveSum(x, x);
    else scanner(s).ExclusiveSum(x, x);
    __syncthreads();
  }
};

template <class T, int Threads, int K, result Kind>
void run_kind(std::vector<point>& points) {
  measure<T, K, ours<T, Threads, Kind>, cub_scan<T, Threads, Kind, cub::BLOCK_SCAN_WARP_SCANS>,
          cub_scan<T, Threads, Kind, cub::BLOCK_SCAN_RAKING>>(points, "block", Threads, Threads);
}
template <class T, int Threads>
void run_shape(std::vector<point>& points) {
  run_kind<T, Threads, 1, result::inclusive>(points);
  run_kind<T, Threads, 8, result::inclusive>(points);
  run_kind<T, Threads, 1, result::exclusive>(points);
  run_kind<T, Threads, 8, result::exclusive>(points);
}
template <class T>
void run(std::vector<point>& points) {
  run_shape<T, 32>(points);
  run_shape<T, 64>(points);
  run_shape<T, 128>(points);
  run_shape<T, 256>(points);
  run_shape<T, 512>(points);
  run_shape<T, 1024>(points);
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  std::vector<point> points;
  run<float>(points);
  run<int>(points);
  run<double>(points);
  run<__half>(points);
  write_json(argc > 1 ? argv[1] : "block_scan.json", points, argc, argv);
}
