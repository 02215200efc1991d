// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Fold kernels of every instruction set against the order itself: every operator and type, every
// power of two up to several blocks, every misalignment, short lines, columns of every width.
#include "support.hpp"

namespace rung::simd::test {
namespace {

using kernel_list = std::vector<std::pair<std::string, const host::fold_kernels*>>;

/// One operator over one type. `budget`: how many values a case may have.
template <class Op, class T>
class checker {
 public:
  using state = state_t<Op, T>;

  checker(kernel_op op, size_t budget)
      : budget_(budget), kernels_(on_every_target([&] { return find_fold(op, packed_of<T>); })) {}

  void all() {
    ASSERT_EQ(kernels_.size(), targets().size());
    for (const auto& [name, k] : kernels_) {
      ASSERT_EQ(k->value_size, sizeof(T));
      ASSERT_EQ(k->state_size, sizeof(state));
    }
    for (const kind k : {kind::tame, kind::hard, kind::few}) {
      kind_ = k;
      SCOPED_TRACE(int(k));
      ASSERT_NO_FATAL_FAILURE(trees());
      ASSERT_NO_FATAL_FAILURE(short_trees());
      ASSERT_NO_FATAL_FAILURE(columns());
    }
  }

 private:
  static state expected(const std::vector<T>& x, size_t first, size_t n, std::int64_t position) {
    return tree(Op(), std::span<const T>(x).subspan(first, n), position);
  }

  void trees() {
    for (size_t n = 1; n <= std::min<size_t>(budget_, 1 << 14); n *= 2) {
      const auto x = any_values<T>(g_, n, kind_);
      const std::int64_t position = std::int64_t(n) * std::int64_t(g_() % 5);
      const state want = expected(x, 0, n, position);
      for (size_t offset = 0; offset < (n < 64 ? 16 : 3); offset++) {
        placed<T> in(x, offset);
        placed<state> out(1, g_() % 4);
        for (const auto& [name, k] : kernels_) {
          k->tree(operator_object, in.data(), n, position, out.data());
          ASSERT_TRUE(same(out[0], want)) << name << ": " << n << " values, offset " << offset;
          ASSERT_TRUE(out.margin_is_intact());
        }
      }
    }
  }

  void short_trees() {
    for (size_t n = 1; n <= 512; n *= 2)
      for (const size_t count : {1, 2, 3, 7, 16, 17, 31, 64, 129}) {
        if (n * count > budget_) continue;
        const auto x = any_values<T>(g_, n * count, kind_);
        std::vector<state> want;
        for (size_t i = 0; i < count; i++) want.push_back(expected(x, i * n, n, 0));
        placed<T> in(x, g_() % 16);
        placed<state> out(count, g_() % 4);
        for (const auto& [name, k] : kernels_) {
          k->trees(operator_object, in.data(), n, count, out.data());
          for (size_t i = 0; i < count; i++)
            ASSERT_TRUE(same(out[i], want[i]))
                << name << ": tree " << i << " of " << count << " over " << n << " values";
          ASSERT_TRUE(out.margin_is_intact());
        }
      }
  }

  void columns() {
    for (const size_t width : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100, 1030, 2500})
      for (size_t n = 1; n * width <= budget_ && n <= 1024; n *= 2)
        ASSERT_NO_FATAL_FAILURE(columns_of(n, width));
  }
  void columns_of(size_t n, size_t width) {
    const size_t stride = width + (g_() % 2 ? 3 : 0);
    const bool upwards = g_() % 8 == 0;
    const auto x = any_values<T>(g_, n * stride, kind_);
    const std::int64_t position = std::int64_t(n) * std::int64_t(g_() % 3);
    std::vector<state> want;
    std::vector<T> column(n);
    for (size_t c = 0; c < width; c++) {
      for (size_t r = 0; r < n; r++) column[r] = x[(upwards ? n - 1 - r : r) * stride + c];
      want.push_back(expected(column, 0, n, position));
    }
    const auto end = x.end() - std::ptrdiff_t(stride - width);
    placed<T> in(std::vector<T>(x.begin(), end), g_() % 16);
    placed<state> out(width, g_() % 4);
    const T* first = in.data() + (upwards ? (n - 1) * stride : 0);
    const auto step = std::ptrdiff_t(stride) * (upwards ? -1 : 1);
    for (const auto& [name, k] : kernels_) {
      k->tree_rows(operator_object, first, step, n, width, position, out.data());
      for (size_t c = 0; c < width; c++)
        ASSERT_TRUE(same(out[c], want[c])) << name << ": column " << c << " of " << width << ", "
                                           << n << " rows " << step << " apart";
      ASSERT_TRUE(out.margin_is_intact());
    }
  }

  size_t budget_;
  kernel_list kernels_;
  rng g_{7};
  kind kind_ = kind::tame;
};

template <class Op, class... T>
void check(kernel_op op, size_t budget = case_budget) {
  (checker<Op, T>(op, budget).all(), ...);
}
template <class Op>
void check_reals(kernel_op op) {
  check<Op, float, double>(op);
}
template <class Op>
void check_floats(kernel_op op) {
  check<Op, float, double, complex<float>, complex<double>>(op);
}

TEST(simd_fold, plus) {
  check<plus, std::int64_t, std::uint64_t, f16, bf16, std::int32_t>(kernel_op::plus);
  check_floats<plus>(kernel_op::plus);
}
TEST(simd_fold, multiplies) {
  check<multiplies, std::int64_t>(kernel_op::multiplies);
  check_floats<multiplies>(kernel_op::multiplies);
}
TEST(simd_fold, bits) {
  check<bit_or, std::int64_t>(kernel_op::bit_or);
  check<bit_and, std::int64_t>(kernel_op::bit_and);
}
TEST(simd_fold, extremes) {
  check<minimum, float, double, std::int64_t, std::uint64_t>(kernel_op::minimum);
  check<maximum, float, double, std::int64_t, std::uint64_t>(kernel_op::maximum);
  check_reals<minimum_number>(kernel_op::minimum_number);
  check_reals<maximum_number>(kernel_op::maximum_number);
}
TEST(simd_fold, min_max) {
  check<min_max, float, double, std::int64_t, std::uint64_t>(kernel_op::min_max);
  check_reals<min_max_number>(kernel_op::min_max_number);
}
TEST(simd_fold, places) {
  check<arg_min, float, double, std::int64_t, std::uint64_t>(kernel_op::arg_min);
  check<arg_max, float, double, std::int64_t, std::uint64_t>(kernel_op::arg_max);
  check_reals<arg_min_number>(kernel_op::arg_min_number);
  check_reals<arg_max_number>(kernel_op::arg_max_number);
}
TEST(simd_fold, moments) {
  check_floats<moments>(kernel_op::moments);
  check_floats<moments_number>(kernel_op::moments_number);
}
TEST(simd_fold, norm) { check_floats<norm>(kernel_op::norm); }
TEST(simd_fold, log_sum_exp) { check<log_sum_exp, float, double>(kernel_op::log_sum_exp, 2000); }

}  // namespace
}  // namespace rung::simd::test
