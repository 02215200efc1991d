// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums along axes and by segments on one GPU, beside our plain ones of the same arrays. Some
// results of each are compared with the exact sum on the host before it is timed.
//   device_exact_lines [--json FILE]
#include <cstring>

#include "rung/device/axis.cuh"
#include "rung/device/segmented.cuh"
#include "timing.cuh"

namespace rung::bench {

void *memory, *results;
std::int32_t* offsets;
std::vector<point> points;
double limit;
constexpr std::int64_t values = std::int64_t(1) << 28;

template <class T>
constexpr const char* name_of = std::is_same_v<T, float> ? "f32" : "f64";

template <class T>
__global__ void fill_normal(T* x) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  for (; i < std::size_t(values); i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull, z = (z ^ z >> 27) * 0x94D049BB133111EBull,
    z ^= z >> 31;
    const double u = (double(z >> 32) + 0.5) * 0x1p-32, v = double(std::uint32_t(z)) * 0x1p-32;
    x[i] = T(sqrt(-2 * log(u)) * cospi(2 * v));
  }
}
template <class T>
std::vector<T> to_host(const void* from, std::int64_t first, std::int64_t n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  must(cudaMemcpy(x.data(), static_cast<const T*>(from) + first, x.size() * sizeof(T),
                  cudaMemcpyDeviceToHost),
       "copy");
  return x;
}
template <class T>
void compare(const char* what, std::int64_t result, const std::vector<T>& line) {
  exact_state<T> want{};
  for (const T v : line) want.add(v);
  const T right = want.round(), got = to_host<T>(results, result, 1)[0];
  if (std::memcmp(&right, &got, sizeof(T)) != 0)
    std::printf("WRONG: %s, result %lld\n", what, static_cast<long long>(result));
}
template <class T, class Call>
void measure(const std::string& what, std::int64_t lines, std::int64_t extra, const Call& call) {
  point p{what, name_of<T>, values, 0, 0, limit, {}};
  p.bytes = double(values + lines) * sizeof(T) + double(extra);
  p.peers["rung_plain"] = device_us([&](int) { call(plus{}); }, 3, 5);
  p.ours_us = device_us([&](int) { call(exact_plus{}); }, 3, 5);
  points.push_back(p);
  print(p);
}

template <class T>
void along(std::int64_t rows, std::int64_t columns, int axis) {
  device gpu(bench_stream());
  const view<const T> x(static_cast<const T*>(memory), {rows, columns});
  const std::int64_t lines = axis == 0 ? columns : rows;
  const view<T> y(static_cast<T*>(results), {lines});
  const std::string what = "sum of (" + std::to_string(rows) + "," + std::to_string(columns) +
                           ") over " + std::to_string(axis);
  reduce(gpu, x, exact_plus{}, axes{axis}, into(y));
  must(cudaStreamSynchronize(bench_stream()), what.c_str());
  if (axis == 1)
    for (const std::int64_t r : {std::int64_t(0), lines - 1})
      compare(what.c_str(), r, to_host<T>(memory, r * columns, columns));
  measure<T>(what, lines, 0, [&](const auto& op) { reduce(gpu, x, op, axes{axis}, into(y)); });
}
template <class T>
void segments(const char* mix, const std::vector<std::int32_t>& list) {
  device gpu(bench_stream());
  const std::int64_t count = std::int64_t(list.size()) - 1;
  must(cudaMemcpy(offsets, list.data(), list.size() * 4, cudaMemcpyHostToDevice), "offsets");
  const view<const T> x(static_cast<const T*>(memory), {values});
  const view<T> y(static_cast<T*>(results), {count});
  const view<const std::int32_t> cuts(offsets, {count + 1});
  const std::string what = std::string("sum of segments, ") + mix;
  segmented_reduce(gpu, x, cuts, exact_plus{}, into(y));
  must(cudaStreamSynchronize(bench_stream()), what.c_str());
  for (const std::int64_t s : {std::int64_t(0), count / 3, count - 1})
    compare(
        what.c_str(), s,
        to_host<T>(memory, list[std::size_t(s)], list[std::size_t(s) + 1] - list[std::size_t(s)]));
  measure<T>(what, count, 4 * (count + 1),
             [&](const auto& op) { segmented_reduce(gpu, x, cuts, op, into(y)); });
}
std::vector<std::int32_t> even(std::int64_t length) {
  std::vector<std::int32_t> list;
  for (std::int64_t at = 0; at < values; at += length) list.push_back(std::int32_t(at));
  list.push_back(std::int32_t(values));
  return list;
}

template <class T>
void all() {
  fill_normal<<<132 * 16, 256, 0, bench_stream()>>>(static_cast<T*>(memory));
  must(cudaStreamSynchronize(bench_stream()), "fill");
  along<T>(1 << 22, 64, 1);
  along<T>(1 << 18, 1024, 1);
  along<T>(1 << 14, 1 << 14, 1);
  along<T>(1 << 14, 1 << 14, 0);
  along<T>(16, 1 << 24, 1);
  segments<T>("64", even(64));
  segments<T>("1024", even(1024));
  segments<T>("2^20", even(1 << 20));
  std::vector<std::int32_t> one_long = {0, 1 << 27};
  while (one_long.back() < values) one_long.push_back(one_long.back() + 1024);
  segments<T>("one of 2^27, then 1024", one_long);
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  std::string json;
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--json") == 0) json = argv[i + 1];
  must(cudaMalloc(&memory, std::size_t(values) * 8), "memory");
  must(cudaMalloc(&results, std::size_t(values) / 4), "memory");
  must(cudaMalloc(&offsets, std::size_t(values) / 4), "memory");
  limit = read_limit(memory, std::int64_t(1) << 30, static_cast<float*>(results));
  std::printf("read limit %.0f GB/s\n", limit);
  all<float>();
  all<double>();
  if (!json.empty())
    write_json(json, "exact_lines", "device_exact_lines --json FILE", versions(), points);
}
