// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Norms in f64 lanes: three sums of squares, of middling, scaled tiny and scaled huge values. From
// f32 only zero and infinity are not middling, so one sum will do; where it does not come out
// finite the `exact` algebra does it again. Included once per instruction set, after
// moments-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class T, bool Exact = std::is_same_v<typename real_of<T>::type, double>>
struct norm_algebra {
  using op = rung::norm;
  using exact = norm_algebra<T, true>;
  using value = T;
  using state = rung::norm_state;
  using lane = double;
  using V = vec<double>;
  using source = typename real_of<T>::type;
  static constexpr int parts = Exact ? 3 : 1;
  using vectors = bundle<double, parts>;
  static constexpr size_t unit = sizeof(double), step = vector_bytes / unit;
  static constexpr bool any_order = false, has_wide_units = false, has_no_op = false;
  static constexpr bool is_bulky = Exact;

  static HWY_INLINE V squared(V x) { return hn::Mul(x, x); }
  static HWY_INLINE vectors lift(V x) {
    if constexpr (!Exact) {
      return {{squared(x)}};
    } else {
      const full<double> d;
      const V size = hn::Abs(x);
      const auto huge = hn::Ge(size, hn::Set(d, op::huge_from));
      const auto tiny = hn::Lt(size, hn::Set(d, op::tiny_below));
      const V up = hn::IfThenElse(tiny, hn::Set(d, op::scale_up), hn::Set(d, 1.0));
      const V square = squared(hn::Mul(x, hn::IfThenElse(huge, hn::Set(d, op::scale_down), up)));
      return {{hn::IfThenZeroElse(hn::Or(tiny, huge), square), hn::IfThenElseZero(tiny, square),
               hn::IfThenElseZero(huge, square)}};
    }
  }
  static HWY_INLINE vectors load(const T* p) {
    const auto* x = reinterpret_cast<const source*>(p);
    vectors a = lift(load_as_double(x));
    if constexpr (is_complex<T>) {  // the squares of both parts, joined, in natural order
      const full<double> d;
      const vectors b = lift(load_as_double(x + step));
      for (int i = 0; i < parts; i++)
        a.part[i] = hn::Add(hn::ConcatEven(d, b.part[i], a.part[i]),
                            hn::ConcatOdd(d, b.part[i], a.part[i]));
    }
    return a;
  }
  static HWY_INLINE vectors load_first(const T* p, size_t n) {
    if constexpr (!is_complex<T>) return lift(load_first_as_double(p, n));
    T all[step] = {};
    std::memcpy(static_cast<void*>(all), p, n * sizeof(T));
    return load(all);
  }
  static HWY_INLINE vectors join(const vectors& l, const vectors& r, int) {
    vectors v;
    for (int i = 0; i < parts; i++) v.part[i] = hn::Add(l.part[i], r.part[i]);
    return v;
  }
  static void store_first(const vectors& v, int, state* p, size_t n) {
    HWY_ALIGN double part[3][step] = {};
    for (int i = 0; i < parts; i++) hn::Store(v.part[i], full<double>(), part[i]);
    for (size_t i = 0; i < n; i++) p[i] = {part[1][i], part[0][i], part[2][i]};
  }
  static HWY_INLINE void store(const vectors& v, int level, state* p) {
    store_first(v, level, p, step);
  }

  static bool holds(const state* p, size_t n) {
    if constexpr (!Exact)
      for (size_t i = 0; i < n; i++)
        if (!(p[i].middling < infinity<double>)) return false;
    return true;
  }
};

template <class T>
  requires(vector_bytes >= 16)
struct algebra_for<rung::norm, T> {
  using type = norm_algebra<T>;
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
