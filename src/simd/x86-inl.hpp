// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What Highway has no word for and x86 does faster, with the same meaning everywhere.
// Loads that double lanes: a load port does that for nothing (movsldup, movshdup, movddup from
// memory), while the same shuffle of a register takes the one port that the kernels have least of:
// sums of values in L2 run at 105 GB/s with these loads, at 85 GB/s without.
// Splits of 16-byte blocks: one instruction instead of two for each half, 10 % of a sum in L2.
// Included once per instruction set, after vec-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

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

/// True where split puts the blocks of a before those of b instead of between them.
template <size_t bytes>
inline constexpr bool split_concatenates = HWY_TARGET <= HWY_AVX3 && bytes == 16;

/// Like exchange, but for a fold, which never goes back: elements at even places of a and b into a,
/// those at odd places into b. After all levels of a cycle over units of `unit` bytes the order is
/// natural, as with exchange.
template <size_t unit, size_t bytes, class V>
HWY_INLINE void split(V& a, V& b) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (bytes >= 16 && unit <= 16) {
    const hn::DFromV<V> d;
    const hn::Repartition<double, decltype(d)> dw;
    const auto wa = hn::BitCast(dw, a).raw, wb = hn::BitCast(dw, b).raw;
    a = hn::BitCast(d, vec<double>{_mm512_shuffle_f64x2(wa, wb, 0x88)});
    b = hn::BitCast(d, vec<double>{_mm512_shuffle_f64x2(wa, wb, 0xdd)});
    return;
  }
#endif
  exchange<bytes>(a, b);
}
template <size_t unit, size_t bytes, class L, int P>
HWY_INLINE void split(bundle<L, P>& a, bundle<L, P>& b) {
  for (int i = 0; i < P; i++) split<unit, bytes>(a.part[i], b.part[i]);
}

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
