// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments from ids on the device rung: sorted ids as a list of segments, groups of unsorted ids
// and keys, against fold of each group's values in the order in which they stand.
#include "rung/device/group.cuh"

#include <map>

#include "device/segment_mixes.hpp"
#include "rung/op/extremes.hpp"

namespace rung::tests {
namespace {

template <class T, class Id>
std::map<std::int64_t, std::vector<T>> groups_of(const std::vector<Id>& ids,
                                                 const std::vector<T>& x) {
  std::map<std::int64_t, std::vector<T>> groups;
  for (std::size_t i = 0; i < ids.size(); ++i) groups[std::int64_t(ids[i])].push_back(x[i]);
  return groups;
}
template <class Id>
std::vector<Id> some_ids(std::size_t n, int most, unsigned seed) {
  std::mt19937 bits(seed);
  std::vector<Id> ids;
  for (std::size_t i = 0; i < n; ++i) ids.push_back(Id(int(bits() % unsigned(most + 6)) - 3));
  return ids;
}

TEST(device_group, sorted_ids_are_segments) {
  const device gpu;
  auto ids = some_ids<std::int32_t>(3000, 50, 1);
  std::sort(ids.begin(), ids.end());
  const auto x = some_values<float>(ids.size(), 2);
  const gpu_array<std::int32_t> k(ids);
  const gpu_array<float> values(x), out(50), entries(std::vector<float>(ids.size()));
  segmented_reduce(gpu, values, sorted_ids{k, 50}, plus{}, all_of(out));
  segmented_inclusive_scan(gpu, values, sorted_ids{k, 50}, write(entries), plus{});
  const auto groups = groups_of(ids, x);
  for (std::int64_t g = 0; g < 50; ++g) {
    const auto want = fold(plus{}, std::span<const float>(groups.at(g)));
    EXPECT_TRUE(same(out.to_host()[std::size_t(g)], *want)) << g;
    const auto last = std::upper_bound(ids.begin(), ids.end(), std::int32_t(g)) - ids.begin() - 1;
    EXPECT_TRUE(same(entries.to_host()[std::size_t(last)], *want)) << g;
  }
}

template <class Id, class T, class Op>
void unsorted(const Op& op, std::size_t n, int most, unsigned seed) {
  const device gpu;
  using S = state_t<Op, T>;
  const auto ids = some_ids<Id>(n, most, seed);
  tests::source from(seed);
  from.special = false;
  const auto x = from.many<T>(n);
  const gpu_array<Id> k(ids), found(std::vector<Id>(n + 1));
  const device_values<T> values(x);
  const view<const T> array(static_cast<T*>(values), {std::int64_t(n)});
  const gpu_array<S> out{std::size_t(most)}, all(std::vector<S>(n + 1));
  const gpu_array<std::int64_t> count(1);
  reseed(seed);
  const auto want = groups_of(ids, x);
  reduce_by_id(gpu, k, array, op, all_of(out));
  const auto got = out.to_host();
  for (std::int64_t g = 0; g < most; ++g) {
    std::optional<S> state;
    if (want.count(g) != 0) state = fold(op, std::span<const T>(want.at(g)));
    ASSERT_TRUE(same(got[std::size_t(g)], state ? *state : empty_state<S>(op))) << "group " << g;
  }
  reduce_by_any_key(gpu, k, array, op, all_of(found), all_of(all), runs_into{count.data()});
  ASSERT_EQ(count.to_host()[0], std::int64_t(want.size()));
  const auto keys = found.to_host();
  const auto folds = all.to_host();
  std::size_t i = 0;
  for (const auto& [key, group] : want) {
    ASSERT_EQ(std::int64_t(keys[i]), key);
    ASSERT_TRUE(same(folds[i], *fold(op, std::span<const T>(group)))) << "key " << key;
    ++i;
  }
}
TEST(device_group, few_groups) { unsorted<std::int32_t, float>(plus{}, 5000, 3, 3); }
TEST(device_group, many_groups_of_places) {
  unsorted<std::int16_t, float>(arg_max{}, 6000, 700, 4);
}

TEST(device_group, wrong_calls) {
  const device gpu;
  const gpu_array<int> k(4);
  const gpu_array<float> x(5), out(2);
  EXPECT_EQ(error_of([&] { reduce_by_id(gpu, k, x, plus{}, all_of(out)); }),
            "rung: 4 keys for 5 values");
  EXPECT_EQ(error_of([&] {
              segmented_reduce(gpu, x, sorted_ids{k, 2}, plus{}, all_of(out));
            }),
            "rung: 4 segment ids for 5 values");
}

#if defined(__CUDACC__)
/// Segments, runs and groups in one graph, which runs again and again over other data.
TEST(device_group, captured_into_a_graph) {
  const std::size_t n = 200001, segments = 500;
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> ids(n);
  for (std::size_t s = 0; s <= segments; ++s)
    offsets.push_back(std::int64_t(s * s * n / segments / segments));
  for (std::size_t i = 0; i < n; ++i) ids[i] = std::int32_t(i / 700 % 40);
  gpu_array<float> x(n);
  const gpu_array<float> sums(segments), entries(n), runs(n), run_entries(n), groups(40);
  const gpu_array<std::int64_t> cuts(offsets), count(1);
  const gpu_array<std::int32_t> keys(ids), run_keys(n);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const device gpu(stream);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  segmented_reduce(gpu, x, cuts, plus{}, all_of(sums));
  segmented_inclusive_scan(gpu, x, cuts, write(entries), plus{});
  reduce_by_key(gpu, keys, x, plus{}, all_of(run_keys), all_of(runs), runs_into{count.data()});
  inclusive_scan_by_key(gpu, keys, x, write(run_entries), plus{});
  reduce_by_id(gpu, keys, x, plus{}, all_of(groups));
  EXPECT_NE(error_of([&] {
              segmented_reduce(gpu, x, offsets, plus{}, all_of(sums));
            }).find("cannot be captured"),
            std::string::npos);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  for (unsigned round = 0; round < 10; ++round) {
    const auto a = some_values<float>(n, 60 + round);
    x.assign(a);
    for (int again = 0; again < 3; ++again) ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    const auto part = [&](std::size_t begin, std::size_t end) {
      const auto sum = fold(plus{}, std::span<const float>(a.data() + begin, end - begin));
      return sum ? *sum : 0.0f;
    };
    const auto got = sums.to_host(), scanned = entries.to_host(), of_runs = runs.to_host(),
               run_scans = run_entries.to_host(), of_groups = groups.to_host();
    for (std::size_t s = 0; s < segments; ++s) {
      const auto begin = std::size_t(offsets[s]), end = std::size_t(offsets[s + 1]);
      ASSERT_TRUE(same(got[s], part(begin, end))) << s;
      if (begin < end) {
        ASSERT_TRUE(same(scanned[end - 1], got[s])) << s;
      }
    }
    ASSERT_EQ(count.to_host()[0], std::int64_t(n + 699) / 700);
    for (std::size_t r = 0; r * 700 < n; ++r) {
      const std::size_t end = std::min(n, r * 700 + 700);
      ASSERT_TRUE(same(of_runs[r], part(r * 700, end))) << r;
      ASSERT_TRUE(same(run_scans[end - 1], of_runs[r])) << r;
    }
    const auto want = groups_of(ids, a);
    for (std::int64_t g = 0; g < 40; ++g)
      ASSERT_TRUE(same(of_groups[std::size_t(g)], *fold(plus{}, std::span(want.at(g))))) << g;
  }
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
}

TEST(device_group, segments_of_more_than_2_to_the_32_values) {
  const std::int64_t big = std::int64_t(1) << 32, n = big + 12345;
  std::int8_t* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, std::size_t(n)), cudaSuccess);
  ASSERT_EQ(cudaMemset(x, 1, std::size_t(n)), cudaSuccess);
  const view<const std::int8_t> v(x, {n});
  const device gpu;
  for (const auto& offsets :
       {offset_vector{1, 7, 7, n - 2}, offset_vector{0, 5000, big - 3, big + 4, n}}) {
    const gpu_array<std::int64_t> cuts(offsets), sums(offsets.size() - 1);
    segmented_reduce(gpu, v, cuts, plus{}, all_of(sums));
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
      EXPECT_EQ(sums.to_host()[s], offsets[s + 1] - offsets[s]);
  }
  segmented_inclusive_scan(gpu, v, std::vector<std::int64_t>{0, 5000, n}, view<std::int8_t>(x, {n}),
                           plus{});
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<std::int8_t> some(13000);
  for (const std::int64_t first : {std::int64_t(0), big / 2 - 1000, big - 1000, n - 13000}) {
    ASSERT_EQ(cudaMemcpy(some.data(), x + first, some.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    for (std::int64_t i = 0; i < 13000; ++i)
      ASSERT_EQ(some[std::size_t(i)],
                std::int8_t(first + i < 5000 ? first + i + 1 : first + i - 4999))
          << first << " " << i;
  }
  cudaFree(x);
}
#endif

}  // namespace
}  // namespace rung::tests
