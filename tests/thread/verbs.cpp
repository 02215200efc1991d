// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The thread rung against fold: register arrays of 1 to 33 values, std::array, spans, run-time
// counts, at compile time, and inside a kernel.
#include "rung/thread/scan.hpp"

#include "rung/base/gpu.cuh"
#include "warp/values.hpp"

namespace rung::tests {

template <class S, class Op, std::size_t K>
void check_array(const Op& op, source& from) {
  S x[K];
  for (S& v : x) v = from.next<S>();
  const S init = from.next<S>();
  const std::span<const S> all(x, K);
  ASSERT_TRUE(same(reduce(this_thread, x, op), *oracle<S>(op, all))) << K << " values";
  std::array<S, K> copy;
  std::copy(x, x + K, copy.begin());
  ASSERT_TRUE(same(reduce(this_thread, copy, op), *oracle<S>(op, all)));
  ASSERT_TRUE(same(reduce(this_thread, std::span<const S, K>(x), op), *oracle<S>(op, all)));
  ASSERT_TRUE(same(reduce(this_thread, all, op), *oracle<S>(op, all)));
  for (int n = 1; n <= int(K); ++n) {
    const auto some = all.first(std::size_t(n));
    ASSERT_TRUE(same(reduce_at_most<int(K)>(this_thread, x, n, op, before<S>{x[0], false}),
                     *oracle<S>(op, some)));
    ASSERT_TRUE(same(reduce_at_most<int(K)>(this_thread, x, n, op, before<S>{init, true}),
                     *oracle<S>(op, some, init)));
  }
  S in[K], in_init[K], ex_init[K];
  std::copy(x, x + K, in), std::copy(x, x + K, in_init), std::copy(x, x + K, ex_init);
  ASSERT_TRUE(same(inclusive_scan(this_thread, in, op), *oracle<S>(op, all)));
  ASSERT_TRUE(same(inclusive_scan(this_thread, in_init, op, init), *oracle<S>(op, all, init)));
  ASSERT_TRUE(same(exclusive_scan(this_thread, ex_init, op, init), *oracle<S>(op, all, init)));
  std::vector<S> y(K), z(K);
  inclusive_scan(this_thread, all, std::span<S>(y), op);
  exclusive_scan(this_thread, all, std::span<S>(z), op, init);
  for (std::size_t i = 0; i < K; ++i) {
    const S want = *oracle<S>(op, all.first(i + 1));
    ASSERT_TRUE(same(in[i], want) && same(y[i], want)) << "inclusive entry " << i << " of " << K;
    ASSERT_TRUE(same(in_init[i], *oracle<S>(op, all.first(i + 1), init)));
    const S left = *oracle<S>(op, all.first(i), init);
    ASSERT_TRUE(same(ex_init[i], left) && same(z[i], left)) << "exclusive entry " << i;
  }
  if constexpr (has_empty<Op, S>) {
    S ex[K];
    std::copy(x, x + K, ex);
    ASSERT_TRUE(same(exclusive_scan(this_thread, ex, op), *oracle<S>(op, all)));
    ASSERT_TRUE(same(ex[0], empty_state<S>(op)));
    for (std::size_t i = 1; i < K; ++i)
      ASSERT_TRUE(same(ex[i], *oracle<S>(op, all.first(i)))) << "exclusive entry " << i;
    ASSERT_TRUE(same(reduce(this_thread, std::span<const S>(), op), empty_state<S>(op)));
  }
}
template <class S, class Op, std::size_t... K>
void check_arrays(const Op& op, std::index_sequence<K...>) {
  source from(5);
  (check_array<S, Op, K>(op, from), ...);
}

template <class Pair>
class thread_sweep : public testing::Test {};
using pairs = testing::Types<over<float, plus>, over<float, minimum>, over<twelve, tangle>,
                             over<affine_map<float>, affine>>;
TYPED_TEST_SUITE(thread_sweep, pairs);
TYPED_TEST(thread_sweep, arrays) {
  using lengths = std::index_sequence<1, 2, 3, 4, 5, 7, 8, 12, 17>;
  check_arrays<typename TypeParam::state>(typename TypeParam::op{}, lengths{});
}
TYPED_TEST(thread_sweep, larger_arrays) {
  source from(6);
  check_array<typename TypeParam::state, typename TypeParam::op, 32>({}, from);
  check_array<typename TypeParam::state, typename TypeParam::op, 33>({}, from);
}
TYPED_TEST(thread_sweep, many_values) {
  using S = typename TypeParam::state;
  const typename TypeParam::op op{};
  source from(7);
  for (const std::size_t n : {1u, 100u, 1023u, 4097u}) {
    const auto x = from.many<S>(n);
    list<S> y(n, x[0]);
    const std::span<const S> all(x);
    ASSERT_TRUE(same(reduce(this_thread, all, op), *oracle<S>(op, all)));
    inclusive_scan(this_thread, all, std::span<S>(y), op);
    for (std::size_t i = 0; i < n; i += 1 + i / 7)
      ASSERT_TRUE(same(y[i], *oracle<S>(op, all.first(i + 1)))) << i;
  }
}

TEST(thread, at_compile_time) {
  constexpr int total = [] {
    int x[5] = {1, 2, 3, 4, 5};
    return inclusive_scan(this_thread, x, plus{}) * 100 + x[2] + reduce(this_thread, x, plus{});
  }();
  static_assert(total == 1500 + 6 + 35);
}

/// n - 1 calls for a fold, at most 2 n for a scan.
struct counted {
  RUNG_HD int operator()(int l, int r) const {
#if !defined(__CUDACC__)
    ++calls;
#endif
    return l + r;
  }
  static inline int calls = 0;
};
TEST(thread, operator_calls) {
#if !defined(__CUDACC__)
  int x[24] = {};
  counted::calls = 0;
  reduce(this_thread, x, counted{});
  EXPECT_EQ(counted::calls, 23);
  counted::calls = 0;
  inclusive_scan(this_thread, x, counted{});
  EXPECT_LE(counted::calls, 2 * 24);
#endif
}

template <int K>
RUNG_KERNEL(32)
void thread_kernel(global<const float> in, int n, global<float> out) {
  float x[K], y[K];
  for (int j = 0; j < K; ++j) x[j] = in[j], y[j] = in[j];
  if (lane() != 0) return;
  out[0] = reduce(this_thread, x, plus{});
  out[1] = inclusive_scan(this_thread, x, plus{});
  out[2] = exclusive_scan(this_thread, y, plus{}, 1.0f);
  out[3] = reduce<float>(this_thread, in, std::size_t(n), plus{});
  inclusive_scan<float>(this_thread, in, out + 4, std::size_t(n), plus{});
  for (int j = 0; j < K; ++j) out[4 + n + j] = x[j];
  for (int j = 0; j < K; ++j) out[4 + n + K + j] = y[j];
}
TEST(thread, in_a_kernel) {
  constexpr int n = 1000, k = 11;
  source from(8);
  from.special = false;
  const auto x = from.many<float>(n);
  const std::span<const float> all(x);
  const device_values<float> in(x), out(std::vector<float>(4 + n + 2 * k));
  launch(thread_kernel<k>, 1, 32, 0, nullptr, in, n, out);
  const auto got = out.to_host();
  EXPECT_TRUE(same(got[0], *oracle<float>(plus{}, all.first(k))));
  EXPECT_TRUE(same(got[1], got[0]));
  EXPECT_TRUE(same(got[2], *oracle<float>(plus{}, all.first(k), 1.0f)));
  EXPECT_TRUE(same(got[3], *oracle<float>(plus{}, all)));
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_TRUE(same(got[4 + i], *oracle<float>(plus{}, all.first(i + 1)))) << i;
  for (std::size_t i = 0; i < k; ++i) {
    ASSERT_TRUE(same(got[4 + n + i], *oracle<float>(plus{}, all.first(i + 1)))) << i;
    ASSERT_TRUE(same(got[4 + n + k + i], *oracle<float>(plus{}, all.first(i), 1.0f))) << i;
  }
}

}  // namespace rung::tests
