// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The classic algorithms of warp and block: right answers, and the steps and the work that their
// comments promise, counted in the operator.
#include "rung/block/classic.cuh"

#include "warp/values.hpp"

namespace rung::tests {

enum class method {
  shuffle_tree,
  kogge_stone,
  two_stage,
  interleaved,
  sequential,
  raking,
  hillis_steele,
  blelloch,
  raking_scan
};

/// A sum that knows how many calls had to wait for each other, and a list of what it was made of:
/// the first and the last position, so that a change of sides shows.
struct traced {
  int sum, depth, first, last;
  bool in_order;
};
struct trace {
  RUNG_HD traced operator()(const traced& l, const traced& r) const {
#if !defined(__CUDACC__)
    ++calls;
#endif
    return {l.sum + r.sum, (l.depth > r.depth ? l.depth : r.depth) + 1, l.first, r.last,
            l.in_order && r.in_order && l.last + 1 == r.first};
  }
#if !defined(__CUDACC__)
  static inline int calls = 0;
#endif
};

template <class S, int T>
struct classic_scratch {
  shared<S[32]> sums;
  shared<S[2 * T]> two;
  shared<S[T]> x;
};

template <method M, int T, class S, class Op>
RUNG_KERNEL(T)
void classic_kernel(global<const S> in, S init, global<S> out) {
  auto& s = scratch<classic_scratch<S, T>>();
  const int t = int(thread_rank());
  const S v = in[t];
  const Op op;
  S r = v;
  if constexpr (M == method::shuffle_tree) r = classic::shuffle_tree_reduce(v, op);
  if constexpr (M == method::kogge_stone) r = classic::kogge_stone_scan(v, op);
  if constexpr (M == method::two_stage) r = classic::two_stage_reduce<T>(v, op, s.sums);
  if constexpr (M == method::interleaved) r = classic::interleaved_tree_reduce<T>(v, op, s.x);
  if constexpr (M == method::sequential) r = classic::sequential_tree_reduce<T>(v, op, s.x);
  if constexpr (M == method::raking) r = classic::raking_reduce<T>(v, op, s.x);
  if constexpr (M == method::hillis_steele) r = classic::hillis_steele_scan<T>(v, op, s.two);
  if constexpr (M == method::blelloch) r = classic::blelloch_scan<T>(v, init, op, s.x);
  if constexpr (M == method::raking_scan) r = classic::raking_scan<T>(v, op, s.x);
  out[t] = r;
}

template <method M, int T, class S, class Op>
std::vector<S> run(const std::vector<S>& x, const S& init) {
  const device_values<S> in(x), out(x);
  launch(classic_kernel<M, T, S, Op>, 1, T, sizeof(classic_scratch<S, T>), nullptr, in, init, out);
  return out.to_host();
}

/// Sums and depths of one method on T threads; returns the operator calls (0 where nobody counts).
template <method M, int T>
int check(bool scan, bool exclusive, bool in_order, int steps) {
  std::vector<traced> x;
  for (int i = 0; i < T; ++i) x.push_back({i * 7 % 31 - 3, 0, i, i, true});
  const traced init{1000, 0, -1, -1, true};
#if !defined(__CUDACC__)
  trace::calls = 0;
#endif
  const auto out = run<M, T, traced, trace>(x, init);
  int sum = 0, deepest = 0;
  bool ordered = true;
  for (int i = 0; i < T; ++i) {
    const int before = sum;
    sum += x[std::size_t(i)].sum;
    if (!scan) continue;
    const traced& got = out[std::size_t(i)];
    EXPECT_EQ(got.sum, exclusive ? before + init.sum : sum) << "entry " << i;
    deepest = std::max(deepest, got.depth);
    ordered = ordered && got.in_order;
  }
  if (!scan) {
    EXPECT_EQ(out[0].sum, sum);
    deepest = out[0].depth;
    ordered = out[0].in_order;
  }
  EXPECT_EQ(deepest, steps);
  EXPECT_EQ(ordered, in_order);
#if !defined(__CUDACC__)
  return trace::calls;
#else
  return 0;
#endif
}
constexpr int log2_of(int n) { return detail::floor_log2(unsigned(n)); }
void expect_work([[maybe_unused]] int calls, [[maybe_unused]] int work) {
#if !defined(__CUDACC__)
  EXPECT_EQ(calls, work);
#endif
}

TEST(classic_warp, shuffle_tree) {
  expect_work(check<method::shuffle_tree, 32>(false, false, false, 5), 32 * 5);
}
TEST(classic_warp, kogge_stone) {
  expect_work(check<method::kogge_stone, 32>(true, false, true, 5), 32 * 5 - 31);
}

template <int T>
void check_block() {
  const int l = log2_of(T), each = T / 32;
  expect_work(check<method::two_stage, T>(false, false, false, l), T * 5 + each * log2_of(each));
  expect_work(check<method::interleaved, T>(false, false, true, l), T - 1);
  expect_work(check<method::sequential, T>(false, false, false, l), T - 1);
  expect_work(check<method::raking, T>(false, false, false, each - 1 + 5), T - 32 + 32 * 5);
  expect_work(check<method::hillis_steele, T>(true, false, true, l), T * l - T + 1);
  expect_work(check<method::blelloch, T>(true, true, true, 2 * l - 1), 2 * (T - 1));
  const int deepest = each == 1 ? 6 : 2 * each - 1 + 5;  // rake, scan the lanes, rake again
  expect_work(check<method::raking_scan, T>(true, false, true, deepest),
              2 * (T - 32) + 32 * 5 - 31 + 31);
}
TEST(classic_block, steps_and_work_of_32) { check_block<32>(); }
TEST(classic_block, steps_and_work_of_64) { check_block<64>(); }
TEST(classic_block, steps_and_work_of_256) { check_block<256>(); }
TEST(classic_block, steps_and_work_of_1024) { check_block<1024>(); }

/// Blelloch's sweeps and the interleaved tree give the one order's bits, the others do not.
TEST(classic_block, natural_orders) {
  int sequential = 0, hillis_steele = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    source from(seed);
    from.special = false;
    const auto x = from.many<float>(256);
    const std::span<const float> values(x);
    const auto all = *oracle<float>(plus{}, values);
    EXPECT_TRUE(same(run<method::interleaved, 256, float, plus>(x, 0.0f)[0], all));
    sequential += !same(run<method::sequential, 256, float, plus>(x, 0.0f)[0], all);
    const auto ours = run<method::blelloch, 256, float, plus>(x, 2.0f);
    const auto theirs = run<method::hillis_steele, 256, float, plus>(x, 0.0f);
    for (std::size_t i = 0; i < 256; ++i) {
      EXPECT_TRUE(same(ours[i], *oracle<float>(plus{}, values.first(i), 2.0f)));
      hillis_steele += !same(theirs[i], *oracle<float>(plus{}, values.first(i + 1)));
    }
  }
  EXPECT_GT(sequential, 0);
  EXPECT_GT(hillis_steele, 0);
}

}  // namespace rung::tests
