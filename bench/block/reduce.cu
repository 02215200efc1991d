// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions of a block of 32 to 1024 threads, 1 and 8 values per thread: rung, CUB's BlockReduce
// (three algorithms), cooperative groups. Every call ends with the barrier that lets its scratch be
// used again. block_reduce [--json FILE]
#include <cub/block/block_reduce.cuh>

#include "../warp/cycles.cuh"

namespace rung::bench {
namespace cg = cooperative_groups;

template <class T, int K>
__device__ void lift_all(const T (&x)[K], state_of<T> (&s)[K]) {
  for (int j = 0; j < K; ++j) s[j] = up(x[j]);
}

template <class T, int Threads, bool Known>
struct to_one {
  static constexpr const char* name = Known ? "reduce_to_one" : "reduce_to_one this_block";
  static constexpr bool is_ours = true;
  static constexpr auto computes = result::reduce;
  static constexpr int holder = 0;
  using storage = block_scratch<state_of<T>>;
  template <int K>
  static __device__ void call(T (&x)[K], storage& scratch) {
    state_of<T> s[K];
    lift_all(x, s);
    if constexpr (Known)
      feed(x, down<T>(reduce_to_one(block_of<Threads>(scratch), s, plus{}).value));
    else feed(x, down<T>(reduce_to_one(this_block(scratch), s, plus{}).value));
    __syncthreads();
  }
};
template <class T, int Threads, bool Known>
struct to_all {
  static constexpr const char* name = Known ? "reduce" : "reduce this_block";
  static constexpr bool is_ours = true;
  static constexpr auto computes = result::reduce;
  static constexpr int holder = -1;
  using storage = block_scratch<state_of<T>>;
  template <int K>
  static __device__ void call(T (&x)[K], storage& scratch) {
    state_of<T> s[K];
    lift_all(x, s);
    if constexpr (Known) feed(x, down<T>(reduce(block_of<Threads>(scratch), s, plus{})));
    else feed(x, down<T>(reduce(this_block(scratch), s, plus{})));
    __syncthreads();
  }
};
template <class T, int Threads, cub::BlockReduceAlgorithm Algorithm>
struct cub_reduce {
  static constexpr const char* name =
      Algorithm == cub::BLOCK_REDUCE_WARP_REDUCTIONS ? "cub_warp_reductions"
      : Algorithm == cub::BLOCK_REDUCE_RAKING        ? "cub_raking"
                                                     : "cub_raking_commutative";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::reduce;
  static constexpr int holder = 0;
  using reducer = cub::BlockReduce<T, Threads, Algorithm>;
  using storage = typename reducer::TempStorage;
  template <int K>
  static __device__ void call(T (&x)[K], storage& s) {
    feed(x, reducer(s).Sum(x));
    __syncthreads();
  }
};
/// With the result for every thread, as one writes it with CUB.
template <class T, int Threads>
struct cub_to_all {
  static constexpr const char* name = "cub_warp_reductions_and_broadcast";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::reduce;
  static constexpr int holder = -1;
  using reducer = cub::BlockReduce<T, Threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
  struct storage {
    typename reducer::TempStorage temp;
    T sum;
  };
  template <int K>
  static __device__ void call(T (&x)[K], storage& s) {
    const T sum = reducer(s.temp).Sum(x);
    if (threadIdx.x == 0) s.sum = sum;
    __syncthreads();
    feed(x, T(s.sum));
    __syncthreads();
  }
};

/// A tile as large as the block.
template <class T, int Threads>
struct groups_reduce {
  static constexpr const char* name = "cooperative_groups";
  static constexpr bool is_ours = false;
  static constexpr auto computes = result::reduce;
  static constexpr int holder = -1;
  using storage = cg::block_tile_memory<Threads>;
  template <int K>
  static __device__ void call(T (&x)[K], storage& s) {
    const auto tile = cg::tiled_partition<Threads>(cg::this_thread_block(s));
    T sum = x[0];
    for (int j = 1; j < K; ++j) sum = sum + x[j];
    feed(x, cg::reduce(tile, sum, cg::plus<T>()));
    __syncthreads();
  }
};

template <class T, int Threads, int K>
void run_shape(std::vector<point>& points) {
  measure<T, K, Threads, to_one<T, Threads, true>, to_one<T, Threads, false>,
          cub_reduce<T, Threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>,
          cub_reduce<T, Threads, cub::BLOCK_REDUCE_RAKING>,
          cub_reduce<T, Threads, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>>(points, "block",
                                                                             Threads, Threads);
  measure<T, K, Threads, to_all<T, Threads, true>, to_all<T, Threads, false>,
          cub_to_all<T, Threads>, groups_reduce<T, Threads>>(points, "block", Threads, Threads);
}
template <class T>
void run(std::vector<point>& points) {
  run_shape<T, 32, 1>(points), run_shape<T, 32, 8>(points);
  run_shape<T, 64, 1>(points), run_shape<T, 64, 8>(points);
  run_shape<T, 128, 1>(points), run_shape<T, 128, 8>(points);
  run_shape<T, 256, 1>(points), run_shape<T, 256, 8>(points);
  run_shape<T, 512, 1>(points), run_shape<T, 512, 8>(points);
  run_shape<T, 1024, 1>(points), run_shape<T, 1024, 8>(points);
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  return bench_main(argc, argv, [](std::vector<point>& points) {
    run<float>(points), run<int>(points), run<double>(points), run<__half>(points);
  });
}
