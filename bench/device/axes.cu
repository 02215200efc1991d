// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Folds and scans along axes on one GPU: each axis and pair of axes of arrays of 2^28 values (or
// about as many), in C order and transposed, beside the read and copy limit. Before it is timed,
// some results of each are compared with the fold of their values on the host. python_axes.py adds
// the times of PyTorch, CuPy and JAX.
//   device_axes [--json FILE] [--quick]
#include <cuda_fp16.h>

#include <cstring>

#include "rung/device/axis_scan.cuh"
#include "rung/op/extremes.hpp"
#include "rung/op/log_sum_exp.hpp"
#include "rung/op/moments.hpp"
#include "rung/order.hpp"
#include "timing.cuh"

namespace rung::bench {

using lengths = std::vector<std::int64_t>;
constexpr std::int64_t bytes_each = std::int64_t(1) << 31;
char *from, *to;
std::vector<char> values;  ///< what `from` holds
std::vector<point> points;
double read_gbs, copy_gbs;
bool quick = false;

std::int64_t product(const lengths& shape) {
  std::int64_t n = 1;
  for (const std::int64_t l : shape) n *= l;
  return n;
}
/// Axis 0 innermost if transposed.
lengths strides_of(const lengths& shape, bool transposed) {
  lengths strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t d = transposed ? i : shape.size() - 1 - i;
    strides[d] = step;
    step *= shape[d];
  }
  return strides;
}
std::string text_of(const lengths& v) {
  std::string s;
  for (const std::int64_t n : v) s += (s.empty() ? "" : ",") + std::to_string(n);
  return s;
}
template <class R>
bool same(const R& x, const R& y) {
  if constexpr (requires { x.index; }) return x.index == y.index && x.value == y.value;
  else if constexpr (requires { x.maximum; }) return x.maximum == y.maximum && x.sum == y.sum;
  else if constexpr (requires { x.m2; }) return x.mean == y.mean && x.m2 == y.m2;
  else return std::memcmp(&x, &y, sizeof(R)) == 0;
}
/// Offsets of all indices of some axes, in C order.
lengths offsets_of(const lengths& shape, const lengths& strides, const lengths& axes) {
  lengths all = {0};
  for (const std::int64_t a : axes) {
    lengths next;
    for (const std::int64_t o : all)
      for (std::int64_t i = 0; i < shape[a]; ++i) next.push_back(o + i * strides[a]);
    all = next;
  }
  return all;
}

/// The fold of one result on the host.
template <class T, class Op>
auto expected(const Op& op, const lengths& shape, const lengths& strides, const lengths& over,
              std::int64_t result) {
  std::int64_t base = 0;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (std::find(over.begin(), over.end(), std::int64_t(d)) != over.end()) continue;
    base += result % shape[d] * strides[d];
    result /= shape[d];
  }
  const T* const x = reinterpret_cast<const T*>(values.data());
  std::vector<T> line;
  for (const std::int64_t o : offsets_of(shape, strides, over)) line.push_back(x[base + o]);
  return result_of<Op, T>(op, *fold(op, std::span<const T>(line)));
}

