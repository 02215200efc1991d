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
  const gpu_array<float> values(x), out(50), entries(ids.size());
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
  const gpu_array<Id> k(ids), found(n + 1);
  const device_values<T> values(x);
  const view<const T> array(static_cast<T*>(values), {std::int64_t(n)});
  const gpu_array<S> out{std::size_t(most)}, all(n + 1);
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

}  // namespace
}  // namespace rung::tests
