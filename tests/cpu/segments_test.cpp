// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments, runs of keys and groups by id in C++: each result is the fold of its own values.
#include <rung/cpu/by_id.hpp>
#include <rung/cpu/by_key.hpp>
#include <rung/op.hpp>
#include <rung/order.hpp>

#include <gtest/gtest.h>

#include <random>

namespace rung::test {
namespace {

using std::int64_t;

/// Maps that do not commute, exact in integers.
using map = affine_map<std::uint32_t>;
std::vector<map> some_maps(std::size_t n) {
  std::mt19937 random(7);
  std::vector<map> values(n);
  for (map& v : values) v = {std::uint32_t(random()) | 1, std::uint32_t(random())};
  return values;
}
bool same(const map& x, const map& y) { return x.a == y.a && x.b == y.b; }
map folded(const std::vector<map>& values) {
  const auto all = fold(affine{}, std::span<const map>(values));
  return all ? *all : empty_state<map>(affine{});
}
template <class Integer>
std::vector<Integer> lengths_of(int64_t n, std::size_t segments) {
  std::mt19937 random(11);
  std::vector<Integer> cuts(segments + 1);
  for (auto& c : cuts) c = Integer(int64_t(random()) % (n + 1));
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

template <class Offsets>
void expect_folds(const Offsets& offsets, std::size_t n) {
  const auto x = some_maps(n);
  std::vector<map> sums(offsets.size() - 1), inclusive(n), exclusive(n);
  segmented_reduce(cpu, x, offsets, affine{}, into(sums));
  segmented_inclusive_scan(cpu, x, offsets, inclusive, affine{});
  segmented_exclusive_scan(cpu, x, offsets, exclusive, affine{});
  for (std::size_t s = 0; s + 1 < offsets.size(); s++) {
    const auto begin = x.begin() + std::ptrdiff_t(offsets[s]);
    const auto end = x.begin() + std::ptrdiff_t(offsets[s + 1]);
    ASSERT_TRUE(same(sums[s], folded({begin, end}))) << s;
    const auto length = end - begin;
    for (const auto i : {std::ptrdiff_t(0), length / 2, length - 1}) {
      if (length == 0) break;
      const auto p = std::size_t(begin - x.begin() + i);
      ASSERT_TRUE(same(exclusive[p], folded({begin, begin + i}))) << s << " " << i;
      ASSERT_TRUE(same(inclusive[p], folded({begin, begin + i + 1}))) << s << " " << i;
    }
  }
}
TEST(Segments, EachIsFoldedAndScannedForItself) {
  expect_folds(lengths_of<std::int32_t>(70'000, 3000), 70'000);
  expect_folds(lengths_of<std::uint64_t>(700'000, 5), 700'000);
  expect_folds(std::vector<int64_t>{3, 3, 3, 10, 10}, 12);
}

TEST(Segments, BoundsMayOverlapAndStandInAnyOrder) {
  const auto x = some_maps(5000);
  std::mt19937 random(3);
  std::vector<std::int32_t> begins(400);
  std::vector<int64_t> ends(400);
  for (std::size_t s = 0; s < begins.size(); s++) {
    begins[s] = std::int32_t(random() % 5001);
    ends[s] = begins[s] + int64_t(random()) % (5001 - begins[s]);
  }
  std::vector<map> sums(400);
  segmented_reduce(cpu, x, segment_bounds{begins, ends}, affine{}, into(sums));
  for (std::size_t s = 0; s < begins.size(); s++)
    ASSERT_TRUE(same(sums[s], folded({x.begin() + begins[s], x.begin() + ends[s]}))) << s;
}

template <class Ids>
void expect_groups(const Ids& ids, std::size_t groups) {
  const auto x = some_maps(ids.size());
  std::vector<std::vector<map>> values(groups);
  for (std::size_t i = 0; i < ids.size(); i++) values[std::size_t(ids[i])].push_back(x[i]);
  std::vector<map> sums(groups);
  reduce_by_id(cpu, ids, x, affine{}, into(sums));
  for (std::size_t g = 0; g < groups; g++) ASSERT_TRUE(same(sums[g], folded(values[g]))) << g;
}
TEST(Ids, GroupsFoldTheirValuesInTheOrderOfPositions) {
  std::mt19937 random(5);
  std::vector<std::uint16_t> ids(20'000);
  for (auto& id : ids) id = std::uint16_t(random() % 300);
  expect_groups(ids, 333);
  EXPECT_EQ(count_ids(ids), 300);
  std::vector<int> many(100'000);  // several threads, one group with half of all values
  for (auto& id : many) id = std::max(0, int(random() % 600) - 300);
  expect_groups(many, 301);
  std::sort(ids.begin(), ids.end());
  expect_groups(ids, 300);
  expect_groups(std::vector<int64_t>{}, 2);
  EXPECT_EQ(count_ids(std::vector<int>{}), 0);
}
TEST(Ids, FunctionsOfSeveralArraysAndAnInit) {
  const std::vector<int> ids{2, 0, 2, 0};
  const std::vector<float> a{1, 2, 3, 4}, b{10, 100, 1000, 10000};
  std::vector<float> sums(3);
  reduce_by_id(cpu, ids, transform(std::multiplies<>(), a, b), plus{}, into(sums), 0.5f);
  EXPECT_EQ(sums, (std::vector<float>{40200.5f, 0.5f, 3010.5f}));
}

TEST(Keys, RunsOfEqualNeighboursAreSegments) {
  const std::vector<char> keys{'a', 'a', 'b', 'a', 'c', 'c', 'c'};
  const std::vector<int> x{1, 2, 3, 4, 5, 6, 7};
  std::vector<char> run_keys(7);
  std::vector<int64_t> sums(7), scans(7);
  ASSERT_EQ(reduce_by_key(cpu, keys, x, plus{}, into(run_keys), into(sums)), 4);
  EXPECT_EQ(std::string(run_keys.begin(), run_keys.begin() + 4), "abac");
  EXPECT_EQ(std::vector(sums.begin(), sums.begin() + 4), (std::vector<int64_t>{3, 3, 4, 18}));
  inclusive_scan_by_key(cpu, keys, x, scans, plus{});
  EXPECT_EQ(scans, (std::vector<int64_t>{1, 3, 3, 4, 5, 11, 18}));
}

template <class F>
std::string text_of(const F& f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}
TEST(Segments, WrongOnesAreNamedBeforeAnythingIsWritten) {
  const std::vector<float> x(10);
  std::vector<float> sums(2, -1);
  const auto reduce_with = [&](const auto& segments) {
    return text_of([&] { segmented_reduce(cpu, x, segments, plus{}, into(sums)); });
  };
  using list = std::vector<int>;
  EXPECT_EQ(reduce_with(list{0, 5, 4}), "rung: segment offsets fall from 5 to 4 at index 2");
  EXPECT_EQ(reduce_with(list{0, 5, 11}),
            "rung: segment offset 11 at index 2 lies outside the 10 values");
  EXPECT_EQ(reduce_with(list{-1, 5, 10}),
            "rung: segment offset -1 at index 0 lies outside the 10 values");
  const list begins{4, 5}, ends{8, 3}, one{3};
  EXPECT_EQ(reduce_with(segment_bounds{begins, ends}),
            "rung: segment bounds fall from 5 to 3 at index 1");
  EXPECT_EQ(reduce_with(segment_bounds{begins, one}), "rung: 2 segments begin and 1 end");
  const auto by_id = [&](const list& ids) {
    return text_of([&] { reduce_by_id(cpu, ids, x, plus{}, into(sums)); });
  };
  EXPECT_EQ(by_id({0, 1, 1, 0, 2, 0, 0, 0, 0, 0}),
            "rung: id 2 at index 4 names none of the 2 groups");
  EXPECT_EQ(by_id({0, 1}), "rung: 10 values need as many ids, not 2");
  EXPECT_EQ(sums, (std::vector<float>{-1, -1}));
}

}  // namespace
}  // namespace rung::test
