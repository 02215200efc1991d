// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments, runs and groups through the C interface, against fold over each segment's own values.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "arrays.hpp"

namespace {

using namespace rung;
using capi::array;
using capi::defaults;

template <class R, class T, class I>
std::vector<R> reduce_segments(rung_op op, array<T> x, array<I> offsets,
                               rung_options o = defaults(), int planes = 1) {
  const std::int64_t count = std::max<std::int64_t>(0, std::int64_t(offsets.values.size()) - 1);
  array<R> out(
      planes == 1 ? std::vector<std::int64_t>{count} : std::vector<std::int64_t>{planes, count},
      std::vector<typename array<R>::stored>(std::size_t(count * planes)));
  const rung_array a = x.c(), off = offsets.c(), c = out.c();
  EXPECT_EQ(rung_segmented_reduce(op, &a, &off, nullptr, &o, &c), RUNG_OK) << rung_last_error();
  return out.values;
}

TEST(Segments, EmptyOnesGiveTheIdentity) {
  const array<std::int64_t> x({1, 2, 3, 4});
  const array<std::int32_t> offsets({0, 2, 2, 4});
  EXPECT_EQ((reduce_segments<std::int64_t>(RUNG_SUM, x, offsets)),
            (std::vector<std::int64_t>{3, 0, 7}));
  EXPECT_EQ((reduce_segments<std::int64_t>(RUNG_PROD, x, offsets)),
            (std::vector<std::int64_t>{2, 1, 12}));
  EXPECT_EQ((reduce_segments<std::int64_t>(RUNG_MAX, x, offsets)),
            (std::vector<std::int64_t>{2, INT64_MIN, 4}));
  EXPECT_EQ((reduce_segments<std::int64_t>(RUNG_ARGMAX, x, offsets)),
            (std::vector<std::int64_t>{1, -1, 1}));
  EXPECT_EQ((reduce_segments<std::int64_t>(RUNG_MINMAX, x, offsets, defaults(), 2)),
            (std::vector<std::int64_t>{1, INT64_MAX, 3, 2, INT64_MIN, 4}));
  EXPECT_TRUE(std::isnan(reduce_segments<double>(RUNG_MEAN, x, offsets)[1]));
  const array<double> none(std::vector<double>{});
  EXPECT_EQ((reduce_segments<double>(RUNG_SUM, none, array<std::int64_t>({0, 0, 0}))),
            (std::vector<double>{0, 0}));
  EXPECT_EQ(
      (reduce_segments<double>(RUNG_SUM, none, array<std::int64_t>(std::vector<std::int64_t>{0}))),
      std::vector<double>{});
}

TEST(Segments, AnyMixOfLengthsIsTheFoldOfEach) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<std::int64_t> offsets{3};
  for (int s = 0; s < 400; s++)
    offsets.push_back(offsets.back() + (s == 77 ? 700001
                                        : s % 5 == 0
                                            ? 0
                                            : std::int64_t(random() % (s % 9 == 0 ? 3000 : 40))));
  std::vector<float> x(std::size_t(offsets.back()) + 5);
  for (float& v : x) v = normal(random);
  const auto got = reduce_segments<float>(RUNG_SUM, array<float>(x), array<std::int64_t>(offsets));
  array<float> values(x), scanned(std::vector<float>(x.size(), -1));
  array<std::int64_t> off(offsets);
  const rung_array a = values.c(), f = off.c(), out = scanned.c();
  rung_options o = defaults();
  o.threads = 3;
  ASSERT_EQ(rung_segmented_scan(RUNG_CUMSUM, &a, &f, nullptr, &o, &out), RUNG_OK)
      << rung_last_error();
  for (std::size_t s = 0; s + 1 < offsets.size(); s++) {
    const std::span<const float> segment(x.data() + offsets[s],
                                         std::size_t(offsets[s + 1] - offsets[s]));
    const auto want = fold(plus{}, segment);
    ASSERT_EQ(got[s], want.value_or(0.0f)) << "segment " << s;
    if (!segment.empty()) {
      ASSERT_EQ(scanned.values[std::size_t(offsets[s + 1]) - 1], *want) << "segment " << s;
    }
  }
  EXPECT_EQ(scanned.values[0], 0) << "outside all segments";
  EXPECT_EQ(scanned.values.back(), 0);
}

/// Segments of every length around those that have kernels of their own, each after a start or not.
template <class T, class Op>
void every_length(rung_op code, const Op& op) {
  std::mt19937 random(7);
  std::vector<std::int64_t> offsets{1};
  for (int n = 0; n <= 530; n++) offsets.push_back(offsets.back() + n * 211 % 531);
  std::vector<T> x(std::size_t(offsets.back()));
  for (T& v : x)
    v = std::is_integral_v<T> ? T(random()) : T(std::normal_distribution<double>(1, 0.01)(random));
  if constexpr (!std::is_integral_v<T>) x[20000] = quiet_nan<T>, x[777] = T(-0.0);
  const T start = T(3);
  for (const bool with_start : {false, true}) {
    rung_options o = defaults();
    if (with_start) o.init = &start, o.init_type = capi::code<T>;
    const auto got = reduce_segments<T>(code, array<T>(x), array<std::int64_t>(offsets), o);
    for (std::size_t s = 0; s < got.size(); s++) {
      const std::span<const T> segment(x.data() + offsets[s],
                                       std::size_t(offsets[s + 1] - offsets[s]));
      const auto want =
          fold(op, segment, with_start ? std::optional<T>(start) : std::optional<T>());
      const T wanted = want ? canonical(*want) : empty_state<T>(op);
      ASSERT_EQ(std::memcmp(&got[s], &wanted, sizeof(T)), 0)
          << rung_op_name(code) << " of " << segment.size() << " values";
    }
  }
}
TEST(Segments, OfEveryLength) {
  every_length<float>(RUNG_SUM, plus{}), every_length<double>(RUNG_SUM, plus{});
  every_length<std::int64_t>(RUNG_SUM, plus{}), every_length<float>(RUNG_PROD, multiplies{});
  every_length<float>(RUNG_MIN, minimum{}), every_length<double>(RUNG_MAX, maximum{});
  every_length<std::int64_t>(RUNG_MIN, minimum{});
}

