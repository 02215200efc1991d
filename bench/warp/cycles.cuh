// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Cycles per call of collectives inside one launch: each method makes a chain of calls, the result
// of one being the input of the next, between two readings of the SM's clock and two block
// barriers; best of 5 chains, all methods in the same kernel on the same data. Before that every
// method's answer is checked: ours against fold, bit for bit, the peers' to rounding.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>

#include <cub/version.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "rung/block/scan.cuh"
#include "rung/op/arithmetic.hpp"

namespace rung::bench {

/// The values that a call takes and gives: T for the peers, the state S for rung.
template <class T>
struct state_for {
  using type = T;
};
template <>
struct state_for<__half> {
  using type = float;
};
template <class T>
using state_of = typename state_for<T>::type;
template <class T>
inline constexpr const char* type_name = "?";
template <>
inline constexpr const char* type_name<float> = "f32";
template <>
inline constexpr const char* type_name<int> = "i32";
template <>
inline constexpr const char* type_name<double> = "f64";
template <>
inline constexpr const char* type_name<__half> = "f16";

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

inline __device__ void opaque(float& x) { asm volatile("" : "+f"(x)); }
inline __device__ void opaque(int& x) { asm volatile("" : "+r"(x)); }
inline __device__ void opaque(double& x) { asm volatile("" : "+d"(x)); }
inline __device__ void opaque(__half& x) { asm volatile("" : "+h"(*reinterpret_cast<short*>(&x))); }

/// A result, as the next call's input: every value depends on it, and none is known to equal
/// another.
template <class T, int K>
__device__ void feed(T (&x)[K], T result) {
  for (T& v : x) {
    v = result;
    opaque(v);
  }
}
template <class T>
__device__ state_of<T> up(T x) {
  return state_of<T>(x);
}
template <>
__device__ inline float up<__half>(__half x) {
  return __half2float(x);
}
template <class T, class S>
__device__ T down(S s) {
  if constexpr (std::is_same_v<T, __half>) return __float2half_rn(s);
  else return s;
}

/// For methods that need no shared memory.
struct no_storage {};

/// One method: call(x, storage) does its work on x in place (a reduction feeds its result to all of
/// x). Chain 0 is a single call, for the answer; every method stands in the code once.
template <class T, int K, class Method>
__device__ long long time_chain(const T* in, T* out, typename Method::storage& s, int calls) {
  long long best = 1ll << 60;
#pragma unroll 1
  for (int chain = 0; chain < 6; ++chain) {
    T x[K];
    for (int j = 0; j < K; ++j) x[j] = in[threadIdx.x * K + j];
    const int n = chain == 0 ? 1 : calls;
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1
    for (int i = 0; i < n; ++i) Method::call(x, s);
    __syncthreads();
    const long long taken = clock64() - start;
    if (chain == 0) {
      for (int j = 0; j < K; ++j) out[threadIdx.x * K + j] = x[j];
    } else {
      best = taken < best ? taken : best;
      for (T& v : x) opaque(v);  // the chain's end is used
    }
  }
  return best;
}

/// cycles: one figure per method; out: the answers, method after method.
template <class T, int K, int Bound, class... Methods>
__global__ void __launch_bounds__(Bound)
    time_kernel(const T* in, T* out, long long* cycles, int calls) {
  extern __shared__ __align__(1024) unsigned char room[];
  int m = 0;
  auto time_one = [&](long long taken) {
    if (threadIdx.x == 0) cycles[m] = taken;
    ++m;
    __syncthreads();
  };
  (time_one(time_chain<T, K, Methods>(in, out + m * int(blockDim.x) * K,
                                      *reinterpret_cast<typename Methods::storage*>(room), calls)),
   ...);
}

/// The SM's clock against the one that ticks nanoseconds, over about a millisecond.
static __global__ void clock_kernel(double* mhz) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  const long long first = clock64();
  while (clock64() - first < 2000000) continue;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  *mhz = double(clock64() - first) * 1e3 / double(now - start);
}

// ---------------------------------------------------------------- host

/// What a method computes, for the check of its answer.
enum class result { reduce, inclusive, exclusive, reduce_each };

struct point {
  std::string family, what, type;
  int threads, values;
  double ours;                          ///< in cycles
  std::map<std::string, double> peers;  ///< in cycles
};