template <class R, class Q>
R as_stored(const Q& result) {
  if constexpr (std::is_same_v<R, Q>) return result;
  else return convert<R>(result);
}
/// R: what results are written as.
template <class R, class T, class Op>
void run(const char* what, const char* type, const Op& op, const lengths& shape, bool transposed,
         const lengths& over) {
  const lengths strides = strides_of(shape, transposed);
  lengths kept;
  std::int64_t length = 1;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (std::find(over.begin(), over.end(), std::int64_t(d)) == over.end())
      kept.push_back(shape[d]);
    else length *= shape[d];
  const std::int64_t n = product(shape), results = n / length;
  if (results * std::int64_t(sizeof(R)) > bytes_each) return;
  const view<const T> x(reinterpret_cast<const T*>(from), extents(shape), extents(strides));
  // Laid out as the input, which is what NumPy and PyTorch do.
  const lengths steps = strides_of(kept, transposed);
  const view<R> y(reinterpret_cast<R*>(to), extents(kept), extents(steps));
  const axes along{std::span<const std::int64_t>(over)};
  device gpu(bench_stream());
  const auto call = [&](int) { reduce(gpu, x, op, along, into(y)); };
  must(cudaMemsetAsync(to, 0xff, std::size_t(results) * sizeof(R), bench_stream()), what);
  call(0);
  must(cudaStreamSynchronize(bench_stream()), what);
  const std::string name = std::string(what) + " over " + text_of(over);
  if (length <= 1 << 20)
    for (const std::int64_t r : {std::int64_t(0), results / 3, results - 1}) {
      R got;
      std::int64_t at = 0, index = r;
      for (std::size_t d = kept.size(); d-- > 0; index /= kept[d]) at += index % kept[d] * steps[d];
      must(cudaMemcpy(&got, to + at * std::int64_t(sizeof(R)), sizeof(R), cudaMemcpyDeviceToHost),
           what);
      if (!same(got, as_stored<R>(expected<T>(op, shape, strides, over, r))))
        std::printf("WRONG: %s of %s%s, result %lld\n", name.c_str(), text_of(shape).c_str(),
                    transposed ? ", transposed" : "", static_cast<long long>(r));
    }
  point p{name + (transposed ? ", transposed" : ""), type, n, 0, 0, read_gbs, {}, shape};
  p.bytes = double(n) * sizeof(T) + double(results) * sizeof(R);
  p.ours_us = device_us(call, 3, 5);
  points.push_back(p);
  std::printf("(%s) ", text_of(shape).c_str());
  print(p);
}

/// A line of a scan on the host: up to 2^12 of its entries, and its last.
template <class T, class Op>
bool right_line(const Op& op, const lengths& shape, const lengths& strides, std::int64_t axis,
                std::int64_t line) {
  using R = result_t<Op, T>;
  std::int64_t base = 0;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (std::int64_t(d) == axis) continue;
    base += line % shape[d] * strides[d];
    line /= shape[d];
  }
  const std::int64_t length = shape[axis], step = strides[axis];
  std::vector<T> x;
  for (std::int64_t i = 0; i < length; ++i)
    x.push_back(reinterpret_cast<const T*>(values.data())[base + i * step]);
  for (std::int64_t i = 0; i < length;
       i = i + 1 < length ? std::min(2 * i + 1, length - 1) : length) {
    R got;
    must(cudaMemcpy(&got, to + (base + i * step) * std::int64_t(sizeof(R)), sizeof(R),
                    cudaMemcpyDeviceToHost),
         "scan");
    const auto want = fold(op, std::span<const T>(x).first(std::size_t(i + 1)));
    if (!same(got, result_of<Op, T>(op, *want))) return false;
  }
  return true;
}
template <class T, class Op>
void scan(const char* what, const char* type, const Op& op, const lengths& shape, bool transposed,
          std::int64_t along) {
  using R = result_t<Op, T>;
  const lengths strides = strides_of(shape, transposed);
  const std::int64_t n = product(shape), lines = n / shape[along];
  const view<const T> x(reinterpret_cast<const T*>(from), extents(shape), extents(strides));
  const view<R> y(reinterpret_cast<R*>(to), extents(shape), extents(strides));
  device gpu(bench_stream());
  const auto call = [&](int) { inclusive_scan(gpu, x, y, op, axis{along}); };
  must(cudaMemsetAsync(to, 0xff, std::size_t(n) * sizeof(R), bench_stream()), what);
  for (int i = 0; i < 3; ++i) call(0);
  must(cudaStreamSynchronize(bench_stream()), what);
  const std::string name = std::string(what) + " along " + std::to_string(along);
  if (shape[along] <= 1 << 18)
    for (const std::int64_t line : {std::int64_t(0), lines / 3, lines - 1})
      if (!right_line<T>(op, shape, strides, along, line))
        std::printf("WRONG: %s of %s%s, line %lld\n", name.c_str(), text_of(shape).c_str(),
                    transposed ? ", transposed" : "", static_cast<long long>(line));
  point p{name + (transposed ? ", transposed" : ""), type,     n,  0,
          double(n) * (sizeof(T) + sizeof(R)),       copy_gbs, {}, shape};
  p.ours_us = device_us(call, 3, 5);
  points.push_back(p);
  std::printf("(%s) ", text_of(shape).c_str());
  print(p);
}

