// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The classic grid reductions beside the device rung's reduce: device time of f32 sums, for every
// power of four; in chains with programmatic dependent launch, too. Then what an exchange costs
// inside a kernel, of a grid and of clusters, beside the barriers alone. Answers are compared bit
// for bit: the sums with each other, the exchanges with what they must be.
//   grid_reduce [--json FILE]
#include <cooperative_groups.h>

#include <cstring>

#include "../device/timing.cuh"
#include "rung/cluster/reduce.cuh"
#include "rung/grid/classic.cuh"
#include "rung/grid/reduce.cuh"

namespace rung::bench {

constexpr int threads = 256, calls = 500;
float *memory, *result;
std::vector<point> points;
double limit, clock_mhz;

// ---------------------------------------------------------------- arrays

/// What call number i folds.
view<const float> values(int i, std::int64_t n) { return {part<float>(memory, i, n), {n}}; }
__global__ void empty_kernel() {}

template <class F>
double time_of(const F& f, std::int64_t n, bool overlap) {
  device gpu(bench_stream());
  gpu.overlap(overlap);
  const into<float> out(result);
  return device_us([&](int i) { f(gpu, values(i, n), plus{}, out); }, n < 1 << 26 ? 20 : 5);
}
/// The bits of a sum.
template <class F>
std::uint32_t answer_of(const F& f, std::int64_t n) {
  const device gpu(bench_stream());
  f(gpu, values(0, n), plus{}, into<float>(result));
  gpu.wait();
  std::uint32_t bits;
  must(cudaMemcpy(&bits, result, sizeof bits, cudaMemcpyDeviceToHost), "answer");
  return bits;
}

void sums() {
  const auto shipped = [](const auto&... a) { reduce(a...); };
  const double empty = device_us([](int) { empty_kernel<<<1, 32, 0, bench_stream()>>>(); }, 20);
  for (int k = 10; k <= 28; k += 2) {
    const std::int64_t n = std::int64_t(1) << k;
    point p{"sum", "f32", n, time_of(shipped, n, false), double(n) * 4, limit, {}};
    point chain{"sum, overlapping", "f32", n, time_of(shipped, n, true), double(n) * 4, limit, {}};
    const std::uint32_t answer = answer_of(shipped, n);
    const auto peer = [&](const char* name, const auto& f, bool overlaps = true) {
      if (answer_of(f, n) != answer) return void(std::printf("WRONG: %s 2^%d\n", name, k));
      p.peers[name] = time_of(f, n, false);
      if (overlaps) chain.peers[name] = time_of(f, n, true);
    };
    peer("two_kernels", [](const auto&... a) { classic::reduce_two_kernels(a...); });
    peer("last_block", [](const auto&... a) { classic::reduce_last_block(a...); });
    peer(
        "cooperative", [](const auto&... a) { classic::reduce_cooperative(a...); }, false);
    peer("cluster_of_4", [](const auto&... a) { classic::reduce_cluster<4>(a...); });
    peer("cluster_of_8", [](const auto&... a) { classic::reduce_cluster<8>(a...); });
    p.peers["empty_kernel"] = empty;
    for (const point& each : {p, chain}) points.push_back(each), print(each);
  }
}

// ---------------------------------------------------------------- inside a kernel

/// Cycles and nanoseconds of a chain of calls, each fed by the one before; written by one thread.
struct measured {
  long long cycles;
  unsigned long long ns;
};
template <class Call>
RUNG_DEVICE void chain(measured* out, float* last, const Call& call) {
  float v = float(thread_rank() % 2);
  v = call(v, 0);
  const long long first = cycle_clock();
  const unsigned long long begin = nanosecond_clock();
#pragma unroll 1
  for (int i = 1; i <= calls; ++i) v = call(v, i);
  if (thread_rank() == 0 && block_rank() == 0)
    *out = {(long long)(cycle_clock() - first), (unsigned long long)(nanosecond_clock() - begin)};
  last[block_rank() * threads + thread_rank()] = v;
}
/// The next call's input: of 0 and 1 in turn, so that every fold gives half the number of threads.
RUNG_DEVICE float next(float all) {
  const float half = float(grid_blocks() * threads / 2);
  return all == half ? float(thread_rank() % 2) : all;
}

/// In call i block i % blocks comes later than the others.
RUNG_DEVICE void come_late(int i, int cycles) {
  if (i % int(grid_blocks()) != int(block_rank())) return;
  const auto begin = cycle_clock();
  while (cycle_clock() - begin < cycles) {
  }
}

struct grid_room {
  grid_memory<float> memory;
  global<std::uint64_t> barrier;
  global<float> trees;  ///< two sets, used in turn
  int late;             ///< by how many cycles one block is
};
enum class exchange { fold, barrier, classic, cooperative_groups };

template <exchange E>
__global__ void __launch_bounds__(threads) grid_chain(grid_room room, measured* out, float* last) {
  auto& s = scratch<grid_scratch<float>>();
  if constexpr (E == exchange::fold) {
    const auto grid = grid_of<threads>(s, room.memory);
    chain(out, last, [&](float v, int i) {
      come_late(i, room.late);
      return next(reduce(grid, v, plus{}));
    });
  } else if constexpr (E == exchange::barrier) {
    chain(out, last, [&](float v, int i) {
      come_late(i, room.late);
      grid_barrier(room.barrier);
      return v;
    });
  } else if constexpr (E == exchange::cooperative_groups) {
    const auto grid = cooperative_groups::this_grid();
    chain(out, last, [&](float v, int) { return grid.sync(), v; });
  } else {  // each block writes its sum; barrier; each block folds them all
    const auto block = block_of<threads>(s.block);
    chain(out, last, [&](float v, int i) {
      come_late(i, room.late);
      const int blocks = int(grid_blocks()), set = i % 2 * blocks;
      const auto sum = reduce_to_one(block, v, plus{});
      if (sum) room.trees[set + block_rank()] = *sum;
      grid_barrier(room.barrier);
      const int t = int(thread_rank());
      const float theirs = t < blocks ? load_relaxed(room.trees[set + t]) : 0;
      const float all = reduce(block.first(blocks), theirs, plus{});
      block_barrier();
      return next(all);
    });
  }
}
template <exchange E>
__global__ void __launch_bounds__(threads) cluster_chain(measured* out, float* last) {
  auto& s = scratch<cluster_scratch<float>>();
  if constexpr (E == exchange::fold) {
    const auto cluster = cluster_of<threads>(s);
    chain(out, last, [&](float v, int) { return next(reduce(cluster, v, plus{})); });
  } else {
    chain(out, last, [&](float v, int) { return cluster_barrier(), v; });
  }
}

measured measure(const char* name, int blocks, bool folds,
                 const std::function<void(measured*, float*)>& go) {
  static measured* there = nullptr;
  static float* last = nullptr;
  if (there == nullptr) must(cudaMalloc(&there, sizeof(measured)), "memory");
  if (last == nullptr) must(cudaMalloc(&last, 1 << 20), "memory");
  measured best{1ll << 60, 1ull << 60};
  for (int again = 0; again < 9; ++again) {
    measured now;
    go(there, last);
    must(cudaMemcpy(&now, there, sizeof now, cudaMemcpyDeviceToHost), name);
    if (now.ns < best.ns) best = now;
  }
  std::vector<float> got(std::size_t(blocks * threads));
  must(cudaMemcpy(got.data(), last, got.size() * 4, cudaMemcpyDeviceToHost), name);
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != float(i % 2)) return std::printf("WRONG: %s\n", name), measured{};
  std::printf("%-28s %4d blocks %7.3f us %7.0f cycles%s\n", name, blocks,
              double(best.ns) / calls / 1e3, double(best.cycles) / calls,
              folds ? "" : "  (barrier)");
  clock_mhz = double(best.cycles) * 1e3 / double(best.ns);
  return best;
}
double us(const measured& m) { return double(m.ns) / calls / 1e3; }

