// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// view<T>: conversions from everything that lies in memory in one piece, indexing, and the views
// that can be made of a view (transposed, reversed, sliced, broadcast), each against plain index
// arithmetic.
#include "rung/view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace rung::test {
namespace {

std::vector<int> counting(int n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 0);
  return v;
}
std::vector<std::int64_t> listed(extents e) { return {e.begin(), e.end()}; }
using lengths = std::vector<std::int64_t>;

/// The least that an mdspan has.
template <class T>
class matrix_view {
 public:
  matrix_view(T* p, int rows, int columns, int row_step, int column_step)
      : p_(p), extent_{rows, columns}, stride_{row_step, column_step} {}
  static constexpr int rank() { return 2; }
  int extent(int d) const { return extent_[d]; }
  int stride(int d) const { return stride_[d]; }
  T* data_handle() const { return p_; }

 private:
  T* p_;
  int extent_[2], stride_[2];
};

template <class R>
concept converts_to_mutable = std::is_convertible_v<R, view<int>>;

TEST(View, FromContiguousRanges) {
  std::vector<int> v = counting(5);
  std::array<int, 3> a{7, 8, 9};
  int c[2] = {1, 2};
  const std::vector<int> constant = counting(4);
  const view<int> from_vector = v, from_array = a, from_c = c,
                  from_span = std::span<int>(v).last(2);
  EXPECT_EQ(listed(from_vector.shape()), lengths{5});
  EXPECT_EQ(from_vector.data(), v.data());
  EXPECT_EQ(from_array(2), 9);
  EXPECT_EQ(from_c(1), 2);
  EXPECT_EQ(from_span(0), 3);
  const view<const int> read_only = constant, of_mutable = v, of_view = from_vector;
  EXPECT_EQ(read_only(3), 3);
  EXPECT_EQ(of_mutable.data(), v.data());
  EXPECT_EQ(of_view.data(), v.data());
  static_assert(!converts_to_mutable<const std::vector<int>&>);
  static_assert(!converts_to_mutable<view<const int>>);
  static_assert(!std::is_convertible_v<std::vector<short>&, view<const int>>);
}

TEST(View, DeducesItsType) {
  std::vector<int> v = counting(5);
  const std::vector<int> constant = counting(5);
  std::array<float, 2> a{};
  static_assert(std::is_same_v<decltype(view(v)), view<int>>);
  static_assert(std::is_same_v<decltype(view(constant)), view<const int>>);
  static_assert(std::is_same_v<decltype(view(a)), view<float>>);
  static_assert(std::is_same_v<decltype(view(std::span<const int>(v))), view<const int>>);
  static_assert(std::is_same_v<decltype(view(matrix_view<int>(v.data(), 1, 1, 1, 1))), view<int>>);
  static_assert(std::is_same_v<view<const int>::value_type, int>);
  EXPECT_EQ(view(v).size(), 5);
}

TEST(View, FromAnythingLikeAnMdspan) {
  std::vector<int> v = counting(12);
  const view m = matrix_view<int>(v.data(), 3, 2, 4, 2);
  EXPECT_EQ(listed(m.shape()), (lengths{3, 2}));
  EXPECT_EQ(m.bytes().strides[0], 16);
  EXPECT_EQ(m(2, 1), 10);
  const view<const int> c = matrix_view<const int>(v.data() + 11, 3, 4, -4, -1);
  EXPECT_EQ(c(0, 0), 11);
  EXPECT_EQ(c(2, 3), 0);
}

TEST(View, CountsInCOrderOrInStridesOfElementsOrBytes) {
  std::vector<int> v = counting(24);
  const view<int> c(v.data(), {2, 3, 4});
  EXPECT_EQ(c.size(), 24);
  EXPECT_EQ(c.rank(), 3);
  EXPECT_EQ(c(1, 2, 3), 23);
  const view<int> fortran(v.data(), {2, 3, 4}, {1, 2, 6});
  EXPECT_EQ(fortran(1, 2, 3), 23);
  EXPECT_EQ(fortran(1, 0, 0), 1);
  const std::int64_t shape[] = {3}, steps[] = {6};
  const view<int> every_sixth_byte(v.data(), layout(shape, steps));
  EXPECT_EQ(every_sixth_byte.bytes().strides[0], 6);
  const view<int> scalar(v.data() + 5, {});
  EXPECT_EQ(scalar.rank(), 0);
  EXPECT_EQ(scalar.size(), 1);
  EXPECT_EQ(scalar(), 5);
  c(0, 1, 0) = -1;
  EXPECT_EQ(v[4], -1);
}

