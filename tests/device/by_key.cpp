// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of equal keys on the device rung: mixes of lengths around every edge, with small shares,
// against fold of each run alone; then calls as users make them.
#include "rung/device/by_key.cuh"

#include "device/scan_sweep.hpp"
#include "device/segment_mixes.hpp"
#include "rung/op/extremes.hpp"

namespace rung::tests {
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(device_scan);
namespace {

/// Runs of these lengths, no two neighbours with one key.
std::vector<std::int32_t> keys_of(const std::vector<std::int64_t>& lengths) {
  std::vector<std::int32_t> keys;
  std::int32_t key = 7;
  for (const std::int64_t n : lengths) {
    if (n > 0) key = key * 5 % 13 + (key == key * 5 % 13);
    keys.insert(keys.end(), std::size_t(n), key);
  }
  return keys;
}
std::vector<std::int64_t> without_empty(std::vector<std::int64_t> lengths) {
  std::erase(lengths, 0);
  return lengths;
}

template <class T, class Op, int log_size = 8>
void reduces(const Op& op, unsigned seed) {
  using S = state_t<Op, T>;
  const device gpu;
  for (const auto& mix : mixes(1 << log_size)) {
    const auto lengths = without_empty(mix);
    const auto offsets = offsets_of(lengths);
    const auto keys = keys_of(lengths);
    const std::size_t n = keys.size(), runs = lengths.size(),
                      room = runs - (++seed % 4 == 0 && runs > 1);
    tests::source from(seed);
    from.special = seed % 5 == 0;
    const auto x = from.many<T>(n);
    const device_values<T> values(x);
    const gpu_array<std::int32_t> on_gpu(keys), run_keys(std::vector<std::int32_t>(room + 1));
    const gpu_array<S> out(std::vector<S>(room + 1, S{}));
    const gpu_array<std::int64_t> count(1);
    reseed(seed);
    detail::launch_reduce_by_key<log_size>(
        gpu, on_gpu.data(), detail::keys_at<std::int32_t>{on_gpu.data()},
        detail::device_source(view<const T>(static_cast<T*>(values), {std::int64_t(n)})), op,
        view<std::int32_t>(run_keys.data(), {std::int64_t(room)}),
        view<S>(out.data(), {std::int64_t(room)}), count.data(), equal_keys{});
    EXPECT_EQ(count.to_host()[0], std::int64_t(runs));
    const auto got = out.to_host();
    const auto got_keys = run_keys.to_host();
    for (std::size_t r = 0; r < room; ++r) {
      const auto want =
          fold(op, std::span<const T>(x.data() + offsets[r], std::size_t(lengths[r])));
      ASSERT_TRUE(same(got[r], *want)) << "seed " << seed << ", run " << r << " of " << runs;
      ASSERT_EQ(got_keys[r], keys[std::size_t(offsets[r])]) << "seed " << seed << ", run " << r;
    }
    ASSERT_TRUE(same(got[room], S{})) << "seed " << seed;  // nothing behind the room
  }
}
TEST(device_by_key, sums) { reduces<float>(plus{}, 10); }
TEST(device_by_key, runs_that_keep_their_sides) { reduces<twelve, on_states<tangle>, 9>({}, 20); }

TEST(device_by_key, scans) {
  const device gpu;
  unsigned seed = 30;
  for (const auto& mix : mixes(256)) {
    const auto lengths = without_empty(mix);
    const auto offsets = offsets_of(lengths);
    const auto keys = keys_of(lengths);
    const auto x = some_values<float>(keys.size(), ++seed);
    const gpu_array<float> values(x);
    const gpu_array<std::int32_t> on_gpu(keys);
    reseed(seed);
    detail::launch_scan_by_key<8, detail::scan_kind<false, false>>(
        gpu, on_gpu.data(), detail::device_source(values), plus{}, detail::no_start<float>{},
        values.data(), equal_keys{});
    const auto got = values.to_host();
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      const std::span<const float> run(x.data() + offsets[r], std::size_t(lengths[r]));
      const auto want = prefix_folds<float>(plus{}, run, std::optional<float>{});
      for (std::size_t i = 0; i < run.size(); ++i)
        ASSERT_TRUE(same(got[std::size_t(offsets[r]) + i], *want[i + 1]))
            << "seed " << seed << ", entry " << i << " of run " << r;
    }
  }
}

struct same_tens {
  RUNG_HD bool operator()(std::int32_t a, std::int32_t b) const { return a / 10 == b / 10; }
};
TEST(device_by_key, calls) {
  const device gpu;
  const std::vector<std::int32_t> keys{11, 12, 19, 25, 25, 11, 3, 4};
  const gpu_array<std::int32_t> k(keys);
  const gpu_array<float> x(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}), out(std::vector<float>(8));
  const gpu_array<std::int64_t> run_keys(std::vector<std::int64_t>(8)), count(1);
  EXPECT_EQ(reduce_by_key(gpu, k, x, plus{}, all_of(run_keys), all_of(out)), 7);
  EXPECT_EQ(out.to_host()[3], 9);
  EXPECT_EQ(run_keys.to_host()[3], 25);
  reduce_by_key(gpu, read(k), read(x), arg_max{}, all_of(run_keys),
                all_of(gpu_array<indexed<float>>(8)), runs_into{count.data()}, same_tens{});
  EXPECT_EQ(count.to_host()[0], 4);
  EXPECT_EQ(run_keys.to_host()[0], 11);
  inclusive_scan_by_key(gpu, k, x, write(out), plus{}, same_tens{});
  EXPECT_EQ(out.to_host(), (std::vector<float>{1, 3, 6, 4, 9, 6, 7, 15}));
  exclusive_scan_by_key(gpu, k, x, write(out), plus{}, 10.0f);
  EXPECT_EQ(out.to_host(), (std::vector<float>{10, 10, 10, 10, 14, 10, 10, 10}));
  const gpu_array<float> none(0);
  EXPECT_EQ(reduce_by_key(gpu, gpu_array<int>(0), none, plus{}, all_of(run_keys), all_of(out)), 0);
  EXPECT_EQ(error_of([&] { reduce_by_key(gpu, k, none, plus{}, all_of(run_keys), all_of(out)); }),
            "rung: 8 keys for 0 values");
  EXPECT_EQ(error_of([&] {
              reduce_by_key(gpu, k, x, plus{}, all_of(run_keys),
                            into<float>(view<float>(out.data(), {3})));
            }),
            "rung: there are 7 runs, more than the outputs have room for");
}

}  // namespace
}  // namespace rung::tests
