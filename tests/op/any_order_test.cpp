// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Operators that say any_order give the same bits for any order and any grouping of hard values
// with ties; those that do not say so are known to differ somewhere, so the claim is not given
// away either.
#include <gtest/gtest.h>

#include <random>

#include "op/values.hpp"
#include "order/same.hpp"

namespace rung::test {
namespace {

template <class Op, class S>
S fold_in_random_order(const Op& op, std::vector<S> states, std::mt19937& rng) {
  std::shuffle(states.begin(), states.end(), rng);
  while (states.size() > 1) {  // join two neighbours somewhere
    const std::size_t i = rng() % (states.size() - 1);
    states[i] = op(S(states[i]), S(states[i + 1]));
    states.erase(states.begin() + std::ptrdiff_t(i) + 1);
  }
  return states[0];
}

/// How often another order gives other bits, in 300 tries.
template <class T, class Op>
int count_differences(const Op& op, const std::vector<T>& hard = hard_values<T>()) {
  using S = state_t<Op, T>;
  std::mt19937 rng(7);
  int different = 0;
  for (int i = 0; i < 300; i++) {
    std::vector<S> states;
    const std::size_t n = 1 + rng() % 12;
    for (std::size_t k = 0; k < n; k++)
      states.push_back(lift(op, T(hard[rng() % hard.size()]), std::int64_t(k)));
    const S a = fold_in_random_order(op, states, rng), b = fold_in_random_order(op, states, rng);
    different += !same_bits(result_of<Op, T>(op, a), result_of<Op, T>(op, b));
  }
  return different;
}

template <class T, class Op>
void check_claim(const Op& op = {}) {
  static_assert(any_order<Op, state_t<Op, T>>);
  EXPECT_EQ(count_differences<T>(op), 0) << typeid(Op).name() << " " << typeid(T).name();
}
template <class T, class Op>
void check_no_claim(const Op& op = {}) {
  static_assert(!any_order<Op, state_t<Op, T>>);
  std::vector<T> rounded;  // values whose sums and products do not fit
  for (int i = 1; i < 20; i++) rounded.push_back(T(float(1 << i) / 3));
  EXPECT_GT(count_differences<T>(op, rounded), 0) << typeid(Op).name() << " " << typeid(T).name();
}

template <class T>
void check_extremes() {
  check_claim<T, minimum>();
  check_claim<T, maximum>();
  check_claim<T, minimum_number>();
  check_claim<T, maximum_number>();
  check_claim<T, arg_min>();
  check_claim<T, arg_max>();
  check_claim<T, arg_min_number>();
  check_claim<T, arg_max_number>();
  check_claim<T, min_max>();
  check_claim<T, min_max_number>();
}
TEST(AnyOrder, Extremes) {
  check_extremes<std::int8_t>();
  check_extremes<std::uint64_t>();
  check_extremes<bool>();
  check_extremes<f16>();
  check_extremes<float>();
  check_extremes<double>();
}

template <class T>
void check_integer_operators() {
  check_claim<T, plus>();
  check_claim<T, multiplies>();
  check_claim<T, bit_and>();
  check_claim<T, bit_or>();
  check_claim<T, bit_xor>();
  check_claim<T, any>();
  check_claim<T, all>();
  check_claim<T, count_nonzero>();
}
TEST(AnyOrder, Integers) {
  check_integer_operators<bool>();
  check_integer_operators<std::int8_t>();
  check_integer_operators<std::uint32_t>();
  check_integer_operators<std::int64_t>();
}

TEST(AnyOrder, LogicOverFloats) {
  check_claim<float, any>();
  check_claim<double, all>();
  check_claim<f16, count_nonzero>();
  check_claim<complex<float>, any>();
}

TEST(AnyOrder, Adaptors) {
  check_claim<float>(skip_nan{minimum{}});
  check_claim<double>(skip_nan{arg_max{}});
  check_claim<f16>(skip_nan{min_max{}});
  check_claim<std::int8_t>(accumulate_in<std::int64_t>(plus{}));
  check_claim<float>(accumulate_in<double>(maximum{}));
}

TEST(AnyOrder, IsNotClaimedForRoundedArithmetic) {
  check_no_claim<float, plus>();
  check_no_claim<double, multiplies>();
  check_no_claim<complex<float>, plus>();
  check_no_claim<float, mean>();
  check_no_claim<float>(skip_nan{plus{}});
}

}  // namespace
}  // namespace rung::test