TEST(View, TransposedReversedSliced) {
  std::vector<int> v = counting(24);
  const view<int> c(v.data(), {2, 3, 4});
  const auto t = c.transposed({2, 0, -2});
  EXPECT_EQ(listed(t.shape()), (lengths{4, 2, 3}));
  EXPECT_EQ(t(3, 1, 2), c(1, 2, 3));
  EXPECT_EQ(t(1, 0, 2), c(0, 2, 1));
  const auto r = c.reversed(1).reversed(-1);
  EXPECT_EQ(r(0, 0, 0), c(0, 2, 3));
  EXPECT_EQ(r(1, 2, 1), c(1, 0, 2));
  EXPECT_EQ(c.reversed(0).reversed(0).data(), c.data());
  const auto s = c.sliced(2, 3, 2, -2).sliced(0, 1, 1);
  EXPECT_EQ(listed(s.shape()), (lengths{1, 3, 2}));
  EXPECT_EQ(s(0, 1, 0), c(1, 1, 3));
  EXPECT_EQ(s(0, 1, 1), c(1, 1, 1));
  EXPECT_EQ(c.sliced(1, 3, 0).size(), 0);
  EXPECT_EQ(c.sliced(1, 99, 0).data(), c.data());  // nothing is ever read there
}

TEST(View, BroadcastRepeatsWithoutCopying) {
  std::vector<int> v = counting(3);
  for (int axis = 0; axis <= 1; axis++) {
    const auto b = view(v).broadcast(axis, 1000000000000);
    EXPECT_EQ(b.size(), 3000000000000);
    EXPECT_EQ(b.bytes().strides[std::size_t(axis)], 0);
    EXPECT_EQ(axis == 0 ? b(999999999999, 2) : b(2, 999999999999), 2);
  }
  EXPECT_EQ(view<int>(v.data(), {}).broadcast(0, 4)(3), 0);
}

TEST(View, ZeroLengthAxes) {
  const view<int> e(nullptr, {2, 0, 3});
  EXPECT_EQ(e.size(), 0);
  EXPECT_EQ(listed(e.reversed(1).shape()), (lengths{2, 0, 3}));
  EXPECT_EQ(e.reversed(1).data(), nullptr);
  EXPECT_EQ(e.transposed({1, 0, 2}).size(), 0);
  const std::vector<int> none;
  EXPECT_EQ(view(none).size(), 0);
}

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), error_code::bad_argument);
    return e.what();
  }
  return "no error";
}
#define EXPECT_SAYS(text, ...)                                                    \
  EXPECT_NE(error_of([&] { (void)(__VA_ARGS__); }).find(text), std::string::npos) \
      << error_of([&] { (void)(__VA_ARGS__); })

TEST(View, Errors) {
  std::vector<int> v = counting(24);
  const view<int> c(v.data(), {2, 3, 4});
  EXPECT_SAYS("axis 3 is not an axis of an array of shape (2, 3, 4)", c.reversed(3));
  EXPECT_SAYS("axis -4 is not an axis", c.sliced(-4, 0, 1));
  EXPECT_SAYS("slice leaves axis 1 of length 3", c.sliced(1, 0, 4));
  EXPECT_SAYS("slice leaves axis 1", c.sliced(1, 3, 1));
  EXPECT_SAYS("slice leaves axis 1", c.sliced(1, -1, 2));
  EXPECT_SAYS("slice leaves axis 1", c.sliced(1, 1, 3, -1));
  EXPECT_SAYS("slice leaves axis 1", c.sliced(1, 0, -1));
  EXPECT_SAYS("slice leaves axis 1", c.sliced(1, 1, 3, std::int64_t(1) << 62));
  EXPECT_SAYS("one entry per axis", c.transposed({0, 1}));
  EXPECT_SAYS("twice", c.transposed({0, 1, 1}));
  EXPECT_SAYS("twice", c.transposed({0, 1, -2}));
  EXPECT_SAYS("broadcast", c.broadcast(4, 1));
  EXPECT_SAYS("broadcast", c.broadcast(0, -1));
  EXPECT_SAYS("negative length in shape (2, -3)", view<int>(v.data(), {2, -3}));
  EXPECT_SAYS("more than 2^63 bytes", view<int>(v.data(), {std::int64_t(1) << 40, 1 << 30}));
  EXPECT_SAYS("more than 2^63 elements", view(v).broadcast(0, std::int64_t(1) << 60));
  EXPECT_SAYS("2 strides for 1 axes", view<int>(v.data(), {2}, {1, 1}));
  const lengths many(17, 1), sixteen(16, 1);
  EXPECT_SAYS("17 axes, at most 16", view<int>(v.data(), extents(many)));
  EXPECT_SAYS("at most 16", view<int>(v.data(), extents(sixteen)).broadcast(0, 2));
}

}  // namespace
}  // namespace rung::test
