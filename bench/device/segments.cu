// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segmented sums and inclusive sums of 2^28 f32 on one GPU beside CUB, by offsets and by keys, for
// equal and unequal lengths. The longest and some other results are compared with reduce of the
// segment alone.
//   device_segments [--json FILE] [--json-by-key FILE] [--quick] [--ours]
#include <cstring>
#include <random>

#include "cub_segments_peer.hpp"
#include "rung/device/by_key.cuh"
#include "timing.cuh"

namespace rung::bench {

constexpr std::int64_t n = std::int64_t(1) << 28;
float *x, *y, *z;
std::int32_t *offsets, *keys, *run_keys;
std::int64_t* runs;
std::vector<point> points, key_points;
double read_gbs, copy_gbs;
bool quick = false, only_ours = false;
const cub_segments* const cubs[] = {&toolkit::segments, &newest::segments};

/// Time of a call that may be very slow.
double call_us(const std::function<void(int)>& f) {
  const double once = device_us(f, 1, 1);
  if (once > 5000) return once;
  return device_us(f, once > 1000 ? 3 : 5, quick ? 5 : 9);
}

struct mix {
  std::string name;
  std::vector<std::int32_t> offsets;  ///< one more than segments
  std::int64_t fixed;                 ///< the length of all, or 0
};
mix equal(std::int64_t length) {
  mix m{"length " + std::to_string(length), {}, length};
  for (std::int64_t i = 0; i <= n; i += length) m.offsets.push_back(std::int32_t(i));
  return m;
}
template <class F>
mix of_lengths(const char* name, F&& next) {
  mix m{name, {0}, 0};
  for (std::int64_t at = 0; at < n;) {
    at = std::min(n, at + std::max<std::int64_t>(0, std::int64_t(next())));
    m.offsets.push_back(std::int32_t(at));
  }
  return m;
}
std::vector<std::function<mix()>> mixes() {
  std::vector<std::function<mix()>> all;
  for (const std::int64_t length : {1, 4, 16, 64, 256, 1024, 4096, 1 << 16, 1 << 20, 1 << 26})
    all.push_back([=] { return equal(length); });
  all.push_back([] {
    std::mt19937 bits(1);
    std::lognormal_distribution<double> length(4, 2);
    return of_lengths("lognormal", [&] { return length(bits); });
  });
  all.push_back([] {
    std::mt19937 bits(2);
    std::uniform_real_distribution<double> u(1e-7, 1);
    return of_lengths("power law", [&] { return 1 / u(bits); });
  });
  all.push_back([] {
    int i = 0;
    return of_lengths("2^27, then 16", [&] { return i++ == 0 ? n / 2 : i > 1 << 20 ? n / 2 : 16; });
  });
  all.push_back([] {
    int i = 0;
    mix m = of_lengths("all empty but one", [&] { return i++ == 1 << 23 ? n : 0; });
    for (i = 0; i < 1 << 23; ++i) m.offsets.push_back(std::int32_t(n));
    return m;
  });
  return all;
}

/// GB/s, read and written, of the fastest of some copies of x.
double copy_limit() {
  double best = 0;
  const auto run = [&](auto kernel, int threads, int each) {
    const double us = device_us(
        [&](int) {
          kernel<<<unsigned(n / 4 / threads / each), threads, 0, bench_stream()>>>(
              reinterpret_cast<const float4*>(x), reinterpret_cast<float4*>(z), std::size_t(n / 4));
        },
        5);
    best = std::max(best, 8.0 * double(n) / us / 1e3);
  };
  run(copy_kernel<1>, 256, 1), run(copy_kernel<2>, 512, 2), run(copy_kernel<4>, 256, 4);
  run(copy_kernel<1>, 512, 1), run(copy_kernel<2>, 256, 2);
  return best;
}

/// at(segment): where the fold of all of its values lies.
template <class At>
void verify(const device& gpu, const mix& m, const char* what, const At& at) {
  std::mt19937 bits(3);
  const auto count = std::int64_t(m.offsets.size()) - 1;
  std::int64_t longest = 0;
  for (std::int64_t s = 0; s < count; ++s)
    if (m.offsets[std::size_t(s + 1)] - m.offsets[std::size_t(s)] >
        m.offsets[std::size_t(longest + 1)] - m.offsets[std::size_t(longest)])
      longest = s;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t s = i == 0 ? longest : i == 1 ? count - 1 : std::int64_t(bits()) % count;
    const std::int64_t begin = m.offsets[std::size_t(s)], end = m.offsets[std::size_t(s + 1)];
    if (begin == end) continue;
    float got;
    must(cudaMemcpy(&got, at(s), 4, cudaMemcpyDeviceToHost), "result");
    const float want = reduce(gpu, view<const float>(x + begin, {end - begin}), plus{});
    if (std::memcmp(&got, &want, 4) != 0) {
      std::printf("WRONG: %s, %s, segment %lld\n", what, m.name.c_str(), static_cast<long long>(s));
      return;
    }
  }
}

