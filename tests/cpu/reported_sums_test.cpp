// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults reported against other libraries, about sums: running sums that stop growing, halves that
// overflow, small integers that wrap, dots of narrow integers, infinities, start values. Each test
// names its reports.
#include "cpu/reported.hpp"

namespace rung::test {
namespace {

constexpr double inf64 = infinity<double>;
constexpr float inf32 = infinity<float>;

// numpy#14909, pandas#47488, polars#27662
TEST(Reported, RunningSumInFloatKeepsGrowing) {
  const list<float> tenths(1000000, 0.1f);
  const auto s = scanned(view(tenths), plus{});
  double exact = 0;
  for (std::size_t i = 0; i < s.size(); i++) {
    exact += double(0.1f);
    ASSERT_LE(std::abs(double(s[i]) - exact), 1e-5 * exact) << i;
  }
  EXPECT_NEAR(s.back(), 100000, 0.1);
  EXPECT_PRED_FORMAT2(same, s.back(), whole(tenths, plus{}));

  const std::int64_t n = (std::int64_t(1) << 25) + 5;  // ones, without storing them
  const float one = 1;
  list<float> sums(static_cast<std::size_t>(n));
  inclusive_scan(cpu, view<const float>(&one, {}).broadcast(0, n), sums, plus{});
  EXPECT_EQ(sums.back(), 33554436.0f);
  EXPECT_EQ(sums[16777215], 16777216.0f);
  for (std::size_t i = 1; i < sums.size(); i++) {
    ASSERT_GE(sums[i], sums[i - 1]) << i;
    ASSERT_LE(std::abs(double(sums[i]) - double(i + 1)), 1e-6 * double(i + 1)) << i;
  }
}

// pytorch#44350, pytorch#2391, numpy#7930, burn#4770, candle#3718
TEST(Reported, HalfSumsAndMeansNeitherOverflowNorStick) {
  const list<f16> forties(3, f16(40000.0f));
  EXPECT_EQ(float(whole(forties, mean{})), 40000);
  EXPECT_EQ(float(whole(forties, plus{})), inf32);
  EXPECT_EQ(whole(forties, accumulate_in<float>(plus{})), 120000);
  EXPECT_EQ(float(whole(list<f16>(4096, f16(1.0f)), plus{})), 4096);
  EXPECT_EQ(float(whole(list<f16>(65519, f16(1.0f)), plus{})), 65504);
  EXPECT_EQ(float(whole(list<f16>(65520, f16(1.0f)), plus{})), inf32);
  list<f16> cancels(8, f16(32000.0f));
  for (std::size_t i = 4; i < 8; i++) cancels[i] = f16(-32000.0f);
  EXPECT_EQ(float(whole(cancels, plus{})), 0);
  EXPECT_EQ(float(along(view(cancels.data(), {2, 4}), plus{}, {1})[0]), inf32);
}

// pytorch#3304, pytorch#5863, pytorch#3738, pandas#66605, jax#37920, NumCpp#155, cupynumeric#1076
TEST(Reported, SmallIntegersAndBoolsAreHeldIn64Bits) {
  const list<std::uint8_t> ones(300, 1);
  EXPECT_EQ(whole(ones, plus{}), 300u);
  EXPECT_EQ(scanned(view(ones), plus{}).back(), 300u);
  const list<std::int8_t> hundreds(3, 100);
  EXPECT_EQ(scanned(view(hundreds), plus{}), (list<std::int64_t>{100, 200, 300}));
  EXPECT_EQ(whole(hundreds, multiplies{}), 1000000);
  const list<std::int32_t> large(3, 10000);
  EXPECT_EQ(scanned(view(large), multiplies{}),
            (list<std::int64_t>{10000, 100000000, 1000000000000}));
  const bool b[] = {false, false, true, true};
  EXPECT_EQ(whole(b, plus{}), 2);
  EXPECT_EQ(whole(b, multiplies{}), 0);
  EXPECT_EQ(scanned(view<const bool>(b), plus{}), (list<std::int64_t>{0, 0, 1, 2}));
  EXPECT_EQ(whole(b, mean{}), 0.5);
  block<bool> sparse(86945);
  for (std::int64_t i = 0; i < sparse.size(); i += 157) sparse[i] = true;
  EXPECT_EQ(whole(sparse.all(), plus{}), 554);
  EXPECT_EQ(whole(sparse.all(), count_nonzero{}), 554);
}

// numpy#12344, numpy#26344, polars#28829, raven#76, numpy#9467
TEST(Reported, DotsAreTakenInTheAccumulator) {
  const auto product = [](auto a, auto b) {
    using A = decltype(accumulator_t<decltype(a)>() + accumulator_t<decltype(b)>());
    return A(A(a) * A(b));
  };
  const list<std::uint8_t> u{250, 7, 180};
  const bool b[] = {true, false, true};
  EXPECT_EQ(whole(transform(product, u, b), plus{}), 430u);
  const list<std::int32_t> i{150000, 160000};
  EXPECT_EQ(whole(transform(product, i, i), plus{}), 48100000000);
  const list<std::int8_t> h{100, 100}, two{2, 2};
  EXPECT_EQ(whole(transform(product, h, two), plus{}), 400);
  using z = complex<double>;
  const list<z> x{{1, 1}, {2, -3}}, y{{4, -2}, {0, 1}};
  const auto plain = [](z p, z q) { return mul(p, q); };
  const auto conjugated = [](z p, z q) { return mul(z(p.re, -p.im), q); };
  EXPECT_EQ(whole(transform(plain, x, y), plus{}), z(9, 4));
  EXPECT_EQ(whole(transform(conjugated, x, y), plus{}), z(-1, -4));
  EXPECT_EQ(whole(transform(conjugated, x, x), plus{}), z(15, 0));
}

// pandas#43292, pandas#54161, pandas#53606, pandas#50367
TEST(Reported, InfinityPlusSomethingIsInfinity) {
  EXPECT_EQ(whole(list<double>{inf64, 2.5}, plus{}), inf64);
  EXPECT_EQ(whole(list<double>{-inf64, -inf64}, plus{}), -inf64);
  EXPECT_TRUE(is_nan(whole(list<double>{inf64, -inf64}, plus{})));
  const list<double> x{1, inf64, 2, 3};
  EXPECT_EQ(scanned(view(x), plus{}), (list<double>{1, inf64, inf64, inf64}));
  EXPECT_EQ(whole(list<double>{inf64, 1}, mean{}), inf64);
  EXPECT_EQ(whole(list<double>{inf64, 1}, moments{}).mean, inf64);
}

// cccl#836, amrex#5732, hpx#1390, cupynumeric#208
TEST(Reported, AStartIsUsedOnceAndHasTheStatesType) {
  list<double> d(3);
  exclusive_scan(cpu, list<double>{0.5, 1.25, 2.5}, d, plus{}, 0);
  EXPECT_EQ(d, (list<double>{0, 0.5, 1.75}));
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  list<std::int64_t> i(3);
  exclusive_scan(cpu, list<std::int64_t>{most - 1, 1, 0}, i, plus{}, 0);
  EXPECT_EQ(i, (list<std::int64_t>{0, most - 1, most}));
  const list<int> x{5, 1, 2, 7, 3, 3};
  list<std::int64_t> out(6);
  inclusive_scan(cpu, x, out, plus{}, 50);
  EXPECT_EQ(out, (list<std::int64_t>{55, 56, 58, 65, 68, 71}));
  exclusive_scan(cpu, x, out, plus{}, 50);
  EXPECT_EQ(out, (list<std::int64_t>{50, 55, 56, 58, 65, 68}));
  EXPECT_EQ(reduce(cpu, list<int>{1, 1}, plus{}, 10), 12);
  // In many pieces on many threads, and once per line.
  const list<float> ones(700000, 1);
  list<float> sums(ones.size());
  for (const int threads : {1, 2, 3, 8}) {
    const auto where = cpu.with_threads(threads);
    EXPECT_EQ(reduce(where, ones, plus{}, 50), 700050);
    inclusive_scan(where, ones, sums, plus{}, 50);
    for (std::size_t k = 0; k < sums.size(); k++) ASSERT_EQ(sums[k], float(k + 51));
    list<float> rows(7);
    reduce(where, view(ones.data(), {7, 100000}), plus{}, axes{1}, 50, into(rows));
    EXPECT_EQ(rows, list<float>(7, 100050));
  }
}

}  // namespace
}  // namespace rung::test
