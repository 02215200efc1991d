// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic that operators are written in: add, mul, select, is_nan, canonical. One meaning
// for every type and machine: integers wrap in two's complement, a product is rounded on its own
// and never fused into the next sum, complex numbers go part by part, a NaN result is the one quiet
// NaN. SIMD vectors overload the same words (src/simd), so that one operator serves a scalar and a
// vector.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "half.hpp"
#include "machine.hpp"

namespace rung {

template <class T>
struct complex;

namespace detail {
/// std::complex and its likes, known by their members: <complex> alone takes longer to compile than
/// everything here.
template <class Z>
concept foreign_complex = requires(const Z& z) {
  typename Z::value_type;
  z.real();
  z.imag();
  Z(z.real(), z.imag());
};
}  // namespace detail

/// A complex number: two reals side by side, the layout of std::complex<T> and of C's _Complex.
template <class T>
struct complex {
  T re, im;
  complex() = default;
  RUNG_HD constexpr complex(T real, T imaginary = T(0)) : re(real), im(imaginary) {}
  template <class U>
  RUNG_HD constexpr explicit complex(const complex<U>& z) : re(T(z.re)), im(T(z.im)) {}
  template <detail::foreign_complex Z>
    requires std::is_same_v<typename Z::value_type, T>
  constexpr complex(const Z& z) : re(z.real()), im(z.imag()) {}
  template <detail::foreign_complex Z>
    requires std::is_same_v<typename Z::value_type, T>
  constexpr operator Z() const { return Z(re, im); }
  friend RUNG_HD constexpr bool operator==(complex a, complex b) {
    return a.re == b.re && a.im == b.im;
  }
};
template <detail::foreign_complex Z>
complex(const Z&) -> complex<typename Z::value_type>;

// ---- kinds of types
template <class T>
inline constexpr bool is_half = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <class T>
inline constexpr bool is_complex = detail::foreign_complex<T>;
template <class T>
inline constexpr bool is_complex<complex<T>> = true;
template <class T>
concept integer = std::is_integral_v<T>;  // bool too
template <class T>
concept real_float = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
concept number = integer<T> || real_float<T> || is_half<T> || is_complex<T>;

namespace detail {
template <class T>
struct accumulator {
  using type = T;  // float, double, complex and every type of the user's own: itself
};
template <integer T>
struct accumulator<T> {
  using type = std::conditional_t<std::is_signed_v<T> || std::is_same_v<T, bool>, std::int64_t,
                                  std::uint64_t>;
};
template <>
struct accumulator<f16> {
  using type = float;
};
template <>
struct accumulator<bf16> {
  using type = float;
};
template <foreign_complex T>
struct accumulator<T> {
  using type = complex<typename T::value_type>;
};
}  // namespace detail

/// What sums and products of T are held in: 64-bit integers, f32 for f16 and bf16, otherwise T
/// itself.
template <class T>
using accumulator_t = typename detail::accumulator<T>::type;

/// What minimum, maximum and comparisons of T are held in: T itself, f32 for f16 and bf16.
template <class T>
using comparable_t = std::conditional_t<is_half<T>, float, T>;

// ---- arithmetic words
/// a + b; integers wrap.
template <class T>
RUNG_HD constexpr T add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return T(U(a) + U(b));
  } else if constexpr (is_complex<T>) {
    return T(add(a.re, b.re), add(a.im, b.im));
  } else {
    return a + b;
  }
}

template <class T>
RUNG_HD constexpr T subtract(T a, T b) {
  if constexpr (is_complex<T>) return T(a.re - b.re, a.im - b.im);
  else return a - b;
}

namespace detail {
template <real_float T>
RUNG_HD constexpr T rounded_product(T a, T b) {
  if (__builtin_is_constant_evaluated()) return a * b;
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) return __fmul_rn(a, b);
  else return __dmul_rn(a, b);
#elif RUNG_MAY_CONTRACT && (defined(__x86_64__) || defined(__i386__))
  T p = a * b;
  asm("" : "+x"(p));  // the product exists in a register before anything is added to it
  return p;
#elif RUNG_MAY_CONTRACT && defined(__aarch64__)
  T p = a * b;
  asm("" : "+w"(p));
  return p;
#elif RUNG_MAY_CONTRACT
  volatile T p = a * b;
  return p;
#else
  return a * b;
#endif
}
}  // namespace detail

/// a * b, rounded on its own; integers wrap; complex: (a.re b.re - a.im b.im, a.re b.im + a.im
/// b.re), no repair of infinities.
template <class T>
RUNG_HD constexpr T mul(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return T(std::uint64_t(a) * std::uint64_t(b));
  } else if constexpr (is_complex<T>) {
    return T(mul(a.re, b.re) - mul(a.im, b.im), mul(a.re, b.im) + mul(a.im, b.re));
  } else if constexpr (real_float<T>) {
    return detail::rounded_product(a, b);
  } else {
    return a * b;
  }
}

/// a * b + c where a * b is exact, so that it does not matter whether it is rounded on its own.
template <real_float T>
RUNG_HD constexpr T exact_product_plus(T a, T b, T c) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) return __fmaf_rn(a, b, c);
  else return __fma_rn(a, b, c);
#else
  return a * b + c;
#endif
}

/// yes where the condition holds, otherwise no; never a branch in a vector.
template <class T>
RUNG_HD constexpr T select(bool condition, T yes, T no) {
  return condition ? yes : no;
}