void sums(const mix& m) {
  device gpu(bench_stream());
  const auto count = std::int64_t(m.offsets.size()) - 1;
  const view<const float> values(x, {n});
  const view<const std::int32_t> list(offsets, {count + 1});
  const into<float> out(view<float>(y, {count}));
  point p{"sum, " + m.name, "f32", n, 0, 4.0 * double(n) + 8.0 * double(count), read_gbs, {}};
  p.ours_us = call_us([&](int) { segmented_reduce(gpu, values, list, plus{}, out); });
  verify(gpu, m, "sum", [](std::int64_t s) { return y + s; });
  for (const cub_segments* cub : cubs) {
    if (cub->name == nullptr || only_ours) continue;
    if (m.fixed > 0 && cub->reduce_fixed(x, m.fixed, y, count, bench_stream()))
      p.peers[std::string(cub->name) + "_fixed"] =
          call_us([&](int) { cub->reduce_fixed(x, m.fixed, y, count, bench_stream()); });
    if (cub->reduce(x, offsets, y, count, bench_stream()))
      p.peers[cub->name] = call_us([&](int) { cub->reduce(x, offsets, y, count, bench_stream()); });
  }
  points.push_back(p);
  print(p);
}
void scans(const mix& m) {
  device gpu(bench_stream());
  const auto count = std::int64_t(m.offsets.size()) - 1;
  const view<const float> values(x, {n});
  const view<const std::int32_t> list(offsets, {count + 1});
  point p{
      "inclusive sum, " + m.name, "f32", n, 0, 8.0 * double(n) + 4.0 * double(count), copy_gbs, {}};
  p.ours_us = call_us(
      [&](int) { segmented_inclusive_scan(gpu, values, list, view<float>(z, {n}), plus{}); });
  verify(gpu, m, "scan", [&](std::int64_t s) { return z + m.offsets[std::size_t(s + 1)] - 1; });
  for (const cub_segments* cub : cubs) {
    if (cub->name == nullptr || only_ours) continue;
    if (cub->scan(x, offsets, z, count, bench_stream()))
      p.peers[cub->name] = call_us([&](int) { cub->scan(x, offsets, z, count, bench_stream()); });
  }
  points.push_back(p);
  print(p);
}

