// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums, dot products and norms of arrays on one GPU, on easy and hard data, beside our plain
// ones and CUB's sum that is the same on every GPU. Every answer up to 64 MiB is compared with the
// exact sum on the host before it is timed.
//   device_exact [--json FILE] [--quick]
#include <cstring>

#include "cub_peer.hpp"
#include "rung/cpu/exact_lines.hpp"
#include "rung/device/reduce.cuh"
#include "timing.cuh"

namespace rung::bench {

void* memory;
float* result;
std::vector<point> points;
double limit;
bool quick = false;
const cub_calls* const cubs[] = {&toolkit::cub, &newest::cub};

template <class T>
constexpr const char* name_of = "f64";
template <>
constexpr const char* name_of<float> = "f32";
template <>
constexpr const char* name_of<f16> = "f16";
template <>
constexpr const char* name_of<bf16> = "bf16";
template <class T>
constexpr char code_of = std::is_same_v<T, float>  ? 'f'
                         : std::is_same_v<T, f16>  ? 'h'
                         : std::is_same_v<T, bf16> ? 'b'
                                                   : 'd';

enum class data { normal, wide, bits };
constexpr const char* data_names[] = {"N(0,1)", "exp(10 N)", "random bits"};

template <class T>
__global__ void fill_data(T* x, std::size_t n, data kind) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  for (; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull, z = (z ^ z >> 27) * 0x94D049BB133111EBull,
    z ^= z >> 31;
    if (kind == data::bits) {
      using format = detail::float_format<T>;
      typename format::bits bits = typename format::bits(z >> (64 - 8 * sizeof(T)));
      constexpr auto top = detail::infinity_bits<T>;
      if ((bits & top) == top)
        bits = typename format::bits(bits ^ std::uint64_t(1) << (8 * sizeof(T) - 2));
      x[i] = detail::bit_cast<T>(bits);
      continue;
    }
    const double u = (double(z >> 32) + 0.5) * 0x1p-32, v = double(std::uint32_t(z)) * 0x1p-32;
    const double normal = sqrt(-2 * log(u)) * cospi(2 * v);
    // As far as the type goes.
    const double value = kind == data::normal ? normal : exp(10 * normal);
    const double most = std::is_same_v<T, f16> ? 60000 : 1e300;
    x[i] = convert<T>(value < most ? value : most);
  }
}
template <class T>
void fill_with(data kind) {
  fill_data<<<132 * 16, 256, 0, bench_stream()>>>(static_cast<T*>(memory),
                                                  std::size_t(room) / sizeof(T), kind);
  must(cudaStreamSynchronize(bench_stream()), "fill");
}

template <class T>
void verify(const device& gpu, std::int64_t n, const char* what) {
  std::vector<T> x(static_cast<std::size_t>(n));
  must(cudaMemcpy(x.data(), memory, x.size() * sizeof(T), cudaMemcpyDeviceToHost), what);
  exact_state<T> want{};
  host::add_line(want, x.data(), x.size());
  auto* place = reinterpret_cast<exact_state<T>*>(result);
  detail::launch_fold(gpu, detail::device_source(view<const T>(static_cast<T*>(memory), {n})),
                      exact_plus{}, detail::no_start<exact_state<T>>{},
                      detail::state_into<exact_state<T>>{place});
  exact_state<T> got;
  must(cudaMemcpy(&got, place, sizeof got, cudaMemcpyDeviceToHost), what);
  if (!(got == want)) std::printf("WRONG: %s %s %lld\n", what, name_of<T>, (long long)n);
}

template <class Op, class What>
double time_of(const device& gpu, const Op& op, const What& what_of, int calls) {
  using T = typename decltype(detail::device_source(what_of(0)))::type::value_type;
  using R = result_t<Op, T>;
  return device_us([&](int i) { reduce(gpu, what_of(i), op, into(reinterpret_cast<R*>(result))); },
                   calls);
}

