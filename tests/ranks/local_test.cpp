// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads as ranks: any split gives the bits of the whole; who fails or stays away is named.
#include "rung/ranks/local.hpp"

#include <gtest/gtest.h>

#include "axis.hpp"
#include "rung/cpu/reduce.hpp"
#include "rung/cpu/scan.hpp"

namespace rung::test {
namespace {

class Ranks : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Local, Ranks, testing::Values(1, 2, 3, 4, 7));

TEST_P(Ranks, AnySplitGivesTheBitsOfTheWhole) {
  run_local(GetParam(), [](local& comm) { check_all_ranks(comm, 12); });
}
TEST_P(Ranks, AnySplitOfAnAxisGivesTheBitsOfTheWhole) {
  run_local(GetParam(), [](local& comm) { check_split_axes(comm, 20); });
}
TEST_P(Ranks, EveryRankIsToldWhatFailed) {
  run_local(GetParam(), [](local& comm) { check_failures(comm); });
}

/// A function of two arrays, one of them back to front; a scan in place; a long part on threads.
TEST(RankCalls, WhatOneCpuTakes) {
  generator rng(3);
  const std::int64_t n = 400001, cut = 123457;
  block<float> x(n), y(n);
  fill_randomly(rng, x), fill_randomly(rng, y);
  const auto product = [](float a, float b) { return mul(a, b); };
  const auto dot = transform(product, x, view<const float>(y.data(), {n}).reversed(0));
  std::vector<float> want(static_cast<std::size_t>(n)), got(x.begin(), x.end());
  inclusive_scan(cpu, x, want, plus{});
  run_local(2, [&](local& comm) {
    const std::int64_t begin = comm.rank() == 0 ? 0 : cut, count = comm.rank() == 0 ? cut : n - cut;
    const auto part = [&](float* data) { return view<float>(data, {n}).sliced(0, begin, count); };
    const auto back = view<float>(y.data(), {n}).reversed(0).sliced(0, begin, count);
    EXPECT_PRED_FORMAT2(same, reduce(ranks{comm}, transform(product, part(x.data()), back), plus{}),
                        reduce(cpu, dot, plus{}));
    inclusive_scan(ranks{comm}, part(got.data()), part(got.data()), plus{});
  });
  for (std::int64_t i = 0; i < n; i++)
    ASSERT_PRED_FORMAT2(same, got[std::size_t(i)], want[std::size_t(i)]) << i;
}

/// Rows that are spread over the ranks have no order of their own here.
TEST(RankCalls, PartsHaveOneAxis) {
  const std::vector<float> x(12, 1.0f);
  run_local(2, [&](local& comm) {
    EXPECT_THROWS("has one axis", error_code::bad_argument, [&] {
      (void)reduce(ranks{comm}, view<const float>(x.data(), {3, 4}), plus{});
    });
  });
}

TEST(RankCalls, ExactMeansAndMomentsInOneSum) {
  generator rng(5);
  block<double> x(5000);
  fill_randomly(rng, x);
  for (int i = 0; i < 5000; i += 7) x[i] *= 1e200;
  const auto want = reduce(cpu, x, exact_moments{});
  const std::vector<float> zeros(100, -0.0f);
  run_local(3, [&](local& comm) {
    const std::size_t begin[] = {0, 1234, 1234, 5000};
    const auto mine =
        x.all().subspan(begin[comm.rank()], begin[comm.rank() + 1] - begin[comm.rank()]);
    const auto where = ranks{comm};
    EXPECT_PRED_FORMAT2(same, reduce(where, mine, exact_mean{}), want.mean());
    EXPECT_PRED_FORMAT2(same, reduce(where, mine, exact_moments{}).variance(1), want.variance(1));
    // A rank without values must not turn a sum of -0 into +0.
    const std::span<const float> zero(zeros.data(), comm.rank() == 1 ? 100 : 0);
    EXPECT_PRED_FORMAT2(same, reduce(where, zero, exact_plus{}), -0.0f);
  });
}

TEST(RankCalls, WhoStaysAwayIsNamed) {
  const std::vector<float> x(10, 1.0f);
  const auto without = [&](int who, bool throws) {
    return [&x, who, throws](local& comm) {
      if (comm.rank() == who && throws) throw std::runtime_error("it has had enough");
      if (comm.rank() != who)
        EXPECT_THROWS(throws ? "rank 1 of 3 has stopped: it has had enough"
                             : "rank 2 of 3 did not come within 50 ms",
                      error_code::rank, [&] { (void)reduce(ranks{comm}, x, plus{}); });
    };
  };
  EXPECT_THROW(run_local(3, without(1, true)), std::runtime_error);
  run_local(3, without(2, false), std::chrono::milliseconds(50));
}

}  // namespace
}  // namespace rung::test
