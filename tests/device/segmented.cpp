// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// segmented_reduce on the device rung: mixes of lengths around every edge, with small shares so
// that segments are cut often, against fold of each segment alone; then calls as users make them,
// and offsets that are wrong.
#include "rung/device/segmented.cuh"

#include "device/segment_mixes.hpp"
#include "rung/device/segment_bounds.cuh"
#include "rung/op/extremes.hpp"

namespace rung::tests {
namespace {

/// Puts states as they are.
template <class Op, class S>
struct into_states {
  global<S> out;
  RUNG_DEVICE void operator()(const Op&, std::int64_t i, std::int64_t, const S& s) const {
    out[i] = s;
  }
};

template <class T, class Op, class O = std::int64_t, int log_size = 8>
void sweep(const Op& op, unsigned seed) {
  using S = state_t<Op, T>;
  const device gpu;
  for (const auto& lengths : mixes(1 << log_size)) {
    ++seed;
    const std::int64_t first = seed % 3;
    const auto offsets = offsets_of(lengths, first);
    const std::size_t n = std::size_t(offsets.back()) + seed % 5, count = lengths.size();
    tests::source from(seed);
    from.special = seed % 5 == 0;  // a NaN hides all that follows
    const auto x = from.many<T>(n + 1);
    const std::size_t shift = seed % 2;  // aligned or not
    const device_values<T> values(x);
    const gpu_array<O> where(std::vector<O>(offsets.begin(), offsets.end()));
    const gpu_array<S> out(std::vector<S>(count + 1, lift(op, x[0], 0)));
    const std::optional<S> init =
        seed % 4 == 0 || !has_empty<Op, S> ? std::optional<S>(lift(op, x[n], 0)) : std::nullopt;
    reseed(seed);
    const auto what =
        detail::device_source(view<const T>(static_cast<T*>(values) + shift, {std::int64_t(n)}));
    const auto go = [&](const auto& start) {
      detail::launch_segmented_reduce<log_size>(
          gpu, what, op, start, into_states<Op, S>{out.data()},
          detail::device_offsets<O>{where.data(), std::int64_t(count)});
    };
    if (init) go(detail::start_value<S>{*init});
    else go(detail::no_start<S>{});
    const auto got = out.to_host();
    for (std::size_t s = 0; s < count; ++s) {
      const std::span<const T> segment(x.data() + shift + offsets[s], std::size_t(lengths[s]));
      auto want = fold(op, segment, init);
      if constexpr (has_empty<Op, S>)
        if (!want) want = empty_state<S>(op);
      ASSERT_TRUE(same(got[s], *want)) << "seed " << seed << ", segment " << s << " of " << count
                                       << ", " << lengths[s] << " values, shift " << shift;
    }
  }
}

TEST(device_segmented, floats) { sweep<float>(plus{}, 100); }
TEST(device_segmented, parts_that_fill_a_block) { sweep<float, plus, int, 10>({}, 500); }
TEST(device_segmented, a_state_of_twelve_bytes_that_keeps_its_sides) {
  sweep<twelve, on_states<tangle>, std::int32_t>({}, 200);
}
TEST(device_segmented, places_count_from_the_segment) { sweep<float>(arg_max{}, 300); }
TEST(device_segmented, halves) { sweep<f16>(plus{}, 400); }

TEST(device_segmented, calls) {
  const device gpu;
  const auto a = some_values<float>(20000, 1), b = some_values<float>(20000, 2);
  const gpu_array<float> x(a), y(b), out(4);
  const std::vector<std::int32_t> offsets{3, 10, 10, 9000, 19999};
  const gpu_array<std::int32_t> on_gpu(offsets);
  std::vector<float> products;
  for (std::size_t i = 0; i < a.size(); ++i) products.push_back(mul(a[i], b[i]));
  const auto is = [&](const std::vector<float>& values, std::optional<float> init = {}) {
    const auto got = out.to_host();
    for (std::size_t s = 0; s < 4; ++s) {
      const auto want = fold(
          plus{},
          std::span<const float>(values.data() + offsets[s], values.data() + offsets[s + 1]), init);
      EXPECT_TRUE(same(got[s], want ? *want : 0.0f)) << s;
    }
    EXPECT_FALSE(std::signbit(got[1]));  // the sum of nothing
  };
  segmented_reduce(gpu, x, on_gpu, plus{}, all_of(out));
  is(a);
  segmented_reduce(gpu, read(x), offsets, plus{}, all_of(out));  // offsets of the host
  is(a);
  segmented_reduce(gpu, transform(product{}, read(x), read(y)), checked(on_gpu), plus{},
                   all_of(out), 2.5f);
  is(products, 2.5f);
  const gpu_array<double> wide(4);
  segmented_reduce(gpu, read(x), read(on_gpu), maximum{}, all_of(wide));
  EXPECT_EQ(wide.to_host()[1], -double(infinity<float>));
  segmented_reduce(gpu, x, std::vector<std::int64_t>{}, plus{},
                   into<float>(view<float>(out.data(), {0})));
  const gpu_array<std::int64_t> sums(2);
  segmented_reduce(gpu, transform(square{}, counting{100}), std::vector<int>{0, 50, 100}, plus{},
                   all_of(sums));
  EXPECT_EQ(sums.to_host()[0] + sums.to_host()[1], 328350);
}

TEST(device_segmented, segments_that_overlap) {
  const device gpu;
  const std::size_t n = 10000;
  const auto a = some_values<float>(n, 4);
  const gpu_array<float> x(a);
  const std::vector<int> begins{5, 0, 9999, 17, 3, 40, -7, 5000},
      ends{9000, 10000, 10000, 17, 2, 4136, 12, 20000};
  const gpu_array<int> b(begins), e(ends);
  const gpu_array<float> sums(begins.size());
  const gpu_array<indexed<float>> places(begins.size());
  segmented_reduce(gpu, x, segment_bounds{b, e}, plus{}, all_of(sums), 1.5f);
  segmented_reduce(gpu, read(x), segment_bounds{read(b), e}, arg_max{}, all_of(places));
  for (std::size_t s = 0; s < begins.size(); ++s) {
    const int begin = std::max(begins[s], 0), end = std::min(ends[s], int(n));
    const std::span<const float> segment(a.data() + begin, std::size_t(std::max(end - begin, 0)));
    EXPECT_TRUE(same(sums.to_host()[s], *fold(plus{}, segment, std::optional(1.5f)))) << s;
    const auto place = fold(arg_max{}, segment);
    EXPECT_TRUE(same(places.to_host()[s], place ? *place : empty_state<indexed<float>>(arg_max{})))
        << s;
  }
  EXPECT_EQ(error_of([&] {
              segmented_reduce(gpu, x, segment_bounds{b, e}, plus{}, into(sums.data()));
            }),
            "rung: 8 begins and 8 ends of segments for 1 results");
}

TEST(device_segmented, nan_is_canonical) {
  const device gpu;
  const gpu_array<float> x(std::vector<float>{detail::bit_cast<float>(0xffc12345u), 1}), out(1);
  segmented_reduce(gpu, x, std::vector<int>{0, 2}, plus{}, all_of(out));
  EXPECT_EQ(detail::bit_cast<std::uint32_t>(out.to_host()[0]), 0x7fc00000u);
}

TEST(device_segmented, wrong_offsets) {
  const device gpu;
  const gpu_array<float> x(std::vector<float>(5000, 1.0f)), out(3);
  const std::vector<float> host(5000);
  const auto message = [&](const std::vector<std::int64_t>& offsets) {
    const gpu_array<std::int64_t> on_gpu(offsets);
    const auto of_device =
        error_of([&] { segmented_reduce(gpu, x, checked(on_gpu), plus{}, all_of(out)); });
    EXPECT_EQ(of_device, error_of([&] { segmented_reduce(gpu, x, offsets, plus{}, all_of(out)); }));
    return of_device;
  };
  EXPECT_EQ(message({0, 7, 5, 9}), "rung: segment offsets fall from 7 to 5 at index 2");
  EXPECT_EQ(message({-1, 7, 8, 9}),
            "rung: segment offset -1 at index 0 lies outside the 5000 values");
  EXPECT_EQ(message({0, 7, 8, 5001}),
            "rung: segment offset 5001 at index 3 lies outside the 5000 values");
  EXPECT_EQ(message({0, 7, 8}), "rung: 2 segments need an output of that length, not 3");
  EXPECT_EQ(error_of([&] {
              segmented_reduce(gpu, host, std::vector<int>{0, 1, 2, 3}, plus{}, all_of(out));
            }),
            "rung: an array lies in host memory, where the GPU cannot reach it: copy it to the "
            "device first");
}

/// Nothing outside the arrays is read or written: the virtual GPU would stop, and the workspace is
/// as good as new for the call after.
TEST(device_segmented, wrong_offsets_that_nobody_looks_at) {
  const device gpu;
  std::mt19937_64 bits(9);
  const std::int64_t n = 5000;
  const auto a = some_values<float>(std::size_t(n), 3);
  const gpu_array<float> x(a);
  for (int round = 0; round < 30; ++round) {
    const auto wrong = wrong_offsets(bits);
    const gpu_array<std::int64_t> offsets(wrong);
    const gpu_array<float> out(std::vector<float>(wrong.size(), 0.0f));
    reseed(unsigned(round));
    const auto go = [&](const gpu_array<std::int64_t>& list) {
      detail::launch_segmented_reduce<8>(
          gpu, detail::device_source(x), plus{}, detail::no_start<float>{},
          detail::results_into<plus, float, float>{out.data()},
          detail::device_offsets<std::int64_t>{list.data(), std::int64_t(list.size()) - 1});
    };
    go(offsets);
    go(gpu_array<std::int64_t>(std::vector<std::int64_t>{0, n}));
    ASSERT_TRUE(same(out.to_host()[0], *fold(plus{}, std::span<const float>(a))));
  }
}

}  // namespace
}  // namespace rung::tests