__global__ void mark_begins(const std::int32_t* offsets, std::int64_t count, std::int32_t* keys) {
  const std::int64_t s = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (s < count && offsets[s] < n) keys[offsets[s]] = 1;
}
/// Keys whose runs are the segments that have values. Returns how many do.
std::int64_t make_keys(const mix& m) {
  device gpu(bench_stream());
  const auto count = std::int64_t(m.offsets.size()) - 1;
  must(cudaMemsetAsync(keys, 0, 4 * n, bench_stream()), "keys");
  mark_begins<<<unsigned((count + 255) / 256), 256, 0, bench_stream()>>>(offsets, count, keys);
  inclusive_scan(gpu, view<const std::int32_t>(keys, {n}), view<std::int32_t>(keys, {n}), plus{});
  std::int32_t last;
  must(cudaStreamSynchronize(bench_stream()), "keys");
  must(cudaMemcpy(&last, keys + n - 1, 4, cudaMemcpyDeviceToHost), "keys");
  return last;
}
void by_key(const mix& m) {
  device gpu(bench_stream());
  const std::int64_t count = make_keys(m);
  const view<const float> values(x, {n});
  const view<const std::int32_t> k(keys, {n});
  const auto room = std::int64_t(m.offsets.size()) - 1;
  point p{
      "sum by key, " + m.name, "f32", n, 0, 8.0 * double(n) + 8.0 * double(count), read_gbs, {}};
  p.ours_us = call_us([&](int) {
    reduce_by_key(gpu, k, values, plus{}, into<std::int32_t>(view<std::int32_t>(run_keys, {room})),
                  into<float>(view<float>(y, {room})), runs_into{runs});
  });
  std::int64_t found;
  must(cudaMemcpy(&found, runs, 8, cudaMemcpyDeviceToHost), "runs");
  if (found != count) std::printf("WRONG: %s, runs\n", m.name.c_str());
  if (count == room) verify(gpu, m, "sum by key", [](std::int64_t s) { return y + s; });
  for (const cub_segments* cub : cubs) {
    if (cub->name == nullptr || only_ours) continue;
    const auto f = [&](int) {
      cub->reduce_by_key(keys, x, run_keys, y, reinterpret_cast<std::int32_t*>(runs), n,
                         bench_stream());
    };
    p.peers[cub->name] = call_us(f);
  }
  key_points.push_back(p);
  print(p);
  point q{"inclusive sum by key, " + m.name, "f32", n, 0, 12.0 * double(n), copy_gbs, {}};
  q.ours_us =
      call_us([&](int) { inclusive_scan_by_key(gpu, k, values, view<float>(z, {n}), plus{}); });
  verify(gpu, m, "scan by key",
         [&](std::int64_t s) { return z + m.offsets[std::size_t(s + 1)] - 1; });
  for (const cub_segments* cub : cubs) {
    if (cub->name == nullptr || only_ours) continue;
    q.peers[cub->name] = call_us([&](int) { cub->scan_by_key(keys, x, z, n, bench_stream()); });
  }
  key_points.push_back(q);
  print(q);
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung;
  using namespace rung::bench;
  std::string json, json_by_key;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) json = argv[++i];
    else if (std::strcmp(argv[i], "--json-by-key") == 0 && i + 1 < argc) json_by_key = argv[++i];
    else if (std::strcmp(argv[i], "--quick") == 0) quick = true;
    else if (std::strcmp(argv[i], "--ours") == 0) only_ours = true;
  }
  must(cudaMalloc(&x, 4 * n), "memory");
  must(cudaMalloc(&y, 4 * n + 4096), "memory");
  must(cudaMalloc(&z, 4 * n + 4096), "memory");
  must(cudaMalloc(&offsets, 4 * n + 4096), "memory");
  must(cudaMalloc(&keys, 4 * n), "memory");
  must(cudaMalloc(&run_keys, 4 * n), "memory");
  must(cudaMalloc(&runs, 8), "memory");
  fill_kernel<<<1024, 256, 0, bench_stream()>>>(reinterpret_cast<std::uint32_t*>(x), n, 'f');
  must(cudaStreamSynchronize(bench_stream()), "fill");
  read_gbs = read_limit(x, 4 * n, y);
  copy_gbs = copy_limit();
  std::printf("read limit %.0f GB/s, copy limit %.0f; cub %d and %d\n", read_gbs, copy_gbs,
              toolkit::segments.version, newest::segments.version);
  for (const auto& make : mixes()) {
    const mix m = make();
    must(cudaMemcpy(offsets, m.offsets.data(), 4 * m.offsets.size(), cudaMemcpyHostToDevice),
         "offsets");
    sums(m);
    scans(m);
    by_key(m);
  }
  const auto write = [&](const std::string& file, const char* family,
                         const std::vector<point>& all) {
    if (file.empty()) return;
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver), cudaRuntimeGetVersion(&runtime);
    write_json(file, family, "device_segments --json FILE --json-by-key FILE",
               "\"cuda\": \"" + std::to_string(runtime) + "\", \"driver\": \"" +
                   std::to_string(driver) + "\", \"cub_toolkit\": \"" +
                   std::to_string(toolkit::segments.version) + "\", \"cub_newest\": \"" +
                   std::to_string(newest::segments.version) + "\"",
               all);
  };
  write(json, "segments", points);
  write(json_by_key, "by_key", key_points);
}
