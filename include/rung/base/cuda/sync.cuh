// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the vocabulary for nvcc through which threads agree: relaxed, acquire and release loads
// and stores of 2 to 16 bytes, atomics, fences, the wait for the previous launch. One instruction
// each; order, scope, space and operation are spelled into it at compile time.
#pragma once
#include "../gpu_types.hpp"

namespace rung {

namespace detail {

template <order O>
inline constexpr char order_text[] = ".relaxed";
template <>
inline constexpr char order_text<order::acquire>[] = ".acquire";
template <>
inline constexpr char order_text<order::release>[] = ".release";
template <>
inline constexpr char order_text<order::acq_rel>[] = ".acq_rel";

template <scope S>
inline constexpr char scope_text[] = ".gpu";
template <>
inline constexpr char scope_text<scope::block>[] = ".cta";
template <>
inline constexpr char scope_text<scope::cluster>[] = ".cluster";
template <>
inline constexpr char scope_text<scope::system>[] = ".sys";

template <bool InShared>
inline constexpr char space_text[] = ".global";
template <>
inline constexpr char space_text<true>[] = ".shared";

template <bool InShared>
RUNG_DEVICE std::size_t address_of(const void* place) {
  return InShared ? __cvta_generic_to_shared(place) : __cvta_generic_to_global(place);
}

/// The register type that carries a value of this size, and back.
template <std::size_t Bytes>
struct register_for;
template <>
struct register_for<2> {
  using type = std::uint16_t;
};
template <>
struct register_for<4> {
  using type = std::uint32_t;
};
template <>
struct register_for<8> {
  using type = std::uint64_t;
};
template <>
struct register_for<16> {
  using type = unsigned __int128;
};

template <class T>
using register_of = typename register_for<sizeof(T)>::type;

template <class T>
RUNG_HD constexpr void check_word() {
  static_assert(std::is_trivially_copyable_v<T>, "a word is a trivially copyable value");
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "a word has 2, 4, 8 or 16 bytes");
}

template <order O, scope S, bool InShared, class R>
RUNG_DEVICE R load_word(const void* place) {
  const std::size_t a = address_of<InShared>(place);
  R v;
  if constexpr (sizeof(R) == 2) {
    asm volatile("ld%2%3%4.b16 %0, [%1];"
                 : "=h"(v)
                 : "l"(a), "C"(order_text<O>), "C"(scope_text<S>), "C"(space_text<InShared>)
                 : "memory");
  } else if constexpr (sizeof(R) == 4) {
    asm volatile("ld%2%3%4.b32 %0, [%1];"
                 : "=r"(v)
                 : "l"(a), "C"(order_text<O>), "C"(scope_text<S>), "C"(space_text<InShared>)
                 : "memory");
  } else if constexpr (sizeof(R) == 8) {
    asm volatile("ld%2%3%4.b64 %0, [%1];"
                 : "=l"(v)
                 : "l"(a), "C"(order_text<O>), "C"(scope_text<S>), "C"(space_text<InShared>)
                 : "memory");
  } else {
    asm volatile("ld%2%3%4.b128 %0, [%1];"
                 : "=q"(v)
                 : "l"(a), "C"(order_text<O>), "C"(scope_text<S>), "C"(space_text<InShared>)
                 : "memory");
  }
  return v;
}

template <order O, scope S, bool InShared, class R>
RUNG_DEVICE void store_word(void* place, R v) {
  const std::size_t a = address_of<InShared>(place);
  if constexpr (sizeof(R) == 2) {
    asm volatile("st%2%3%4.b16 [%0], %1;" ::"l"(a), "h"(v), "C"(order_text<O>), "C"(scope_text<S>),
                 "C"(space_text<InShared>)
                 : "memory");
  } else if constexpr (sizeof(R) == 4) {
    asm volatile("st%2%3%4.b32 [%0], %1;" ::"l"(a), "r"(v), "C"(order_text<O>), "C"(scope_text<S>),
                 "C"(space_text<InShared>)
                 : "memory");
  } else if constexpr (sizeof(R) == 8) {
    asm volatile("st%2%3%4.b64 [%0], %1;" ::"l"(a), "l"(v), "C"(order_text<O>), "C"(scope_text<S>),
                 "C"(space_text<InShared>)
                 : "memory");
  } else {
    asm volatile("st%2%3%4.b128 [%0], %1;" ::"l"(a), "q"(v), "C"(order_text<O>), "C"(scope_text<S>),
                 "C"(space_text<InShared>)
                 : "memory");
  }
}

template <order O, scope S, class T>
RUNG_DEVICE T load_strong(const T& place) {
  check_word<T>();
  using R = register_of<T>;
  const R bits =
      __isShared(&place) ? load_word<O, S, true, R>(&place) : load_word<O, S, false, R>(&place);
  return __builtin_bit_cast(T, bits);
}
template <order O, scope S, class T>
RUNG_DEVICE void store_strong(T& place, const T& value) {
  check_word<T>();
  const auto bits = __builtin_bit_cast(register_of<T>, value);
  if (__isShared(&place)) store_word<O, S, true>(&place, bits);
  else store_word<O, S, false>(&place, bits);
}

// The operations of atom and the types they take.
enum class change { add, min, max, bit_and, bit_or, bit_xor, exchange };

template <change C>
inline constexpr char change_text[] = ".add";
template <>
inline constexpr char change_text<change::min>[] = ".min";
template <>
inline constexpr char change_text<change::max>[] = ".max";
template <>
inline constexpr char change_text<change::bit_and>[] = ".and";
template <>
inline constexpr char change_text<change::bit_or>[] = ".or";
template <>
inline constexpr char change_text<change::bit_xor>[] = ".xor";
template <>
inline constexpr char change_text<change::exchange>[] = ".exch";

enum class kind { bits, is_signed, is_unsigned, floating };
template <kind K, std::size_t Bytes>
inline constexpr char type_text[] = ".b32";
template <>
inline constexpr char type_text<kind::bits, 8>[] = ".b64";
template <>
inline constexpr char type_text<kind::is_signed, 4>[] = ".s32";
template <>
inline constexpr char type_text<kind::is_signed, 8>[] = ".s64";
template <>
inline constexpr char type_text<kind::is_unsigned, 4>[] = ".u32";
template <>
inline constexpr char type_text<kind::is_unsigned, 8>[] = ".u64";
template <>
inline constexpr char type_text<kind::floating, 4>[] = ".f32";
template <>
inline constexpr char type_text<kind::floating, 8>[] = ".f64";

template <change C, class T>
RUNG_HD constexpr kind kind_of() {
  if (C == change::exchange || C == change::bit_and || C == change::bit_or || C == change::bit_xor)
    return kind::bits;
  if (std::is_floating_point_v<T>) return kind::floating;
  if (C == change::add || std::is_unsigned_v<T>) return kind::is_unsigned;  // add wraps either way
  return kind::is_signed;
}

template <change C, order O, scope S, bool InShared, class T>
RUNG_DEVICE T change_word(T* place, const T& value) {
  const std::size_t a = address_of<InShared>(place);
  constexpr kind K = kind_of<C, T>();
  const auto bits = __builtin_bit_cast(register_of<T>, value);
  register_of<T> old;
  if constexpr (sizeof(T) == 4 && K == kind::floating) {
    float result;
    asm volatile("atom%3%4%5%6%7 %0, [%1], %2;"
                 : "=f"(result)
                 : "l"(a), "f"(value), "C"(order_text<O>), "C"(scope_text<S>),
                   "C"(space_text<InShared>), "C"(change_text<C>), "C"(type_text<K, sizeof(T)>)
                 : "memory");
    return result;
  } else if constexpr (K == kind::floating) {
    double result;
    asm volatile("atom%3%4%5%6%7 %0, [%1], %2;"
                 : "=d"(result)
                 : "l"(a), "d"(value), "C"(order_text<O>), "C"(scope_text<S>),
                   "C"(space_text<InShared>), "C"(change_text<C>), "C"(type_text<K, sizeof(T)>)
                 : "memory");
    return result;
  } else if constexpr (sizeof(T) == 4) {
    asm volatile("atom%3%4%5%6%7 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(a), "r"(bits), "C"(order_text<O>), "C"(scope_text<S>),
                   "C"(space_text<InShared>), "C"(change_text<C>), "C"(type_text<K, sizeof(T)>)
                 : "memory");
    return __builtin_bit_cast(T, old);
  } else {
    asm volatile("atom%3%4%5%6%7 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(a), "l"(bits), "C"(order_text<O>), "C"(scope_text<S>),
                   "C"(space_text<InShared>), "C"(change_text<C>), "C"(type_text<K, sizeof(T)>)
                 : "memory");
    return __builtin_bit_cast(T, old);
  }
}

template <order O, scope S, bool InShared, class R>
RUNG_DEVICE R swap_word(void* place, R expected, R desired) {
  const std::size_t a = address_of<InShared>(place);
  R old;
  if constexpr (sizeof(R) == 4) {
    asm volatile("atom%4%5%6.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(a), "r"(expected), "r"(desired), "C"(order_text<O>), "C"(scope_text<S>),
                   "C"(space_text<InShared>)
                 : "memory");
  } else {
    static_assert(sizeof(R) == 8, "atomic_compare_exchange takes words of 4 or 8 bytes");
    asm volatile("atom%4%5%6.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(old)
                 : "l"(a), "l"(expected), "l"(desired), "C"(order_text<O>), "C"(scope_text<S>),
                   "C"(space_text<InShared>)
                 : "memory");
  }
  return old;
}

template <change C, order O, scope S, class T>
RUNG_DEVICE T change_strong(T& place, const T& value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomics take words of 4 or 8 bytes");
  static_assert(C == change::exchange || std::is_arithmetic_v<T>, "atomics take numbers");
  static_assert(C == change::add || C == change::exchange || !std::is_floating_point_v<T>,
                "the GPU has no such atomic for floating-point values");
  return __isShared(&place) ? change_word<C, O, S, true>(&place, value)
                            : change_word<C, O, S, false>(&place, value);
}

}  // namespace detail

