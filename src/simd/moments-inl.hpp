// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Moments in f64 lanes: the mean and the sum of squared deviations of every state, and its count
// where it is not the same for all. In a perfect tree both sides of a join hold 2^level values, so
// the share of the right side is exactly 1/2. Complex numbers: both lanes of a unit hold the same
// sum and count. Infinities need a second formula for the mean. Any makes the squares infinite or
// NaN, so the fast algebra leaves it out, and where squares do not come out finite the `exact` one
// does it again. Cost: 7 operations for a join. Included once per instruction set, after
// algebra-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

/// f64 lanes from as many lanes of either float type.
HWY_INLINE vec<double> load_as_double(const float* p) {
  const full<double> d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, full<double>>(), p));
}
HWY_INLINE vec<double> load_as_double(const double* p) { return hn::LoadU(full<double>(), p); }
/// The first n of them, zeros behind.
HWY_INLINE vec<double> load_first_as_double(const double* p, size_t n) { return load_first(p, n); }
HWY_INLINE vec<double> load_first_as_double(const float* p, size_t n) {
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN float lanes[vector_bytes / sizeof(double)] = {};
  std::memcpy(lanes, p, n * sizeof(float));
  return load_as_double(lanes);
#else
  const full<double> d;
  const hn::Rebind<float, full<double>> df;
  return hn::PromoteTo(d, hn::MaskedLoad(hn::FirstN(df, n), df, p));
#endif
}

template <class T, bool Numbers, bool Exact = false>
struct moments_algebra {
  using op = std::conditional_t<Numbers, moments_number, rung::moments>;
  using exact = moments_algebra<T, Numbers, true>;
  using value = T;
  using state = rung::state_t<op, T>;
  using lane = double;
  using V = vec<double>;
  using source = typename real_of<T>::type;
  static constexpr int parts = Numbers ? 3 : 2;  // mean, squares, count
  using vectors = bundle<double, parts>;
  static constexpr size_t lanes = is_complex<T> ? 2 : 1;  // of a unit
  static constexpr size_t unit = lanes * sizeof(double), step = vector_bytes / unit;
  static constexpr bool any_order = false, has_wide_units = false, has_no_op = false;
  static constexpr bool is_bulky = Numbers || Exact;

  /// The sum of both parts of a complex number in both of its lanes.
  static HWY_INLINE V both(V v) {
    if constexpr (is_complex<T>) return hn::Add(v, hn::Reverse2(full<double>(), v));
    else return v;
  }
  static HWY_INLINE vectors lift(V x) {
    const V zero = both(hn::Sub(x, x));  // NaN for an infinity
    if constexpr (Numbers) {
      const full<double> d;
      auto nan = hn::VecFromMask(d, hn::IsNaN(x));
      if constexpr (is_complex<T>) nan = hn::Or(nan, hn::Reverse2(d, nan));
      return {{hn::AndNot(nan, x), hn::AndNot(nan, zero), hn::AndNot(nan, hn::Set(d, 1.0))}};
    } else {
      return {{x, zero}};
    }
  }
  static HWY_INLINE vectors load(const T* p) {
    return lift(load_as_double(reinterpret_cast<const source*>(p)));
  }
  static HWY_INLINE vectors load_first(const T* p, size_t n) {
    return lift(load_first_as_double(reinterpret_cast<const source*>(p), n * lanes));
  }

  /// The mean of both sides, `share` of whose values are on the right.
  static HWY_INLINE V merged(V l, V r, V delta, V share) {
    const V mean = hn::Add(l, hn::Mul(delta, share));
    if constexpr (!Exact) return mean;
    const full<double> d;
    const V rest = hn::Sub(hn::Set(d, 1.0), share);
    return hn::IfThenElse(hn::Eq(hn::Sub(delta, delta), hn::Zero(d)), mean,
                          hn::Add(hn::Mul(l, rest), hn::Mul(r, share)));
  }
  static HWY_INLINE vectors join(const vectors& l, const vectors& r, int level) {
    if constexpr (Exact || Numbers) return joined(l, r, level);
    else return equal_join(l, r, hn::Set(full<double>(), double(std::uint64_t(1) << level)));
  }
  /// Both sides hold `count` values.
  static HWY_INLINE vectors equal_join(const vectors& l, const vectors& r, V count) {
    const V half = hn::Set(full<double>(), 0.5);
    const V delta = hn::Sub(r.part[0], l.part[0]), square = both(hn::Mul(delta, delta));
    vectors v;
    v.part[0] = merged(l.part[0], r.part[0], delta, half);
    v.part[1] = hn::Add(hn::Add(l.part[1], r.part[1]), hn::Mul(square, hn::Mul(count, half)));
    if constexpr (Numbers) v.part[2] = hn::Add(l.part[2], r.part[2]);
    return v;
  }
  /// Not inlined: it would stand in the code a thousand times.
  static HWY_NOINLINE vectors joined(const vectors& l, const vectors& r, int level) {
    const full<double> d;
    if constexpr (!Numbers) {
      return equal_join(l, r, hn::Set(d, double(std::uint64_t(1) << level)));
    } else {
      if (HWY_LIKELY(hn::AllTrue(d, hn::Eq(l.part[2], r.part[2]))))
        return equal_join(l, r, l.part[2]);
      const V delta = hn::Sub(r.part[0], l.part[0]), square = both(hn::Mul(delta, delta));
      const V count = hn::Add(l.part[2], r.part[2]);
      const V share = hn::Div(r.part[2], hn::Max(count, hn::Set(d, 1.0)));
      const V mean = merged(l.part[0], r.part[0], delta, share);
      const V squares =
          hn::Add(hn::Add(l.part[1], r.part[1]), hn::Mul(square, hn::Mul(l.part[2], share)));
      const auto no_left = hn::Eq(l.part[2], hn::Zero(d)),
                 no_right = hn::Eq(r.part[2], hn::Zero(d));
      return {{hn::IfThenElse(no_left, r.part[0], hn::IfThenElse(no_right, l.part[0], mean)),
               hn::IfThenElse(no_left, r.part[1], hn::IfThenElse(no_right, l.part[1], squares)),
               count}};
    }
  }

  static void store_first(const vectors& v, int level, state* p, size_t n) {
    HWY_ALIGN double part[3][step * lanes];
    for (int i = 0; i < parts; i++) hn::Store(v.part[i], full<double>(), part[i]);
    for (size_t i = 0; i < n; i++) {
      const size_t at = i * lanes;
      const std::int64_t count = Numbers ? std::int64_t(part[2][at]) : std::int64_t(1) << level;
      if constexpr (is_complex<T>) p[i] = {count, {part[0][at], part[0][at + 1]}, part[1][at]};
      else p[i] = {count, part[0][at], part[1][at]};
    }
  }
  static HWY_INLINE void store(const vectors& v, int level, state* p) {
    store_first(v, level, p, step);
  }

  static bool holds(const state* p, size_t n) {
    if constexpr (!Exact)
      for (size_t i = 0; i < n; i++)
        if (!(p[i].m2 < infinity<double>)) return false;
    return true;
  }
};

template <class T>
  requires(4 * sizeof(double) <= vector_bytes || (!is_complex<T> && 16 <= vector_bytes))
struct algebra_for<rung::moments, T> {
  using type = moments_algebra<T, false>;
};
template <class T>
  requires(4 * sizeof(double) <= vector_bytes || (!is_complex<T> && 16 <= vector_bytes))
struct algebra_for<moments_number, T> {
  using type = moments_algebra<T, true>;
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
