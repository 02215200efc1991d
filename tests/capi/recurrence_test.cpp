// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear recurrences through the C interface: exact in integers, the fold of the maps in floats.
#include <string>

#include "arrays.hpp"

namespace {

using capi::array;
using capi::defaults;
using maps = std::vector<rung::affine_map<float>>;

TEST(Recurrence, IntegersAreExact) {
  array<std::int8_t> a({2, 3, 1, 2}), b({1, 0, 5, -4});
  array<std::int64_t> x({0, 0, 0, 0});
  const rung_array ca = a.c(), cb = b.c(), cx = x.c();
  rung_options o = defaults();
  const std::int64_t one = 1;
  o.init = &one, o.init_type = RUNG_I64;
  ASSERT_EQ(rung_linear_recurrence(&ca, &cb, &o, &cx), RUNG_OK) << rung_last_error();
  EXPECT_EQ(x.values, (std::vector<std::int64_t>{3, 9, 14, 24}));
  o.reverse = 1, o.init = nullptr;
  ASSERT_EQ(rung_linear_recurrence(&ca, &cb, &o, &cx), RUNG_OK) << rung_last_error();
  EXPECT_EQ(x.values, (std::vector<std::int64_t>{7, 3, 1, -4}));
  rung_type type;
  EXPECT_EQ(rung_recurrence_type(RUNG_F16, RUNG_I8, &o, &type), RUNG_OK);
  EXPECT_EQ(type, RUNG_F16);
}

TEST(Recurrence, ALongOneIsTheScanOfItsMaps) {
  const std::size_t n = 100'003;
  std::vector<float> a(n), b(n);
  maps m(n);
  for (std::size_t i = 0; i < n; i++) {
    a[i] = 1 - float(i % 7) / 64, b[i] = float(i % 11) / 3;
    m[i] = {a[i], b[i]};
  }
  array<float> ca({}, a), cb({std::int64_t(n)}, b);
  ca.shape = {std::int64_t(n)};
  const rung_array x = ca.c(), y = cb.c();
  const rung_options o = defaults();
  ASSERT_EQ(rung_linear_recurrence(&x, &y, &o, &y), RUNG_OK) << rung_last_error();  // in place
  for (std::size_t i :
       {std::size_t(0), std::size_t(1), std::size_t(4095), std::size_t(65'536), n - 1})
    EXPECT_EQ(cb.values[i], rung::fold(rung::affine{}, std::span(std::as_const(m)).first(i + 1))->b)
        << i;
}

TEST(Recurrence, WhatHasNoMeaningIsRefused) {
  array<float> a({1, 2}), b({1, 2}), longer({1, 2, 3});
  array<double> wrong({7, 7});
  const rung_array ca = a.c(), cb = b.c(), cl = longer.c(), cw = wrong.c();
  rung_options o = defaults();
  EXPECT_EQ(rung_linear_recurrence(&ca, &cl, &o, &cb), RUNG_BAD_ARGUMENT);
  EXPECT_EQ(rung_linear_recurrence(&ca, &cb, &o, &cw), RUNG_BAD_ARGUMENT);
  EXPECT_NE(std::string(rung_last_error()).find("the output f64"), std::string::npos);
  o.accumulate = RUNG_I64;
  EXPECT_EQ(rung_linear_recurrence(&ca, &cb, &o, &cw), RUNG_BAD_TYPE);
  o = defaults(), o.exclusive = 1;
  EXPECT_EQ(rung_linear_recurrence(&ca, &cb, &o, &cb), RUNG_BAD_ARGUMENT);
  EXPECT_EQ(rung_linear_recurrence(&ca, nullptr, nullptr, &cb), RUNG_BAD_ARGUMENT);
  EXPECT_EQ(wrong.values, (std::vector<double>{7, 7}));
}

}  // namespace
