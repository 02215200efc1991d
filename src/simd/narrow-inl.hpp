// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of f16, bf16 and i32 straight from memory: widened on the way into the registers, so that
// memory and not L1 sets the pace. Scans of f16 and bf16 write rounded results, not states.
// Included once per instruction set, after algebra-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class E>
struct narrow_lane;
template <>
struct narrow_lane<rung::f16> {
  using type = hwy::float16_t;
};
template <>
struct narrow_lane<rung::bf16> {
  using type = hwy::bfloat16_t;
};
template <>
struct narrow_lane<std::int32_t> {
  using type = std::int32_t;
};

template <class E>
struct narrow_sums : lanewise<rung::accumulator_t<E>, add_lanes> {
  using base = lanewise<rung::accumulator_t<E>, add_lanes>;
  using typename base::lane;
  using typename base::vectors;
  using value = E;
  using result = std::conditional_t<is_half<E>, E, std::int64_t>;
  using source = hn::Rebind<typename narrow_lane<E>::type, full<lane>>;
  static constexpr size_t step = base::step;
  static constexpr bool has_wide_units = false;

  static HWY_INLINE vectors load(const E* p) {
    const auto* lanes = reinterpret_cast<const hn::TFromD<source>*>(p);
    return {{hn::PromoteTo(full<lane>(), hn::LoadU(source(), lanes))}};
  }
  static HWY_INLINE vectors load_first(const E* p, size_t n) {
    E all[step] = {};
    std::memcpy(static_cast<void*>(all), p, n * sizeof(E));
    return load(all);
  }

  static HWY_INLINE auto rounded(vec<lane> v) {
    if constexpr (std::is_same_v<E, rung::bf16>) {  // to nearest, ties to even
      // A NaN stays one: its low half is zero, as all NaNs here come from bf16 or are made by sums.
      const hn::RebindToUnsigned<full<lane>> du;
      const auto bits = hn::BitCast(du, v);
      const auto tie = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
      const auto up = hn::Add(hn::Add(bits, hn::Set(du, 0x7fffu)), tie);
      v = hn::BitCast(full<lane>(), hn::And(up, hn::Set(du, 0xffff0000u)));
    }
    return hn::DemoteTo(source(), v);
  }
  static HWY_INLINE void put(const vectors& v, result* p) {
    if constexpr (!is_half<E>) base::put(v, p);
    else hn::StoreU(rounded(v.part[0]), source(), reinterpret_cast<hn::TFromD<source>*>(p));
  }
  static HWY_INLINE void put_first(const vectors& v, result* p, size_t n) {
    if constexpr (!is_half<E>) return base::put_first(v, p, n);
    result all[step];
    put(v, all);
    std::memcpy(static_cast<void*>(p), all, n * sizeof(result));
  }
  static HWY_INLINE void put_past_cache(const vectors& v, result* p) {
    if constexpr (!is_half<E>) {
      base::put_past_cache(v, p);
    } else {
      const hn::Repartition<std::uint16_t, source> d;
      hn::Stream(hn::BitCast(d, rounded(v.part[0])), d, reinterpret_cast<std::uint16_t*>(p));
    }
  }
};

/// Two bf16 in one 32-bit word: their sum needs no shuffle, so it is the value of a tree.
struct bf16_pair {
  rung::bf16 left{}, right{};
};
struct paired_sums : lanewise<float, add_lanes> {
  using base = lanewise<float, add_lanes>;
  using value = bf16_pair;
  static constexpr bool has_wide_units = false;
  static HWY_INLINE vectors joined(vec<float> words) {
    const full<float> d;
    const hn::RebindToUnsigned<full<float>> du;
    const auto bits = hn::BitCast(du, words);
    const auto left = hn::BitCast(d, hn::ShiftLeft<16>(bits));
    const auto right = hn::BitCast(d, hn::And(bits, hn::Set(du, 0xffff0000u)));
    return {{hn::Add(left, right)}};
  }
  static HWY_INLINE const float* words(const bf16_pair* p) {
    return reinterpret_cast<const float*>(p);
  }
  static HWY_INLINE vectors load(const bf16_pair* p) {
    return joined(hn::LoadU(full<float>(), words(p)));
  }
  static HWY_INLINE vectors load_first(const bf16_pair* p, size_t n) {
    bf16_pair all[step] = {};
    std::memcpy(static_cast<void*>(all), p, n * sizeof(bf16_pair));
    return load(all);
  }
};

template <>
struct algebra_for<rung::plus, rung::f16> {
  using type = narrow_sums<rung::f16>;
};
template <>
struct algebra_for<rung::plus, rung::bf16> {
  using type = narrow_sums<rung::bf16>;
};
template <>
struct algebra_for<rung::plus, std::int32_t> {
  using type = narrow_sums<std::int32_t>;
};
template <>
struct paired_of<narrow_sums<rung::bf16>> {
  using type = paired_sums;
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
