// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums along axes, by segments, ids and keys on the device rung against the state's own
// additions, bit for bit: hard data, lines of every length around a piece, any strides.
#include <numeric>

#include "device/calls.hpp"
#include "exact/hard_values.hpp"
#include "rung/device/axis.cuh"
#include "rung/device/group.cuh"
#include "rung/device/segment_bounds.cuh"

namespace rung::tests {
namespace {

using test::hard;

template <class T>
std::vector<T> hard_data(int kind, std::size_t n, unsigned seed) {
  test::hard_source from(seed);
  return from.many<T>(hard(kind), n);
}
/// The result of these values, one added after the other.
template <class Op, class T>
auto result_by_hand(const std::vector<T>& values) {
  const Op op;
  using S = state_t<Op, T>;
  if (values.empty()) return result_of<Op, T>(op, empty_state<S>(op));
  S all{};
  for (const T& x : values) all = op(all, lift(op, x, 0));
  return result_of<Op, T>(op, all);
}
template <class R>
bool same_result(const R& a, const R& b) {
  if constexpr (requires { a.squares; })
    return a.sum == b.sum && a.squares == b.squares && a.count == b.count;
  else return same(a, b);
}

template <class R>
auto into_all(const gpu_array<R>& out) {
  return into(view<R>(out.data(), {std::int64_t(out.size())}));
}

/// Lines of one length along the middle axis, in C order or transposed.
template <class Op, class T>
void along_axes(std::int64_t length, bool transposed, int kind) {
  using R = result_t<Op, T>;
  const std::int64_t a = 3, b = 5, n = a * length * b;
  const auto x = hard_data<T>(kind, std::size_t(n), unsigned(kind) + 1);
  const gpu_array<T> there(x);
  const std::int64_t size = sizeof(T);
  const std::int64_t step = transposed ? size : b * size, step_a = length * b * size,
                     step_b = transposed ? length * size : size;
  const std::int64_t shape[] = {a, length, b}, strides[] = {step_a, step, step_b};
  const view<const T> all(there.data(), layout(shape, strides));
  const gpu_array<R> out(std::vector<R>(std::size_t(a * b)));
  const std::int64_t results[] = {a, b};
  const device gpu;
  reduce(gpu, all, Op{}, axes{1}, into(view<R>(out.data(), results)));
  const auto got = out.to_host();
  for (std::int64_t i = 0; i < a; ++i)
    for (std::int64_t j = 0; j < b; ++j) {
      std::vector<T> line;
      for (std::int64_t k = 0; k < length; ++k)
        line.push_back(x[std::size_t((i * step_a + k * step + j * step_b) / size)]);
      ASSERT_TRUE(same_result(got[std::size_t(i * b + j)], result_by_hand<Op>(line)))
          << "length " << length << ", kind " << kind << ", line " << i << ", " << j;
    }
}
TEST(device_exact_lines, axes) {
  for (int kind = 0; kind < test::hard_kinds; ++kind) {
    along_axes<exact_plus, double>(kind % 2 ? 1 : 700, kind % 3 == 0, kind);
    along_axes<exact_plus, float>(300, kind % 2 == 0, kind);
  }
  along_axes<exact_plus, double>(9000, true, 2);
  along_axes<exact_moments, float>(9000, false, 1);
  along_axes<exact_mean, f16>(600, true, 1);
}

/// Around a lane, a warp, a trip and a piece; empty ones, too.
const std::vector<std::int64_t> lengths = {0,    1,    3,    31, 32,    33, 0, 255,   513,
                                           8191, 8192, 8193, 0,  20000, 1,  1, 40000, 2};

template <class Op, class T, class V, class What>
void by_segments(const What& what, const std::vector<V>& values, int kind) {
  using R = result_t<Op, V>;
  std::vector<std::int32_t> offsets = {5};
  for (const std::int64_t n : lengths) offsets.push_back(offsets.back() + std::int32_t(n));
  const gpu_array<std::int32_t> on_gpu(offsets);
  const gpu_array<R> out(std::vector<R>(lengths.size()));
  const device gpu;
  for (int again = 0; again < 2; ++again) {  // the workspace is as it was
    segmented_reduce(gpu, what, on_gpu, Op{}, into_all(out));
    const auto got = out.to_host();
    for (std::size_t s = 0; s < lengths.size(); ++s)
      ASSERT_TRUE(
          same_result(got[s], result_by_hand<Op>(std::vector<V>(values.begin() + offsets[s],
                                                                values.begin() + offsets[s + 1]))))
          << "kind " << kind << ", segment " << s;
  }
}
const std::size_t values_of_lengths =
    std::size_t(std::accumulate(lengths.begin(), lengths.end(), std::int64_t(0))) + 12;

TEST(device_exact_lines, segments) {
  for (const int kind : {0, 2, 5, 7}) {
    const auto x = hard_data<double>(kind, values_of_lengths, 3);
    by_segments<exact_plus, double>(gpu_array<double>(x), x, kind);
  }
  const auto f = hard_data<float>(2, values_of_lengths, 4),
             g = hard_data<float>(0, values_of_lengths, 5);
  const gpu_array<float> a(f), b(g);
  by_segments<exact_norm, float>(a, f, 2);
  std::vector<exact_product<float>> products;
  for (std::size_t i = 0; i < f.size(); ++i) products.push_back({f[i], g[i]});
  const view<const float> of_a(a.data(), {std::int64_t(f.size())}),
      of_b(b.data(), {std::int64_t(f.size())});
  by_segments<exact_plus, float>(transform(as_exact_product{}, of_a, of_b), products, 0);
}

TEST(device_exact_lines, ids_keys_and_bounds) {
  const device gpu;
  const std::size_t n = 30000;
  const auto x = hard_data<double>(1, n, 6);
  const gpu_array<double> there(x);
  std::vector<std::int32_t> ids(n), runs(n);
  std::vector<std::vector<double>> of_id(5), of_run;
  for (std::size_t i = 0; i < n; ++i) {
    ids[i] = std::int32_t(i * 7919 % 11 % 5);
    of_id[std::size_t(ids[i])].push_back(x[i]);
    runs[i] = std::int32_t(i < 20000 ? 4 : i / 7);
    if (i == 0 || runs[i] != runs[i - 1]) of_run.emplace_back();
    of_run.back().push_back(x[i]);
  }
  const gpu_array<std::int32_t> id(ids), run(runs), keys(std::vector<std::int32_t>(n, 0));
  const gpu_array<double> sums(std::vector<double>(5)), of_runs(std::vector<double>(n + 1, 1.5));
  reduce_by_id(gpu, id, there, exact_plus{}, into_all(sums));
  for (std::size_t g = 0; g < 5; ++g)
    EXPECT_TRUE(same(sums.to_host()[g], result_by_hand<exact_plus>(of_id[g])));
  const auto found = reduce_by_key(gpu, run, there, exact_plus{}, into_all(keys),
                                   into(view<double>(of_runs.data(), {std::int64_t(n)})));
  ASSERT_EQ(found, std::int64_t(of_run.size()));
  const auto got = of_runs.to_host();
  const auto got_keys = keys.to_host();
  for (std::size_t r = 0, at = 0; r < of_run.size(); at += of_run[r++].size()) {
    ASSERT_TRUE(same(got[r], result_by_hand<exact_plus>(of_run[r]))) << r;
    ASSERT_EQ(got_keys[r], runs[at]);
  }
  EXPECT_EQ(got[of_run.size()], 1.5);

  const std::vector<std::int64_t> begins = {100, 0, -5, 29990, 7}, ends = {200, 20000, 3, 40000, 7};
  const gpu_array<std::int64_t> b(begins), e(ends);
  segmented_reduce(gpu, there, segment_bounds{b, e}, exact_plus{}, into_all(sums));
  for (std::size_t s = 0; s < begins.size(); ++s) {
    const auto from = std::max<std::int64_t>(begins[s], 0), to = std::min(ends[s], std::int64_t(n));
    EXPECT_TRUE(same(sums.to_host()[s], result_by_hand<exact_plus>(std::vector<double>(
                                            x.begin() + from, x.begin() + to))));
  }
}

/// Offsets that fall have more long lines than there is room for: no harm.
TEST(device_exact_lines, wrong_offsets_do_no_harm) {
  const device gpu;
  const std::size_t n = 9000;
  const auto x = hard_data<double>(1, n, 6);
  std::vector<std::int32_t> offsets;
  for (int i = 0; i < 40; ++i) offsets.push_back(i % 2 ? 9000 : i % 3 ? -7 : 12000);
  const gpu_array<double> there(x), out(std::vector<double>(offsets.size()));
  const gpu_array<std::int32_t> on_gpu(offsets);
  segmented_reduce(gpu, there, on_gpu, exact_plus{},
                   into(view<double>(out.data(), {std::int64_t(offsets.size()) - 1})));
  EXPECT_EQ(out.to_host().back(), 0.0);
  segmented_reduce(gpu, there, std::vector<int>{0, 9000}, exact_plus{},
                   into(view<double>(out.data(), {1})));
  EXPECT_TRUE(same(out.to_host()[0], result_by_hand<exact_plus>(x)));
}

}  // namespace
}  // namespace rung::tests
