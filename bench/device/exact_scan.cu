// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact prefix sums of f32 and f64 on one GPU beside our plain ones. All entries of an array of
// 2^20 values are compared with exact prefixes made on the host before anything is timed.
//   device_exact_scan [--json FILE]
#include <cstring>

#include "rung/device/scan.cuh"
#include "timing.cuh"

namespace rung::bench {

void *memory, *results;
std::vector<point> points;

enum class data { normal, uniform };
constexpr const char* data_names[] = {"N(0,1)", "U(0,1)"};

template <class T>
constexpr const char* name_of = std::is_same_v<T, float> ? "f32" : "f64";

template <class T>
__global__ void fill_data(T* x, std::size_t n, data kind) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  for (; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull, z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    const double u = (double(z >> 32) + 0.5) * 0x1p-32, v = double(std::uint32_t(z)) * 0x1p-32;
    x[i] = T(kind == data::uniform ? u : sqrt(-2 * log(u)) * cospi(2 * v));
  }
}

template <class T>
void verify(const device& gpu, data kind) {
  const std::int64_t n = 1 << 20;
  std::vector<T> x(n), got(n);
  auto* out = static_cast<T*>(results);
  inclusive_scan(gpu, view<const T>(static_cast<T*>(memory), {n}), view<T>(out, {n}), exact_plus{});
  must(cudaMemcpy(x.data(), memory, std::size_t(n) * sizeof(T), cudaMemcpyDeviceToHost), "copy");
  must(cudaStreamSynchronize(gpu.stream()), "scan");
  must(cudaMemcpy(got.data(), out, std::size_t(n) * sizeof(T), cudaMemcpyDeviceToHost), "copy");
  exact_state<T> s{};
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    s.add(x[std::size_t(i)]);
    const T want = s.round();
    wrong += std::memcmp(&want, &got[std::size_t(i)], sizeof(T)) != 0;
  }
  if (wrong > 0) std::printf("WRONG: %lld entries, %s\n", (long long)wrong, data_names[int(kind)]);
}

template <class T>
void run(data kind) {
  fill_data<<<132 * 16, 256, 0, bench_stream()>>>(static_cast<T*>(memory),
                                                  std::size_t(room) / sizeof(T), kind);
  device gpu(bench_stream());
  verify<T>(gpu, kind);
  for (const int log : {20, 24, 28, 30}) {
    if (log == 30 && sizeof(T) > 4) continue;
    const std::int64_t n = std::int64_t(1) << log;
    const auto in = [&](int i) { return view<const T>(part<const T>(memory, i, n), {n}); };
    const auto out = [&](int i) { return view<T>(part<T>(results, i, n), {n}); };
    const std::int64_t size = n * std::int64_t(sizeof(T));
    const double bytes = 2.0 * double(size);
    point p{std::string("inclusive sum, ") + data_names[int(kind)], name_of<T>, n, 0, bytes,
            bytes / copy_us(memory, results, size) / 1e3,           {}};
    p.ours_us = device_us([&](int i) { inclusive_scan(gpu, in(i), out(i), exact_plus{}); },
                          calls_for(size));
    p.peers["rung_plain"] =
        device_us([&](int i) { inclusive_scan(gpu, in(i), out(i), plus{}); }, calls_for(size));
    points.push_back(p);
    print(p);
  }
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  std::string json;
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--json") == 0) json = argv[++i];
  must(cudaMalloc(&memory, std::size_t(room)), "memory");
  must(cudaMalloc(&results, std::size_t(room)), "memory");
  for (const data kind : {data::normal, data::uniform}) run<float>(kind), run<double>(kind);
  if (!json.empty()) write_json(json, "exact", "device_exact_scan --json FILE", versions(), points);
}
