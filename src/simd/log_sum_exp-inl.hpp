// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// log_sum_exp: the maximum and the scaled sum of every state in vectors. The side that has the
// maximum keeps its sum (exp(0) is exactly 1), so a join costs one exp: portable::exp step by step,
// for which the instruction set must have a fused multiply-add. Included once per instruction set,
// after algebra-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

/// portable::detail::exp_polynomial from term i down.
template <class T, int i, class V>
HWY_INLINE V exp_terms_below(V p, V r) {
  if constexpr (i < 2) {
    return p;
  } else {
    const V term = hn::Set(hn::DFromV<V>(), portable::detail::inverse_factorial<T>(i));
    return exp_terms_below<T, i - 1>(hn::MulAdd(p, r, term), r);
  }
}

/// portable::exp(x) for x <= 0 or NaN.
template <class T>
HWY_INLINE vec<T> exp_of_negative(vec<T> x) {
  using F = portable::detail::format<T>;
  const full<T> d;
  const hn::RebindToSigned<full<T>> di;
  const auto magic = hn::Set(d, F::round_magic), one = hn::Set(d, T(1));
  const auto lowest = hn::Set(d, F::exp_lowest), low_part = hn::Set(d, F::ln2_low);
  const auto clamped = hn::IfThenElse(hn::Lt(x, lowest), lowest, x);
  const auto shifted = hn::MulAdd(clamped, hn::Set(d, F::log2e), magic);
  const auto k = hn::Sub(shifted, magic);
  const auto high = hn::NegMulAdd(k, hn::Set(d, F::ln2_high), clamped);
  const auto r = hn::NegMulAdd(k, low_part, high);
  const auto missing = hn::NegMulAdd(k, low_part, hn::Sub(high, r));
  const auto first = hn::Set(d, portable::detail::inverse_factorial<T>(F::exp_terms - 1));
  const auto p = exp_terms_below<T, F::exp_terms - 2>(first, r);
  const auto one_r = hn::Add(one, r), lost = hn::Add(hn::Sub(one, one_r), r);
  const auto e = hn::Add(one_r, hn::Add(hn::MulAdd(hn::Mul(r, r), p, missing), lost));
  const auto n = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, magic));
  const auto half = hn::ShiftRight<1>(n), bias = hn::Set(di, hn::TFromD<decltype(di)>(F::bias));
  const auto scale = hn::BitCast(d, hn::ShiftLeft<F::fraction>(hn::Add(half, bias)));
  const auto rest = hn::BitCast(d, hn::ShiftLeft<F::fraction>(hn::Add(hn::Sub(n, half), bias)));
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Mul(hn::Mul(e, scale), rest));
}

template <class T>
struct log_sum_exp_algebra {
  using op = rung::log_sum_exp;
  using value = T;
  using state = rung::log_sum_exp_state<T>;
  using lane = T;
  using V = vec<T>;
  using vectors = bundle<T, 2>;
  static constexpr int parts = 2;  // maximum, sum
  static constexpr size_t unit = sizeof(T), step = vector_bytes / unit;
  static constexpr bool any_order = false, has_wide_units = false, has_no_op = true;
  static constexpr bool is_bulky = true, has_check = false;

  static HWY_INLINE vectors lift(V x) { return {{x, hn::Set(full<T>(), T(1))}}; }
  static HWY_INLINE vectors load(const T* p) { return lift(hn::LoadU(full<T>(), p)); }
  static HWY_INLINE vectors load_first(const T* p, size_t n) {
    return lift(HWY_NAMESPACE::load_first(p, n));
  }
  static HWY_INLINE vectors nothing() {
    const full<T> d;
    return {{hn::Set(d, -infinity<T>), hn::Zero(d)}};
  }
  /// Not inlined: it would stand in the code a hundred times.
  static HWY_NOINLINE vectors joined(const vectors& left, const vectors& right) {
    const full<T> d;
    const V l = left.part[0], r = right.part[0];
    const auto right_wins = hn::AndNot(hn::IsNaN(l), hn::Or(hn::Lt(l, r), hn::IsNaN(r)));
    const V most = hn::IfThenElse(right_wins, r, l), least = hn::IfThenElse(right_wins, l, r);
    const V below = hn::IfThenElse(hn::Eq(l, r), hn::Zero(d), hn::Sub(least, most));
    const V kept = hn::IfThenElse(right_wins, right.part[1], left.part[1]);
    const V scaled = hn::IfThenElse(right_wins, left.part[1], right.part[1]);
    const V sum = hn::Add(kept, hn::Mul(scaled, exp_of_negative<T>(below)));
    // Nothing on the left, which only `nothing` has: the right side as it is, even if it is NaN.
    return {{most, hn::IfThenElse(hn::Eq(left.part[1], hn::Zero(d)), right.part[1], sum)}};
  }
  static HWY_INLINE vectors join(const vectors& l, const vectors& r, int) { return joined(l, r); }

  using result = state;
  static HWY_INLINE vectors canonical(const vectors& v) {
    return {{canonical_lanes(v.part[0]), canonical_lanes(v.part[1])}};
  }
  static HWY_INLINE void put(const vectors& v, state* p) {
    hn::StoreInterleaved2(v.part[0], v.part[1], full<T>(), reinterpret_cast<T*>(p));
  }
  static HWY_INLINE void put_first(const vectors& v, state* p, size_t n) {
    state all[step];
    put(v, all);
    std::memcpy(p, all, n * sizeof(state));
  }
  static HWY_INLINE void put_past_cache(const vectors& v, state* p) { put(v, p); }
  static HWY_INLINE void store(const vectors& v, int, state* p) { put(v, p); }
  static HWY_INLINE void store_first(const vectors& v, int, state* p, size_t n) {
    put_first(v, p, n);
  }
  static HWY_INLINE vectors load_states(const state* p) {
    vectors v;
    hn::LoadInterleaved2(full<T>(), reinterpret_cast<const T*>(p), v.part[0], v.part[1]);
    return v;
  }
  static HWY_INLINE vectors load_states_first(const state* p, size_t n) {
    state all[step] = {};
    std::memcpy(all, p, n * sizeof(state));
    return load_states(all);
  }
};

#if HWY_NATIVE_FMA
template <real_float T>
struct algebra_for<rung::log_sum_exp, T> {
  using type = log_sum_exp_algebra<T>;
};
#endif

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
