// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of a block of 32 to 1024 threads, 1 and 8 values per thread: rung, CUB's BlockScan (three
// algorithms), cooperative groups (which takes one value). Every call ends with the barrier that
// lets its scratch be used again. block_scan [--json FILE]
#include <cub/block/block_scan.cuh>

#include "../warp/cycles.cuh"

namespace rung::bench {
namespace cg = cooperative_groups;

/// Rounded to T; f16 two at a time, as its conversion takes them.
template <class T, int K>
__device__ void down_all(const state_of<T> (&s)[K], T (&x)[K]) {
  if constexpr (std::is_same_v<T, __half> && K % 2 == 0) {
    for (int j = 0; j < K; j += 2) {
      const __half2 two = __floats2half2_rn(s[j], s[j + 1]);
      x[j] = __low2half(two), x[j + 1] = __high2half(two);
    }
  } else {
    for (int j = 0; j < K; ++j) x[j] = down<T>(s[j]);
  }
}

template <class T, int Threads, result Kind, bool Known>
struct ours {
  static constexpr const char* name =
      Kind == result::inclusive ? (Known ? "inclusive_scan" : "inclusive_scan this_block")
                                : (Known ? "exclusive_scan" : "exclusive_scan this_block");
  static constexpr bool is_ours = true;
  static constexpr auto computes = Kind;
  static constexpr int holder = -1;
  using storage = block_scratch<state_of<T>>;
  template <int K>
  static __device__ void call(T (&x)[K], storage& scratch) {
    state_of<T> s[K];
    for (int j = 0; j < K; ++j) s[j] = up(x[j]);
    const auto block = [&] {
      if constexpr (Known) return block_of<Threads>(scratch);
      else return this_block(scratch);
    }();
    if constexpr (Kind == result::inclusive) inclusive_scan(block, s, plus{});
    else exclusive_scan(block, s, plus{});
    down_all(s, x);
    __syncthreads();
  }
};
template <class T, int Threads, result Kind, cub::BlockScanAlgorithm Algorithm>
struct cub_scan {
  static constexpr const char* name = Algorithm == cub::BLOCK_SCAN_WARP_SCANS ? "cub_warp_scans"
                                      : Algorithm == cub::BLOCK_SCAN_RAKING   ? "cub_raking"
                                                                            : "cub_raking_memoize";
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

/// A tile as large as the block.
template <class T, int Threads, result Kind>
struct groups_scan {
  static constexpr const char* name = "cooperative_groups";
  static constexpr bool is_ours = false;
  static constexpr auto computes = Kind;
  static constexpr int holder = -1;
  using storage = cg::block_tile_memory<Threads>;
  static __device__ void call(T (&x)[1], storage& s) {
    const auto tile = cg::tiled_partition<Threads>(cg::this_thread_block(s));
    if constexpr (Kind == result::inclusive) x[0] = cg::inclusive_scan(tile, x[0], cg::plus<T>());
    else x[0] = cg::exclusive_scan(tile, x[0], cg::plus<T>());
    __syncthreads();
  }
};

template <class T, int Threads, int K, result Kind, class... Groups>
void run_kind(std::vector<point>& points) {
  measure<T, K, Threads, ours<T, Threads, Kind, true>, ours<T, Threads, Kind, false>,
          cub_scan<T, Threads, Kind, cub::BLOCK_SCAN_WARP_SCANS>,
          cub_scan<T, Threads, Kind, cub::BLOCK_SCAN_RAKING>,
          cub_scan<T, Threads, Kind, cub::BLOCK_SCAN_RAKING_MEMOIZE>, Groups...>(points, "block",
                                                                                 Threads, Threads);
}
template <class T, int Threads>
void run_shape(std::vector<point>& points) {
  constexpr auto inclusive = result::inclusive, exclusive = result::exclusive;
  run_kind<T, Threads, 1, inclusive, groups_scan<T, Threads, inclusive>>(points);
  run_kind<T, Threads, 8, inclusive>(points);
  run_kind<T, Threads, 1, exclusive, groups_scan<T, Threads, exclusive>>(points);
  run_kind<T, Threads, 8, exclusive>(points);
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
  return bench_main(argc, argv, [](std::vector<point>& points) {
    run<float>(points), run<int>(points), run<double>(points), run<__half>(points);
  });
}
