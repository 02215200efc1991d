// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What is refused, with which code and words, and that nothing was written then: shapes, axes,
// memory shared in part, extremes of nothing. And what only looks like an error and is none.
#include <gtest/gtest.h>

#include <numeric>

#include "order/same.hpp"
#include "rung/cpu/reduce.hpp"
#include "rung/cpu/scan.hpp"

namespace rung::test {
namespace {

constexpr float filler = -12345;

/// The call must throw that code with that text and leave `out` alone.
template <class Call>
void expect_error(const Call& call, error_code code, const std::string& text,
                  const std::vector<float>& out, const std::vector<float>& before) {
  try {
    call();
    ADD_FAILURE() << "no error; expected: " << text;
  } catch (const error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
    EXPECT_EQ(std::string(e.what()).find("rung: "), 0u) << e.what();
  }
  EXPECT_EQ(out, before);
}

struct Errors : testing::Test {
  std::vector<float> in = std::vector<float>(12, 1), out = std::vector<float>(12, filler);
  const std::vector<float> before = out;
  view<const float> matrix{in.data(), {3, 4}};
  view<float> target{out.data(), {3, 4}};

  template <class Call>
  void refused(const Call& call, error_code code, const std::string& text) {
    expect_error(call, code, text, out, before);
  }
};

TEST_F(Errors, WrongOutputShape) {
  const auto bad = error_code::bad_argument;
  refused([&] { reduce(cpu, matrix, plus{}, axes{0}, into(view<float>(out.data(), {3}))); }, bad,
          "the result has shape (4,), the output (3,)");
  refused(
      [&] {
        reduce(cpu, matrix, plus{}, axes{0}, into(view<float>(out.data(), {4, 1})));
      },
      bad, "the result has shape (1, 4), the output (4, 1)");
  refused([&] { reduce(cpu, matrix, plus{}, into(out)); }, bad, "the result has shape ()");
  refused([&] { reduce(cpu, matrix, plus{}, axes::none(), into(out)); }, bad,
          "the result has shape (3, 4), the output (12,)");
  refused(
      [&] {
        inclusive_scan(cpu, matrix, target.transposed({1, 0}), plus{}, axis{0});
      },
      bad, "the scan has shape (3, 4), the output (4, 3)");
  refused([&] { inclusive_scan(cpu, matrix, target, plus{}); }, bad, "or name an axis");
  refused([&] { exclusive_scan(cpu, in, view<float>(out.data(), {11}), plus{}); }, bad,
          "12 values");
}

TEST_F(Errors, WrongAxes) {
  const auto bad = error_code::bad_argument;
  const into four(view<float>(out.data(), {4}));
  refused([&] { reduce(cpu, matrix, plus{}, axes{2}, four); }, bad,
          "axis 2 is not an axis of an array of shape (3, 4)");
  refused([&] { reduce(cpu, matrix, plus{}, axes{0, -2}, four); }, bad, "axis -2 is given twice");
  refused([&] { inclusive_scan(cpu, matrix, target, plus{}, axis{-3}); }, bad, "axis -3 is not");
  refused(
      [&] {
        inclusive_scan(cpu, view<float>(in.data(), {}), view<float>(out.data(), {}), plus{},
                       axis{0});
      },
      bad, "axis 0 is not an axis of an array of shape ()");
}

TEST_F(Errors, ArraysOfDifferentShapes) {
  const auto sum = transform([](float a, float b) { return a + b; }, matrix, in);
  refused([&] { reduce(cpu, sum, plus{}, into(view<float>(out.data(), {}))); },
          error_code::bad_argument, "arrays of shape (3, 4) and (12,) cannot be folded together");
}

TEST_F(Errors, ExtremesOfNothing) {
  const view<const float> none(in.data(), {0, 3});
  const into three(view<float>(out.data(), {3}));
  const auto empty = error_code::empty;
  refused([&] { reduce(cpu, none, minimum{}, axes{0}, three); }, empty, "axis 0 of shape (0, 3)");
  refused([&] { reduce(cpu, none, maximum_number{}, axes{-2}, three); }, empty, "axis 0");
  refused([&] { (void)reduce(cpu, none, arg_min{}); }, empty, "axis 0 of shape (0, 3)");
  refused([&] { (void)reduce(cpu, none, min_max{}); }, empty, "has length 0");
  refused([&] { (void)reduce(cpu, none, skip_nan{maximum{}}); }, empty, "has length 0");
  refused([&] { (void)reduce(cpu, none, accumulate_in<double>(maximum{})); }, empty, "length 0");
  refused([&] { (void)reduce(cpu, none, fuse(plus{}, arg_max{})); }, empty, "length 0");
  const auto bare = make_operator([](float l, float) { return l; });
  refused([&] { (void)reduce(cpu, none, bare); }, empty, "length 0");
  EXPECT_EQ(reduce(cpu, none, bare, 3.0f), 3);  // a start is a value
  EXPECT_EQ(reduce(cpu, none, minimum{}, 5.0f), 5);
  reduce(cpu, none, minimum{}, axes{1},
         into(view<float>(out.data(), {0})));  // no results, no error
  EXPECT_EQ(out, before);
}

TEST(Overlap, InPartIsAnErrorBeforeAnythingIsWritten) {
  std::vector<float> x(100);
  std::iota(x.begin(), x.end(), 1.0f);
  const std::vector<float> before = x;
  const auto refused = [&](const auto& call) {
    expect_error(call, error_code::overlap, "shares memory", x, before);
  };
  const std::span<float> s(x);
  const view<float> m(x.data(), {10, 10});
  refused([&] { inclusive_scan(cpu, s.first(90), s.last(90), plus{}); });
  refused([&] { exclusive_scan(cpu, s.last(90), s.first(90), plus{}); });
  refused([&] { inclusive_scan(cpu, s.first(50), s.subspan(49, 50), plus{}); });
  refused([&] { inclusive_scan(cpu, view(x), view(x).reversed(0), plus{}); });
  refused([&] { inclusive_scan(cpu, m, m.transposed({1, 0}), plus{}, axis{0}); });
  refused([&] { inclusive_scan(cpu, m.sliced(0, 0, 9), m.sliced(0, 1, 9), plus{}, axis{0}); });
  refused([&] { inclusive_scan(cpu, m.sliced(1, 0, 9), m.sliced(1, 1, 9), plus{}, axis{0}); });
  refused([&] { inclusive_scan(cpu, view(x).sliced(0, 0, 50, 2), s.first(50), plus{}); });
  refused([&] { reduce(cpu, m, plus{}, axes{0}, into(s.first(10))); });
  refused([&] { reduce(cpu, m, plus{}, axes::none(), into(m)); });
  refused([&] { reduce(cpu, s, plus{}, into(view<float>(x.data() + 99, {}))); });
  // One of two inputs is the output itself, the other lies across it.
  const auto sum = transform([](float a, float b) { return a + b; }, s.first(99), s.last(99));
  refused([&] { inclusive_scan(cpu, sum, s.first(99), plus{}); });
  // The same first byte, but other types.
  const view<std::int32_t> as_integers(reinterpret_cast<std::int32_t*>(x.data()), {50}, {2});
  refused([&] { inclusive_scan(cpu, view(x).sliced(0, 0, 50), as_integers, count_nonzero{}); });
}

TEST(Overlap, AnOutputThatRepeatsElementsIsAnError) {
  std::vector<float> x(12, 1), out(4, filler);
  const std::vector<float> before = out;
  const view<const float> m(x.data(), {3, 4});
  expect_error(
      [&] {
        inclusive_scan(cpu, m, view<float>(out.data(), {3, 4}, {0, 1}), plus{}, axis{1});
      },
      error_code::overlap, "axis 0 of the output has stride 0", out, before);
  expect_error([&] { reduce(cpu, m, plus{}, axes{1}, into(view<float>(out.data(), {3}, {0}))); },
               error_code::overlap, "axis 0 of the output has stride 0", out, before);
}

TEST(Overlap, NeighboursAndColumnsTakingTurnsAreFine) {
  std::vector<float> x(60);
  std::iota(x.begin(), x.end(), 0.0f);
  const std::vector<float> before = x;
  const std::span<float> s(x);
  inclusive_scan(cpu, s.first(30), s.last(30), plus{});
  EXPECT_EQ(x[59], 435);
  x = before;
  const view<float> m(x.data(), {6, 10});
  inclusive_scan(cpu, m.sliced(1, 0, 1), m.sliced(1, 9, 1), plus{}, axis{0});
  for (int i = 0; i < 6; i++) EXPECT_EQ(m(i, 9), 10.0f * float(i * (i + 1)) / 2);
  x = before;
  inclusive_scan(cpu, m.sliced(1, 5, 5), m.sliced(1, 0, 5), plus{}, axis{0});  // halves of the rows
  for (int j = 0; j < 5; j++) EXPECT_EQ(m(5, j), 150 + 6 * (5 + float(j)));
  x = before;
  inclusive_scan(cpu, m.sliced(0, 0, 3, 2), m.sliced(0, 1, 3, 2).reversed(0), plus{}, axis{1});
  EXPECT_EQ(m(1, 9), 445);  // the sum of row 4
  x = before;
  reduce(cpu, m.sliced(1, 0, 9), plus{}, axes{1}, into(view<float>(x.data() + 9, {6}, {10})));
  for (int i = 0; i < 6; i++) EXPECT_EQ(m(i, 9), 90 * float(i) + 36);
  for (int i = 0; i < 6; i++) EXPECT_EQ(m(i, 8), before[std::size_t(10 * i + 8)]);
}

TEST(Overlap, ExactlyInPlaceIsFine) {
  std::vector<float> x(24, 1);
  inclusive_scan(cpu, x, x, plus{});
  EXPECT_EQ(x[23], 24);
  std::fill(x.begin(), x.end(), 1);
  const view<float> m(x.data(), {2, 12});
  inclusive_scan(cpu, m, view<float>(x.data(), {24}), plus{});  // all values in C order
  EXPECT_EQ(x[23], 24);
  const auto twice =
      transform([](float a, float b) { return a + b; }, m.reversed(0), m.reversed(0));
  inclusive_scan(cpu, twice, m.reversed(0), plus{}, axis{0});
  EXPECT_EQ(m(1, 0), 26);
  EXPECT_EQ(m(0, 0), 28);
  std::vector<std::int32_t> counts{4, 2, 7, 1, 8, 2, 8, 1};
  exclusive_scan(cpu, counts, counts, plus{}, 0);
  EXPECT_EQ(counts, (std::vector<std::int32_t>{0, 4, 6, 13, 14, 22, 24, 32}));
  std::vector<float> none;
  inclusive_scan(cpu, none, none, plus{});
}

}  // namespace
}  // namespace rung::test
