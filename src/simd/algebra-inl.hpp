// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels ask of an operator, and the plainest answers: sums and products, lane by lane.
//   op, value, state    the scalar operator and what lies in memory
//   lane, parts, unit   a state is `parts` vectors of lanes; one part of one state has `unit` bytes
//   load, load_first    values -> lifted vectors (natural order)
//   join(l, r, level)   both sides hold 2^level values per state
//   nothing             the exact no-op; has_no_op: there is one
//   exact               the algebra for what this one leaves out; holds(states, n): it did not
//   has_wide_units      rows of 2, 4, ... columns get a tree of their own (code size against speed)
//   is_bulky            its joins are long: small batches
//   store               vectors -> states; `level` as above
// and, where it can be scanned:
//   load_states         states -> vectors
//   result              what a scan writes: put, put_first, put_past_cache
//   canonical           NaN made the one NaN; has_check, may_have_nan: a cheap sign of none
// Included once per instruction set, after x86-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

struct add_lanes {
  using op = rung::plus;
  template <class V>
  static HWY_INLINE V of(V l, V r) {
    return hn::Add(l, r);
  }
};
struct multiply_lanes {
  using op = rung::multiplies;
  template <class V>
  static HWY_INLINE V of(V l, V r) {
    return hn::Mul(l, r);
  }
};

struct or_lanes {
  using op = rung::bit_or;
  template <class V>
  static HWY_INLINE V of(V l, V r) {
    return hn::Or(l, r);
  }
};
struct and_lanes {
  using op = rung::bit_and;
  template <class V>
  static HWY_INLINE V of(V l, V r) {
    return hn::And(l, r);
  }
};

/// The algebra of an operator over a type of value; void: plain loops.
template <class Op, class V>
struct algebra_for {
  using type = void;
};
template <class Op, class V>
using algebra_of = typename algebra_for<Op, V>::type;

/// The algebra that folds pairs of neighbouring values faster than A folds values.
template <class A>
struct paired_of {
  using type = void;
};

/// The real type of a value.
template <class T>
struct real_of {
  using type = T;
};
template <class T>
struct real_of<rung::complex<T>> {
  using type = T;
};

template <class V>
HWY_INLINE V canonical_lanes(V v) {
  using L = hn::TFromD<hn::DFromV<V>>;
  return hn::IfThenElse(hn::IsNaN(v), hn::Set(hn::DFromV<V>(), rung::quiet_nan<L>), v);
}

/// An operator that works on every lane alone: sums (complex ones too) and real products.
template <class T, class Word>
struct lanewise {
  using op = typename Word::op;
  using value = T;
  using state = T;
  using lane = typename real_of<T>::type;
  using vectors = bundle<lane, 1>;
  static constexpr int parts = 1;
  static constexpr size_t unit = sizeof(T), step = vector_bytes / unit;
  static constexpr bool any_order = std::is_integral_v<T>;
  static constexpr bool has_wide_units = std::is_same_v<op, rung::plus>, is_bulky = false;
  static constexpr bool has_no_op = std::is_same_v<op, rung::plus> || !is_complex<T>;

