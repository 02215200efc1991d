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

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "rung/base/launch.cuh"
#include "rung/block/scan.cuh"
#include "rung/order.hpp"

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

/// One method: call(x, storage) does its work on x in place (a reduction feeds its result to all of
/// x).
template <class T, int K, class Method>
__device__ long long time_chain(const T* in, typename Method::storage& s, int calls) {
  long long best = 1ll << 60;
  for (int chain = 0; chain < 5; ++chain) {
    T x[K];
    for (int j = 0; j < K; ++j) x[j] = in[threadIdx.x * K + j];
    Method::call(x, s);
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1
    for (int i = 0; i < calls; ++i) Method::call(x, s);
    __syncthreads();
    const long long taken = clock64() - start;
    best = taken < best ? taken : best;
    T sum = x[0];
    for (int j = 1; j < K; ++j) sum = sum + x[j];
    if (sum == T(0.123456f)) best = 0;  // the chain's end is used
  }
  return best;
}

template <class T, int K, class... Methods>
__global__ void __launch_bounds__(1024) time_kernel(const T* in, long long* cycles, int calls) {
  extern __shared__ __align__(1024) unsigned char room[];
  int m = 0;
  auto time_one = [&](long long taken) {
    if (threadIdx.x == 0) cycles[m++] = taken;
    __syncthreads();
  };
  (time_one(
       time_chain<T, K, Methods>(in, *reinterpret_cast<typename Methods::storage*>(room), calls)),
   ...);
}
template <class T, int K, class Method>
__global__ void __launch_bounds__(1024) answer_kernel(const T* in, T* out) {
  extern __shared__ __align__(1024) unsigned char room[];
  T x[K];
  for (int j = 0; j < K; ++j) x[j] = in[threadIdx.x * K + j];
  Method::call(x, *reinterpret_cast<typename Method::storage*>(room));
  for (int j = 0; j < K; ++j) out[threadIdx.x * K + j] = x[j];
}

// ---------------------------------------------------------------- host

/// What a method computes, for the check of its answer.
enum class result { reduce, inclusive, exclusive, reduce_each };

struct point {
  std::string family, what, type, shape;
  double ours;
  std::map<std::string, double> peers;
};

template <class T>
double as_double(T x) {
  return double(x);
}
template <>
inline double as_double<__half>(__half x) {
  return double(__half2float(x));
}

/// Checks a method on `threads` threads in groups of `group` (a warp, or all). `holder`: the thread
/// of a group that has a reduction's result, -1: all.
template <class T, int K, class Method>
bool check_answer(const T* in, const std::vector<T>& x, T* out, int threads, int group) {
  answer_kernel<T, K, Method><<<1, threads, 96 * 1024>>>(in, out);
  std::vector<T> got(std::size_t(threads) * K);
  check(cudaMemcpy(got.data(), out, got.size() * sizeof(T), cudaMemcpyDeviceToHost), Method::name);
  using S = state_of<T>;
  for (int g = 0; g < threads; g += group) {
    std::vector<S> states;
    for (int i = g * K; i < (g + group) * K; ++i) states.push_back(S(as_double(x[std::size_t(i)])));
    for (int t = g; t < g + group; ++t)
      for (int j = 0; j < K; ++j) {
        const std::size_t local = std::size_t(t - g) * K + std::size_t(j);
        std::vector<S> part;
        if (Method::computes == result::reduce_each) {
          if (t - g >= K || j > 0) continue;  // lane i holds result i
          for (int l = 0; l < group; ++l) part.push_back(states[std::size_t(l) * K + local / K]);
        } else {
          std::size_t n = states.size();
          if (Method::computes == result::inclusive) n = local + 1;
          if (Method::computes == result::exclusive) n = local;
          if (Method::computes == result::reduce && Method::holder >= -1) {
            const int holder = Method::holder == 31 ? group - 1 : Method::holder;
            if (holder >= 0 && t - g != holder) continue;
          }
          part.assign(states.begin(), states.begin() + std::ptrdiff_t(n));
        }
        S want = 0;
        for (std::size_t at = 0, block; at < part.size(); at += block) {  // the one order
          block = std::size_t(1) << detail::floor_log2(unsigned(part.size() - at));
          std::vector<S> tree(part.begin() + std::ptrdiff_t(at),
                              part.begin() + std::ptrdiff_t(at + block));
          for (; tree.size() > 1; tree.resize(tree.size() / 2))
            for (std::size_t i = 0; i < tree.size() / 2; ++i)
              tree[i] = tree[2 * i] + tree[2 * i + 1];
          want = at == 0 ? tree[0] : S(want + tree[0]);
        }
        const double a = as_double(got[std::size_t(t) * K + std::size_t(j)]), b = double(want);
        const bool half = std::is_same_v<T, __half>;
        const bool exact = Method::is_ours && !half;
        if (exact ? a != b : std::abs(a - b) > (half ? 0.03 : 1e-4) * (1 + std::abs(b))) {
          std::fprintf(stderr, "%s %s: thread %d item %d gives %.9g, expected %.9g\n", Method::name,
                       type_name<T>, t, j, a, b);
          return false;
        }
      }
  }
  return true;
}