// ---------------------------------------------------------------- words

/// One look only if all of the value is used: ptxas 13.0 splits a load whose value is used in part.
/// One look only if all of the value is used: ptxas 13.0 splits a load whose value is used in part.
template <scope S = scope::device, class T>
RUNG_DEVICE T load_relaxed(const T& place) {
  return detail::load_strong<order::relaxed, S>(place);
}
template <scope S = scope::device, class T>
RUNG_DEVICE T load_acquire(const T& place) {
  return detail::load_strong<order::acquire, S>(place);
}
template <scope S = scope::device, class T>
RUNG_DEVICE void store_relaxed(T& place, const std::type_identity_t<T>& value) {
  detail::store_strong<order::relaxed, S, T>(place, value);
}
template <scope S = scope::device, class T>
RUNG_DEVICE void store_release(T& place, const std::type_identity_t<T>& value) {
  detail::store_strong<order::release, S, T>(place, value);
}

/// Everything before is visible to the scope before anything after.
template <scope S = scope::device>
RUNG_DEVICE void fence() {
  asm volatile("fence.acq_rel%0;" ::"C"(detail::scope_text<S>) : "memory");
}

// ---------------------------------------------------------------- atomics: the old value comes
// back

template <order O = order::relaxed, scope S = scope::device, class T>
RUNG_DEVICE T atomic_add(T& place, const std::type_identity_t<T>& value) {
  return detail::change_strong<detail::change::add, O, S, T>(place, value);
}
template <order O = order::relaxed, scope S = scope::device, class T>
RUNG_DEVICE T atomic_min(T& place, const std::type_identity_t<T>& value) {
  return detail::change_strong<detail::change::min, O, S, T>(place, value);
}
template <order O = order::relaxed, scope S = scope::device, class T>
RUNG_DEVICE T atomic_max(T& place, const std::type_identity_t<T>& value) {
  return detail::change_strong<detail::change::max, O, S, T>(place, value);
}
template <order O = order::relaxed, scope S = scope::device, class T>
RUNG_DEVICE T atomic_and(T& place, const std::type_identity_t<T>& value) {
  return detail::change_strong<detail::change::bit_and, O, S, T>(place, value);
}
template <order O = order::relaxed, scope S = scope::device, class T>
RUNG_DEVICE T atomic_or(T& place, const std::type_identity_t<T>& value) {
  return detail::change_strong<detail::change::bit_or, O, S, T>(place, value);
}
template <order O = order::relaxed, scope S = scope::device, class T>
RUNG_DEVICE T atomic_xor(T& place, const std::type_identity_t<T>& value) {
  return detail::change_strong<detail::change::bit_xor, O, S, T>(place, value);
}
template <order O = order::relaxed, scope S = scope::device, class T>
RUNG_DEVICE T atomic_exchange(T& place, const std::type_identity_t<T>& value) {
  return detail::change_strong<detail::change::exchange, O, S, T>(place, value);
}
/// Writes `desired` where `expected` stands.
template <order O = order::relaxed, scope S = scope::device, class T>
RUNG_DEVICE T atomic_compare_exchange(T& place, const std::type_identity_t<T>& expected,
                                      const std::type_identity_t<T>& desired) {
  const auto e = __builtin_bit_cast(detail::register_of<T>, expected);
  const auto d = __builtin_bit_cast(detail::register_of<T>, desired);
  return __builtin_bit_cast(T, __isShared(&place) ? detail::swap_word<O, S, true>(&place, e, d)
                                                  : detail::swap_word<O, S, false>(&place, e, d));
}

// ---------------------------------------------------------------- launches that overlap

/// In a launch with launch_options::early: everything before this launch in its stream has ended.
RUNG_DEVICE void wait_for_previous_launch() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// The next launch of the stream may start once all blocks have said so.
RUNG_DEVICE void allow_next_launch() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

}  // namespace rung
