// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Device time of a call: it is captured `calls` times into a graph, each time on another part of
// the input, and the graph replayed; the median of the replays. Latency as the host sees it: call
// and wait, median. The read limit: loads of 16 bytes that nobody combines; the copy limit: loads
// and stores of 16 bytes.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rung::bench {

inline void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

inline cudaStream_t bench_stream() {
  static cudaStream_t stream = [] {
    cudaStream_t s;
    must(cudaStreamCreate(&s), "stream");
    return s;
  }();
  return stream;
}

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/// f(i) puts call number i on bench_stream(). Microseconds per call.
inline double device_us(const std::function<void(int)>& f, int calls, int replays = 9) {
  const cudaStream_t s = bench_stream();
  f(0);
  must(cudaStreamSynchronize(s), "first call");
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  must(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal), "capture");
  for (int i = 0; i < calls; ++i) f(i);
  must(cudaStreamEndCapture(s, &graph), "capture");
  must(cudaGraphInstantiate(&exec, graph, 0), "graph");
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  std::vector<double> us;
  for (int r = 0; r <= replays; ++r) {
    cudaEventRecord(begin, s);
    must(cudaGraphLaunch(exec, s), "graph");
    cudaEventRecord(end, s);
    must(cudaEventSynchronize(end), "graph");
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    if (r > 0) us.push_back(double(ms) * 1e3 / calls);
  }
  cudaEventDestroy(begin), cudaEventDestroy(end);
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
  return median(us);
}

inline int calls_for(std::int64_t bytes) { return bytes >= std::int64_t(1) << 28 ? 5 : 20; }

/// Memory for arrays of any size.
constexpr std::int64_t room = std::int64_t(1) << 32;
/// Where call number i of n values reads or writes in it: elsewhere each time, if there is room.
template <class T>
T* part(void* memory, int i, std::int64_t n) {
  const std::int64_t bytes = (n * std::int64_t(sizeof(T)) + 511) / 256 * 256;
  const std::int64_t slots = std::max<std::int64_t>(1, std::min<std::int64_t>(room / bytes, 64));
  return reinterpret_cast<T*>(static_cast<char*>(memory) + i % slots * bytes);
}

/// f() does all of it, the wait too.
inline double latency_us(const std::function<void()>& f, int repeats = 201) {
  for (int i = 0; i < 20; ++i) f();
  std::vector<double> us;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
                     .count());
  }
  return median(us);
}

template <int Each>
__global__ void read_kernel(const float4* __restrict__ x, float* out) {
  const std::size_t first = (std::size_t(blockIdx.x) * Each) * blockDim.x + threadIdx.x;
  float4 v[Each];
#pragma unroll
  for (int i = 0; i < Each; ++i) v[i] = __ldcs(x + first + std::size_t(i) * blockDim.x);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < Each; ++i) sum += v[i].x + v[i].y + v[i].z + v[i].w;
  if (sum == 1234.5678f) *out = sum;
}
/// GB/s of reading `bytes` bytes, a multiple of 64 KiB.
inline double read_limit(const void* x, std::int64_t bytes, float* out) {
  double best = 0;
  const auto run = [&](auto kernel, int threads, int each) {
    const unsigned blocks = unsigned(bytes / (16 * threads * each));
    const double us = device_us(
        [&](int) {
          kernel<<<blocks, threads, 0, bench_stream()>>>(static_cast<const float4*>(x), out);
        },
        5);
    best = std::max(best, double(bytes) / us / 1e3);
  };
  run(read_kernel<8>, 256, 8), run(read_kernel<4>, 512, 4), run(read_kernel<16>, 128, 16);
  run(read_kernel<8>, 512, 8), run(read_kernel<4>, 256, 4);
  return best;
}

template <int Each>
__global__ void copy_kernel(const float4* x, float4* y, std::size_t n) {
  const std::size_t first = std::size_t(blockIdx.x) * Each * blockDim.x + threadIdx.x;
  float4 v[Each];
#pragma unroll
  for (int i = 0; i < Each; ++i)
    if (first + std::size_t(i) * blockDim.x < n) v[i] = x[first + std::size_t(i) * blockDim.x];
#pragma unroll
  for (int i = 0; i < Each; ++i)
    if (first + std::size_t(i) * blockDim.x < n) y[first + std::size_t(i) * blockDim.x] = v[i];
}
/// Microseconds of copying `bytes` bytes, the fastest of some kernels. Both have `room`.
inline double copy_us(void* from, void* to, std::int64_t bytes) {
  static std::map<std::int64_t, double> known;
  bytes = (bytes + 15) / 16 * 16;
  if (known.count(bytes) != 0) return known[bytes];
  double best = 1e30;
  const auto n = std::size_t(bytes / 16);
  const auto run = [&](auto kernel, int threads, int each) {
    best = std::min(best, device_us(
                              [&](int i) {
                                kernel<<<unsigned((n + threads * each - 1) / (threads * each)),
                                         threads, 0, bench_stream()>>>(
                                    part<float4>(from, i, std::int64_t(n)),
                                    part<float4>(to, i, std::int64_t(n)), n);
                              },
                              calls_for(bytes)));
  };
  run(copy_kernel<1>, 256, 1), run(copy_kernel<2>, 512, 2), run(copy_kernel<4>, 256, 4);
  run(copy_kernel<1>, 512, 1), run(copy_kernel<2>, 256, 2);
  return known[bytes] = best;
}