/// Times all methods on blocks of `threads` threads; the first ones are ours, one point for each.
template <class T, int K, class... Methods>
void measure(std::vector<point>& points, const char* family, int threads, int group) {
  std::vector<T> x;
  for (int i = 0; i < threads * K; ++i)
    x.push_back(T(float((i * 37 % 101) - 50) / 64.0f * (std::is_same_v<T, int> ? 64 : 1)));
  T *in, *out;
  long long* cycles;
  constexpr int count = sizeof...(Methods), calls = 64;
  check(cudaMalloc(&in, x.size() * sizeof(T)), "in");
  check(cudaMalloc(&out, x.size() * sizeof(T)), "out");
  check(cudaMalloc(&cycles, count * sizeof(long long)), "cycles");
  check(cudaMemcpy(in, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
  (check(cudaFuncSetAttribute(answer_kernel<T, K, Methods>,
                              cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024),
         "room"),
   ...);
  check(cudaFuncSetAttribute(time_kernel<T, K, Methods...>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024),
        "room");
  const bool right[] = {check_answer<T, K, Methods>(in, x, out, threads, group)...};
  long long best[count], now[count];
  for (int launch = 0; launch < 5; ++launch) {
    time_kernel<T, K, Methods...><<<1, threads, 96 * 1024>>>(in, cycles, calls);
    check(cudaMemcpy(now, cycles, sizeof(now), cudaMemcpyDeviceToHost), "time_kernel");
    for (int m = 0; m < count; ++m) best[m] = launch == 0 || now[m] < best[m] ? now[m] : best[m];
  }
  const char* names[] = {Methods::name...};
  const bool ours[] = {Methods::is_ours...};
  std::map<std::string, double> peers;
  for (int m = 0; m < count; ++m)
    if (!ours[m] && right[m]) peers[names[m]] = double(best[m]) / calls;
  for (int m = 0; m < count; ++m) {
    if (!ours[m]) continue;
    const std::string shape = std::to_string(threads) + "x" + std::to_string(K);
    if (right[m])
      points.push_back({family, names[m], type_name<T>, shape, double(best[m]) / calls, peers});
    std::printf("%-6s %-4s %-7s %-28s %8.1f%s", family, type_name<T>, shape.c_str(), names[m],
                double(best[m]) / calls, right[m] ? "" : " WRONG");
    for (const auto& [name, c] : peers)
      std::printf("  %s %.1f (%.2f)", name.c_str(), c, c * calls / double(best[m]));
    std::printf("\n");
    std::fflush(stdout);
  }
  check(cudaGetLastError(), "bench");
  cudaFree(in), cudaFree(out), cudaFree(cycles);
}

/// One family's results in the schema of bench/results, in cycles.
inline void write_json(const char* path, const std::vector<point>& points, int argc, char** argv) {
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
               "{\"machine\": \"%s\", \"date\": \"%s\", \"command\": \"%s\",\n"
               " \"versions\": {\"cuda\": \"%d\", \"driver\": \"%d\"},\n \"points\": [\n",
               device.name, date, command.c_str(), CUDART_VERSION, driver);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const point& p = points[i];
    std::fprintf(
        f,
        "  {\"family\": \"%s\", \"what\": \"%s\", \"type\": \"%s\", \"shape\": \"%s\", "
        "\"unit\": \"cycles\", \"ours_us\": %.2f, \"bytes\": 0, \"limit_gbs\": 0, \"peers\": {",
        p.family.c_str(), p.what.c_str(), p.type.c_str(), p.shape.c_str(), p.ours);
    const char* comma = "";
    for (const auto& [name, c] : p.peers) {
      std::fprintf(f, "%s\"%s\": %.2f", comma, name.c_str(), c);
      comma = ", ";
    }
    std::fprintf(f, "}}%s\n", i + 1 < points.size() ? "," : "");
  }
  std::fprintf(f, " ]}\n");
  std::fclose(f);
}

}  // namespace rung::bench