template <class T>
RUNG_HD constexpr bool is_nan(T x) {
  if constexpr (is_complex<T>) {
    const complex z(x);
    return is_nan(z.re) || is_nan(z.im);
  } else if constexpr (is_half<T>) return is_nan(float(x));
  else if constexpr (std::is_floating_point_v<T>) return x != x;
  else return false;
}

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T quiet_nan = std::numeric_limits<T>::quiet_NaN();

/// x, with every NaN made the one quiet NaN (0x7fc00000 and its likes): x86 and NVIDIA make
/// different ones.
template <class T>
RUNG_HD constexpr T canonical(T x) {
  if constexpr (is_complex<T>) return T(canonical(x.re), canonical(x.im));
  else if constexpr (std::is_floating_point_v<T>) return x != x ? quiet_nan<T> : x;
  else return x;
}

namespace detail {
/// A double as the float that still knows on which side of a tie it lay (round to odd), so that a
/// second rounding to 16 bits gives what one rounding of the double would have given (Boldo and
/// Melquiond, 2008).
RUNG_HD constexpr float round_to_odd(double x) {
  const float nearest = static_cast<float>(x);
  if (double(nearest) == x || x != x) return nearest;
  std::uint32_t u = detail::bit_cast<std::uint32_t>(nearest);
  const double magnitude = x < 0 ? -x : x,
               rounded = nearest < 0 ? -double(nearest) : double(nearest);
  if (rounded > magnitude) u -= 1;  // one step towards zero
  return detail::bit_cast<float>(u | 1u);
}
}  // namespace detail

namespace detail {
/// A 64-bit integer as a double that rounds to fewer bits as the integer itself would: what does
/// not fit leaves a trace in the lowest bit that does.
template <integer T>
RUNG_HD constexpr double sticky_double(T x) {
  using U = std::make_unsigned_t<T>;
  const U magnitude = x < 0 ? U(0) - U(x) : U(x), kept = magnitude & ~U(4095);
  const U sticky = magnitude >> 52 ? kept | (kept != magnitude ? U(4096) : U(0)) : magnitude;
  return x < 0 ? -double(sticky) : double(sticky);
}
}  // namespace detail

namespace detail {
/// The sum of integers of 1 or 2 bytes, so few that 32 bits hold it.
template <integer T, std::size_t N>
RUNG_HD constexpr auto narrow_sum(const T (&x)[N]) {
  using Sum = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
  Sum sum = 0;
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 1 && N % 4 == 0 && !std::is_same_v<T, bool>) {
    using Word = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
    Word words[N / 4];  // four at a time
    __builtin_memcpy(words, x, N);
    RUNG_UNROLL
    for (std::size_t i = 0; i < N / 4; ++i) sum = __dp4a(words[i], Word(0x01010101), sum);
    return sum;
  } else
#endif
  {
    RUNG_UNROLL
    for (std::size_t i = 0; i < N; ++i) sum += Sum(x[i]);
    return sum;
  }
}

/// The smaller (Least) or larger value, -0 below +0; a NaN wins, or loses to numbers.
template <bool Least, bool Numbers>
RUNG_HD constexpr float machine_extreme(float a, float b) {
  float result = a;
#if defined(__CUDA_ARCH__)
  if constexpr (Least && Numbers) asm("min.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  else if constexpr (Numbers) asm("max.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  else if constexpr (Least) asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  else asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
#endif
  return result;
}
/// The machine has an instruction for it.
#if defined(__CUDA_ARCH__)
template <class T>
inline constexpr bool has_extreme = std::is_same_v<T, float>;
#else
template <class T>
inline constexpr bool has_extreme = false;
#endif
}  // namespace detail

/// x as a To: integers wrap, floats round to nearest even; complex to real drops the imaginary
/// part.
template <class To, class From>
RUNG_HD constexpr To convert(From x) {
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (is_complex<To> && is_complex<From>) {
    const complex z(x);
    using R = decltype(complex(To()).re);
    return To(R(z.re), R(z.im));
  } else if constexpr (is_complex<From>) return convert<To>(complex(x).re);
  else if constexpr (is_complex<To>) return To(convert<decltype(complex(To()).re)>(x));
  else if constexpr (is_half<From>) return convert<To>(float(x));
  else if constexpr (is_half<To> && std::is_same_v<From, double>)
    return To(detail::round_to_odd(x));
  else if constexpr (is_half<To> && integer<From> && sizeof(From) == 8)
    return To(detail::round_to_odd(detail::sticky_double(x)));
  else if constexpr (is_half<To>) return To(float(x));
  else return static_cast<To>(x);
}

/// True where x is not zero (NaN is not zero).
template <class T>
RUNG_HD constexpr bool is_nonzero(T x) {
  if constexpr (is_complex<T>) {
    const complex z(x);
    return z.re != 0 || z.im != 0;
  } else if constexpr (is_half<T>) {
    return float(x) != 0;
  } else {
    return x != T(0);
  }
}

namespace detail {
template <class T, class L = std::numeric_limits<T>>
inline constexpr T lowest = L::has_infinity ? -L::infinity() : L::lowest();
template <class T, class L = std::numeric_limits<T>>
inline constexpr T highest = L::has_infinity ? L::infinity() : L::max();
}  // namespace detail

/// The value that every other T is at least as large as: -inf, or the smallest integer.
template <class T>
RUNG_HD constexpr T lowest_value() {
  return detail::lowest<T>;
}
template <class T>
RUNG_HD constexpr T highest_value() {
  return detail::highest<T>;
}

}  // namespace rung
