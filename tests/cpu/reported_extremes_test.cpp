// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults reported against other libraries, about extremes and their places, variances, logarithms
// of sums of exponentials, norms: NaN, infinities, ties, the ends of the range. Each test names its
// reports.
#include "cpu/reported.hpp"

namespace rung::test {
namespace {

constexpr double nan64 = quiet_nan<double>, inf64 = infinity<double>;
constexpr float inf32 = infinity<float>;

template <class T>
void nan_wins_wherever_it_stands() {
  for (std::size_t at = 0; at < 3; at++) {
    list<T> rows{T(3.0f), T(1.0f), T(7.0f), T(3.0f), T(1.0f), T(7.0f)};
    rows[3 + at] = convert<T>(nan64);
    const auto least = along(view(rows.data(), {2, 3}), minimum{}, {1});
    const auto most = along(view(rows.data(), {2, 3}), maximum{}, {1});
    EXPECT_EQ(convert<double>(least[0]), 1);
    EXPECT_EQ(convert<double>(most[0]), 7);
    EXPECT_TRUE(is_nan(least[1]) && is_nan(most[1])) << at;
  }
}
// tensorflow#17056, chainer#1366, cumo#219, iree#24503
TEST(Reported, OneNaNShowsInMinAndMax) {
  nan_wins_wherever_it_stands<f16>();
  nan_wins_wherever_it_stands<float>();
  nan_wins_wherever_it_stands<double>();
  EXPECT_TRUE(is_nan(whole(list<double>{inf64, nan64}, maximum{})));
  EXPECT_TRUE(is_nan(whole(list<double>{-inf64, nan64}, minimum{})));
  EXPECT_TRUE(is_nan(whole(list<double>{nan64, nan64}, maximum{})));
  list<double> x = counting<double>(100001);
  x[77777] = nan64;
  EXPECT_TRUE(is_nan(whole(x, minimum{})) && is_nan(whole(x, maximum{})));
  EXPECT_EQ(whole(x, skip_nan{maximum{}}), 100000);
  EXPECT_EQ(whole(x, arg_max{}).index, 77777);
  EXPECT_TRUE(is_nan(whole(list<double>{nan64, nan64}, skip_nan{minimum{}})));
}

// cub#642, cccl#1388, cupy#7424, cupynumeric#987
TEST(Reported, DataMayEqualTheStartOfAnExtreme) {
  EXPECT_EQ(whole(list<float>(10, inf32), minimum{}), inf32);
  EXPECT_EQ(whole(list<float>(10, inf32), arg_min{}).index, 0);
  EXPECT_EQ(whole(list<float>(10, -inf32), maximum{}), -inf32);
  EXPECT_EQ(whole(list<float>(10, -inf32), arg_max{}).index, 0);
  EXPECT_EQ(whole(list<float>{inf32, inf32, 5, inf32}, arg_min{}).index, 2);
  EXPECT_EQ(whole(list<std::uint32_t>(3, 0), arg_max{}).index, 0);
  EXPECT_EQ(whole(list<double>(3, std::numeric_limits<double>::max()), arg_min{}).index, 0);
  EXPECT_EQ(whole(list<std::int8_t>(3, -128), arg_max{}).index, 0);
}

// cumo#236, pytorch#10370, pytorch#12779, kokkos#8097
TEST(Reported, TheFirstOfEqualExtremesWins) {
  list<double> cycle;
  for (int i = 0; i < 2000; i++) cycle.push_back(i % 3);
  EXPECT_EQ(whole(cycle, arg_max{}).index, 2);
  EXPECT_EQ(whole(cycle, arg_min{}).index, 0);
  const list<int> m{1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1};
  const auto most = along(view(m.data(), {3, 4}), arg_max{}, {-1});
  EXPECT_EQ(most[0].index, 0);
  EXPECT_EQ(most[1].index, 1);
  EXPECT_EQ(most[2].index, 0);
  const list<std::uint32_t> sevens(500000, 7);
  EXPECT_EQ(whole(sevens, arg_max{}).index, 0);
  EXPECT_EQ(whole(sevens, arg_min{}).index, 0);
}

// xarray-spatial#2831, openvino#36587, traccc#90, pandas#6204
TEST(Reported, VarianceWithALargeMean) {
  EXPECT_NEAR(whole(list<float>{10000000, 10000001, 10000002}, moments{}).variance(), 2.0 / 3,
              1e-6);
  EXPECT_EQ(whole(list<float>{10000000, 10000001, 10000002}, moments{}).variance(1), 1);
  list<float> b;
  for (int i = 0; i < 1000; i++) b.push_back(float(10001 + i % 4));
  EXPECT_NEAR(whole(b, moments{}).variance(), 1.25, 1e-6);
  EXPECT_EQ(whole(list<float>(1000, 16777216), moments{}).standard_deviation(), 0);
  EXPECT_TRUE(is_nan(whole(list<float>{5}, moments{}).variance(1)));
}

// matrixStats#84, tensorflow#11692, rmcgibbo/logsumexp#2, pytorch#61901
TEST(Reported, LogSumExpOfInfinities) {
  EXPECT_EQ(whole(list<double>{-inf64, -inf64}, log_sum_exp{}), -inf64);
  EXPECT_EQ(whole(list<double>{inf64, -inf64}, log_sum_exp{}), inf64);
  EXPECT_EQ(whole(list<double>{inf64, inf64}, log_sum_exp{}), inf64);
  EXPECT_TRUE(is_nan(whole(list<double>{nan64, -inf64}, log_sum_exp{})));
  EXPECT_EQ(whole(list<double>{}, log_sum_exp{}), -inf64);
  EXPECT_NEAR(whole(list<double>{-1000, -1000}, log_sum_exp{}), -999.3068528194401, 1e-11);
  EXPECT_NEAR(whole(list<double>{1000, 1000, 1000}, log_sum_exp{}), 1001.0986122886682, 1e-11);
  EXPECT_EQ(whole(list<double>(500000, -inf64), log_sum_exp{}),
            -inf64);  // partial results join too
}

// numpy#8775, numpy#19097, jax#5816, pytorch#193006
TEST(Reported, NormsOfTheLargestAndSmallest) {
  EXPECT_NEAR(whole(list<f16>{f16(600.0f), f16(800.0f)}, norm{}), 1000, 1e-3);
  EXPECT_NEAR(whole(list<double>{3e200, 4e200}, norm{}) / 5e200, 1, 1e-14);
  EXPECT_NEAR(whole(list<double>{3e-200, 4e-200}, norm{}) / 5e-200, 1, 1e-14);
  EXPECT_NEAR(whole(list<float>{1e20f, 1, 1}, norm{}) / 1e20, 1, 1e-6);
  EXPECT_EQ(whole(list<double>{inf64, 1}, norm{}), inf64);
  EXPECT_TRUE(is_nan(whole(list<double>{inf64, nan64}, norm{})));
  EXPECT_EQ(whole(list<double>{0, 0}, norm{}), 0);
  EXPECT_NEAR(whole(list<double>(500000, 1e300), norm{}) / (1e300 * std::sqrt(500000)), 1, 1e-14);
  f16 rounded;
  reduce(cpu, list<f16>(2880, f16(1.0f)), norm{}, into(view<f16>(&rounded, {})));
  EXPECT_EQ(float(rounded), 53.65625f);
}

}  // namespace
}  // namespace rung::test