/// The fold in the one order, level by level, independent of the library.
template <class S>
S fold_by_levels(const std::vector<S>& x) {
  S all = 0;
  for (std::size_t at = 0, block; at < x.size(); at += block) {
    block = std::size_t(1) << detail::floor_log2(unsigned(x.size() - at));
    std::vector<S> tree(x.begin() + std::ptrdiff_t(at), x.begin() + std::ptrdiff_t(at + block));
    for (; tree.size() > 1; tree.resize(tree.size() / 2))
      for (std::size_t i = 0; i < tree.size() / 2; ++i) tree[i] = tree[2 * i] + tree[2 * i + 1];
    all = at == 0 ? tree[0] : S(all + tree[0]);
  }
  return all;
}

template <class T>
double as_double(T x) {
  return double(x);
}
template <>
inline double as_double<__half>(__half x) {
  return double(__half2float(x));
}

/// Checks what a method gave on `threads` threads in groups of `group` (a warp, or all). `holder`:
/// the thread of a group that has a reduction's result, -1: all, 31: the last.
template <class T, int K, class Method>
bool check_answer(const std::vector<T>& x, const T* got, int threads, int group) {
  using S = state_of<T>;
  for (int g = 0; g < threads; g += group) {
    std::vector<S> states;
    for (int i = g * K; i < (g + group) * K; ++i) states.push_back(S(as_double(x[std::size_t(i)])));
    S sum = fold_by_levels(states);
    for (int t = g; t < g + group; ++t)
      for (int j = 0; j < K; ++j) {
        const std::size_t local = std::size_t(t - g) * K + std::size_t(j);
        S want = sum;
        if (Method::computes == result::reduce_each) {
          if (t - g >= K || j > 0) continue;  // lane i holds result i
          std::vector<S> column;
          for (int l = 0; l < group; ++l) column.push_back(states[std::size_t(l * K + t - g)]);
          want = fold_by_levels(column);
        } else if (Method::computes == result::reduce) {
          const int holder = Method::holder == 31 ? group - 1 : Method::holder;
          if (holder >= 0 && t - g != holder) continue;
        } else {
          const bool inclusive = Method::computes == result::inclusive;
          const auto end = states.begin() + std::ptrdiff_t(local + inclusive);
          want = fold_by_levels(std::vector<S>(states.begin(), end));
        }
        const double a = as_double(got[std::size_t(t) * K + std::size_t(j)]);
        const double b = as_double(T(want)), slack = sizeof(T) == 2 ? 0.03 : 1e-4;
        if (Method::is_ours ? a != b : std::abs(a - b) > slack * (1 + std::abs(b))) {
          std::fprintf(stderr, "%s %s: thread %d item %d gives %.9g, expected %.9g\n", Method::name,
                       type_name<T>, t, j, a, b);
          return false;
        }
      }
  }
  return true;
}

/// Times all methods on a block of `threads` threads, at most Bound; one point for each that is
/// ours.
template <class T, int K, int Bound, class... Methods>
void measure(std::vector<point>& points, const char* family, int threads, int group) {
  std::vector<T> x;
  const float unit = std::is_same_v<T, int> ? 1.0f : 1.1f / 64;  // sums are not exact in floats
  for (int i = 0; i < threads * K; ++i) x.push_back(T(float((i * 37 % 101) - 50) * unit));
  T *in, *out;
  long long* cycles;
  constexpr int count = sizeof...(Methods), calls = 64;
  constexpr std::size_t room = std::max({sizeof(typename Methods::storage)...});
  std::vector<T> got(x.size() * count);
  check(cudaMalloc(&in, x.size() * sizeof(T)), "in");
  check(cudaMalloc(&out, got.size() * sizeof(T)), "out");
  check(cudaMalloc(&cycles, count * sizeof(long long)), "cycles");
  check(cudaMemcpy(in, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
  const auto kernel = time_kernel<T, K, Bound, Methods...>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)),
        "room");
  long long best[count], now[count];
  for (int launch = 0; launch < 5; ++launch) {
    kernel<<<1, threads, room>>>(in, out, cycles, calls);
    check(cudaGetLastError(), "time_kernel");
    check(cudaMemcpy(now, cycles, sizeof(now), cudaMemcpyDeviceToHost), "time_kernel");
    for (int m = 0; m < count; ++m) best[m] = launch == 0 || now[m] < best[m] ? now[m] : best[m];
  }
  check(cudaMemcpy(got.data(), out, got.size() * sizeof(T), cudaMemcpyDeviceToHost), "answers");
  std::size_t nth = 0;
  const bool right[] = {
      check_answer<T, K, Methods>(x, got.data() + nth++ * x.size(), threads, group)...};
  const char* names[] = {Methods::name...};
  const bool ours[] = {Methods::is_ours...};
  std::map<std::string, double> peers;
  for (int m = 0; m < count; ++m)
    if (!ours[m] && right[m]) peers[names[m]] = double(best[m]) / calls;
  for (int m = 0; m < count; ++m) {
    if (!ours[m]) continue;
    const double mine = double(best[m]) / calls;
    if (right[m]) points.push_back({family, names[m], type_name<T>, threads, K, mine, peers});
    std::printf("%-5s %-3s %4dx%d %-24s %7.1f%s", family, type_name<T>, threads, K, names[m], mine,
                right[m] ? "" : " WRONG");
    for (const auto& [name, c] : peers) std::printf("  %s %.1f (%.2f)", name.c_str(), c, c / mine);
    std::printf("\n");
  }
  cudaFree(in), cudaFree(out), cudaFree(cycles);
}

