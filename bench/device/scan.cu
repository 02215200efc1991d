// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Inclusive scans of whole arrays on one GPU beside CUB and a plain copy of the same bytes: device
// time for every power of four and some odd sizes, shifted pointers, and the types and operators.
// Before it is timed, entries are compared with reduce of their prefix.
//   device_scan [--json FILE] [--quick] [--plans]
#include <cstring>

#include "cub_scan_peer.hpp"
#include "rung/device/scan.cuh"
#include "rung/op/arithmetic.hpp"
#include "rung/op/extremes.hpp"
#include "timing.cuh"

namespace rung::bench {

char *from, *to;
std::vector<point> points;
double limit;
bool quick = false;
const cub_scans* const cubs[] = {&toolkit::scans, &newest::scans};

template <class S>
bool equal(const S& x, const S& y) {
  return std::memcmp(&x, &y, sizeof(S)) == 0;
}
/// The first, last and some entries against the fold of their prefix.
template <class T, class R, class Op>
void verify(const device& gpu, const T* x, const R* y, std::int64_t n, const Op& op,
            const char* what) {
  std::vector<std::int64_t> places = {0, 1, n / 3, n / 2 - 1, n - 1};
  for (int k = 5; k < 34; ++k)
    for (const std::int64_t d : {-1, 0, 1})
      if (const std::int64_t i = (std::int64_t(1) << k) + d; i < n) places.push_back(i);
  for (const std::int64_t i : places) {
    if (i < 0) continue;
    R entry, want;
    reduce(gpu, view<const T>(x, {i + 1}), op, into(reinterpret_cast<R*>(to + room)));
    must(cudaStreamSynchronize(bench_stream()), what);
    must(cudaMemcpy(&want, to + room, sizeof want, cudaMemcpyDeviceToHost), what);
    must(cudaMemcpy(&entry, y + i, sizeof entry, cudaMemcpyDeviceToHost), what);
    if (!equal(entry, want)) {
      std::printf("WRONG: %s %lld, entry %lld\n", what, static_cast<long long>(n),
                  static_cast<long long>(i));
      return;
    }
  }
}

/// The same of suffixes.
template <class T, class R, class Op>
void verify_backwards(const device& gpu, const T* x, const R* y, std::int64_t n, const Op& op,
                      const char* what) {
  for (const std::int64_t i : {std::int64_t(0), std::int64_t(1), n / 3, n / 2, n - 1}) {
    R entry, want;
    reduce(gpu, view<const T>(x + i, {n - i}).reversed(0), op,
           into(reinterpret_cast<R*>(to + room)));
    must(cudaStreamSynchronize(bench_stream()), what);
    must(cudaMemcpy(&want, to + room, sizeof want, cudaMemcpyDeviceToHost), what);
    must(cudaMemcpy(&entry, y + i, sizeof entry, cudaMemcpyDeviceToHost), what);
    if (!equal(entry, want))
      std::printf("WRONG: %s backwards %lld, entry %lld\n", what, static_cast<long long>(n),
                  static_cast<long long>(i));
  }
}

template <class T, class R = T, class Op>
void run(const char* what, const char* type, char code, const Op& op,
         const std::vector<std::int64_t>& sizes, int shift = 0, bool backwards = false) {
  device gpu(bench_stream());
  const std::string name =
      std::string(what) + (shift != 0 ? ", shifted" : "") + (backwards ? ", backwards" : "");
  for (std::int64_t n : sizes) {
    const std::int64_t bytes = n * std::int64_t(sizeof(T) > sizeof(R) ? sizeof(T) : sizeof(R));
    if (bytes > room) continue;
    if (bytes == room) n -= shift;
    const int calls = calls_for(bytes);
    point p{name, type, n, 0, double(n) * (sizeof(T) + sizeof(R)), limit, {}};
    const auto call = [&](int i) {
      const view<const T> x(part<T>(from, i, n) + shift, {n});
      const view<R> y(part<R>(to, i, n) + shift, {n});
      if (backwards) inclusive_scan(gpu, x.reversed(0), y.reversed(0), op);
      else inclusive_scan(gpu, x, y, op);
    };
    p.ours_us = device_us(call, calls);
    call(0);
    must(cudaStreamSynchronize(bench_stream()), what);
    if (backwards)
      verify_backwards(gpu, part<T>(from, 0, n) + shift, part<R>(to, 0, n) + shift, n, op, what);
    else verify(gpu, part<T>(from, 0, n) + shift, part<R>(to, 0, n) + shift, n, op, what);
    if (sizeof(T) == sizeof(R)) p.peers["copy"] = copy_us(from, to, n * std::int64_t(sizeof(T)));
    for (const cub_scans* cub : cubs) {
      if (cub->name == nullptr || backwards) continue;
      if (!cub->inclusive(what, code, part<T>(from, 0, n), part<T>(to, 0, n), n, bench_stream()))
        continue;
      p.peers[cub->name] = device_us(
          [&](int i) {
            cub->inclusive(what, code, part<T>(from, i, n) + shift, part<T>(to, i, n) + shift, n,
                           bench_stream());
          },
          calls);
      if (std::strcmp(what, "sum") != 0 || cub->sum_run_to_run == nullptr ||
          !cub->sum_run_to_run(code, part<T>(from, 0, n), part<T>(to, 0, n), n, bench_stream()))
        continue;
      p.peers[std::string(cub->name) + "_run_to_run"] = device_us(
          [&](int i) {
            cub->sum_run_to_run(code, part<T>(from, i, n) + shift, part<T>(to, i, n) + shift, n,
                                bench_stream());
          },
          calls);
    }
    points.push_back(p);
    print(p);
  }
}

std::vector<std::int64_t> sizes(int lowest, bool odd) {
  std::vector<std::int64_t> n;
  for (int k = lowest; k <= 32; k += 2) n.push_back(std::int64_t(1) << k);
  if (odd) n.insert(n.end(), {1000, 5000, 100003, 3000001, (std::int64_t(1) << 28) + 12345});
  if (quick) {
    n = {1 << 10, 1 << 14, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 28};
    std::erase_if(n, [&](std::int64_t size) { return size < std::int64_t(1) << lowest; });
  }
  return n;
}
/// A user's operator on 12 bytes.
struct three {
  std::int32_t a, b, c;
};
struct add_three {
  RUNG_HD three operator()(const three& l, const three& r) const {
    return {l.a + r.a, l.b + r.b, l.c + r.c};
  }
  RUNG_HD three lift(const three& x) const { return x; }
};
/// A user's operator that nothing is known of.
struct larger {
  RUNG_HD float operator()(float l, float r) const { return l < r ? r : l; }
};

/// f32 sums with other plans, to choose the numbers in tune/scan.hpp.
template <class F>
void plan(std::int64_t n, const char* text, F&& launch) {
  device gpu(bench_stream());
  using source = detail::array_source<as_it_is, float>;
  using output = detail::scan_output<plus, float, float, 4>;
  using work_type = detail::scan_work<source, plus, detail::count_given, detail::no_start<float>,
                                      output, detail::no_total>;
  const double us = device_us(
      [&](int i) {
        const auto what = detail::device_source(view<const float>(part<float>(from, i, n), {n}));
        launch(gpu, what,
               work_type{what.source, plus{}, {n}, {}, output(part<float>(to, i, n)), {}});
      },
      calls_for(n * 4));
  verify(gpu, part<float>(from, 0, n), part<float>(to, 0, n), n, plus{}, text);
  std::printf("plan %lld %s us %.3f GB/s %.0f\n", static_cast<long long>(n), text, us,
              8e-3 * double(n) / us);
  std::fflush(stdout);
}
template <int Packs, int Stages, int Ahead>
void tiles_plan(std::int64_t n, int warps) {
  using kind = detail::scan_kind<false, false>;
  char text[80];
  std::snprintf(text, sizeof text, "tiles packs %d stages %d ahead %d warps %d", Packs, Stages,
                Ahead, warps);
  plan(n, text, [&](const device& gpu, const auto& what, const auto& work) {
    detail::launch_scan_tiles<kind, Packs, Stages, Ahead>(gpu, what, work, warps, false);
  });
}
template <int Packs>
void few_plan(std::int64_t n, int warps) {
  const std::int64_t tiles = n / (warps * Packs * 128);
  if (tiles < 1 || tiles > 128) return;
  using kind = detail::scan_kind<false, false>;
  char text[80];
  std::snprintf(text, sizeof text, "few packs %d warps %d tiles %d", Packs, warps, int(tiles));
  plan(n, text, [&](const device& gpu, const auto& what, const auto& work) {
    detail::launch_scan_few<kind, Packs>(gpu, what, work, warps, false, tune::scan_patience);
  });
}
void plans() {
  for (const int k : {10, 12, 14, 16, 18, 20, 21})
    for (const int warps : {1, 2, 4, 8, 16}) {
      const std::int64_t n = std::int64_t(1) << k;
      few_plan<1>(n, warps), few_plan<2>(n, warps), few_plan<4>(n, warps), few_plan<8>(n, warps);
    }
  for (const int k : {20, 22, 24, 28, 30}) {
    const std::int64_t n = std::int64_t(1) << k;
    tiles_plan<8, 7, 5>(n, 8), tiles_plan<8, 7, 4>(n, 8), tiles_plan<8, 6, 4>(n, 8);
    tiles_plan<4, 7, 5>(n, 8);
  }
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung;
  using namespace rung::bench;
  std::string json;
  bool try_plans = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) json = argv[++i];
    else if (std::strcmp(argv[i], "--quick") == 0) quick = true;
    else if (std::strcmp(argv[i], "--plans") == 0) try_plans = true;
  }
  must(cudaMalloc(&from, std::size_t(room) + 4096), "memory");
  must(cudaMalloc(&to, std::size_t(room) + 4096), "memory");
  fill(from, 'f');
  limit = 2 * double(room) / copy_us(from, to, room) / 1e3;
  std::printf("copy limit %.0f GB/s; cub %d and %d\n", limit, toolkit::scans.version,
              newest::scans.version);
  if (try_plans) return plans(), 0;
  run<float>("sum", "f32", 'f', plus{}, sizes(10, true));
  run<float>("sum", "f32", 'f', plus{}, sizes(24, false), 1);
  run<float>("sum", "f32", 'f', plus{}, sizes(20, false), 0, true);
  run<float>("sum", "f32", 'f', plus{}, sizes(24, false), 1, true);
  run<float>("max", "f32", 'f', maximum{}, sizes(20, false));
  run<float>("user's max", "f32", 'f', larger{}, sizes(20, false));
  run<complex<float>>("sum", "c64", 'x', plus{}, sizes(20, false));
  run<affine_map<float>>("affine", "2 f32", 'x', affine{}, sizes(20, false));
  fill(from, 'i');
  run<three>("sum", "3 i32", 't', add_three{}, sizes(20, false));
  run<std::int32_t>("sum", "i32", 'i', plus{}, sizes(10, true));
  run<std::int32_t>("sum", "i32", 'i', plus{}, sizes(24, false), 1);
  run<std::int16_t>("sum", "i16", 's', plus{}, sizes(20, false));
  run<std::int8_t>("sum", "i8", 'c', plus{}, sizes(20, false));
  run<std::int8_t>("sum", "i8", 'c', plus{}, sizes(24, false), 0, true);
  run<std::int64_t>("sum", "i64", 'l', plus{}, sizes(20, false));
  fill(from, 'd');
  run<double>("sum", "f64", 'd', plus{}, sizes(10, true));
  run<double>("sum", "f64", 'd', plus{}, sizes(24, false), 1);
  fill(from, 'h');
  run<f16>("sum", "f16", 'h', plus{}, sizes(10, false));
  run<f16>("sum", "f16", 'h', plus{}, sizes(24, false), 0, true);
  fill(from, 'b');
  run<bf16>("sum", "bf16", 'b', plus{}, sizes(20, false));
  if (!json.empty())
    write_json(json, "device_scan", "device_scan --json FILE",
               versions(toolkit::scans, newest::scans), points);
}
