// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Partials through the C interface: any split gives the bits of the whole, and hostile bytes give
// an error.
#include <cstring>
#include <memory>
#include <random>

#include "arrays.hpp"

namespace {

using capi::array;
using capi::defaults;

struct free_partial {
  void operator()(rung_partial* p) const { rung_partial_free(p); }
};
using owned = std::unique_ptr<rung_partial, free_partial>;

owned make(rung_op op, rung_type type, std::int64_t begin, const rung_options& o) {
  rung_partial* p = nullptr;
  EXPECT_EQ(rung_partial_create(op, type, &o, begin, &p), RUNG_OK) << rung_last_error();
  return owned(p);
}

std::vector<std::byte> bytes_of(const rung_partial* p) {
  std::size_t size = 0;
  EXPECT_EQ(rung_partial_save(p, nullptr, &size), RUNG_OK);
  std::vector<std::byte> bytes(size);
  EXPECT_EQ(rung_partial_save(p, bytes.data(), &size), RUNG_OK) << rung_last_error();
  return bytes;
}

owned read(const std::vector<std::byte>& bytes) {
  rung_partial* p = nullptr;
  EXPECT_EQ(rung_partial_load(bytes.data(), bytes.size(), &p), RUNG_OK) << rung_last_error();
  return owned(p);
}

TEST(Partial, EverySplitGivesTheWhole) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> x(20011);
  for (float& v : x) v = normal(random);
  x[77] = rung::quiet_nan<float>;
  for (int op = RUNG_SUM; op <= RUNG_LOGSUMEXP; op++) {
    if (op == RUNG_DOT || op == RUNG_VDOT) continue;
    rung_options o = defaults();
    o.skip_nan = op % 2, o.ddof = 1;
    array<float> whole(x);
    const rung_array all = whole.c();
    rung_type type;
    std::int32_t rank;
    std::int64_t shape[17];
    ASSERT_EQ(rung_result(rung_op(op), &all, nullptr, &o, &type, &rank, shape), RUNG_OK);
    std::byte want[32]{}, got[32]{};
    const rung_array out{want, type, 0, rank, shape, nullptr};
    ASSERT_EQ(rung_reduce(rung_op(op), &all, nullptr, &o, &out), RUNG_OK) << rung_last_error();
    for (int round = 0; round < 4; round++) {
      owned left = make(rung_op(op), RUNG_F32, 0, o);
      for (std::int64_t at = 0; at < std::int64_t(x.size());) {
        const std::int64_t n =
            std::min<std::int64_t>(1 + std::int64_t(random() % 6000), std::int64_t(x.size()) - at);
        owned right = make(rung_op(op), RUNG_F32, at, o);
        const rung_array part{x.data() + at, RUNG_F32, 0, 1, &n, nullptr};
        ASSERT_EQ(rung_partial_append(right.get(), &part), RUNG_OK) << rung_last_error();
        right = read(bytes_of(right.get()));
        ASSERT_EQ(rung_partial_merge(left.get(), right.get()), RUNG_OK) << rung_last_error();
        at += n;
      }
      rung_type had;
      std::int32_t count = 0;
      ASSERT_EQ(rung_partial_value(left.get(), got, &had, &count), RUNG_OK) << rung_last_error();
      EXPECT_EQ(had, type);
      EXPECT_EQ(count, op == RUNG_MINMAX ? 2 : 1);
      EXPECT_EQ(std::memcmp(got, want, sizeof got), 0) << rung_op_name(rung_op(op));
    }
  }
}

TEST(Partial, OptionsTravelWithIt) {
  rung_options o = defaults();
  o.accumulate = RUNG_F64, o.skip_nan = 1, o.ddof = 0.5;
  const owned p = make(RUNG_VAR, RUNG_F16, 12, o);
  const owned back = read(bytes_of(p.get()));
  EXPECT_EQ(bytes_of(back.get()), bytes_of(p.get()));
  EXPECT_EQ(rung_partial_op(back.get()), RUNG_VAR);
  std::int64_t begin, end;
  EXPECT_EQ(rung_partial_range(back.get(), &begin, &end), RUNG_OK);
  EXPECT_EQ(begin, 12);
  EXPECT_EQ(end, 12);
}

TEST(Partial, WhatCannotBe) {
  rung_partial* p = nullptr;
  rung_options o = defaults();
  EXPECT_EQ(rung_partial_create(RUNG_CUMSUM, RUNG_F32, &o, 0, &p), RUNG_BAD_ARGUMENT);
  EXPECT_EQ(rung_partial_create(RUNG_DOT, RUNG_F32, &o, 0, &p), RUNG_BAD_ARGUMENT);
  EXPECT_EQ(rung_partial_create(RUNG_SUM, RUNG_F32, &o, -1, &p), RUNG_BAD_ARGUMENT);
  const owned sum = make(RUNG_SUM, RUNG_F32, 0, o), other = make(RUNG_SUM, RUNG_F64, 0, o),
              late = make(RUNG_SUM, RUNG_F32, 5, o);
  EXPECT_EQ(rung_partial_merge(sum.get(), other.get()), RUNG_BAD_ARGUMENT);
  EXPECT_EQ(rung_partial_merge(sum.get(), late.get()), RUNG_BAD_ARGUMENT);
  float value;
  EXPECT_EQ(rung_partial_value(late.get(), &value, nullptr, nullptr), RUNG_BAD_ARGUMENT)
      << "does not begin at 0";
  const owned low = make(RUNG_MIN, RUNG_F32, 0, o);
  EXPECT_EQ(rung_partial_value(low.get(), &value, nullptr, nullptr), RUNG_EMPTY);
}

TEST(Partial, HostileBytesAreRefused) {
  array<double> x({1, 2, 3, 4, 5});
  rung_options o = defaults();
  const owned p = make(RUNG_ARGMAX, RUNG_F64, 3, o);
  const rung_array a = x.c();
  ASSERT_EQ(rung_partial_append(p.get(), &a), RUNG_OK);
  const auto good = bytes_of(p.get());
  std::mt19937 random(1);
  for (int round = 0; round < 20000; round++) {
    auto bad = good;
    if (round % 3 == 0) bad.resize(random() % good.size());
    else
      for (unsigned k = 0; k <= random() % 4; k++) bad[random() % bad.size()] = std::byte(random());
    if (bad == good) continue;
    rung_partial* back = nullptr;
    ASSERT_NE(rung_partial_load(bad.data(), bad.size(), &back), RUNG_OK);
    ASSERT_NE(std::string(rung_last_error()), "");
  }
}

}  // namespace