void exchanges_of_grid(int blocks, int late) {
  const gpu_array<grid_word> words(
      std::vector<grid_word>(grid_memory<float>::size(unsigned(blocks))));
  const gpu_array<std::uint64_t> barrier(std::vector<std::uint64_t>(1));
  const gpu_array<float> trees(2 * std::size_t(blocks));
  const grid_room room{{words.data(), unsigned(blocks)}, barrier.data(), trees.data(), late};
  const auto time = [&](const char* name, auto kernel, bool folds) {
    return us(measure(name, blocks, folds, [&](measured* out, float* last) {
      launch_with({.cooperative = true}, kernel, blocks, threads, sizeof(grid_scratch<float>),
                  nullptr, room, out, last);
    }));
  };
  point p{late > 0 ? "fold of a grid, one block late" : "fold of a grid",
          "f32",
          blocks * threads,
          0,
          0,
          0,
          {}};
  p.ours_us = time("reduce(grid)", grid_chain<exchange::fold>, true);
  p.peers["grid_barrier"] = time("grid_barrier", grid_chain<exchange::barrier>, false);
  p.peers["barrier_then_read"] =
      time("barrier, then all read", grid_chain<exchange::classic>, true);
  if (late == 0)
    p.peers["cooperative_groups_sync"] =
        time("cooperative groups' sync", grid_chain<exchange::cooperative_groups>, false);
  points.push_back(p);
}
void exchanges() {
  for (const int blocks : {4, 32, 132}) exchanges_of_grid(blocks, 0);
  exchanges_of_grid(132, 4000);
  for (const int blocks : {2, 4, 8, 16}) {
    const auto of_cluster = [&](const char* name, auto kernel, bool folds) {
      return us(measure(name, blocks, folds, [&](measured* out, float* last) {
        launch_with({.cluster = unsigned(blocks)}, kernel, blocks, threads,
                    sizeof(cluster_scratch<float>), nullptr, out, last);
      }));
    };
    point c{"fold of a cluster", "f32", blocks * threads, 0, 0, 0, {}};
    c.ours_us = of_cluster("reduce(cluster)", cluster_chain<exchange::fold>, true);
    c.peers["cluster_barrier"] =
        of_cluster("cluster_barrier", cluster_chain<exchange::barrier>, false);
    points.push_back(c);
  }
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  const std::string json = argc == 3 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : "";
  must(cudaMalloc(&memory, std::size_t(room)), "memory");
  must(cudaMalloc(&result, 256), "memory");
  fill(memory, 'f');
  limit = read_limit(memory, room, result);
  std::printf("read limit %.0f GB/s\n", limit);
  exchanges();
  sums();
  std::string command = argv[0];
  for (int i = 1; i < argc; ++i) command += " " + std::string(argv[i]);
  if (!json.empty())
    write_json(json, "grid", command, versions({{"clock_mhz", std::to_string(int(clock_mhz))}}),
               points);
}
