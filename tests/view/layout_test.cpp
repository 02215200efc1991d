// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes, the memory an array reaches, sets of axes, and what is refused.
#include "rung/base/layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rung::test {
namespace {

using lengths = std::vector<std::int64_t>;

TEST(Layout, COrderStridesInBytes) {
  const layout l(lengths{2, 3, 4}, 8);
  EXPECT_EQ(l.strides[0], 96);
  EXPECT_EQ(l.strides[1], 32);
  EXPECT_EQ(l.strides[2], 8);
  EXPECT_EQ(l.size(), 24);
  EXPECT_EQ(layout(lengths{}, 8).size(), 1);
  EXPECT_EQ(layout(lengths{3, 0}, 8).size(), 0);
}

TEST(Layout, ReachSpansEveryElement) {
  using pair = std::array<std::int64_t, 2>;
  EXPECT_EQ(layout(lengths{2, 3}, 4).reach(4), (pair{0, 24}));
  EXPECT_EQ(layout(lengths{2, 3}, lengths{-12, 4}).reach(4), (pair{-12, 12}));
  EXPECT_EQ(layout(lengths{5, 2}, lengths{0, -100}).reach(2), (pair{-100, 2}));
  EXPECT_EQ(layout(lengths{1}, lengths{999}).reach(2), (pair{0, 2}));
  EXPECT_EQ(layout(lengths{}, 4).reach(4), (pair{0, 4}));
  EXPECT_EQ(layout(lengths{7, 0}, 4).reach(4), (pair{0, 0}));
}

std::vector<bool> marks(const axes& a, const lengths& shape) {
  const auto m = a.marked(shape);
  return std::vector<bool>(m.begin(), m.begin() + std::ptrdiff_t(shape.size()));
}

TEST(Axes, AllNoneOrNamedFromEitherEnd) {
  const lengths shape{2, 3, 4};
  EXPECT_EQ(marks({}, shape), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(marks(axes::none(), shape), (std::vector<bool>{false, false, false}));
  EXPECT_EQ(marks({0, -1}, shape), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(marks(axes(std::span<const std::int64_t>()), shape),
            (std::vector<bool>{false, false, false}));
  EXPECT_EQ(marks({}, {}), std::vector<bool>{});
  EXPECT_EQ(normalise_axis(-3, shape), 0);
  EXPECT_EQ(normalise_axis(2, shape), 2);
}

std::string text_of(const axes& a, const lengths& shape) {
  try {
    a.marked(shape);
  } catch (const error& e) {
    EXPECT_EQ(e.code(), error_code::bad_argument);
    return e.what();
  }
  return "no error";
}

TEST(Axes, Errors) {
  EXPECT_EQ(text_of({2}, {2, 3}), "rung: axis 2 is not an axis of an array of shape (2, 3)");
  EXPECT_EQ(text_of({-3}, {2, 3}), "rung: axis -3 is not an axis of an array of shape (2, 3)");
  EXPECT_EQ(text_of({0}, {}), "rung: axis 0 is not an axis of an array of shape ()");
  EXPECT_EQ(text_of({1, -1}, {2, 3}), "rung: axis -1 is given twice");
  EXPECT_EQ(text_of({1}, {4}), "rung: axis 1 is not an axis of an array of shape (4,)");
  EXPECT_THROW(axes(lengths(17, 0)), error);
}

}  // namespace
}  // namespace rung::test