static __global__ void fill_kernel(std::uint32_t* x, std::size_t words, int kind) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  for (; i < words; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t z = (i + 1) * 0xBF58476D1CE4E5B9ull;
    z ^= z >> 29, z *= 0x94D049BB133111EBull, z ^= z >> 32;
    const float u = float(z & 0xffffff) / 16777216.0f - 0.5f;
    if (kind == 'f') x[i] = __float_as_uint(u);
    else if (kind == 'd')
      x[i] = i % 2 ? (0x3fd00000u ^ (std::uint32_t(z) & 0x800fffffu)) : std::uint32_t(z);
    else if (kind == 'h') x[i] = (std::uint32_t(z) & 0x83ff83ffu) | 0x30003000u;
    else if (kind == 'b') x[i] = (std::uint32_t(z) & 0x807f807fu) | 0x3e803e80u;
    else x[i] = std::uint32_t(z);
  }
}

/// Fills it with values of a kind: floats, doubles, halves, bf16, integers.
inline void fill(void* memory, char kind) {
  fill_kernel<<<1024, 256, 0, bench_stream()>>>(static_cast<std::uint32_t*>(memory),
                                                std::size_t(room / 4), kind);
  must(cudaStreamSynchronize(bench_stream()), "fill");
}

struct point {
  std::string what, type;
  std::int64_t n;
  double ours_us, bytes, limit_gbs;
  std::map<std::string, double> peers;
  std::vector<std::int64_t> shape = {};  ///< if there are more axes than one
};

inline void print(const point& p) {
  std::printf("%-22s %-5s %12lld %9.2f us %6.0f GB/s", p.what.c_str(), p.type.c_str(),
              static_cast<long long>(p.n), p.ours_us, p.bytes / p.ours_us / 1e3);
  if (p.limit_gbs > 0) std::printf(" %5.1f%%", 100 * p.bytes / p.ours_us / 1e3 / p.limit_gbs);
  for (const auto& [name, us] : p.peers) std::printf("  %s %.2f", name.c_str(), us / p.ours_us);
  std::printf("\n");
  std::fflush(stdout);
}
/// "name": "version", ... of CUDA, and of what `more` says.
inline std::string versions(const std::map<std::string, std::string>& more = {}) {
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver), cudaRuntimeGetVersion(&runtime);
  std::string all = "\"cuda\": \"" + std::to_string(runtime) + "\", \"driver\": \"" +
                    std::to_string(driver) + "\"";
  for (const auto& [name, version] : more) all += ", \"" + name + "\": \"" + version + "\"";
  return all;
}
template <class Cub>
std::string versions(const Cub& of_toolkit, const Cub& newest) {
  return versions({{"cub_toolkit", std::to_string(of_toolkit.version)},
                   {"cub_newest", std::to_string(newest.version)}});
}
inline void write_json(const std::string& path, const std::string& family,
                       const std::string& command, const std::string& versions,
                       const std::vector<point>& points) {
  std::FILE* f = std::fopen(path.c_str(), "w");
  if (f == nullptr) {
    std::fprintf(stderr, "cannot write %s\n", path.c_str());
    std::exit(1);
  }
  cudaDeviceProp device{};
  cudaGetDeviceProperties(&device, 0);
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::localtime(&now));
  std::fprintf(f,
               "{\"machine\": \"%s\", \"date\": \"%s\", \"command\": \"%s\", \"versions\": {%s},\n "
               "\"points\": [",
               device.name, date, command.c_str(), versions.c_str());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const point& p = points[i];
    std::string shape;
    for (const std::int64_t n : p.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
    if (p.shape.empty()) shape = std::to_string(p.n);
    std::fprintf(f,
                 "%s\n  {\"family\": \"%s\", \"what\": \"%s\", \"type\": \"%s\", \"shape\": "
                 "[%s], \"ours_us\": %.3f, \"bytes\": %.0f, \"limit_gbs\": %.1f, \"peers\": {",
                 i == 0 ? "" : ",", family.c_str(), p.what.c_str(), p.type.c_str(), shape.c_str(),
                 p.ours_us, p.bytes, p.limit_gbs);
    bool first = true;
    for (const auto& [name, us] : p.peers) {
      std::fprintf(f, "%s\"%s\": %.3f", first ? "" : ", ", name.c_str(), us);
      first = false;
    }
    std::fprintf(f, "}}");
  }
  std::fprintf(f, "\n]}\n");
  std::fclose(f);
}

}  // namespace rung::bench
