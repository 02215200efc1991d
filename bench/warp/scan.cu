// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of a warp, in blocks of 32 to 1024 threads: rung, CUB's WarpScan, cooperative groups.
// warp_scan [--json FILE]
#include <cub/warp/warp_scan.cuh>

#include "cycles.cuh"

namespace rung::bench {
namespace cg = cooperative_groups;
struct no_storage {};

template <class T, int Rounds>
struct inclusive {
  static constexpr const char* name = Rounds == 5   ? "inclusive_scan"
                                      : Rounds == 4 ? "inclusive_scan rounds<4>"
                                                    : "inclusive_scan rounds<3>";
  static constexpr bool is_ours = true;
  static constexpr auto computes = result::inclusive;
  static constexpr int holder = -1;
  using storage = no_storage;
  static __device__ void call(T (&x)[1], storage&) {
    x[0] = down<T>(inclusive_scan(this_warp.rounds<Rounds>(), up(x[0]), plus{}));
  }
};
template <class T>
struct cub_inclusive {
  static constexpr const char* name = "cub_warp_scan";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::inclusive;
  static constexpr int holder = -1;
  using storage = typename cub::WarpScan<T>::TempStorage;
  static __device__ void call(T (&x)[1], storage& s) {
    cub::WarpScan<T>(s).InclusiveSum(x[0], x[0]);
  }
};
template <class T>
struct groups_inclusive {
  static constexpr const char* name = "cooperative_groups";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::inclusive;
  static constexpr int holder = -1;
  using storage = no_storage;
  static __device__ void call(T (&x)[1], storage&) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    x[0] = cg::inclusive_scan(warp, x[0], cg::plus<T>());
  }
};

template <class T, int Rounds>
struct exclusive {
  static constexpr const char* name = Rounds == 5   ? "exclusive_scan"
                                      : Rounds == 4 ? "exclusive_scan rounds<4>"
                                                    : "exclusive_scan rounds<3>";
  static constexpr bool is_ours = true;
  static constexpr auto computes = result::exclusive;
  static constexpr int holder = -1;
  using storage = no_storage;
  static __device__ void call(T (&x)[1], storage&) {
    x[0] = down<T>(exclusive_scan(this_warp.rounds<Rounds>(), up(x[0]), plus{}));
  }
};
template <class T>
struct cub_exclusive {
  static constexpr const char* name = "cub_warp_scan";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::exclusive;
  static constexpr int holder = -1;
  using storage = typename cub::WarpScan<T>::TempStorage;
  static __device__ void call(T (&x)[1], storage& s) {
    cub::WarpScan<T>(s).ExclusiveSum(x[0], x[0]);
  }
};
template <class T>
struct groups_exclusive {
  static constexpr const char* name = "cooperative_groups";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::exclusive;
  static constexpr int holder = -1;
  using storage = no_storage;
  static __device__ void call(T (&x)[1], storage&) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    x[0] = cg::exclusive_scan(warp, x[0], cg::plus<T>());
  }
};

template <class T>
void run(std::vector<point>& points) {
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    measure<T, 1, 1024, inclusive<T, 5>, inclusive<T, 4>, inclusive<T, 3>, cub_inclusive<T>,
            groups_inclusive<T>>(points, "warp", threads, 32);
    measure<T, 1, 1024, exclusive<T, 5>, exclusive<T, 4>, exclusive<T, 3>, cub_exclusive<T>,
            groups_exclusive<T>>(points, "warp", threads, 32);
  }
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  return bench_main(argc, argv, [](std::vector<point>& points) {
    run<float>(points), run<int>(points), run<double>(points), run<__half>(points);
  });
}
