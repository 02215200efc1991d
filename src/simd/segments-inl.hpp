// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Folds of many short segments of numbers. A segment is a tree of 2^k values and what is behind it,
// again so: fewer values than fill a vector are joined one by one, more in vectors, as in
// tree-inl.hpp, for operators that keep one state per lane. Cost: one jump per block of a segment,
// and its joins. Included once per instruction set, after tree-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class A>
struct short_segments {
  using op = typename A::op;
  using value = typename A::value;
  using folding = tree_of<A>;

  static HWY_INLINE value first_of(const typename A::vectors& v) {
    HWY_ALIGN value all[folding::units];
    A::store(v, 0, all);
    return all[0];
  }
  /// 2^k vectors joined, where any order will do.
  template <int k>
  static HWY_INLINE typename A::vectors joined(const value* x) {
    if constexpr (k == 0) return A::load(x);
    else return A::join(joined<k - 1>(x), joined<k - 1>(x + (folding::units << (k - 1))), 0);
  }
  template <int log>
  static HWY_INLINE value in_vectors(const value* x) {
    constexpr int log_units = std::countr_zero(folding::units);
    if constexpr (log < log_units) {
      return host::generic::small_tree<size_t(1) << log>(op(), x, 0);
    } else if constexpr (log > 6) {
      value all;
      folding::fold(x, size_t(1) << log, &all);
      return all;
    } else if constexpr (A::any_order) {
      return first_of(folding::template across<0>(joined<log - log_units>(x), 0));
    } else {
      constexpr int k = log - log_units;
      const auto v = folding::template rows<k>(from_values<A>{x}, 0, 0);
      return first_of(folding::template across<k % folding::cycle>(v, k));
    }
  }
  template <int log>
  static HWY_INLINE value behind(value all, const value* x, std::uint64_t n, std::uint64_t done) {
    if constexpr (log == 0) {
      return all;
    } else {
      constexpr std::uint64_t size = std::uint64_t(1) << (log - 1);
      const std::uint64_t mask = -std::uint64_t((n & size) != 0);
      // Where there is no such block: any values, and nothing comes of them.
      const value next = op()(all, in_vectors<log - 1>(x + (done & mask)));
      using word = std::conditional_t<sizeof(value) == 4, std::uint32_t, std::uint64_t>;
      const auto mine = rung::detail::bit_cast<word>(all),
                 theirs = rung::detail::bit_cast<word>(next);
      const word chosen = word((mine & ~mask) | (theirs & mask));
      return behind<log - 1>(rung::detail::bit_cast<value>(chosen), x, n, done + (n & size));
    }
  }
  /// `before` and a segment of 2^log values or more, less than twice as many. What is behind the
  /// tree takes no jumps, which nobody could foresee.
  template <int log>
  static HWY_INLINE value fold(const value* before, const value* x, std::uint64_t n) {
    constexpr std::uint64_t size = std::uint64_t(1) << log;
    value all = in_vectors<log>(x);
    if (before) all = op()(*before, all);
    if (n == size) return all;
    std::uint64_t done = size;
    if constexpr (log > 7)
      if (n & 128) all = op()(all, in_vectors<7>(x + done)), done += 128;
    if constexpr (log > 6)
      if (n & 64) all = op()(all, in_vectors<6>(x + done)), done += 64;
    if constexpr (log > 5)
      if (n & 32) all = op()(all, in_vectors<5>(x + done)), done += 32;
    if constexpr (log > 4)
      if (n & 16) all = op()(all, in_vectors<4>(x + done)), done += 16;
    return behind<(log < 4 ? log : 4)>(all, x, n, done);
  }
  static HWY_INLINE value fold_any(const value* before, const value* x, std::uint64_t n) {
    switch (63 - std::countl_zero(n)) {
      case 0:
        return fold<0>(before, x, n);
      case 1:
        return fold<1>(before, x, n);
      case 2:
        return fold<2>(before, x, n);
      case 3:
        return fold<3>(before, x, n);
      case 4:
        return fold<4>(before, x, n);
      case 5:
        return fold<5>(before, x, n);
      case 6:
        return fold<6>(before, x, n);
      case 7:
        return fold<7>(before, x, n);
      default:
        return fold<8>(before, x, n);
    }
  }
  template <bool has_start>
  static HWY_INLINE void run(const value* values, const std::int64_t* at, size_t count, value none,
                             value* out) {
    const value* const before = has_start ? &none : nullptr;
    for (size_t i = 0; i < count; i++) {
      const value* x = values + at[i];
      const auto n = std::uint64_t(at[i + 1] - at[i]);
      if (n == 1) out[i] = has_start ? op()(none, x[0]) : x[0];
      else if (n == 0) out[i] = none;
      else out[i] = fold_any(before, x, n);
    }
  }
  [[gnu::flatten]] static void segments(const void*, const void* values, const std::int64_t* at,
                                        size_t count, const void* start, const void* nothing,
                                        void* states) {
    value none;
    std::memcpy(&none, start ? start : nothing, sizeof(value));
    const auto* const x = static_cast<const value*>(values);
    if (start) run<true>(x, at, count, none, static_cast<value*>(states));
    else run<false>(x, at, count, none, static_cast<value*>(states));
  }
};

/// Whether an algebra's states are numbers, one per lane.
template <class A>
inline constexpr bool has_short_segments = false;
template <class A>
  requires(A::parts == 1 && number<typename A::value> && !is_complex<typename A::value> &&
           sizeof(typename A::value) >= 4 && std::is_same_v<typename A::value, typename A::state>)
inline constexpr bool has_short_segments<A> = true;

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
