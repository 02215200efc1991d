// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions of a warp, in blocks of 32 to 1024 threads: rung, CUB's WarpReduce, cooperative
// groups. warp_reduce [--json FILE]
#include <cub/thread/thread_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

#include "cycles.cuh"

namespace rung::bench {
namespace cg = cooperative_groups;

template <class T, int K>
__device__ state_of<T> own_fold(const T (&x)[K]) {
  state_of<T> s[K];
  for (int j = 0; j < K; ++j) s[j] = up(x[j]);
  return reduce(this_thread, s, plus{});
}
template <class T, int K>
__device__ T serial(const T (&x)[K]) {
  T sum = x[0];
  for (int j = 1; j < K; ++j) sum = sum + x[j];
  return sum;
}

template <class T, int Rounds>
struct to_one {
  static constexpr const char* name = Rounds == 5 ? "reduce_to_one" : "reduce_to_one rounds<3>";
  static constexpr bool is_ours = true;
  static constexpr auto computes = result::reduce;
  static constexpr int holder = 31;
  using storage = no_storage;
  template <int K>
  static __device__ void call(T (&x)[K], storage&) {
    feed(x, down<T>(reduce_to_one(this_warp.rounds<Rounds>(), own_fold(x), plus{}).value));
  }
};
template <class T, int Rounds>
struct to_all {
  static constexpr const char* name = Rounds == 5 ? "reduce" : "reduce rounds<3>";
  static constexpr bool is_ours = true;
  static constexpr auto computes = result::reduce;
  static constexpr int holder = -1;
  using storage = no_storage;
  template <int K>
  static __device__ void call(T (&x)[K], storage&) {
    feed(x, down<T>(reduce(this_warp.rounds<Rounds>(), own_fold(x), plus{})));
  }
};
template <class T>
struct cub_reduce {
  static constexpr const char* name = "cub_warp_reduce";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::reduce;
  static constexpr int holder = 0;
  using storage = typename cub::WarpReduce<T>::TempStorage;
  template <int K>
  static __device__ void call(T (&x)[K], storage& s) {
    feed(x, cub::WarpReduce<T>(s).Sum(cub::ThreadReduce(x, cuda::std::plus<>{})));
  }
};
template <class T>
struct groups_reduce {
  static constexpr const char* name = "cooperative_groups";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::reduce;
  static constexpr int holder = -1;
  using storage = no_storage;
  template <int K>
  static __device__ void call(T (&x)[K], storage&) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    feed(x, cg::reduce(warp, serial(x), cg::plus<T>()));
  }
};

/// K reductions at once; result j ends on lane j.
template <class T>
struct each {
  static constexpr const char* name = "reduce_each";
  static constexpr bool is_ours = true;
  static constexpr auto computes = result::reduce_each;
  static constexpr int holder = -1;
  using storage = no_storage;
  template <int K>
  static __device__ void call(T (&x)[K], storage&) {
    state_of<T> s[K];
    for (int j = 0; j < K; ++j) s[j] = up(x[j]);
    feed(x, down<T>(reduce_each(this_warp, s, plus{})));
  }
};
template <class T>
struct cub_each {
  static constexpr const char* name = "cub_warp_reduce_times_8";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::reduce_each;
  static constexpr int holder = -1;
  using storage = typename cub::WarpReduce<T>::TempStorage;
  template <int K>
  static __device__ void call(T (&x)[K], storage& s) {
    T mine = x[0];
    for (int j = 0; j < K; ++j) {
      const T sum = __shfl_sync(~0u, cub::WarpReduce<T>(s).Sum(x[j]), 0);
      if (threadIdx.x % 32 == j) mine = sum;
    }
    feed(x, mine);
  }
};
template <class T>
struct groups_each {
  static constexpr const char* name = "cooperative_groups_times_8";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::reduce_each;
  static constexpr int holder = -1;
  using storage = no_storage;
  template <int K>
  static __device__ void call(T (&x)[K], storage&) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    T mine = x[0];
    for (int j = 0; j < K; ++j) {
      const T sum = cg::reduce(warp, x[j], cg::plus<T>());
      if (threadIdx.x % 32 == j) mine = sum;
    }
    feed(x, mine);
  }
};

template <class T>
void run(std::vector<point>& points) {
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    measure<T, 1, 1024, to_one<T, 5>, to_one<T, 3>, to_all<T, 5>, to_all<T, 3>, cub_reduce<T>,
            groups_reduce<T>>(points, "warp", threads, 32);
    measure<T, 8, 1024, to_one<T, 5>, to_one<T, 3>, to_all<T, 5>, to_all<T, 3>, cub_reduce<T>,
            groups_reduce<T>>(points, "warp", threads, 32);
    measure<T, 8, 1024, each<T>, cub_each<T>, groups_each<T>>(points, "warp", threads, 32);
  }
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  return bench_main(argc, argv, [](std::vector<point>& points) {
    run<float>(points), run<int>(points), run<double>(points), run<__half>(points);
  });
}
