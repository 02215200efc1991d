// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks, the faster form of a tree: where they hold they are the bits of the states' tree, and
// where a special value stands they do not hold.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "op/values.hpp"
#include "order/same.hpp"
#include "rung/base/math.hpp"

namespace rung::test {
namespace {

/// The tree of 2^Levels packs of N values, as blocks.
template <int Levels, std::size_t N, class Op, class T>
auto block_over(const Op& op, const T* x, std::int64_t position) {
  if constexpr (Levels == 0) {
    T values[N];
    std::copy(x, x + N, values);
    return detail::block_of(op, values, position);
  } else {
    constexpr std::int64_t half = std::int64_t(N) << (Levels - 1);
    const auto l = block_over<Levels - 1, N>(op, x, position),
               r = block_over<Levels - 1, N>(op, x + half, position + half);
    return detail::join_trees(op, l, r, int(std::bit_width(std::uint64_t(half))) - 1);
  }
}
/// True if the block holds; then its state has been compared.
template <std::size_t N, class Op, class T>
bool compared(const Op& op, const std::vector<T>& x) {
  constexpr int levels = 4;
  const auto b = block_over<levels, N>(op, x.data(), 0);
  if (!detail::block_holds(op, b)) return false;
  const auto state = detail::state_of_block(op, b, levels + std::bit_width(N) - 1);
  const auto want = *fold(op, std::span<const T>(x));
  EXPECT_EQ(std::memcmp(&state, &want, sizeof state), 0);
  return true;
}

/// Values of many magnitudes, or of one; zeros of both signs, subnormals, equal neighbours.
template <class T>
std::vector<T> numbers(std::mt19937& rng, int kind) {
  std::vector<T> x(256);
  for (T& v : x) {
    const int spread = kind == 0 ? 1 : kind == 1 ? 20 : std::numeric_limits<float>::max_exponent;
    const float magnitude =
        std::ldexp(float(rng() % 65536) / 65536, int(rng() % unsigned(2 * spread)) - spread);
    float f = rng() % 2 ? magnitude : -magnitude;
    if (kind == 3 && rng() % 4 == 0) f = rng() % 2 ? 0.0f : -0.0f;
    if (kind == 4) f = std::ldexp(f, -140);
    v = convert<T>(f);
    if (is_half<T> && !std::isfinite(convert<float>(v))) v = convert<T>(1.0f);
  }
  return x;
}
template <std::size_t N, class T, class Op>
void check_blocks(const Op& op) {
  std::mt19937 rng(static_cast<unsigned>(N + sizeof(T)));
  int held = 0;
  for (int i = 0; i < 200; ++i) {
    auto x = numbers<T>(rng, i % 5);
    x.resize(16 * N, x[0]);
    held += compared<N>(op, x);
    const std::size_t at = rng() % x.size();
    if constexpr (!integer<T>) {
      for (const float special : {infinity<float>, quiet_nan<float>}) {
        const T was = x[at];
        x[at] = convert<T>(special);
        EXPECT_FALSE(compared<N>(op, x)) << special << " at " << at;
        x[at] = was;
      }
      x[at] = x[at ^ 1] = convert<T>(-infinity<float>);
      compared<N>(op, x);
    }
  }
  EXPECT_GT(held, 100);
}

TEST(Blocks, OfMoments) {
  check_blocks<2, float>(moments{});
  check_blocks<4, float>(moments{});
  check_blocks<16, float>(moments{});
  check_blocks<8, f16>(moments{});
  check_blocks<8, bf16>(moments{});
  check_blocks<4, std::int32_t>(moments{});
  check_blocks<16, std::int8_t>(moments{});
}
TEST(Blocks, OfLogSumExp) {
  check_blocks<2, float>(log_sum_exp{});
  check_blocks<16, float>(log_sum_exp{});
  check_blocks<8, f16>(log_sum_exp{});
  check_blocks<2, double>(log_sum_exp{});
  check_blocks<8, double>(log_sum_exp{});
  const std::vector<float> lowest(64, -infinity<float>), zeros(64, -0.0f);
  EXPECT_FALSE((compared<4>(log_sum_exp{}, lowest)));
  EXPECT_FALSE((compared<4>(log_sum_exp{}, zeros)));
}
TEST(Blocks, OfSeveral) {
  std::mt19937 rng(3);
  for (int i = 0; i < 50; ++i) {
    const auto x = numbers<float>(rng, i % 5);
    const auto op = fuse(plus{}, maximum{}, moments{}, arg_min{});
    const auto b = block_over<4, 16>(op, x.data(), 0);
    ASSERT_TRUE(detail::block_holds(op, b));
    const auto got = op.finish(detail::state_of_block(op, b, 8));
    const auto want = op.finish(*fold(op, std::span<const float>(x)));
    EXPECT_PRED_FORMAT2(same, std::get<0>(got), std::get<0>(want));
    EXPECT_PRED_FORMAT2(same, std::get<1>(got), std::get<1>(want));
    EXPECT_PRED_FORMAT2(same, std::get<2>(got).mean, std::get<2>(want).mean);
    EXPECT_PRED_FORMAT2(same, std::get<2>(got).m2, std::get<2>(want).m2);
    EXPECT_EQ(std::get<2>(got).count, std::get<2>(want).count);
    EXPECT_EQ(std::get<3>(got), std::get<3>(want));
  }
}

template <class T>
void check_exp_near() {
  std::mt19937_64 rng(5);
  for (int i = 0; i < 200000; ++i) {
    const T x = T(-80 * double(rng() >> 11) * 0x1p-53);
    const T small = x * T(0x1p-30);
    ASSERT_EQ(portable::exp_near(x), portable::exp(x)) << double(x);
    ASSERT_EQ(portable::exp_near(small), portable::exp(small)) << double(small);
  }
  for (const T x : {T(0), T(-0.0), T(-80)}) ASSERT_EQ(portable::exp_near(x), portable::exp(x));
}
TEST(Blocks, ExpNearIsExp) {
  check_exp_near<float>();
  check_exp_near<double>();
}

TEST(Blocks, PlacesInRows) {
  struct row {
    float values[4];
  };
  std::mt19937 rng(4);
  const float nan = quiet_nan<float>;
  const float choice[] = {1, 2, 2, 3, 0.0f, -0.0f, nan, -infinity<float>, -5};
  for (int i = 0; i < 20000; ++i) {
    row rows[2][4];  // two groups of four rows, which stand 100 apart
    const unsigned kinds = 1 + rng() % std::size(choice);
    for (auto& group : rows)
      for (row& r : group)
        for (float& v : r.values) v = choice[rng() % kinds];
    const auto check = [&](auto op) {
      auto got = identity<indexed<float>>(op), want = got;
      for (int g = 0; g < 2; ++g) {
        got = op.template absorb_rows<4>(got, rows[g], g * 1000, 100);
        for (int r = 0; r < 4; ++r)
          for (int j = 0; j < 4; ++j)
            want = op(want, lift(op, rows[g][r].values[j], g * 1000 + r * 100 + j));
      }
      ASSERT_EQ(got.index, want.index);
      if (got.index >= 0) {
        ASSERT_PRED_FORMAT2(same, got.value, want.value);
      }
    };
    check(arg_min{}), check(arg_max{}), check(arg_min_number{}), check(arg_max_number{});
  }
}

}  // namespace
}  // namespace rung::test