template <class T>
void sums(data kind) {
  fill_with<T>(kind);
  device gpu(bench_stream());
  std::vector<std::int64_t> bytes = {1 << 12, 1 << 16, 1 << 20,
                                     1 << 22, 1 << 24, 1 << 26,
                                     1 << 28, 1 << 30, std::int64_t(1) << 32};
  if (quick || kind != data::normal) bytes = {1 << 20, 1 << 26, 1 << 30, std::int64_t(1) << 32};
  for (const std::int64_t size : bytes) {
    const std::int64_t n = size / std::int64_t(sizeof(T));
    const std::string what = std::string("sum, ") + data_names[int(kind)];
    if (size <= 1 << 26) verify<T>(gpu, n, what.c_str());
    const auto array = [&](int i) { return view<const T>(part<const T>(memory, i, n), {n}); };
    point p{what, name_of<T>, n, 0, double(size), limit, {}};
    p.ours_us = time_of(gpu, exact_plus{}, array, calls_for(size));
    p.peers["rung_plain"] = time_of(gpu, plus{}, array, calls_for(size));
    if (kind == data::normal)
      for (const cub_calls* cub : cubs) {
        const auto f = cub->version >= 3002000 ? cub->sum_gpu_to_gpu : nullptr;
        if (f == nullptr || !f(code_of<T>, part<const T>(memory, 0, n), result, n, bench_stream()))
          continue;
        p.peers[std::string(cub->name) + "_gpu_to_gpu"] = device_us(
            [&](int i) { f(code_of<T>, part<const T>(memory, i, n), result, n, bench_stream()); },
            calls_for(size));
      }
    points.push_back(p);
    print(p);
  }
}

struct times {
  template <class T>
  RUNG_HD T operator()(T a, T b) const {
    return mul(a, b);
  }
};
struct square_of_it {
  template <class T>
  RUNG_HD T operator()(T a) const {
    return mul(a, a);
  }
};

template <class T>
void products() {
  fill_with<T>(data::normal);
  device gpu(bench_stream());
  for (const std::int64_t size : {std::int64_t(1) << 26, std::int64_t(1) << 30}) {
    const std::int64_t n = size / std::int64_t(sizeof(T));
    const auto half = [&](int i, std::int64_t of) {
      return view<const T>(part<const T>(memory, 2 * i + int(of), n), {n});
    };
    point dot{"dot, N(0,1)", name_of<T>, n, 0, 2.0 * double(size), limit, {}};
    dot.ours_us = time_of(
        gpu, exact_plus{},
        [&](int i) { return transform(as_exact_product{}, half(i, 0), half(i, 1)); },
        calls_for(size));
    dot.peers["rung_plain"] = time_of(
        gpu, plus{}, [&](int i) { return transform(times{}, half(i, 0), half(i, 1)); },
        calls_for(size));
    points.push_back(dot), print(dot);
    point squares{"squared norm, N(0,1)", name_of<T>, n, 0, double(size), limit, {}};
    squares.ours_us = time_of(
        gpu, exact_plus{}, [&](int i) { return transform(as_exact_square{}, half(i, 0)); },
        calls_for(size));
    squares.peers["rung_plain"] = time_of(
        gpu, plus{}, [&](int i) { return transform(square_of_it{}, half(i, 0)); }, calls_for(size));
    points.push_back(squares), print(squares);
  }
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung;
  using namespace rung::bench;
  std::string json;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) json = argv[++i];
    else if (std::strcmp(argv[i], "--quick") == 0) quick = true;
  }
  must(cudaMalloc(&memory, std::size_t(room)), "memory");
  must(cudaMalloc(&result, 4096), "memory");
  fill_with<float>(data::normal);
  limit = read_limit(memory, room, result);
  std::printf("read limit %.0f GB/s\n", limit);
  for (const data kind : {data::normal, data::wide, data::bits}) {
    sums<float>(kind);
    sums<double>(kind);
    sums<bf16>(kind);
    sums<f16>(kind);
  }
  products<float>();
  products<double>();
  if (!json.empty())
    write_json(json, "exact", "device_exact --json FILE", versions(toolkit::cub, newest::cub),
               points);
}