/// What the best peer takes over what we take: per `what` the worst point and the geometric mean.
inline void print_summary(const std::vector<point>& points) {
  struct line {
    double worst = 1e9, logs = 0;
    int count = 0;
    std::string where;
  };
  std::map<std::string, line> lines;
  for (const point& p : points) {
    if (p.peers.empty()) continue;
    double best = 1e18;
    for (const auto& [name, c] : p.peers) best = std::min(best, c);
    line& l = lines[p.family + " " + p.what];
    const double ratio = best / p.ours;
    l.logs += std::log(ratio), ++l.count;
    if (ratio < l.worst) {
      l.worst = ratio;
      l.where = p.type + " " + std::to_string(p.threads) + "x" + std::to_string(p.values);
    }
  }
  for (const auto& [what, l] : lines)
    std::printf("%-32s best peer / ours: geometric mean %.2f, worst %.2f at %s\n", what.c_str(),
                std::exp(l.logs / l.count), l.worst, l.where.c_str());
}

/// The results in the schema of bench/results: us at the clock that was measured, cycles beside.
inline void write_json(const char* path, const std::vector<point>& points, int argc, char** argv) {
  double *mhz_there, mhz = 0;
  check(cudaMalloc(&mhz_there, sizeof(double)), "clock");
  for (int launch = 0; launch < 3; ++launch) clock_kernel<<<1, 1>>>(mhz_there);
  check(cudaMemcpy(&mhz, mhz_there, sizeof(double), cudaMemcpyDeviceToHost), "clock");
  std::FILE* f = std::fopen(path, "w");
  if (f == nullptr) {
    std::perror(path);
    return;
  }
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "device");
  int driver = 0;
  cudaDriverGetVersion(&driver);
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  std::string command;
  for (int i = 0; i < argc; ++i) command += (i ? " " : "") + std::string(argv[i]);
  std::fprintf(f,
               "{\"machine\": \"%s\", \"date\": \"%s\", \"command\": \"%s\",\n \"versions\": "
               "{\"cuda\": \"%d\", \"driver\": \"%d\", \"cub\": \"%d\", \"clock_mhz\": \"%.0f\"},\n"
               " \"points\": [\n",
               device.name, date, command.c_str(), CUDART_VERSION, driver, CUB_VERSION, mhz);
  auto list = [&](const point& p, double scale, const char* format) {
    const char* comma = "";
    for (const auto& [name, c] : p.peers) {
      std::fprintf(f, "%s\"%s\": ", comma, name.c_str());
      std::fprintf(f, format, c * scale);
      comma = ", ";
    }
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const point& p = points[i];
    std::fprintf(f,
                 "  {\"family\": \"%s\", \"what\": \"%s\", \"type\": \"%s\", \"shape\": [%d, %d], "
                 "\"ours_us\": %.5f, \"bytes\": 0, \"limit_gbs\": 0, \"peers\": {",
                 p.family.c_str(), p.what.c_str(), p.type.c_str(), p.threads, p.values,
                 p.ours / mhz);
    list(p, 1 / mhz, "%.5f");
    std::fprintf(f, "}, \"ours_cycles\": %.1f, \"peers_cycles\": {", p.ours);
    list(p, 1, "%.1f");
    std::fprintf(f, "}}%s\n", i + 1 < points.size() ? "," : "");
  }
  std::fprintf(f, " ]}\n");
  std::fclose(f);
}

/// main(): run(points), then the summary; --json FILE writes the points.
template <class Run>
int bench_main(int argc, char** argv, Run&& run) {
  const bool json = argc == 3 && std::string(argv[1]) == "--json";
  if (argc != 1 && !json) {
    std::fprintf(stderr, "usage: %s [--json FILE]\n", argv[0]);
    return 2;
  }
  std::vector<point> points;
  run(points);
  print_summary(points);
  if (json) write_json(argv[2], points, argc, argv);
  return 0;
}

}  // namespace rung::bench
