// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Vectors as the kernels see them: a state has one or more parts, each part a vector, each vector a
// row of units (one value or state; several lanes if it is complex, or several neighbouring
// columns). The one exchange that everything is built from transposes 2x2 blocks of two vectors. It
// puts the left and the right operands of a level of the tree side by side, and it is its own
// inverse. Included once per instruction set, after x86-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class L, int P>
struct bundle {
  vec<L> part[P];
};

/// a and b are rows of 2x2 blocks of elements of `bytes` bytes; each block is transposed:
/// a = a0 b0 a2 b2 ..., b = a1 b1 a3 b3 ...
template <size_t bytes, class V>
HWY_INLINE void exchange(V& a, V& b) {
  const hn::DFromV<V> d;
  using L = hn::TFromD<hn::DFromV<V>>;
  V left = a;
  if constexpr (has_masked_exchange<bytes>) {
    left = masked_exchange_left<bytes>(a, b);
    b = masked_exchange_right<bytes>(a, b);
  } else if constexpr (bytes < sizeof(wide_lane<L>)) {
    left = hn::OddEven(hn::DupEven(b), a);
    b = hn::OddEven(b, hn::DupOdd(a));
  } else if constexpr (bytes == 8) {
    const hn::Repartition<wide_lane<L>, decltype(d)> dw;
    const auto wa = hn::BitCast(dw, a), wb = hn::BitCast(dw, b);
    left = hn::BitCast(d, hn::InterleaveLower(dw, wa, wb));
    b = hn::BitCast(d, hn::InterleaveUpper(dw, wa, wb));
  } else if constexpr (2 * bytes == vector_bytes) {
    left = hn::ConcatLowerLower(d, b, a);
    b = hn::ConcatUpperUpper(d, b, a);
  } else {
    static_assert(bytes == 16);
    left = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
    b = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
  }
  a = left;
}

template <size_t bytes, class L, int P>
HWY_INLINE void exchange(bundle<L, P>& a, bundle<L, P>& b) {
  for (int i = 0; i < P; i++) exchange<bytes>(a.part[i], b.part[i]);
}

/// True where split puts the blocks of a before those of b instead of between them.
template <size_t bytes>
inline constexpr bool split_concatenates = HWY_TARGET <= HWY_AVX3&& bytes == 16;

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

/// The elements of `bytes` bytes at odd places from `odd`, those at even places from `even`.
template <size_t bytes, class V>
HWY_INLINE V odd_even(V odd, V even) {
  const hn::DFromV<V> d;
  using L = hn::TFromD<hn::DFromV<V>>;
  if constexpr (bytes == sizeof(L)) {
    return hn::OddEven(odd, even);
  } else if constexpr (bytes == 8) {
    const hn::Repartition<wide_lane<L>, decltype(d)> dw;
    return hn::BitCast(d, hn::OddEven(hn::BitCast(dw, odd), hn::BitCast(dw, even)));
  } else if constexpr (2 * bytes == vector_bytes) {
    return hn::ConcatUpperLower(d, odd, even);
  } else {
    return hn::OddEvenBlocks(odd, even);
  }
}
template <size_t bytes, class L, int P>
HWY_INLINE bundle<L, P> odd_even(bundle<L, P> odd, const bundle<L, P>& even) {
  for (int i = 0; i < P; i++) odd.part[i] = odd_even<bytes>(odd.part[i], even.part[i]);
  return odd;
}

/// Unit o of the result is unit from[o] of v. 16-byte units are looked up as two lanes each.
template <size_t unit, class V, class Table>
HWY_INLINE V look_up(V v, const Table& from) {
  const hn::DFromV<V> d;
  using L = hn::TFromD<hn::DFromV<V>>;
  using W = std::conditional_t<(unit > sizeof(L)), wide_lane<L>, L>;
  const hn::Repartition<W, decltype(d)> dw;
  return hn::BitCast(
      d, hn::TableLookupLanes(hn::BitCast(dw, v), hn::SetTableIndices(dw, from.template of<W>())));
}

/// A constant table for look_up: `Rule` maps a unit of the result to a unit of the source.
template <size_t unit, class Rule>
struct lane_table {
  template <class W>
  static const auto* of() {
    using I = std::conditional_t<sizeof(W) == 4, std::int32_t, std::int64_t>;
    constexpr size_t lanes = unit / sizeof(W), count = vector_bytes / sizeof(W);
    struct table {
      alignas(vector_bytes) I at[count];
    };
    static constexpr table t = [] {
      table r{};
      for (size_t i = 0; i < count; i++) r.at[i] = I(Rule::from(i / lanes) * lanes + i % lanes);
      return r;
    }();
    return t.at;
  }
};

/// The same from two vectors: units of b follow those of a, and only b's first is asked for.
template <size_t unit, class V, class Table>
HWY_INLINE V look_up_two(V a, V b, const Table& from) {
  const hn::DFromV<V> d;
  using L = hn::TFromD<hn::DFromV<V>>;
  using W = std::conditional_t<(unit > sizeof(L)), wide_lane<L>, L>;
  const hn::Repartition<W, decltype(d)> dw;
  return hn::BitCast(
      d, look_up_two<unit>(hn::BitCast(dw, a), hn::BitCast(dw, b), from.template of<W>()));
}

/// v with zeros above it, as a vector of D.
template <class D, class V>
HWY_INLINE hn::Vec<D> widened(D d, V v) {
  const hn::Half<D> half;
  if constexpr (hn::MaxLanes(half) == hn::MaxLanes(hn::DFromV<V>()))
    return hn::ZeroExtendVector(d, v);
  else return hn::ZeroExtendVector(d, widened(half, v));
}
template <class L>
using narrow = hn::CappedTag<L, 16 / sizeof(L)>;

/// The first n lanes at p, zeros behind them; nothing else is read. A few lanes are read in 16
/// bytes: a wider access, though masked, would seem to overlap with stores nearby and wait for
/// them.
template <class L>
HWY_INLINE vec<L> load_first(const L* p, size_t n) {
  const full<L> d;
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN L lanes[vector_bytes / sizeof(L)] = {};
  std::memcpy(lanes, p, n * sizeof(L));
  return hn::Load(d, lanes);
#else
  const narrow<L> few;
  if (n <= 16 / sizeof(L)) return widened(d, hn::MaskedLoad(hn::FirstN(few, n), few, p));
  return hn::MaskedLoad(hn::FirstN(d, n), d, p);
#endif
}

/// The first n lanes of v to p; nothing else is written.
template <class L>
HWY_INLINE void store_first(vec<L> v, L* p, size_t n) {
  const full<L> d;
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN L lanes[vector_bytes / sizeof(L)];
  hn::Store(v, d, lanes);
  std::memcpy(p, lanes, n * sizeof(L));
#else
  const narrow<L> few;
  if (n <= 16 / sizeof(L)) {
    if constexpr (vector_bytes == 64)
      hn::BlendedStore(hn::LowerHalf(hn::LowerHalf(v)), hn::FirstN(few, n), few, p);
    else hn::BlendedStore(hn::LowerHalf(v), hn::FirstN(few, n), few, p);
  } else {
    hn::BlendedStore(v, hn::FirstN(d, n), d, p);
  }
#endif
}

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
