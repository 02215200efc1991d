// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The classic grid scans beside the device rung's inclusive_scan: device time of f32 sums, for
// every power of four; tiles of 8 and of 16 warps, the faster one counts. Answers are compared bit
// for bit.   grid_scan [--json FILE]
#include <cstring>

#include "../device/timing.cuh"
#include "rung/grid/classic_scan.cuh"
#include "rung/op/arithmetic.hpp"

namespace rung::bench {

float *from, *to;
std::vector<point> points;
double limit;

/// f(gpu, values, results, plus) on call number i's part.
template <class F>
void call(const device& gpu, const F& f, int i, std::int64_t n) {
  f(gpu, view<const float>(part<float>(from, i, n), {n}), view<float>(part<float>(to, i, n), {n}),
    plus{});
}
template <class F>
double time_of(const F& f, std::int64_t n) {
  const device gpu(bench_stream());
  return device_us([&](int i) { call(gpu, f, i, n); }, calls_for(n * 4));
}
/// The bits of the results, all of them where there are few.
template <class F>
std::vector<float> answer_of(const F& f, std::int64_t n) {
  const device gpu(bench_stream());
  call(gpu, f, 0, n);
  gpu.wait();
  std::vector<float> results(std::size_t(std::min<std::int64_t>(n, 1 << 20)));
  must(cudaMemcpy(results.data(), part<float>(to, 0, n) + (n - std::int64_t(results.size())),
                  results.size() * 4, cudaMemcpyDeviceToHost),
       "answer");
  return results;
}

void scans() {
  const auto shipped = [](const auto&... a) { inclusive_scan(a...); };
  for (int k = 10; k <= 30; k += 2) {
    const std::int64_t n = std::int64_t(1) << k;
    point p{"inclusive sum", "f32", n, time_of(shipped, n), double(n) * 8, limit, {}};
    const auto answer = answer_of(shipped, n);
    const auto peer = [&](const char* name, const auto& f) {
      double best = 0;
      for (const int warps : {8, 16}) {
        const auto with = [&](const auto&... a) { f(warps, a...); };
        if (const auto got = answer_of(with, n);
            std::memcmp(got.data(), answer.data(), got.size() * 4) != 0)
          return void(std::printf("WRONG: %s 2^%d\n", name, k));
        const double us = time_of(with, n);
        best = best == 0 || us < best ? us : best;
      }
      p.peers[name] = best;
    };
    peer("three_kernels", [](int warps, const auto&... a) {
      classic::scan_three_kernels(a..., std::nullopt, warps);
    });
    peer("chained",
         [](int warps, const auto&... a) { classic::scan_chained(a..., std::nullopt, warps); });
    peer("look_back",
         [](int warps, const auto&... a) { classic::scan_look_back(a..., std::nullopt, warps); });
    points.push_back(p), print(p);
  }
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  const std::string json = argc == 3 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : "";
  must(cudaMalloc(&from, std::size_t(room) + 4096), "memory");
  must(cudaMalloc(&to, std::size_t(room) + 4096), "memory");
  fill(from, 'f');
  limit = 2 * double(room) / copy_us(from, to, room) / 1e3;
  std::printf("copy limit %.0f GB/s\n", limit);
  scans();
  if (!json.empty()) write_json(json, "grid_scan", "grid_scan --json FILE", versions(), points);
}
