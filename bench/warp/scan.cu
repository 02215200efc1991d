// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of a warp, in blocks of 32 to 1024 threads: rung, CUB's WarpScan, cooperative groups.
// warp_scan [--json FILE]
#include <cub/warp/warp_scan.cuh>

#include "cycles.cuh"

namespace rung::bench {
namespace cg = cooperative_groups;

template <class T, result Kind, int Rounds>
struct ours {
  static constexpr bool is_inclusive = Kind == result::inclusive;
  static constexpr const char* name =
      Rounds == 5   ? (is_inclusive ? "inclusive_scan" : "exclusive_scan")
      : Rounds == 4 ? (is_inclusive ? "inclusive_scan rounds<4>" : "exclusive_scan rounds<4>")
                    : (is_inclusive ? "inclusive_scan rounds<3>" : "exclusive_scan rounds<3>");
  static constexpr bool is_ours = true;
  static constexpr auto computes = Kind;
  static constexpr int holder = -1;
  using storage = no_storage;
  static __device__ void call(T (&x)[1], storage&) {
    const auto group = this_warp.rounds<Rounds>();
    if constexpr (is_inclusive) x[0] = down<T>(inclusive_scan(group, up(x[0]), plus{}));
    else x[0] = down<T>(exclusive_scan(group, up(x[0]), plus{}));
  }
};
template <class T, result Kind>
struct cub_scan {
  static constexpr const char* name = "cub_warp_scan";
  static constexpr bool is_ours = false;
  static constexpr auto computes = Kind;
  static constexpr int holder = -1;
  using storage = typename cub::WarpScan<T>::TempStorage;
  static __device__ void call(T (&x)[1], storage& s) {
    if constexpr (Kind == result::inclusive) cub::WarpScan<T>(s).InclusiveSum(x[0], x[0]);
    else cub::WarpScan<T>(s).ExclusiveSum(x[0], x[0]);
  }
};
template <class T, result Kind>
struct groups_scan {
  static constexpr const char* name = "cooperative_groups";
  static constexpr bool is_ours = false;
  static constexpr auto computes = Kind;
  static constexpr int holder = -1;
  using storage = no_storage;
  static __device__ void call(T (&x)[1], storage&) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if constexpr (Kind == result::inclusive) x[0] = cg::inclusive_scan(warp, x[0], cg::plus<T>());
    else x[0] = cg::exclusive_scan(warp, x[0], cg::plus<T>());
  }
};

template <class T, result Kind>
void run_kind(std::vector<point>& points, int threads) {
  measure<T, 1, 1024, ours<T, Kind, 5>, ours<T, Kind, 4>, ours<T, Kind, 3>, cub_scan<T, Kind>,
          groups_scan<T, Kind>>(points, "warp", threads, 32);
}
template <class T>
void run(std::vector<point>& points) {
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    run_kind<T, result::inclusive>(points, threads);
    run_kind<T, result::exclusive>(points, threads);
  }
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  return bench_main(argc, argv, [](std::vector<point>& points) {
    run<float>(points), run<int>(points), run<double>(points), run<__half>(points);
  });
}
