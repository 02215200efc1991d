// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimum and maximum as those of signed integers. The bits of a float, with all but the sign
// flipped where it is negative, are ordered like the float, -0 below +0; a NaN becomes the one
// integer that wins (or, with Numbers, loses) against all. So a join is one instruction whatever
// the rules are. Source of the order: IEEE 754-2019 section 5.10, totalOrder. Included once per
// instruction set, after algebra-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class T, bool Least, bool Numbers>
struct order_key {
  using lane = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  static constexpr lane low = std::numeric_limits<lane>::min();
  static constexpr lane high = std::numeric_limits<lane>::max();
  static constexpr lane nan = Least == Numbers ? high : low;
  static constexpr lane nothing = Least ? high : low;

  static HWY_INLINE vec<lane> flip(vec<lane> bits) {
    const full<lane> d;
    if constexpr (std::is_unsigned_v<T>) {
      return hn::Xor(bits, hn::Set(d, low));
    } else if constexpr (std::is_floating_point_v<T>) {
      return hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), hn::Set(d, high)));
    } else {
      return bits;
    }
  }
  static HWY_INLINE vec<lane> of(vec<T> x) {
    const full<lane> d;
    const auto key = flip(hn::BitCast(d, x));
    if constexpr (!std::is_floating_point_v<T>) return key;
    else return hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(x)), hn::Set(d, nan), key);
  }
  static HWY_INLINE vec<T> back(vec<lane> key) { return hn::BitCast(full<T>(), flip(key)); }
  static HWY_INLINE vec<lane> join(vec<lane> l, vec<lane> r) {
    return Least ? hn::Min(l, r) : hn::Max(l, r);
  }
};

template <class T, bool Least, bool Numbers>
struct extreme_algebra {
  using key = order_key<T, Least, Numbers>;
  using op = rung::extreme_value<Least, Numbers>;
  using value = T;
  using state = T;
  using lane = typename key::lane;
  using vectors = bundle<lane, 1>;
  static constexpr int parts = 1;
  static constexpr size_t unit = sizeof(T), step = vector_bytes / unit;
  static constexpr bool any_order = true, has_wide_units = false, is_bulky = false;

  static HWY_INLINE vectors load(const T* p) { return {{key::of(hn::LoadU(full<T>(), p))}}; }
  static HWY_INLINE vectors load_first(const T* p, size_t n) {
    return {{key::of(HWY_NAMESPACE::load_first(p, n))}};
  }
  static HWY_INLINE vectors join(const vectors& l, const vectors& r, int) {
    return {{key::join(l.part[0], r.part[0])}};
  }
  static HWY_INLINE vectors nothing() { return {{hn::Set(full<lane>(), key::nothing)}}; }
  static HWY_INLINE vectors load_states(const T* p) { return load(p); }
  static HWY_INLINE vectors load_states_first(const T* p, size_t n) { return load_first(p, n); }
  static HWY_INLINE void store(const vectors& v, int, T* p) { put(v, p); }
  static HWY_INLINE void store_first(const vectors& v, int, T* p, size_t n) { put_first(v, p, n); }
  using result = T;
  static HWY_INLINE void put(const vectors& v, T* p) {
    hn::StoreU(key::back(v.part[0]), full<T>(), p);
  }
  static HWY_INLINE void put_first(const vectors& v, T* p, size_t n) {
    HWY_NAMESPACE::store_first(key::back(v.part[0]), p, n);
  }
  static HWY_INLINE void put_past_cache(const vectors& v, T* p) {
    hn::Stream(key::back(v.part[0]), full<T>(), p);
  }
  static constexpr bool has_check = false, has_no_op = true;
  static HWY_INLINE vectors canonical(const vectors& v) {
    if constexpr (!std::is_floating_point_v<T>) return v;
    // The key whose bits are the one NaN's: no number has it.
    const auto nan = key::flip(hn::BitCast(full<lane>(), hn::Set(full<T>(), rung::quiet_nan<T>)));
    const full<lane> d;
    return {{hn::IfThenElse(hn::Eq(v.part[0], hn::Set(d, key::nan)), nan, v.part[0])}};
  }
};

/// Both extremes: two parts.
template <class T, bool Numbers>
struct min_max_algebra {
  using low = order_key<T, true, Numbers>;
  using high = order_key<T, false, Numbers>;
  using op = rung::both_extremes<Numbers>;
  using value = T;
  using state = rung::min_max_value<T>;
  using lane = typename low::lane;
  using vectors = bundle<lane, 2>;
  static constexpr int parts = 2;
  static constexpr size_t unit = sizeof(T), step = vector_bytes / unit;
  static constexpr bool any_order = true, has_wide_units = false, is_bulky = false;

  static HWY_INLINE vectors lift(vec<T> x) { return {{low::of(x), high::of(x)}}; }
  static HWY_INLINE vectors load(const T* p) { return lift(hn::LoadU(full<T>(), p)); }
  static HWY_INLINE vectors load_first(const T* p, size_t n) {
    return lift(HWY_NAMESPACE::load_first(p, n));
  }
  static HWY_INLINE vectors join(const vectors& l, const vectors& r, int) {
    return {{low::join(l.part[0], r.part[0]), high::join(l.part[1], r.part[1])}};
  }
  static HWY_INLINE vectors nothing() {
    return {{hn::Set(full<lane>(), low::nothing), hn::Set(full<lane>(), high::nothing)}};
  }
  static HWY_INLINE void store(const vectors& v, int, state* p) {
    const full<T> d;
    hn::StoreInterleaved2(low::back(v.part[0]), high::back(v.part[1]), d, &p->min);
  }
  static HWY_INLINE void store_first(const vectors& v, int level, state* p, size_t n) {
    state all[step];
    store(v, level, all);
    std::memcpy(p, all, n * sizeof(state));
  }
};

template <bool Least, bool Numbers, class T>
struct algebra_for<rung::extreme_value<Least, Numbers>, T> {
  using type = extreme_algebra<T, Least, Numbers>;
};
template <bool Numbers, class T>
struct algebra_for<rung::both_extremes<Numbers>, T> {
  using type = min_max_algebra<T, Numbers>;
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
