// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segmented scans on the device rung: mixes of lengths around every edge, with small shares so that
// segments are cut often, against prefix folds of each segment alone, in place and not; then calls
// as users make them, and offsets that are wrong.
#include "device/scan_sweep.hpp"
#include "device/segment_mixes.hpp"
#include "rung/device/segmented.cuh"
#include "rung/op/extremes.hpp"

namespace rung::tests {
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(device_scan);
namespace {

/// T in, R out; 2^log_size values and segments in a share.
template <class T, class R, bool Exclusive, class Op, class O = std::int64_t, int log_size = 8>
void sweep(const Op& op, unsigned seed) {
  using S = state_t<Op, T>;
  const device gpu;
  for (const auto& lengths : mixes(1 << log_size)) {
    ++seed;
    const auto offsets = offsets_of(lengths, seed % 3);
    const std::size_t n = std::size_t(offsets.back()) + seed % 5, count = lengths.size();
    tests::source from(seed);
    from.special = seed % 5 == 0;  // a NaN hides all that follows
    const auto x = from.many<T>(n + 1);
    const std::size_t shift = seed % 2;  // aligned or not
    const device_values<T> values(x);
    const gpu_array<O> where(std::vector<O>(offsets.begin(), offsets.end()));
    const R rest{};
    const gpu_array<R> apart(std::vector<R>(n + 1, rest));
    const bool in_place = std::is_same_v<T, R> && seed % 3 == 0;
    R* const y = (in_place ? reinterpret_cast<R*>(static_cast<T*>(values)) : apart.data()) + shift;
    const std::optional<S> init =
        seed % 4 == 0 || !has_empty<Op, S> ? std::optional<S>(lift(op, x[n], 0)) : std::nullopt;
    reseed(seed);
    const auto what =
        detail::device_source(view<const T>(static_cast<T*>(values) + shift, {std::int64_t(n)}));
    const auto go = [&](const auto& start) {
      using kind = detail::scan_kind<Exclusive, std::remove_cvref_t<decltype(start)>::given>;
      detail::launch_segmented_scan<log_size, kind>(
          gpu, what, op, start, y, detail::device_offsets<O>{where.data(), std::int64_t(count)});
    };
    if (init) go(detail::start_value<S>{*init});
    else if constexpr (has_empty<Op, S>) go(detail::no_start<S>{});
    std::vector<R> got(n);
    gpu.wait();
    copy_from_gpu(got.data(), y, n * sizeof(R));
    const auto said = [&](std::int64_t i) {
      return "seed " + std::to_string(seed) + ", entry " + std::to_string(i) + " of " +
             std::to_string(n) + (in_place ? ", in place" : "");
    };
    const auto outside = [&](std::int64_t i) {
      ASSERT_TRUE(in_place || same(got[std::size_t(i)], rest)) << said(i);
    };
    for (std::int64_t i = 0; i < offsets.front(); ++i) outside(i);
    for (std::int64_t i = offsets.back(); i < std::int64_t(n); ++i) outside(i);
    for (std::size_t s = 0; s < count; ++s) {
      const std::span<const T> segment(x.data() + shift + offsets[s], std::size_t(lengths[s]));
      const auto want = prefix_folds<T>(op, segment, init);
      for (std::size_t i = 0; i < segment.size(); ++i) {
        const auto& prefix = want[i + !Exclusive];
        S state{};
        if (prefix) state = *prefix;
        else if constexpr (has_empty<Op, S>) state = empty_state<S>(op);
        R entry;
        if constexpr (number<R>) entry = convert<R>(result_of<Op, T>(op, state));
        else entry = result_of<Op, T>(op, state);
        ASSERT_TRUE(same(got[std::size_t(offsets[s]) + i], entry))
            << said(offsets[s] + std::int64_t(i));
      }
    }
  }
}

TEST(device_segmented_scan, floats) { sweep<float, float, false>(plus{}, 100); }
TEST(device_segmented_scan, a_state_of_twelve_bytes_that_keeps_its_sides) {
  sweep<twelve, twelve, true, on_states<tangle>, std::int32_t>({}, 200);
}
TEST(device_segmented_scan, places_count_from_the_segment) {
  sweep<float, indexed<float>, false>(arg_max{}, 300);
}
TEST(device_segmented_scan, halves) { sweep<f16, double, true>(plus{}, 400); }

TEST(device_segmented_scan, calls) {
  const device gpu;
  const auto a = some_values<float>(10000, 1), b = some_values<float>(10000, 2);
  const gpu_array<float> x(a), y(b), out(std::vector<float>(10000, 0.0f));
  const std::vector<std::int32_t> offsets{3, 10, 10, 9000, 9999};
  std::vector<float> products;
  for (std::size_t i = 0; i < a.size(); ++i) products.push_back(mul(a[i], b[i]));
  segmented_inclusive_scan(gpu, transform(product{}, read(x), read(y)), offsets, write(out),
                           plus{});
  const std::span<const float> third(products.data() + 10, 8990);
  EXPECT_TRUE(same(out.to_host()[8999], *fold(plus{}, third)));
  segmented_exclusive_scan(gpu, x, offsets, write(x), plus{}, 2.0f);  // in place
  EXPECT_EQ(x.to_host()[10], 2.0f);
  EXPECT_EQ(x.to_host()[2], a[2]);
  EXPECT_TRUE(same(x.to_host()[8999], *fold(plus{}, std::span<const float>(a.data() + 10, 8989),
                                            std::optional(2.0f))));
  const gpu_array<std::int32_t> ones(std::vector<std::int32_t>(300, 1)), counts(300);
  segmented_inclusive_scan(gpu, ones, std::vector<int>{0, 100, 300}, write(counts), plus{});
  EXPECT_EQ(counts.to_host()[99], 100);
  EXPECT_EQ(counts.to_host()[299], 200);
  EXPECT_EQ(error_of([&] {
              segmented_inclusive_scan(gpu, x, offsets, view<float>(out.data(), {9999}), plus{});
            }),
            "rung: a scan of 10000 values needs an output of as many, not 9999");
  EXPECT_EQ(error_of([&] {
              segmented_inclusive_scan(gpu, x, std::vector<int>{0, 5, 3}, write(out), plus{});
            }),
            "rung: segment offsets fall from 5 to 3 at index 2");
}

/// Nothing outside the arrays is read or written, nobody waits for ever, and the workspace is as
/// good as new for the call after.
TEST(device_segmented_scan, wrong_offsets_that_nobody_looks_at) {
  const device gpu;
  std::mt19937_64 bits(9);
  const std::int64_t n = 5000;
  const auto a = some_values<float>(std::size_t(n), 3);
  const gpu_array<float> x(a), out(std::vector<float>(std::size_t(n), 0.0f));
  for (int round = 0; round < 30; ++round) {
    reseed(unsigned(round));
    const auto go = [&](const offset_vector& offsets) {
      const gpu_array<std::int64_t> list(offsets);
      detail::launch_segmented_scan<8, detail::scan_kind<false, false>>(
          gpu, detail::device_source(x), plus{}, detail::no_start<float>{}, out.data(),
          detail::device_offsets<std::int64_t>{list.data(), std::int64_t(list.size()) - 1});
    };
    go(wrong_offsets(bits));
    if (round % 10 == 0) {
      go({0, n});
      ASSERT_TRUE(
          same(out.to_host()[std::size_t(n) - 1], *fold(plus{}, std::span<const float>(a))));
    }
  }
}

}  // namespace
}  // namespace rung::tests