/// GB/s of a copy, read and written.
__global__ void copy_kernel(const float4* x, float4* y) {
  const std::size_t i = std::size_t(blockIdx.x) * 512 + threadIdx.x;
  const float4 a = x[i], b = x[i + 256];
  y[i] = a, y[i + 256] = b;
}
double copy_limit(std::int64_t bytes) {
  const auto run = [&](int) {
    copy_kernel<<<unsigned(bytes / 8192), 256, 0, bench_stream()>>>(
        reinterpret_cast<const float4*>(from), reinterpret_cast<float4*>(to));
  };
  return 2.0 * double(bytes) / device_us(run, 5) / 1e3;
}

template <class F>
void every_shape(const F& f) {
  const lengths shapes[] = {{16, 1 << 24},   {1024, 1 << 18},   {16384, 16384},
                            {1 << 18, 1024}, {1 << 22, 64},     {1 << 24, 16},
                            {1 << 26, 4},    {256, 1024, 1024}, {64, 3, 224, 224, 32}};
  for (const bool transposed : {false, true})
    for (lengths shape : shapes) {
      if (transposed) std::reverse(shape.begin(), shape.end());
      f(shape, transposed);
    }
}
template <class T, class Op>
void every_axis(const char* what, const char* type, const Op& op) {
  every_shape([&](const lengths& shape, bool transposed) {
    for (std::int64_t a = 0; a < std::int64_t(shape.size()); ++a)
      scan<T>(what, type, op, shape, transposed, a);
  });
}
template <class T, class Op, class R = result_t<Op, T>>
void every_set(const char* what, const char* type, const Op& op) {
  every_shape([&](const lengths& shape, bool transposed) {
    const auto rank = std::int64_t(shape.size());
    for (std::int64_t a = 0; a < rank; ++a) run<R, T>(what, type, op, shape, transposed, {a});
    for (std::int64_t a = 0; a < rank; ++a)
      for (std::int64_t b = a + 1; b < rank; ++b)
        run<R, T>(what, type, op, shape, transposed, {a, b});
  });
}

void fill(char kind) {
  fill_kernel<<<1024, 256, 0, bench_stream()>>>(reinterpret_cast<std::uint32_t*>(from),
                                                std::size_t(bytes_each / 4), kind);
  must(cudaStreamSynchronize(bench_stream()), "fill");
  must(cudaMemcpy(values.data(), from, std::size_t(bytes_each), cudaMemcpyDeviceToHost), "fill");
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
  must(cudaMalloc(&from, std::size_t(bytes_each)), "memory");
  must(cudaMalloc(&to, std::size_t(bytes_each)), "memory");
  values.resize(std::size_t(bytes_each));
  fill('f');
  read_gbs = read_limit(from, std::int64_t(1) << 30, reinterpret_cast<float*>(to));
  copy_gbs = copy_limit(std::int64_t(1) << 30);
  std::printf("read limit %.0f GB/s, copy limit %.0f GB/s\n", read_gbs, copy_gbs);
  every_axis<float>("cumsum", "f32", plus{});
  every_set<float>("sum", "f32", plus{});
  if (!quick) {
    every_set<float>("argmax", "f32", arg_max{});
    every_set<float>("logsumexp", "f32", log_sum_exp{});
    every_set<float, variance, float>("var", "f32", variance{});
  }
  fill('h');
  every_set<f16>("sum", "f16", plus{});
  if (!json.empty()) {
    write_json(json, "axes", "device_axes --json FILE", versions(), points);
  }
}
