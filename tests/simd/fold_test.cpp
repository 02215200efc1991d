// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Fold kernels against the order itself: every operator and type, every power of two up to several
// blocks, every misalignment, short lines, columns of every width.
#include "support.hpp"

namespace rung::simd::test {
namespace {

template <class Op, class T>
state_t<Op, T> expected_tree(const std::vector<T>& x, size_t first, size_t n,
                             std::int64_t position) {
  return tree(Op(), std::span<const T>(x).subspan(first, n), position);
}

template <class Op, class T>
void check_trees(const host::fold_kernels& kernels, rng& g, kind k) {
  using S = state_t<Op, T>;
  ASSERT_EQ(kernels.value_size, sizeof(T));
  ASSERT_EQ(kernels.state_size, sizeof(S));
  for (size_t n = 1; n <= 1 << 14; n *= 2) {
    const auto x = any_values<T>(g, n, k);
    const std::int64_t position = std::int64_t(n) * std::int64_t(g() % 5);
    const S want = expected_tree<Op>(x, 0, n, position);
    for (size_t offset = 0; offset < (n < 64 ? 16 : 3); offset++) {
      placed<T> in(x, offset);
      placed<S> out(1, g() % 4);
      kernels.tree(operator_object, in.data(), n, position, out.data());
      ASSERT_TRUE(same(out[0], want)) << "tree of " << n << " values, offset " << offset;
      ASSERT_TRUE(out.margin_is_intact());
    }
  }
}

template <class Op, class T>
void check_short_trees(const host::fold_kernels& kernels, rng& g, kind k) {
  using S = state_t<Op, T>;
  for (size_t n = 1; n <= 512; n *= 2)
    for (const size_t count : {1, 2, 3, 7, 8, 15, 16, 17, 31, 64, 100, 257}) {
      const auto x = any_values<T>(g, n * count, k);
      placed<T> in(x, g() % 16);
      placed<S> out(count, g() % 4);
      kernels.trees(operator_object, in.data(), n, count, out.data());
      for (size_t i = 0; i < count; i++)
        ASSERT_TRUE(same(out[i], expected_tree<Op>(x, i * n, n, 0)))
            << "tree " << i << " of " << count << " over " << n << " values";
      ASSERT_TRUE(out.margin_is_intact());
    }
}

template <class Op, class T>
void check_columns(const host::fold_kernels& kernels, rng& g, kind k) {
  using S = state_t<Op, T>;
  for (const size_t width : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 1030, 2500})
    for (size_t n = 1; n * width <= 20000 && n <= 1024; n *= 2)
      for (const size_t gap : {0, 3}) {
        const size_t stride = width + gap;
        const auto x = any_values<T>(g, n * stride, k);
        const std::int64_t position = std::int64_t(n) * std::int64_t(g() % 3);
        placed<T> in(std::vector<T>(x.begin(), x.end() - std::ptrdiff_t(gap)), g() % 16);
        placed<S> out(width, g() % 4);
        kernels.tree_rows(operator_object, in.data(), std::ptrdiff_t(stride), n, width, position,
                          out.data());
        std::vector<T> column(n);
        for (size_t c = 0; c < width; c++) {
          for (size_t r = 0; r < n; r++) column[r] = x[r * stride + c];
          ASSERT_TRUE(same(out[c], expected_tree<Op>(column, 0, n, position)))
              << "column " << c << " of " << width << ", " << n << " rows " << stride << " apart";
        }
        ASSERT_TRUE(out.margin_is_intact());
      }
}

template <class Op, class T>
void check_negative_stride(const host::fold_kernels& kernels, rng& g, kind k) {
  using S = state_t<Op, T>;
  const size_t n = 32, width = 19;
  const auto x = any_values<T>(g, n * width, k);
  std::vector<S> out(width);
  kernels.tree_rows(operator_object, x.data() + (n - 1) * width, -std::ptrdiff_t(width), n, width,
                    0, out.data());
  for (size_t c = 0; c < width; c++) {
    std::vector<T> column(n);
    for (size_t r = 0; r < n; r++) column[r] = x[(n - 1 - r) * width + c];
    ASSERT_TRUE(same(out[c], expected_tree<Op>(column, 0, n, 0)));
  }
}

template <class Op, class T>
void check(kernel_op op) {
  on_every_target([&] {
    const host::fold_kernels* kernels = find_fold(op, packed_of<T>);
    ASSERT_NE(kernels, nullptr);
    rng g(7);
    for (const kind k : {kind::tame, kind::hard, kind::few}) {
      SCOPED_TRACE(int(k));
      ASSERT_NO_FATAL_FAILURE((check_trees<Op, T>(*kernels, g, k)));
      ASSERT_NO_FATAL_FAILURE((check_short_trees<Op, T>(*kernels, g, k)));
      ASSERT_NO_FATAL_FAILURE((check_columns<Op, T>(*kernels, g, k)));
      ASSERT_NO_FATAL_FAILURE((check_negative_stride<Op, T>(*kernels, g, k)));
    }
  });
}
template <class Op>
void check_reals(kernel_op op) {
  check<Op, float>(op);
  check<Op, double>(op);
}
template <class Op>
void check_floats(kernel_op op) {
  check_reals<Op>(op);
  check<Op, complex<float>>(op);
  check<Op, complex<double>>(op);
}
template <class Op>
void check_integers(kernel_op op) {
  check<Op, std::int64_t>(op);
}

TEST(simd_fold, plus) {
  check_integers<plus>(kernel_op::plus);
  check_floats<plus>(kernel_op::plus);
}
TEST(simd_fold, plus_u64) { check<plus, std::uint64_t>(kernel_op::plus); }
TEST(simd_fold, multiplies) {
  check_integers<multiplies>(kernel_op::multiplies);
  check_floats<multiplies>(kernel_op::multiplies);
}
TEST(simd_fold, bits) {
  check_integers<bit_or>(kernel_op::bit_or);
  check_integers<bit_and>(kernel_op::bit_and);
}
TEST(simd_fold, minimum) {
  check_reals<minimum>(kernel_op::minimum);
  check_reals<minimum_number>(kernel_op::minimum_number);
  check_integers<minimum>(kernel_op::minimum);
  check<minimum, std::uint64_t>(kernel_op::minimum);
}
TEST(simd_fold, maximum) {
  check_reals<maximum>(kernel_op::maximum);
  check_reals<maximum_number>(kernel_op::maximum_number);
  check_integers<maximum>(kernel_op::maximum);
  check<maximum, std::uint64_t>(kernel_op::maximum);
}
TEST(simd_fold, min_max) {
  check_reals<min_max>(kernel_op::min_max);
  check_reals<min_max_number>(kernel_op::min_max_number);
  check_integers<min_max>(kernel_op::min_max);
  check<min_max, std::uint64_t>(kernel_op::min_max);
}
TEST(simd_fold, places) {
  check_reals<arg_min>(kernel_op::arg_min);
  check_reals<arg_max>(kernel_op::arg_max);
  check_reals<arg_min_number>(kernel_op::arg_min_number);
  check_reals<arg_max_number>(kernel_op::arg_max_number);
  check_integers<arg_min>(kernel_op::arg_min);
  check<arg_max, std::uint64_t>(kernel_op::arg_max);
}
TEST(simd_fold, moments) {
  check_floats<moments>(kernel_op::moments);
  check_floats<moments_number>(kernel_op::moments_number);
}
TEST(simd_fold, norm) { check_floats<norm>(kernel_op::norm); }
TEST(simd_fold, log_sum_exp) { check_reals<log_sum_exp>(kernel_op::log_sum_exp); }

}  // namespace
}  // namespace rung::simd::test
