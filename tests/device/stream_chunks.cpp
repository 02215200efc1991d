// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays in host memory that reach the GPU chunk by chunk: for any chunk, any type of the elements
// and either byte order, the result is the fold of the values.
#include "device/stream_bytes.hpp"
#include "gpu/run.cuh"
#include "warp/values.hpp"

namespace rung::tests {
namespace {

using runtime::gpu_job;
using runtime::meaning;
using runtime::packed;
using runtime::source_type;

/// The blocks of the chunks so far, joined as they come.
template <class Op, class S>
struct blocks_so_far {
  Op op{};
  std::optional<S> start;
  std::vector<std::pair<S, std::int64_t>> blocks;
  S joined{};

  void take(const void* state, std::int64_t n) {
    S s;
    std::memcpy(&s, state, sizeof(S));
    for (; !blocks.empty() && blocks.back().second == n; n *= 2, blocks.pop_back())
      s = op(blocks.back().first, s);
    blocks.push_back({s, n});
  }
  const void* so_far() {
    std::optional<S> all = start;
    for (const auto& [s, n] : blocks) all = all ? op(*all, s) : s;
    if (!all) return nullptr;
    joined = *all;
    return &joined;
  }
};

/// Sizes around the edges of chunks of 256; arrays[a] holds the elements, values what they mean.
const std::vector<std::int64_t> around_256 = {1,   2,   127, 128, 200,  255,  256,  257,
                                              511, 512, 513, 768, 1000, 1024, 1025, 1535};
template <class Op, class P>
void sweep(gpu_job job, const std::vector<std::vector<unsigned char>>& arrays,
           const std::vector<P>& values, packed held, std::int64_t chunk = 256,
           const std::vector<std::int64_t>& sizes = around_256) {
  using S = state_t<Op, P>;
  const runtime::gpu_fold fold_of{sizeof(S), runtime::fold_values<Op, P>};
  job.held = held, job.arrays = int(arrays.size());
  job.chunk = chunk;
  unsigned seed = 1;
  for (const std::int64_t n : sizes) {
    blocks_so_far<Op, S> left;
    if (++seed % 2 == 0 && !is_positional<Op, P>) left.start = lift(Op{}, values[7], 0);
    job.count = n;
    job.fill = [&](int a, std::int64_t first, std::int64_t count, void* to) {
      const std::size_t size = runtime::size_of(job.types[a].type);
      std::memcpy(to, arrays[std::size_t(a)].data() + std::size_t(first) * size,
                  std::size_t(count) * size);
    };
    job.take = [&](const void* state, std::int64_t count) { left.take(state, count); };
    reseed(seed);
    const std::int64_t cut = seed % 3 == 0 && n > 2 * chunk ? 2 * chunk : 0;  // for two GPUs
    if (cut > 0) job.count = cut, runtime::run_on_gpu(job, fold_of);
    job.begin = cut, job.count = n - cut;
    runtime::run_on_gpu(job, fold_of);
    job.begin = 0;
    S got;
    std::memcpy(&got, left.so_far(), sizeof(S));
    const auto want = fold(Op{}, std::span<const P>(values.data(), std::size_t(n)), left.start);
    ASSERT_TRUE(same(got, *want)) << n << " values";
  }
}

constexpr std::size_t most = 1536;

template <class E>
std::vector<E> some(unsigned seed, bool special = false) {
  source from(seed);
  from.special = special;
  return from.many<E>(most);
}
template <class P, class E>
std::vector<P> as_values(const std::vector<E>& x) {
  std::vector<P> values;
  for (const E e : x) values.push_back(convert<P>(e));
  return values;
}
gpu_job of(source_type a, meaning read = meaning::value) {
  gpu_job job;
  job.types[0] = a, job.read = read;
  return job;
}

TEST(stream_chunks, values_as_they_are) {
  const auto x = some<float>(1, true);
  sweep<plus, float>(of({RUNG_F32, false}), {bytes_of(x, false)}, x, packed::f32);
  const auto y = some<double>(2);
  sweep<moments, double>(of({RUNG_F64, false}), {bytes_of(y, false)}, y, packed::f64);
  sweep<min_max, double>(of({RUNG_F64, false}), {bytes_of(y, false)}, y, packed::f64);
}

TEST(stream_chunks, chunks_of_many_tiles) {
  source from(11);
  const auto x = from.many<float>(80000);
  sweep<plus, float>(of({RUNG_F32, false}), {bytes_of(x, false)}, x, packed::f32, 1 << 15,
                     {(1 << 15) - 1, 1 << 15, 2 << 15, (2 << 15) + 7777});
}

TEST(stream_chunks, converted_elements_of_either_byte_order) {
  const auto a = some<std::int16_t>(3);
  for (const bool swapped : {false, true})
    sweep<arg_max, std::int64_t>(of({RUNG_I16, swapped}), {bytes_of(a, swapped)},
                                 as_values<std::int64_t>(a), packed::i64);
  const auto b = some<bf16>(4);
  sweep<plus, float>(of({RUNG_BF16, true}), {bytes_of(b, true)}, as_values<float>(b), packed::f32);
  const auto c = some<complex<float>>(5);
  sweep<plus, complex<float>>(of({RUNG_C64, true}), {bytes_of(c, true)}, c, packed::c64);
}

TEST(stream_chunks, elements_that_mean_something_else) {
  const auto x = some<float>(6, true);
  std::vector<std::int64_t> nonzero;
  std::vector<float> without_nan;
  for (const float e : x) {
    nonzero.push_back(is_nan(e) ? 1 : e != 0);
    without_nan.push_back(is_nan(e) ? 1 : e);
  }
  gpu_job job = of({RUNG_F32, false}, meaning::nonzero);
  job.nan = runtime::packed_value(std::int64_t(1));
  sweep<plus, std::int64_t>(job, {bytes_of(x, false)}, nonzero, packed::i64);
  job = of({RUNG_F32, false}, meaning::nan_as);
  job.nan = runtime::packed_value(1.0f);
  sweep<multiplies, float>(job, {bytes_of(x, false)}, without_nan, packed::f32);
}

TEST(stream_chunks, products_of_two_arrays) {
  const auto a = some<std::int8_t>(7);
  const auto b = some<double>(8);
  std::vector<double> products;
  for (std::size_t i = 0; i < most; ++i) products.push_back(mul(double(a[i]), b[i]));
  gpu_job job = of({RUNG_I8, false}, meaning::product);
  job.types[1] = {RUNG_F64, true};
  sweep<plus, double>(job, {bytes_of(a, false), bytes_of(b, true)}, products, packed::f64);

  const auto c = some<complex<double>>(9), d = some<complex<double>>(10);
  std::vector<complex<double>> conjugated;
  for (std::size_t i = 0; i < most; ++i)
    conjugated.push_back(mul(complex<double>(c[i].re, -c[i].im), d[i]));
  job = of({RUNG_C128, true}, meaning::product_conjugated);
  job.types[1] = {RUNG_C128, false};
  sweep<plus, complex<double>>(job, {bytes_of(c, true), bytes_of(d, false)}, conjugated,
                               packed::c128);
}

}  // namespace
}  // namespace rung::tests
