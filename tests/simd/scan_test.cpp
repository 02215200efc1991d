// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan kernels of every instruction set against the order itself: lines of every length, with and
// without a start, in place, past the cache, at every misalignment; short lines; columns. NaN must
// come out canonical.
#include "support.hpp"

namespace rung::simd::test {
namespace {

using kernel_list = std::vector<std::pair<std::string, const host::scan_kernels*>>;

/// One operator over one type. `budget`: how many values a case may have.
template <class Op, class T>
class checker {
 public:
  using state = state_t<Op, T>;
  using result = std::conditional_t<is_half<T>, T, state>;  // what is written

  checker(kernel_op op, size_t budget)
      : budget_(budget), kernels_(on_every_target([&] { return find_scan(op, packed_of<T>); })) {}

  void all() {
    ASSERT_GE(kernels_.size(), is_half<T> ? targets().size() - 1 : targets().size());
    for (const kind k : {kind::tame, kind::hard, kind::few})
      for (const bool exclusive : {false, true}) {
        kind_ = k, exclusive_ = exclusive;
        SCOPED_TRACE(int(k));
        for (size_t n = 0; n < std::min<size_t>(600, budget_ / 8); n++)
          ASSERT_NO_FATAL_FAILURE(line(n));
        for (const size_t n : {1023, 1024, 1025, 2048, 4096, 5000, 8192, 16385, 65536})
          if (n <= budget_ * 8) {
            ASSERT_NO_FATAL_FAILURE(line(n));
          }
        ASSERT_NO_FATAL_FAILURE(lines());
        ASSERT_NO_FATAL_FAILURE(columns());
      }
  }

 private:
  using maybe = std::optional<state>;

  static result written(const state& s) { return convert<result>(canonical(s)); }
  /// All entries, given the folds through every value.
  std::vector<result> entries(const std::vector<state>& folds, const maybe& start) const {
    std::vector<result> e;
    if (exclusive_ && !folds.empty())
      e.push_back(written(start ? *start : empty_state<state>(Op())));
    for (const state& s : folds) e.push_back(written(s));
    e.resize(folds.size());
    return e;
  }
  maybe any_start() {
    if (g_() % 2) return {};
    return lift(Op(), any_value<T>(g_, kind_), 0);
  }
  bool in_place() { return std::is_same_v<T, result> && g_() % 3 == 0; }

  void line(size_t n) {
    const auto x = any_values<T>(g_, n, kind_);
    const maybe start = any_start();
    const auto folds = all_folds(Op(), x, start);
    const auto want = entries(folds, start);
    host::carry c;
    c.before = start ? &*start : nullptr;
    c.exclusive = exclusive_, c.stream = g_() % 2;
    if (n > 0 && std::has_single_bit(n) && g_() % 2) c.after = &folds.back();
    const size_t offset = g_() % 16, out_offset = g_() % 16;
    const bool over_itself = in_place();
    for (const auto& [name, k] : kernels_) {
      placed<T> in(x, offset);
      placed<result> out(n, out_offset);
      void* to = over_itself ? static_cast<void*>(in.data()) : out.data();
      k->line(operator_object, in.data(), n, to, c);
      for (size_t i = 0; i < n; i++)
        ASSERT_TRUE(same(static_cast<const result*>(to)[i], want[i], true))
            << name << ": entry " << i << " of " << n << (exclusive_ ? " exclusive" : "")
            << (over_itself ? " in place" : "") << (c.stream ? " streamed" : "");
      ASSERT_TRUE(out.margin_is_intact());
      ASSERT_TRUE(in.margin_is_intact());
    }
  }

  void lines() {
    for (size_t n = 1; n <= 1024; n *= 2)
      for (const size_t count : {1, 2, 3, 8, 17, 40}) {
        if (n * count > budget_) continue;
        const auto x = any_values<T>(g_, n * count, kind_);
        const maybe start = any_start();
        std::vector<result> want;
        for (size_t l = 0; l < count; l++) {
          const auto first = x.begin() + std::ptrdiff_t(l * n);
          const std::vector<T> one(first, first + std::ptrdiff_t(n));
          for (const result& e : entries(all_folds(Op(), one, start), start)) want.push_back(e);
        }
        placed<T> in(x, g_() % 16);
        placed<result> out(n * count, g_() % 16);
        for (const auto& [name, k] : kernels_) {
          k->lines(operator_object, in.data(), n, count, out.data(),
                   {.before = start ? &*start : nullptr,
                    .exclusive = exclusive_,
                    .stream = g_() % 2 == 0});
          for (size_t i = 0; i < n * count; i++)
            ASSERT_TRUE(same(out[i], want[i], true)) << name << ": line " << i / n << " of "
                                                     << count << ", entry " << i % n << " of " << n;
          ASSERT_TRUE(out.margin_is_intact());
        }
      }
  }

