// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact prefix sums on the device rung: every entry against the state's own additions, on hard
// data, with and without an init, in place and backwards.
#include "device/calls.hpp"
#include "exact/hard_values.hpp"
#include "rung/device/scan.cuh"

namespace rung::tests {
namespace {

using test::hard;

template <class T>
view<T> all_of(const gpu_array<T>& x) {
  return {x.data(), {std::int64_t(x.size())}};
}
template <bool Exclusive, class T>
void expect_prefixes(const std::vector<T>& x, const std::vector<T>& got, exact_state<T> s,
                     const char* what) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T empty = Exclusive && i == 0 && s.seen == 0 ? T(0.0f) : s.round();
    s.add(x[i]);
    const T want = Exclusive ? (i == 0 ? empty : T(empty)) : s.round();
    ASSERT_TRUE(same(got[i], want)) << what << " entry " << i << " of " << x.size();
  }
}

template <class T>
void prefixes_are_exact(hard kind, std::size_t n, unsigned seed) {
  const device gpu;
  test::hard_source from(seed);
  const auto x = from.many<T>(kind, n);
  const gpu_array<T> there(x);
  gpu_array<T> out(n);
  inclusive_scan(gpu, there, all_of(out), exact_plus{});
  expect_prefixes<false>(x, out.to_host(), {}, "inclusive");
  exclusive_scan(gpu, there, all_of(out), exact_plus{});
  expect_prefixes<true>(x, out.to_host(), {}, "exclusive");
  const exact_state<T> start(T(1.0f));
  inclusive_scan(gpu, there, all_of(out), exact_plus{}, start);
  expect_prefixes<false>(x, out.to_host(), start, "after one");
}

TEST(device_exact_scan, every_kind) {
  for (int kind = 0; kind < test::hard_kinds; ++kind)
    prefixes_are_exact<float>(hard(kind), kind == 1 ? 9000 : 300, unsigned(kind));
}
TEST(device_exact_scan, halves) {
  prefixes_are_exact<bf16>(hard::narrow, 700, 1);
  prefixes_are_exact<f16>(hard::bits, 700, 2);
}
TEST(device_exact_scan, doubles) {
  for (int kind = 0; kind < test::hard_kinds; ++kind)
    prefixes_are_exact<double>(hard(kind), kind == 1 ? 9000 : 150, unsigned(kind) + 20);
}
/// Sums that 106 bits do not hold, and ties with something far below.
TEST(device_exact_scan, doubles_far_apart) {
  const device gpu;
  std::vector<double> x(4400);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = i < 4000     ? double(i % 7) - 3
           : i % 5 == 0 ? 0x1p60
           : i % 5 == 1 ? 0x1p7
           : i % 5 == 2 ? 0x1p-300
           : i % 5 == 3 ? -0x1p60
                        : -0x1p-299;
  const gpu_array<double> there(x);
  gpu_array<double> out(x.size());
  inclusive_scan(gpu, there, all_of(out), exact_plus{});
  expect_prefixes<false>(x, out.to_host(), {}, "far apart");
  test::hard_source from(9);
  auto y = from.many<double>(hard::narrow, 300);
  const gpu_array<double> both(y);
  exclusive_scan(gpu, all_of(both).reversed(0), all_of(both).reversed(0), exact_plus{});
  auto turned = both.to_host();
  std::reverse(turned.begin(), turned.end());
  std::reverse(y.begin(), y.end());
  expect_prefixes<true>(y, turned, {}, "backwards, in place");
}
/// Prefixes that come close to zero and to ties again and again have to be summed up exactly.
TEST(device_exact_scan, close_calls) {
  const device gpu;
  std::vector<float> x(600);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = i % 4 == 0 ? 1.0f : i % 4 == 1 ? 0x1p-24f : i % 4 == 2 ? 0x1p-60f : -1.0f;
  const gpu_array<float> there(x);
  gpu_array<float> out(x.size());
  inclusive_scan(gpu, there, all_of(out), exact_plus{});
  expect_prefixes<false>(x, out.to_host(), {}, "close calls");
}
TEST(device_exact_scan, in_place) {
  const device gpu;
  test::hard_source from(8);
  const auto x = from.many<float>(hard::narrow, 300);
  gpu_array<float> both(x);
  inclusive_scan(gpu, both, all_of(both), exact_plus{});
  expect_prefixes<false>(x, both.to_host(), {}, "in place");
}

}  // namespace
}  // namespace rung::tests
