// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What Highway has no word for and x86 does faster, with the same meaning everywhere.
// Loads that double lanes: a load port does that for nothing (movsldup, movshdup, movddup from
// memory), while the same shuffle of a register takes the one port that the kernels have least of:
// sums of values in L2 run at 105 GB/s with these loads, at 85 GB/s without.
// Exchanges and splits in one instruction for each half instead of two: 10 % of a sum, 20 % of a
// scan. Included once per instruction set, after hwy/highway.h.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using std::size_t;

inline constexpr size_t vector_bytes = HWY_MAX_BYTES;

template <class L>
using full = hn::ScalableTag<L>;
template <class L>
using vec = hn::Vec<full<L>>;
/// Lanes of 8 bytes, of the same kind (float or integer) as L.
template <class L>
using wide_lane = std::conditional_t<std::is_floating_point_v<L>, double, std::uint64_t>;

/// p under a name that the compiler cannot prove equal: otherwise it would merge two loads of the
/// same place into one load and one shuffle.
template <class T>
HWY_INLINE const T* another_name(const T* p) {
#if HWY_COMPILER_GCC
  asm("" : "+r"(p));
#endif
  return p;
}

/// x0 x0 x2 x2 ... of the vector at p.
HWY_INLINE vec<float> load_dup_even(const float* p) {
#if HWY_TARGET <= HWY_AVX3
  return vec<float>{_mm512_moveldup_ps(_mm512_loadu_ps(p))};
#elif HWY_TARGET == HWY_AVX2
  return vec<float>{_mm256_moveldup_ps(_mm256_loadu_ps(p))};
#else
  return hn::DupEven(hn::LoadU(full<float>(), p));
#endif
}
/// x1 x1 x3 x3 ...
HWY_INLINE vec<float> load_dup_odd(const float* p) {
#if HWY_TARGET <= HWY_AVX3
  return vec<float>{_mm512_movehdup_ps(_mm512_loadu_ps(p))};
#elif HWY_TARGET == HWY_AVX2
  return vec<float>{_mm256_movehdup_ps(_mm256_loadu_ps(p))};
#else
  return hn::DupOdd(hn::LoadU(full<float>(), p));
#endif
}
/// even, with the even lanes of the vector at p in its odd lanes.
HWY_INLINE vec<double> load_evens_into_odd(vec<double> even, const double* p) {
#if HWY_TARGET <= HWY_AVX3
  return vec<double>{_mm512_mask_movedup_pd(even.raw, 0xaa, _mm512_loadu_pd(p))};
#elif HWY_TARGET == HWY_AVX2
  return hn::OddEven(vec<double>{_mm256_movedup_pd(_mm256_loadu_pd(p))}, even);
#else
  return hn::OddEven(hn::DupEven(hn::LoadU(full<double>(), p)), even);
#endif
}

/// The halves of exchange<bytes> (vec-inl.hpp) by a shuffle under a mask.
template <size_t bytes>
inline constexpr bool has_masked_exchange = HWY_TARGET <= HWY_AVX3 && (bytes == 4 || bytes == 16);

#if HWY_TARGET <= HWY_AVX3
template <size_t bytes, class V>
HWY_INLINE V masked_exchange_left(V a, V b) {
  const hn::DFromV<V> d;
  const hn::Repartition<float, decltype(d)> df;
  const auto fa = hn::BitCast(df, a).raw, fb = hn::BitCast(df, b).raw;
  if constexpr (bytes == 4)
    return hn::BitCast(d, vec<float>{_mm512_mask_moveldup_ps(fa, 0xaaaa, fb)});
  return hn::BitCast(d, vec<float>{_mm512_mask_shuffle_f32x4(fa, 0xf0f0, fb, fb, 0xb1)});
}
template <size_t bytes, class V>
HWY_INLINE V masked_exchange_right(V a, V b) {
  const hn::DFromV<V> d;
  const hn::Repartition<float, decltype(d)> df;
  const auto fa = hn::BitCast(df, a).raw, fb = hn::BitCast(df, b).raw;
  if constexpr (bytes == 4)
    return hn::BitCast(d, vec<float>{_mm512_mask_movehdup_ps(fb, 0x5555, fa)});
  return hn::BitCast(d, vec<float>{_mm512_mask_shuffle_f32x4(fb, 0x0f0f, fa, fa, 0xb1)});
}
#else
template <size_t bytes, class V>
V masked_exchange_left(V, V);
template <size_t bytes, class V>
V masked_exchange_right(V, V);
#endif

/// The smaller (or larger) of x and best where x is a number, otherwise best.
template <bool Least, class V>
HWY_INLINE V better_number(V x, V best) {
#if HWY_ARCH_X86  // minps and its likes give the second operand if either is NaN
  return Least ? hn::Min(x, best) : hn::Max(x, best);
#else
  return hn::IfThenElse(Least ? hn::Lt(x, best) : hn::Lt(best, x), x, best);
#endif
}

/// Lane i is lane at[i] of a and b, one after the other; of b only the first `from_b` bytes are
/// asked for, in place of those of a.
template <size_t from_b, class V, class I>
HWY_INLINE V look_up_two(V a, V b, const I* at) {
  const hn::DFromV<V> d;
  using L = hn::TFromD<hn::DFromV<V>>;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(L) == 4) {
    const hn::Repartition<float, decltype(d)> df;
    return hn::BitCast(
        d, vec<float>{_mm512_permutex2var_ps(hn::BitCast(df, a).raw, _mm512_load_si512(at),
                                             hn::BitCast(df, b).raw)});
  } else {
    const hn::Repartition<double, decltype(d)> df;
    return hn::BitCast(
        d, vec<double>{_mm512_permutex2var_pd(hn::BitCast(df, a).raw, _mm512_load_si512(at),
                                              hn::BitCast(df, b).raw)});
  }
#else
  const auto mask = hn::FirstN(d, from_b / sizeof(L));
  const hn::RebindToSigned<decltype(d)> di;
  const auto index = hn::And(hn::Load(di, at), hn::Set(di, I(vector_bytes / sizeof(L) - 1)));
  return hn::TableLookupLanes(hn::IfThenElse(mask, b, a), hn::IndicesFromVec(d, index));
#endif
}

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