  void columns() {
    for (const size_t width : {1, 2, 3, 4, 7, 8, 15, 16, 17, 40, 100, 1100})
      for (const size_t n : {1, 2, 3, 7, 8, 9, 16, 31, 64, 100})
        if (n * width <= budget_) {
          ASSERT_NO_FATAL_FAILURE(columns_of(n, width));
        }
  }
  void columns_of(size_t n, size_t width) {
    const size_t stride = width + g_() % 3, out_stride = width + g_() % 3;
    const auto x = any_values<T>(g_, n * stride, kind_);
    const bool has_start = g_() % 2;
    std::vector<state> starts, afters;
    std::vector<std::vector<result>> want;
    for (size_t c = 0; c < width; c++) {
      starts.push_back(lift(Op(), any_value<T>(g_, kind_), 0));
      std::vector<T> column(n);
      for (size_t r = 0; r < n; r++) column[r] = x[r * stride + c];
      const maybe start = has_start ? maybe(starts[c]) : maybe();
      const auto folds = all_folds(Op(), column, start);
      want.push_back(entries(folds, start));
      afters.push_back(folds.back());
    }
    host::carry carry;
    carry.before = has_start ? starts.data() : nullptr;
    if (std::has_single_bit(n) && g_() % 2) carry.after = afters.data();
    carry.exclusive = exclusive_, carry.stream = g_() % 2;
    const size_t offset = g_() % 16, out_offset = g_() % 16;
    const bool over_itself = in_place();
    const size_t to_stride = over_itself ? stride : out_stride;
    for (const auto& [name, k] : kernels_) {
      placed<T> in(x, offset);
      placed<result> out(n * out_stride, out_offset);
      void* to = over_itself ? static_cast<void*>(in.data()) : out.data();
      k->rows(operator_object, in.data(), std::ptrdiff_t(stride), n, width, to,
              std::ptrdiff_t(to_stride), carry);
      for (size_t c = 0; c < width; c++)
        for (size_t r = 0; r < n; r++)
          ASSERT_TRUE(same(static_cast<const result*>(to)[r * to_stride + c], want[c][r], true))
              << name << ": row " << r << " of " << n << ", column " << c << " of " << width;
      ASSERT_TRUE(out.margin_is_intact());
      ASSERT_TRUE(in.margin_is_intact());
    }
  }

  size_t budget_;
  kernel_list kernels_;
  rng g_{11};
  kind kind_ = kind::tame;
  bool exclusive_ = false;
};

template <class Op, class... T>
void check(kernel_op op, size_t budget = case_budget) {
  (checker<Op, T>(op, budget).all(), ...);
}

TEST(simd_scan, plus) {
  check<plus, std::int64_t, float, double, complex<float>, complex<double>>(kernel_op::plus);
}
TEST(simd_scan, plus_narrow) { check<plus, f16, bf16, std::int32_t>(kernel_op::plus); }
TEST(simd_scan, multiplies) {
  check<multiplies, std::int64_t, float, double>(kernel_op::multiplies);
  check<multiplies, complex<float>, complex<double>>(kernel_op::multiplies, 2000);
}
TEST(simd_scan, extremes) {
  check<minimum, float, std::int64_t>(kernel_op::minimum);
  check<maximum, double, std::uint64_t>(kernel_op::maximum);
  check<minimum_number, double>(kernel_op::minimum_number);
  check<maximum_number, float>(kernel_op::maximum_number);
}
TEST(simd_scan, log_sum_exp) { check<log_sum_exp, float, double>(kernel_op::log_sum_exp, 1000); }

}  // namespace
}  // namespace rung::simd::test