  static HWY_INLINE const lane* lanes(const value* p) { return reinterpret_cast<const lane*>(p); }
  static HWY_INLINE vectors load(const value* p) { return {{hn::LoadU(full<lane>(), lanes(p))}}; }
  static HWY_INLINE vectors load_first(const value* p, size_t n) {
    return {{HWY_NAMESPACE::load_first(lanes(p), n * (sizeof(T) / sizeof(lane)))}};
  }
  static HWY_INLINE vectors join(const vectors& l, const vectors& r, int) {
    return {{Word::of(l.part[0], r.part[0])}};
  }
  /// The vectors at p and behind it, joined after an exchange, with as few shuffles as possible.
  static HWY_INLINE vectors load_pairs(const float* p) requires std::is_same_v<T, float> {
    const full<float> d;
    const float *next = p + step, *q = another_name(p);
    const auto even = Word::of(hn::LoadU(d, p), load_dup_odd(q));
    const auto odd = Word::of(load_dup_even(q + step), hn::LoadU(d, next));
    return {{hn::OddEven(odd, even)}};
  }
  static HWY_INLINE vectors load_pairs(const double* p) requires std::is_same_v<T, double> {
    const full<double> d;
    const auto u = hn::LoadU(d, p), w = hn::LoadU(d, p + step);
    const auto left = load_evens_into_odd(u, another_name(p) + step);
    return {{Word::of(left, hn::InterleaveUpper(d, u, w))}};
  }
  /// Only the left operands after an exchange of the vectors at p and behind it.
  static HWY_INLINE vectors load_left(const float* p) requires std::is_same_v<T, float> {
    return {{hn::OddEven(load_dup_even(p + step), hn::LoadU(full<float>(), p))}};
  }
  static HWY_INLINE vectors load_left(const double* p) requires std::is_same_v<T, double> {
    return {{load_evens_into_odd(hn::LoadU(full<double>(), p), p + step)}};
  }
  static HWY_INLINE vectors nothing() {
    return {{hn::Set(full<lane>(), op::template identity<lane>())}};
  }
  static HWY_INLINE vectors canonical(const vectors& v) {
    if constexpr (std::is_integral_v<lane>) return v;
    else return {{canonical_lanes(v.part[0])}};
  }
  /// If the tree of a range of values and the fold before it are finite, no entry of a scan of the
  /// range is NaN: all its nodes are finite, and finite ones never turn an overflowed sum into NaN.
  static constexpr bool has_check = std::is_same_v<op, rung::plus> && !std::is_integral_v<lane>;
  static HWY_INLINE bool may_have_nan(const vectors& before, const vectors& tree) {
    const full<lane> d;
    const auto inf = hn::Set(d, infinity<lane>);
    return !hn::AllTrue(
        d, hn::And(hn::Lt(hn::Abs(before.part[0]), inf), hn::Lt(hn::Abs(tree.part[0]), inf)));
  }
  static HWY_INLINE vectors load_states(const state* p) { return load(p); }
  static HWY_INLINE vectors load_states_first(const state* p, size_t n) { return load_first(p, n); }
  static HWY_INLINE void store(const vectors& v, int, state* p) { put(v, p); }
  static HWY_INLINE void store_first(const vectors& v, int, state* p, size_t n) {
    put_first(v, p, n);
  }
  using result = state;
  static HWY_INLINE void put(const vectors& v, result* p) {
    hn::StoreU(v.part[0], full<lane>(), reinterpret_cast<lane*>(p));
  }
  static HWY_INLINE void put_first(const vectors& v, result* p, size_t n) {
    HWY_NAMESPACE::store_first(v.part[0], reinterpret_cast<lane*>(p),
                               n * (sizeof(T) / sizeof(lane)));
  }
  static HWY_INLINE void put_past_cache(const vectors& v, result* p) {
    hn::Stream(v.part[0], full<lane>(), reinterpret_cast<lane*>(p));
  }
};

/// a b, or with `conjugated` conj(a) b, of complex numbers side by side; every product is rounded
/// on its own.
template <bool conjugated, class V>
HWY_INLINE V complex_product(V a, V b) {
  const hn::DFromV<V> d;
  const V p = hn::Mul(hn::DupEven(a), b), q = hn::Mul(hn::DupOdd(a), hn::Reverse2(d, b));
  const V sum = hn::Add(p, q), difference = hn::Sub(p, q);
  return conjugated ? hn::OddEven(difference, sum) : hn::OddEven(sum, difference);
}

/// Complex products have no exact no-op, so they are folded here but not scanned.
template <class T>
struct complex_multiplies : lanewise<T, multiply_lanes> {
  using typename lanewise<T, multiply_lanes>::vectors;
  static HWY_INLINE vectors join(const vectors& l, const vectors& r, int) {
    return {{complex_product<false>(l.part[0], r.part[0])}};
  }
};

template <class T>
  requires(2 * sizeof(T) <= vector_bytes)
struct algebra_for<rung::plus, T> {
  using type = lanewise<T, add_lanes>;
};
template <real_float T>
struct algebra_for<rung::multiplies, T> {
  using type = lanewise<T, multiply_lanes>;
};
template <class R>
  requires(4 * sizeof(R) <= vector_bytes)
struct algebra_for<rung::multiplies, complex<R>> {
  using type = complex_multiplies<complex<R>>;
};
template <>
struct algebra_for<rung::bit_or, std::int64_t> {
  using type = lanewise<std::int64_t, or_lanes>;
};
template <>
struct algebra_for<rung::bit_and, std::int64_t> {
  using type = lanewise<std::int64_t, and_lanes>;
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
