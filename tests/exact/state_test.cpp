// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact states against GMP on hard data: sums, products, means, norms, variances; every order and
// split gives the same state.
#include <fstream>
#include <sstream>

#include "exact/hard_values.hpp"
#include "exact/oracle.hpp"
#include "order/same.hpp"
#include "rung/order.hpp"

namespace rung::test {
namespace {

/// Calls f(values, number) for lists of all kinds, most of them short.
template <class T, class F>
void for_hard_lists(int lists, unsigned seed, F&& f) {
  hard_source from(seed);
  for (int i = 0; i < lists; ++i) {
    const std::size_t n = 1 + from.below(i % 16 == 0 ? 40 : 5);
    f(from.many<T>(hard(i % hard_kinds), n), i);
    if (testing::Test::HasFailure()) break;
  }
}

template <class V>
exact_state<V> state_of(const std::vector<V>& x) {
  exact_state<V> s{};
  for (const V& v : x) s.add(v);
  return s;
}

template <class T>
void sums_are_exact(int lists) {
  for_hard_lists<T>(lists, 1, [](const std::vector<T>& x, int) {
    const exact_state<T> s = state_of(x);
    exact_oracle want{std::span<const T>(x)};
    EXPECT_PRED_FORMAT2(same, s.round(), want.template sum<T>());
    EXPECT_PRED_FORMAT2(same, s.template round<float>(), want.template sum<float>());
    EXPECT_PRED_FORMAT2(same, s.template round<f16>(), want.template sum<f16>());
  });
}
TEST(exact_state, sums_f64) { sums_are_exact<double>(90'000); }
TEST(exact_state, sums_f32) { sums_are_exact<float>(90'000); }
TEST(exact_state, sums_bf16) { sums_are_exact<bf16>(60'000); }
TEST(exact_state, sums_f16) { sums_are_exact<f16>(60'000); }

template <class T>
void moments_are_exact(int lists) {
  for_hard_lists<T>(lists, 2, [](const std::vector<T>& x, int i) {
    const std::span<const T> all(x);
    exact_oracle want(all);
    const auto s = *fold(exact_moments{}, all);
    const unsigned ddof = unsigned(i / 7) % 3;
    EXPECT_PRED_FORMAT2(same, canonical(s.mean()), want.template mean<T>());
    EXPECT_PRED_FORMAT2(same, s.variance(ddof), (want.template variance<T, false>(ddof)));
    EXPECT_PRED_FORMAT2(same, s.standard_deviation(ddof), (want.template variance<T, true>(ddof)));
    EXPECT_PRED_FORMAT2(same, (result_of<exact_mean, T>({}, *fold(exact_mean{}, all))), s.mean());
    const auto root = result_of<exact_norm, T>({}, *fold(exact_norm{}, all));
    EXPECT_PRED_FORMAT2(same, root, want.template norm<T>());
  });
}
TEST(exact_state, moments_f64) { moments_are_exact<double>(20'000); }
TEST(exact_state, moments_f32) { moments_are_exact<float>(20'000); }
TEST(exact_state, moments_f16) { moments_are_exact<f16>(10'000); }

/// The products of two lists, whose factors lie so that GMP's units hold them.
template <class T>
void products_are_exact(int lists) {
  hard_source other(7);
  for_hard_lists<T>(lists, 3, [&](const std::vector<T>& x, int i) {
    const auto y = other.many<T>(hard(i / 8 % hard_kinds), x.size());
    exact_state<exact_product<T>> s{};
    special_values seen;
    integer_number sum, a, b, one;
    mpz_set_ui(one, 1);
    for (std::size_t k = 0; k < x.size(); ++k) {
      s.add({x[k], y[k]});
      const double u = convert<double>(x[k]), v = convert<double>(y[k]);
      if (u - u == 0 && v - v == 0) {
        set_units(a, u), set_units(b, v);
        mpz_addmul(sum, a, b);
        seen.see(u == 0 || v == 0 ? std::copysign(0.0, u) * std::copysign(1.0, v) : 1.0);
      } else {
        seen.see(u * v);
      }
    }
    const T zero = seen.all_minus_zero ? T(-0.0f) : T(0.0f);
    const T want = seen.any()          ? seen.result<T>()
                   : mpz_sgn(sum) == 0 ? zero
                                       : nearest<T>(sum, one, -2200);
    EXPECT_PRED_FORMAT2(same, s.round(), want);
  });
}
TEST(exact_state, products_f64) { products_are_exact<double>(40'000); }
TEST(exact_state, products_f32) { products_are_exact<float>(40'000); }
TEST(exact_state, products_bf16) { products_are_exact<bf16>(20'000); }

TEST(exact_state, integers) {
  const std::vector<std::int64_t> x = {INT64_MAX, INT64_MAX, INT64_MIN, -3, 1};
  const auto s = *fold(exact_moments{}, std::span<const std::int64_t>(x));
  EXPECT_EQ(s.mean(), (0x1p63 - 4) / 5);
  EXPECT_EQ(s.count, 5);
  const std::vector<std::uint64_t> u = {UINT64_MAX, UINT64_MAX};
  EXPECT_EQ(fold(exact_mean{}, std::span<const std::uint64_t>(u))->sum.round(), 0x1p65);
}

/// Any order, any grouping, words that were added up: the same state.
TEST(exact_state, any_order) {
  hard_source from(5);
  for (int i = 0; i < 400; ++i) {
    auto x = from.many<float>(hard(i % hard_kinds), 50);
    const auto want = state_of(x);
    for (std::size_t k = x.size(); k > 1; --k) std::swap(x[k - 1], x[from.below(k)]);
    EXPECT_EQ(*fold(exact_plus{}, std::span<const float>(x)), want);
    exact_state<float> left{}, right{};
    for (const float v : x) (from.below(2) == 0 ? left : right).add(v);
    std::int64_t a[left.words], b[left.words];
    left.to_words(a), right.to_words(b);
    for (int k = 0; k < left.words; ++k) a[k] += b[k];
    EXPECT_EQ(exact_state<float>::from_words(a), want);
    left.merge(right);
    EXPECT_EQ(left, want);
  }
}

template <class T>
void check_known(const std::string& line, const std::string& want, std::istringstream& values) {
  std::vector<T> x;
  for (std::string v; values >> v;) {
    const auto star = v.find('*');
    const std::size_t times = star == v.npos ? 1 : std::stoul(v.substr(star + 1));
    x.insert(x.end(), times, convert<T>(std::strtod(v.substr(0, star).c_str(), nullptr)));
  }
  const T right = canonical(convert<T>(std::strtod(want.c_str(), nullptr)));
  EXPECT_PRED_FORMAT2(same, state_of(x).round(), right) << line;
  EXPECT_PRED_FORMAT2(same, exact_oracle(std::span<const T>(x)).template sum<T>(), right) << line;
}
TEST(exact_state, known_sums) {
  std::ifstream file(RUNG_KNOWN_SUMS);
  ASSERT_TRUE(file.good());
  int cases = 0;
  for (std::string line, type, want, equals; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream in(line);
    in >> type >> want >> equals;
    if (type == "f64") check_known<double>(line, want, in);
    else if (type == "f32") check_known<float>(line, want, in);
    else check_known<f16>(line, want, in);
    ++cases;
  }
  EXPECT_EQ(cases, 61);
}
TEST(exact_state, known_series) {  // 1 / n and (-1)^n / n, each rounded, n = 1 .. 1000
  exact_state<double> harmonic{}, alternating{};
  for (int n = 1; n <= 1000; ++n) {
    harmonic.add(1.0 / n);
    alternating.add((n % 2 == 0 ? 1.0 : -1.0) / n);
  }
  EXPECT_EQ(harmonic.round(), 0x1.df11f45f4e61ap2);
  EXPECT_EQ(alternating.round(), -0x1.62a2af1bd3624p-1);
}

/// Whatever rounds has to work at compile time.
constexpr float survivor() {
  exact_state<float> s{};
  for (const float x : {1e38f, 3e38f, 0x1p-149f, -1e38f, -3e38f}) s.add(x);
  return s.round();
}
static_assert(survivor() == 0x1p-149f);
static_assert(exact_state<double>{}.round() == 0);
static_assert(exact_plus::empty<exact_state<float>>().round<double>() == 0);
static_assert(sizeof(exact_state<float>) == 48 && sizeof(exact_state<double>) == 276);

}  // namespace
}  // namespace rung::test
