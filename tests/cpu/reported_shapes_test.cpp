// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults reported against other libraries, about shapes and memory: empty axes, strided outputs,
// reversed views, many axes, many rows, odd sizes, huge sizes, order of operands, in place.
// Each test names its reports.
#include "cpu/reported.hpp"

namespace rung::test {
namespace {

constexpr double nan64 = quiet_nan<double>, inf64 = infinity<double>;

// pytorch#38922, xtensor#1199
TEST(Reported, AxesOfLengthOneHaveIndexZero) {
  const block<float> zeros(40 * 900);
  for (const auto& r : along(view(zeros.data(), {40, 900, 1}), arg_max{}, {2}))
    ASSERT_EQ(r.index, 0);
  const list<int> x{1, 2};
  for (const auto& r : along(view(x.data(), {1, 2}), arg_max{}, {0})) EXPECT_EQ(r.index, 0);
}

// numpy#22063, mlx#4079, cumo#508, cupy#1455, pytorch#61901
TEST(Reported, ZeroLengthAxes) {
  const view<const double> x(nullptr, {0, 3});
  EXPECT_EQ(along(x, plus{}, {0}), list<double>(3, 0));
  EXPECT_EQ(along(x, multiplies{}, {0}), list<double>(3, 1));
  EXPECT_EQ(along(x, count_nonzero{}, {0}), list<std::int64_t>(3, 0));
  EXPECT_EQ(along(x, log_sum_exp{}, {0}), list<double>(3, -inf64));
  EXPECT_EQ(along(x, norm{}, {0}), list<double>(3, 0));
  for (const double m : along(x, mean{}, {0})) EXPECT_PRED_FORMAT2(same, m, nan64);
  for (const auto& m : along(x, moments{}, {0})) EXPECT_PRED_FORMAT2(same, m.variance(), nan64);
  bool out[3] = {true, true, true};
  reduce(cpu, x, any{}, axes{0}, into(out));
  EXPECT_FALSE(out[0] || out[1] || out[2]);
  reduce(cpu, x, all{}, axes{0}, into(out));
  EXPECT_TRUE(out[0] && out[1] && out[2]);
  EXPECT_EQ(along(x, minimum{}, {1}).size(), 0u);
  EXPECT_EQ(along(x, arg_min{}, {1}).size(), 0u);
  EXPECT_THROW(along(x, minimum{}, {0}), error);
  EXPECT_EQ(reduce(cpu, x, plus{}), 0);
  EXPECT_EQ(scanned(x, plus{}, 0).size(), 0u);
  EXPECT_EQ(scanned(x, plus{}, 1).size(), 0u);
  EXPECT_EQ(scanned(view<const double>(nullptr, {3, 0}), plus{}, 1).size(), 0u);
  EXPECT_THROW(along(view<const double>(nullptr, {3, 0}), arg_max{}, {1}), error);
}

// pytorch#4974, cupy#10158
TEST(Reported, AStridedOutputIsFilledInPlace) {
  const list<double> b = counting<double>(15);
  const view<const double> m(b.data(), {3, 5});
  list<double> a(15, 0);
  const view<double> column(a.data() + 1, {5}, {3});
  reduce(cpu, m, plus{}, axes{0}, into(column));
  EXPECT_EQ(a, (list<double>{0, 15, 0, 0, 18, 0, 0, 21, 0, 0, 24, 0, 0, 27, 0}));
  reduce(cpu, m, maximum{}, axes{0}, into(column.reversed(0)));
  EXPECT_EQ(a, (list<double>{0, 14, 0, 0, 13, 0, 0, 12, 0, 0, 11, 0, 0, 10, 0}));
  list<double> f(15, -1);
  inclusive_scan(cpu, m, view<double>(f.data(), {3, 5}, {1, 3}), plus{}, axis{1});  // Fortran order
  EXPECT_EQ(f[0 + 3 * 4], 10);
  EXPECT_EQ(f[2 + 3 * 4], 60);
  list<float> narrow(3);
  reduce(cpu, m, mean{}, axes{1}, into(narrow));  // rounded to the output's type
  EXPECT_EQ(narrow, (list<float>{2, 7, 12}));
  double scalar = -1;
  reduce(cpu, m, plus{}, into(view<double>(&scalar, {})));
  EXPECT_EQ(scalar, 105);
}

// numpy#15597, numexpr#63, breeze#336
TEST(Reported, AViewIsAnArray) {
  const list<double> x{0.4, 0.9, 0.1, 0.7, 0.3};
  EXPECT_EQ(scanned(view(x).reversed(0), minimum{}), (list<double>{0.3, 0.3, 0.1, 0.1, 0.1}));
  list<int> y, packed;
  for (int i = 0; i < 10000; i++) y.push_back(7919 * i % 10007);
  packed.assign(y.rbegin(), y.rend());
  const auto running = scanned(view(y).reversed(0), minimum{});
  EXPECT_EQ(running, scanned(view(packed), minimum{}));
  EXPECT_EQ(running.front(), 6697);
  EXPECT_EQ(running.back(), 0);
  const list<double> w = counting<double>(600000);
  const auto v = view(w.data(), {300, 1000, 2}).reversed(0).sliced(2, 0, 1);
  EXPECT_EQ(whole(v, plus{}), 89999700000.0);
  EXPECT_EQ(whole(v, arg_max{}).index, 999);
  const list<int> f{0, 0, 1, 0, 0, 2, 0, 0, 3};
  EXPECT_EQ(whole(view(f.data(), {3, 3}, {1, 3}).sliced(0, 2, 1), arg_max{}).index, 2);
}

// mlx#2315, CUDA.jl#1039, cutorch#92, MatX#723
TEST(Reported, AnyAxisOfAnyNumber) {
  const auto x = counting<std::int64_t>(120);
  const std::int64_t last[] = {178, 297, 446, 585};
  for (int d = 0; d < 4; d++)
    EXPECT_EQ(scanned(view(x.data(), {2, 3, 4, 5}), plus{}, d).back(), last[d]);
  const list<float> ones(720, 1);
  for (int d = 0; d < 5; d++)
    for (const float s : along(view(ones.data(), {2, 3, 4, 5, 6}), plus{}, {d}))
      ASSERT_EQ(s, d + 2);
  const list<float> many(1 << 16, 1);
  const lengths sixteen(16, 2);
  const view<const float> v(many.data(), extents(sixteen));
  EXPECT_EQ(along(v, plus{}, {0, 2, 4, 6, 8, 10, 12, 14}), list<float>(256, 256));
  const auto sums = scanned(v, plus{}, 7);  // the axis whose stride is 256
  for (std::size_t i = 0; i < sums.size(); i++) ASSERT_EQ(sums[i], i & 256 ? 2 : 1);
}

// pytorch#29137, pytorch#105798, candle-org/candle#313
TEST(Reported, NoAxesAllAxesAndKeptAxes) {
  const auto x = counting<std::int64_t>(6);
  const view<const std::int64_t> m(x.data(), {2, 3});
  EXPECT_EQ(along(m, plus{}, axes::none()), x);
  EXPECT_EQ(along(m, plus{}, {}), list<std::int64_t>{15});
  EXPECT_EQ(along(m, plus{}, {-1}), (list<std::int64_t>{3, 12}));
  EXPECT_EQ(along(m, plus{}, {0, 1}), list<std::int64_t>{15});
  list<std::int64_t> out(2);
  reduce(cpu, m, plus{}, axes(), into(view(out.data(), {1, 1})));
  EXPECT_EQ(out[0], 15);
  reduce(cpu, m, plus{}, axes{-1}, into(view(out.data(), {2, 1})));
  EXPECT_EQ(out, (list<std::int64_t>{3, 12}));
}

// cub#584, cub#129, thrust#1609, pytorch#74438, pytorch#32863
TEST(Reported, MoreThan2To31Elements) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "takes half a minute under sanitizers";
#endif
  // One MiB of values, repeated 2049 times by a stride of 0.
  constexpr std::int64_t width = 1 << 20, repeats = 2049, n = width * repeats;
  list<std::uint8_t> ones(width, 1);
  const auto x = view<const std::uint8_t>(ones).broadcast(0, repeats);
  EXPECT_GT(n, std::int64_t(1) << 31);
  EXPECT_EQ(reduce(cpu, x, plus{}), std::uint64_t(n));
  EXPECT_EQ(reduce(cpu, x, count_nonzero{}), n);
  // Zeros, and a single 1 at the very end: the index of the largest, from two arrays.
  list<std::uint8_t> zeros(width, 0), rows(repeats, 0);
  zeros.back() = rows.back() = 1;
  const auto both = transform([](std::uint8_t a, std::uint8_t b) { return std::uint8_t(a & b); },
                              view<const std::uint8_t>(zeros).broadcast(0, repeats),
                              view<const std::uint8_t>(rows).broadcast(1, width));
  const auto place = reduce(cpu, both, arg_max{});
  EXPECT_EQ(place.index, n - 1);
  EXPECT_EQ(place.value, 1);
}

// arrayfire#1702, tvm#20106, Paddle#43722, mlx#2267
TEST(Reported, VeryManyRows) {
  const list<float> ones(524281, 1);
  EXPECT_EQ(along(view(ones.data(), {1, 524281}), plus{}, {0}), ones);
  for (const std::int64_t rows : {65537, 100800}) {
    const auto x = counting<float>(rows);
    EXPECT_EQ(scanned(view(x.data(), {rows, 1}), multiplies{}, 1), x);
  }
  const auto planes = counting<std::int64_t>(2 * 400 * 400);
  const auto s = scanned(view(planes.data(), {2, 400, 400}), plus{}, 0);
  EXPECT_TRUE(std::equal(s.begin(), s.begin() + 160000, planes.begin()));
  EXPECT_EQ(s.back(), 159999 + 319999);
  const auto thin = counting<std::int64_t>(210000);
  EXPECT_EQ(along(view(thin.data(), {70000, 3}), plus{}, {1}).back(), 629994);
}

// CUDA.jl#1810
TEST(Reported, OneMoreThanAPowerOfTwo) {
  for (const auto& [n, columns] : {std::pair(1025, 2), {2047, 5}, {5121, 5}, {65537, 3}}) {
    const list<float> ones(std::size_t(n * columns), 1);
    const auto s = scanned(view(ones.data(), {n, columns}), plus{}, 0);
    for (int i = 0; i < n; i++)
      for (int c = 0; c < columns; c++) ASSERT_EQ(s[std::size_t(i * columns + c)], float(i + 1));
  }
}

// flashinfer#3879, cccl#858, cuda-oxide#1310, lightseq#166
TEST(Reported, EveryLengthUpTo4100) {
  const list<float> ones(4100, 1);
  const auto numbers = counting<std::int64_t>(4100);
  list<std::int64_t> sums(4100);
  for (std::size_t n = 1; n <= 4100; n++) {
    ASSERT_EQ(reduce(cpu, std::span(ones).first(n), plus{}), float(n));
    ASSERT_EQ(reduce(cpu, std::span(numbers).first(n), maximum{}), std::int64_t(n) - 1);
    if (n % 7 && n > 300) continue;
    inclusive_scan(cpu, std::span(numbers).first(n), std::span(sums).first(n), plus{});
    ASSERT_EQ(sums[n - 1], std::int64_t(n * (n - 1) / 2));
  }
  const list<f16> h(2880, f16(1.0f));
  EXPECT_EQ(float(whole(transform([](f16 x) { return f16(float(x) * float(x)); }, h), plus{})),
            2880);
}

// hpx#4787, hpx#1958, domainslib#118, cccl#2024
TEST(Reported, LeftStaysLeft) {
  using map = affine_map<std::int64_t>;
  const list<map> four{{2, 1}, {3, 0}, {1, 5}, {2, -4}};
  const auto s = scanned(view(four), affine{});
  const list<map> want{{2, 1}, {6, 3}, {6, 8}, {12, 12}};
  for (std::size_t i = 0; i < 4; i++) EXPECT_PRED_FORMAT2(same, map(s[i]), map(want[i]));
  const auto modular = make_operator([](map l, map r) {
    return map{r.a * l.a % 65521, (r.a * l.b + r.b) % 65521};
  });
  list<map> pairs;
  for (int i = 0; i < 10000; i++) pairs.push_back({i % 5 + 1, i % 7});
  const auto prefixes = scanned(view(pairs), modular);
  EXPECT_PRED_FORMAT2(same, map(prefixes[4999]), (map{52054, 15761}));
  EXPECT_PRED_FORMAT2(same, map(prefixes[9999]), (map{63482, 17228}));
  EXPECT_PRED_FORMAT2(same, whole(pairs, modular), (map{63482, 17228}));
}

// llvm-project#59810, oneDPL#514, AdaptiveCpp#1440, kokkos#6667
TEST(Reported, CountsToOffsetsInPlace) {
  for (const std::size_t n : {8u, 10u, 1000u, 100003u, 700001u})
    for (const int threads : {1, 2, 3, 8}) {
      list<std::int32_t> ones(n, 1);
      exclusive_scan(cpu.with_threads(threads), ones, ones, plus{}, 0);
      for (std::size_t i = 0; i < n; i++) ASSERT_EQ(ones[i], std::int32_t(i));
    }
  list<std::int32_t> m(3000, 1);
  const view<std::int32_t> matrix(m.data(), {1000, 3});
  exclusive_scan(cpu, matrix, matrix, plus{}, axis{0}, 0);
  for (int i = 0; i < 1000; i++) ASSERT_EQ(matrix(i, 2), i);
}

// drjit#122, pytorch#99803, onnxruntime#27450, arrow#51122
TEST(Reported, StridesOfAxesOfLengthOneMeanNothing) {
  const auto x = counting<double>(12);
  for (const std::int64_t odd : {0, 99, -7}) {
    const view<const double> v(x.data(), {1, 3, 1, 4, 1}, {odd, 4, odd, 1, odd});
    EXPECT_EQ(whole(v, plus{}), 66);
    EXPECT_EQ(along(v, plus{}, {1}), (list<double>{12, 15, 18, 21}));
    EXPECT_EQ(along(v, plus{}, {3}), (list<double>{6, 22, 38}));
  }
  const view<const float> none(nullptr, {1, 8, 0, 128}, {3, 5, 7, 9});
  EXPECT_EQ(along(none, plus{}, {2}), list<float>(1024, 0));
}

}  // namespace
}  // namespace rung::test