TEST(Segments, WrongOffsetsNameTheIndex) {
  array<float> x({1, 2, 3}), out({7, 7});
  const rung_options o = defaults();
  const rung_array a = x.c(), c = out.c();
  for (auto [offsets, says] : {std::pair(std::vector<std::int64_t>{0, 3, 2}, "index 2"),
                               {{0, 1, 4}, "index 2"},
                               {{-1, 1, 2}, "index 0"}}) {
    array<std::int64_t> bad(offsets);
    const rung_array f = bad.c();
    EXPECT_EQ(rung_segmented_reduce(RUNG_SUM, &a, &f, nullptr, &o, &c), RUNG_BAD_ARGUMENT);
    EXPECT_NE(std::string(rung_last_error()).find(says), std::string::npos) << rung_last_error();
    EXPECT_EQ(out.values, (std::vector<float>{7, 7}));
  }
  array<double> real({0, 1, 2});
  const rung_array f = real.c();
  EXPECT_EQ(rung_segmented_reduce(RUNG_SUM, &a, &f, nullptr, &o, &c), RUNG_BAD_TYPE);
}

TEST(Groups, RunsAndKeysWhereverTheyStand) {
  std::mt19937 random(9);
  std::vector<double> keys, x;
  for (int i = 0; i < 5000; i++) {
    const int k = int(random() % 7);
    for (unsigned j = 0; j <= random() % 4; j++) {
      keys.push_back(k == 6 ? quiet_nan<double> : k);
      x.push_back(std::normal_distribution<double>()(random));
    }
  }
  array<double> key_array(keys), values(x);
  const rung_array k = key_array.c(), a = values.c();
  const rung_options o = defaults();
  for (int everywhere : {0, 1}) {
    rung_groups* raw = nullptr;
    ASSERT_EQ(rung_group(&k, everywhere, &o, &raw), RUNG_OK) << rung_last_error();
    const std::unique_ptr<rung_groups, void (*)(rung_groups*)> groups(raw, rung_groups_free);
    std::vector<std::vector<double>> want;  // the values of every group, in order
    if (everywhere) {
      std::map<int, std::vector<double>> by_key;
      for (std::size_t i = 0; i < x.size(); i++)
        by_key[std::isnan(keys[i]) ? 6 : int(keys[i])].push_back(x[i]);
      for (auto& [key, v] : by_key) want.push_back(v);
    } else {
      for (std::size_t i = 0; i < x.size(); i++) {
        const bool same =
            i > 0 && (keys[i] == keys[i - 1] || (std::isnan(keys[i]) && std::isnan(keys[i - 1])));
        if (!same) want.emplace_back();
        want.back().push_back(x[i]);
      }
    }
    const std::int64_t count = rung_groups_count(groups.get()), offsets_length = count + 1,
                       n = std::int64_t(x.size());
    ASSERT_EQ(count, std::int64_t(want.size()));
    const rung_array offsets{const_cast<std::int64_t*>(rung_groups_offsets(groups.get())),
                             RUNG_I64,
                             0,
                             1,
                             &offsets_length,
                             nullptr};
    const rung_array order{
        const_cast<std::int64_t*>(rung_groups_order(groups.get())), RUNG_I64, 0, 1, &n, nullptr};
    array<double> sums(std::vector<double>(std::size_t(count), 0.5)),
        running(std::vector<double>(x.size()));
    const rung_array s = sums.c(), c = running.c();
    ASSERT_EQ(rung_segmented_reduce(RUNG_SUM, &a, &offsets, order.data ? &order : nullptr, &o, &s),
              RUNG_OK)
        << rung_last_error();
    ASSERT_EQ(rung_segmented_scan(RUNG_CUMSUM, &a, &offsets, order.data ? &order : nullptr, &o, &c),
              RUNG_OK)
        << rung_last_error();
    for (std::size_t g = 0; g < want.size(); g++)
      ASSERT_EQ(sums.values[g], *fold(plus{}, std::span<const double>(want[g]))) << g;
    if (everywhere) {
      EXPECT_EQ(running.values.back(),
                sums.values[std::isnan(keys.back()) ? 6 : std::size_t(keys.back())])
          << "back where it came from";
      array<double> names(std::vector<double>(std::size_t(count), 0.0));
      const rung_array m = names.c();
      ASSERT_EQ(rung_groups_keys(groups.get(), &m), RUNG_OK);
      EXPECT_EQ(std::vector<double>(names.values.begin(), names.values.end() - 1),
                (std::vector<double>{0, 1, 2, 3, 4, 5}));
      EXPECT_TRUE(std::isnan(names.values.back()));
    }
  }
}

}  // namespace
