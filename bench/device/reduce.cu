// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce of whole arrays on one GPU beside CUB: device time for every power of four and some odd
// sizes, and the latency of a sum whose result the host waits for. Before it is timed, every answer
// is compared with a fold on the host (small sizes) or with another plan's (large ones).
//   device_reduce [--json FILE] [--quick] [--plans]
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>

#include "cub_peer.hpp"
#include "rung/device/reduce.cuh"
#include "rung/op/extremes.hpp"
#include "rung/op/log_sum_exp.hpp"
#include "rung/op/moments.hpp"
#include "rung/order.hpp"
#include "timing.cuh"

namespace rung::bench {

void* memory;
float* result;
std::vector<point> points;
double limit;
bool quick = false;
const cub_calls* const cubs[] = {&toolkit::cub, &newest::cub};
using which = tune::reduce_plan::kernel;

template <class T>
struct named;
#define NAMED(T, text, letter)                \
  template <>                                 \
  struct named<T> {                           \
    static constexpr const char* name = text; \
    static constexpr char code = letter;      \
  };
NAMED(float, "f32", 'f')
NAMED(double, "f64", 'd')
NAMED(f16, "f16", 'h')
NAMED(bf16, "bf16", 'b')
NAMED(std::int8_t, "i8", 'c')
NAMED(std::int32_t, "i32", 'i')
NAMED(std::int64_t, "i64", 'l')

template <class R>
bool same(const R& x, const R& y) {
  if constexpr (requires { x.index; }) return x.index == y.index;
  else return std::memcmp(&x, &y, sizeof(R)) == 0;
}
template <class T, class Op>
void verify(const device& gpu, const Op& op, std::int64_t n, const char* what) {
  using S = state_t<Op, T>;
  const auto got = reduce(gpu, view<const T>(part<const T>(memory, 0, n), {n}), op);
  bool right;
  if (n <= 1 << 22) {
    std::vector<T> x(static_cast<std::size_t>(n));
    must(cudaMemcpy(x.data(), part<const T>(memory, 0, n), x.size() * sizeof(T),
                    cudaMemcpyDeviceToHost),
         what);
    right = same(got, result_of<Op, T>(op, *fold(op, std::span<const T>(x))));
  } else {
    S* other = reinterpret_cast<S*>(result + 64);
    detail::launch_reduce(
        gpu, detail::device_source(view<const T>(part<const T>(memory, 0, n), {n})), op,
        detail::no_start<S>{}, detail::state_into<S>{other}, {which::tiles, 4, 1});
    S state;
    must(cudaMemcpy(&state, other, sizeof state, cudaMemcpyDeviceToHost), what);
    right = same(got, result_of<Op, T>(op, state));
  }
  if (!right) std::printf("WRONG: %s %s %lld\n", what, named<T>::name, static_cast<long long>(n));
}

template <class T, class Op, class Peer>
void run(const char* what, const Op& op, std::vector<std::int64_t> sizes, Peer peer) {
  device gpu(bench_stream());
  for (const std::int64_t n : sizes) {
    const std::int64_t bytes = n * std::int64_t(sizeof(T));
    if (bytes > room) continue;
    if constexpr (number<state_t<Op, T>> || requires(state_t<Op, T> s) { s.index; })
      verify<T>(gpu, op, n, what);
    const int calls = calls_for(bytes);
    point p{what, named<T>::name, n, 0, double(bytes), limit, {}};
    using R = state_t<Op, T>;
    p.ours_us = device_us(
        [&](int i) {
          detail::launch_reduce(
              gpu, detail::device_source(view<const T>(part<const T>(memory, i, n), {n})), op,
              detail::no_start<R>{}, detail::state_into<R>{reinterpret_cast<R*>(result)},
              detail::plan_of<Op>(
                  detail::device_source(view<const T>(part<const T>(memory, i, n), {n}))));
        },
        calls);
    for (const cub_calls* cub : cubs) {
      const auto f = peer(*cub);
      if (f == nullptr ||
          !f(named<T>::code, part<const T>(memory, 0, n), result, n, bench_stream()))
        continue;
      p.peers[cub->name] = device_us(
          [&](int i) { f(named<T>::code, part<const T>(memory, i, n), result, n, bench_stream()); },
          calls);
    }
    points.push_back(p);
    print(p);
  }
}

std::vector<std::int64_t> sizes(bool odd) {
  std::vector<std::int64_t> n;
  for (int k = 10; k <= 32; k += 2) n.push_back(std::int64_t(1) << k);
  if (odd) n.insert(n.end(), {1000, 5000, 100003, 3000001});
  if (quick) n = {1 << 10, 1 << 14, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 28, 100003};
  return n;
}

__global__ void empty_kernel() {}

void latencies() {
  device gpu(bench_stream());
  const double empty = latency_us([&] {
    empty_kernel<<<1, 32, 0, bench_stream()>>>();
    cudaStreamSynchronize(bench_stream());
  });
  std::printf("empty kernel and wait: %.2f us\n", empty);
  for (const std::int64_t n : {1 << 10, 1 << 14, 1 << 18, 1 << 20}) {
    const float* x = part<const float>(memory, 0, n);
    point p{"sum, result on the host", "f32", n, 0, double(n) * 4, 0, {}};
    float sum = 0;
    p.ours_us = latency_us([&] { sum += reduce(gpu, view<const float>(x, {n}), plus{}); });
    p.peers["empty_kernel"] = empty;
    for (const cub_calls* cub : cubs) {
      if (cub->name == nullptr) continue;
      p.peers[std::string(cub->name) + "_and_copy"] = latency_us([&] {
        float there;
        cub->sum('f', x, result, n, bench_stream());
        cudaMemcpyAsync(&there, result, 4, cudaMemcpyDeviceToHost, bench_stream());
        cudaStreamSynchronize(bench_stream());
        sum += there;
      });
    }
    points.push_back(p);
    print(p);
  }
}

/// f32 sums with other plans, to choose the numbers in tune/reduce.hpp: tools/tune.py reads this.
void plans() {
  device gpu(bench_stream());
  for (int k = 12; k <= 30; k += 2) {
    const std::int64_t n = std::int64_t(1) << k;
    for (const which kernel : {which::one_block, which::few_tiles, which::tiles})
      for (const int warps : {4, 8, 16, 32})
        for (int log = 0; log <= 5; ++log) {
          const std::int64_t rows = n / 128;
          const std::int64_t tile =
              warps * (kernel == which::tiles ? tune::packs_of_tiles : tune::packs_of_few_tiles);
          if (kernel == which::one_block && (log > 0 || rows > 8 * warps || warps > 16)) continue;
          if (kernel != which::tiles && log > 0) continue;
          if (warps > 16) continue;
          if (kernel == which::few_tiles && rows / tile > 128) continue;
          if (kernel != which::one_block && (rows / tile >> log) < 2) continue;
          if (kernel == which::tiles && (rows / tile >> log) > 32768) continue;
          const double us = device_us(
              [&](int i) {
                detail::launch_reduce(
                    gpu,
                    detail::device_source(view<const float>(part<const float>(memory, i, n), {n})),
                    plus{}, detail::no_start<float>{}, detail::state_into<float>{result},
                    {kernel, warps, log});
              },
              calls_for(n * 4));
          const auto now = tune::plan_reduce(rows);
          const bool chosen = now.which == kernel && now.warps == warps && now.log_groups == log;
          const char* names[] = {"one_block", "few_tiles", "tiles"};
          std::printf("plan %lld %s warps %d log_groups %d us %.3f%s\n", static_cast<long long>(n),
                      names[int(kernel)], warps, log, us, chosen ? " chosen" : "");
          std::fflush(stdout);
        }
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
  must(cudaMalloc(&memory, std::size_t(room)), "memory");
  must(cudaMalloc(&result, 4096), "memory");
  fill(memory, 'f');
  limit = read_limit(memory, room, result);
  std::printf("read limit %.0f GB/s; cub %d and %d\n", limit, toolkit::cub.version,
              newest::cub.version);
  if (try_plans) return plans(), 0;
  const auto sum = [](const cub_calls& c) { return c.sum; };
  latencies();
  run<float>("sum", plus{}, sizes(true), sum);
  run<float>("sum, same on every GPU", plus{}, sizes(true),
             [](const cub_calls& c) { return c.version >= 3002000 ? c.sum_gpu_to_gpu : nullptr; });
  run<float>("max", maximum{}, sizes(true), [](const cub_calls& c) { return c.max; });
  run<float>("argmax", arg_max{}, sizes(true), [](const cub_calls& c) { return c.arg_max; });
  const auto none = [](const cub_calls&) -> decltype(cub_calls::sum) { return nullptr; };
  run<float>("sum+min+max+mean+var", fuse(plus{}, minimum{}, maximum{}, moments{}), sizes(true),
             none);
  run<float>("var", moments{}, sizes(false), none);
  run<float>("logsumexp", log_sum_exp{}, sizes(false), none);
  fill(memory, 'i');
  run<std::int8_t>("sum", plus{}, sizes(true), sum);
  run<std::int32_t>("sum", plus{}, sizes(true), sum);
  run<std::int64_t>("sum", plus{}, sizes(true), sum);
  fill(memory, 'd');
  run<double>("sum", plus{}, sizes(true), sum);
  fill(memory, 'h');
  run<f16>("sum", plus{}, sizes(true), sum);
  fill(memory, 'b');
  run<bf16>("sum", plus{}, sizes(true), sum);
  if (!json.empty())
    write_json(json, "device_reduce", "device_reduce --json FILE",
               versions(toolkit::cub, newest::cub), points);
}
