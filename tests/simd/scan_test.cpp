// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan kernels against the order itself: lines of every length, with and without a start, in place,
// past the cache, at every misalignment; short lines; columns. NaN must come out canonical.
#include "support.hpp"

namespace rung::simd::test {
namespace {

template <class Op, class T>
using S = state_t<Op, T>;

/// Entry i of a scan, given the folds through every value.
template <class Op, class T>
S<Op, T> entry(const std::vector<S<Op, T>>& folds, const std::optional<S<Op, T>>& start, size_t i,
               bool exclusive) {
  if (!exclusive) return canonical_state(folds[i]);
  if (i > 0) return canonical_state(folds[i - 1]);
  return start ? canonical_state(*start) : empty_state<S<Op, T>>(Op());
}

template <class Op, class T>
void check_line(const host::scan_kernels& kernels, rng& g, kind k, size_t n, bool exclusive) {
  using St = S<Op, T>;
  const auto x = any_values<T>(g, n, k);
  std::optional<St> start;
  if (g() % 2) start = lift(Op(), any_value<T>(g, k), 0);
  const auto folds = all_folds(Op(), x, start);
  host::carry c;
  c.before = start ? &*start : nullptr;
  c.exclusive = exclusive, c.stream = g() % 2;
  if (n > 0 && std::has_single_bit(n) && g() % 2) c.after = &folds.back();
  placed<T> in(x, g() % 16);
  placed<St> out(n, g() % 16);
  void* to = out.data();
  const bool in_place = sizeof(T) == sizeof(St) && g() % 3 == 0;
  if (in_place) to = in.data();
  kernels.line(operator_object, in.data(), n, to, c);
  const St* result = static_cast<const St*>(to);
  for (size_t i = 0; i < n; i++)
    ASSERT_TRUE(same(result[i], (entry<Op, T>(folds, start, i, exclusive)), true))
        << "entry " << i << " of " << n << (exclusive ? " exclusive" : "")
        << (in_place ? " in place" : "") << (c.stream ? " streamed" : "");
  ASSERT_TRUE(out.margin_is_intact());
  ASSERT_TRUE(in.margin_is_intact());
}

template <class Op, class T>
void check_lines(const host::scan_kernels& kernels, rng& g, kind k, bool exclusive) {
  using St = S<Op, T>;
  for (size_t n = 1; n <= 1024; n *= 2)
    for (const size_t count : {1, 2, 3, 5, 8, 17, 40}) {
      const auto x = any_values<T>(g, n * count, k);
      std::optional<St> start;
      if (g() % 2) start = lift(Op(), any_value<T>(g, k), 0);
      placed<T> in(x, g() % 16);
      placed<St> out(n * count, g() % 16);
      kernels.lines(operator_object, in.data(), n, count, out.data(), exclusive,
                    start ? &*start : nullptr);
      for (size_t l = 0; l < count; l++) {
        const std::vector<T> line(x.begin() + std::ptrdiff_t(l * n),
                                  x.begin() + std::ptrdiff_t((l + 1) * n));
        const auto folds = all_folds(Op(), line, start);
        for (size_t i = 0; i < n; i++)
          ASSERT_TRUE(same(out[l * n + i], (entry<Op, T>(folds, start, i, exclusive)), true))
              << "line " << l << " of " << count << ", entry " << i << " of " << n;
      }
      ASSERT_TRUE(out.margin_is_intact());
    }
}

template <class Op, class T>
void check_columns(const host::scan_kernels& kernels, rng& g, kind k, bool exclusive) {
  using St = S<Op, T>;
  for (const size_t width : {1, 2, 3, 4, 7, 8, 15, 16, 17, 40, 100, 1100})
    for (const size_t n : {1, 2, 3, 7, 8, 9, 16, 31, 64, 100}) {
      if (n * width > 20000) continue;
      const size_t gap = g() % 3, out_gap = g() % 3;
      const size_t stride = width + gap, out_stride = width + out_gap;
      const auto x = any_values<T>(g, n * stride, k);
      std::vector<St> starts, afters(width);
      const bool has_start = g() % 2;
      for (size_t c = 0; c < width; c++) starts.push_back(lift(Op(), any_value<T>(g, k), 0));
      std::vector<std::vector<St>> folds(width);
      for (size_t c = 0; c < width; c++) {
        std::vector<T> column(n);
        for (size_t r = 0; r < n; r++) column[r] = x[r * stride + c];
        folds[c] = all_folds(Op(), column, has_start ? std::optional<St>(starts[c]) : std::nullopt);
        afters[c] = folds[c].back();
      }
      host::carry carry;
      carry.before = has_start ? starts.data() : nullptr;
      if (std::has_single_bit(n) && g() % 2) carry.after = afters.data();
      carry.exclusive = exclusive, carry.stream = g() % 2;
      placed<T> in(x, g() % 16);
      const bool in_place = sizeof(T) == sizeof(St) && g() % 3 == 0;
      const size_t to_stride = in_place ? stride : out_stride;
      placed<St> out(n * out_stride, g() % 16);
      void* to = in_place ? static_cast<void*>(in.data()) : out.data();
      kernels.rows(operator_object, in.data(), std::ptrdiff_t(stride), n, width, to,
                   std::ptrdiff_t(to_stride), carry);
      for (size_t c = 0; c < width; c++)
        for (size_t r = 0; r < n; r++) {
          const auto start = has_start ? std::optional<St>(starts[c]) : std::nullopt;
          ASSERT_TRUE(same(static_cast<const St*>(to)[r * to_stride + c],
                           (entry<Op, T>(folds[c], start, r, exclusive)), true))
              << "row " << r << " of " << n << ", column " << c << " of " << width;
        }
      ASSERT_TRUE(out.margin_is_intact());
      ASSERT_TRUE(in.margin_is_intact());
    }
}

template <class Op, class T>
void check(kernel_op op) {
  on_every_target([&] {
    const host::scan_kernels* kernels = find_scan(op, packed_of<T>);
    ASSERT_NE(kernels, nullptr);
    rng g(11);
    for (const kind k : {kind::tame, kind::hard, kind::few})
      for (const bool exclusive : {false, true}) {
        SCOPED_TRACE(int(k));
        for (size_t n = 0; n < 700; n++)
          ASSERT_NO_FATAL_FAILURE((check_line<Op, T>(*kernels, g, k, n, exclusive)));
        for (const size_t n : {1023, 1024, 1025, 2048, 4096, 5000, 8192, 16385, 65536})
          ASSERT_NO_FATAL_FAILURE((check_line<Op, T>(*kernels, g, k, n, exclusive)));
        ASSERT_NO_FATAL_FAILURE((check_lines<Op, T>(*kernels, g, k, exclusive)));
        ASSERT_NO_FATAL_FAILURE((check_columns<Op, T>(*kernels, g, k, exclusive)));
      }
  });
}

TEST(simd_scan, plus) {
  check<plus, std::int64_t>(kernel_op::plus);
  check<plus, float>(kernel_op::plus);
  check<plus, double>(kernel_op::plus);
  check<plus, complex<float>>(kernel_op::plus);
  check<plus, complex<double>>(kernel_op::plus);
}
TEST(simd_scan, multiplies) {
  check<multiplies, std::int64_t>(kernel_op::multiplies);
  check<multiplies, float>(kernel_op::multiplies);
  check<multiplies, double>(kernel_op::multiplies);
  check<multiplies, complex<float>>(kernel_op::multiplies);
}
TEST(simd_scan, extremes) {
  check<minimum, float>(kernel_op::minimum);
  check<maximum, double>(kernel_op::maximum);
  check<minimum_number, double>(kernel_op::minimum_number);
  check<maximum_number, float>(kernel_op::maximum_number);
  check<minimum, std::int64_t>(kernel_op::minimum);
  check<maximum, std::uint64_t>(kernel_op::maximum);
}
TEST(simd_scan, log_sum_exp) {
  check<log_sum_exp, float>(kernel_op::log_sum_exp);
  check<log_sum_exp, double>(kernel_op::log_sum_exp);
}

}  // namespace
}  // namespace rung::simd::test
