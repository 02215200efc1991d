// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions of contiguous rows: plain loops over rung::convert that the compiler vectorises, with
// words of their own for f16, whose instruction it does not find.
// Included once per instruction set, after hwy/highway.h.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using std::size_t;

/// A bool as it lies in memory: any byte but 0 is true.
struct boolean {
  std::uint8_t byte;
};

/// NaN is made canonical: needed on the way out, and free beside a conversion on the way in.
template <class To, class From>
HWY_INLINE To convert_one(From x) {
  if constexpr (std::is_same_v<From, boolean>) return rung::convert<To>(std::int64_t(x.byte != 0));
  else if constexpr (std::is_same_v<To, boolean>) return boolean{std::uint8_t(x != 0)};
  else return rung::convert<To>(rung::canonical(x));
}

template <class To, class From>
HWY_INLINE void convert_line(const From* __restrict from, size_t n, To* __restrict to) {
  for (size_t i = 0; i < n; i++) to[i] = convert_one<To>(from[i]);
}

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
HWY_INLINE void convert_line(const rung::f16* __restrict from, size_t n, float* __restrict to) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> dh;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  const auto* bits = reinterpret_cast<const hwy::float16_t*>(from);
  for (; i + step <= n; i += step) {
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(dh, bits + i)), d, to + i);
  }
  for (; i < n; i++) to[i] = convert_one<float>(from[i]);
}
HWY_INLINE void convert_line(const float* __restrict from, size_t n, rung::f16* __restrict to) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> dh;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  auto* bits = reinterpret_cast<hwy::float16_t*>(to);
  for (; i + step <= n; i += step) {
    const auto x = hn::LoadU(d, from + i);
    const auto y = hn::IfThenElse(hn::IsNaN(x), hn::Set(d, rung::quiet_nan<float>), x);
    hn::StoreU(hn::DemoteTo(dh, y), dh, bits + i);
  }
  for (; i < n; i++) to[i] = convert_one<rung::f16>(from[i]);
}
#endif

template <class To, class From>
[[gnu::flatten]] void convert_all(const void* from, std::ptrdiff_t from_step, size_t rows,
                                  size_t columns, void* to, std::ptrdiff_t to_step) {
  const auto* f = static_cast<const std::byte*>(from);
  auto* t = static_cast<std::byte*>(to);
  for (size_t r = 0; r < rows; r++, f += from_step, t += to_step)
    convert_line(reinterpret_cast<const From*>(f), columns, reinterpret_cast<To*>(t));
}

template <class From, bool number = false>
[[gnu::flatten]] void nonzero_all(const void* from, std::ptrdiff_t from_step, size_t rows,
                                  size_t columns, void* to, std::ptrdiff_t to_step) {
  const auto* f = static_cast<const std::byte*>(from);
  auto* t = static_cast<std::byte*>(to);
  for (size_t r = 0; r < rows; r++, f += from_step, t += to_step) {
    const From* __restrict x = reinterpret_cast<const From*>(f);
    std::int64_t* __restrict y = reinterpret_cast<std::int64_t*>(t);
    for (size_t c = 0; c < columns; c++) {
      if constexpr (std::is_same_v<From, boolean>) y[c] = x[c].byte != 0;
      else y[c] = rung::is_nonzero(x[c]) && !(number && rung::is_nan(x[c])) ? 1 : 0;
    }
  }
}

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
