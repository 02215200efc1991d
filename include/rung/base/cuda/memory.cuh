// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the vocabulary for nvcc: shared and global memory, words that threads agree through
// (relaxed, acquire, release, atomics), fences. shared<T> is T and global<T> is T*: an access is
// the plain load or store. A word in shared memory is told from one in global memory by its
// address, which the compiler knows, so one instruction is left.
#pragma once
#include "../gpu_types.hpp"

namespace rung {

/// What lies in shared memory: a member of a scratch struct, `shared<float[32]> totals;`.
template <class T>
using shared = T;
/// Part of an array in shared memory.
template <class T>
using shared_view = T*;
/// An array in global memory, as kernels take it: x[i] is a place to read and write.
template <class T>
using global = T*;

namespace detail {

extern __shared__ __align__(1024) unsigned char scratch_bytes[];

}  // namespace detail

/// The block's scratch, `bytes_in` bytes after its begin, as a struct. The launch gives its size.
template <class S>
RUNG_DEVICE S& scratch(std::size_t bytes_in = 0) {
  return *reinterpret_cast<S*>(detail::scratch_bytes + bytes_in);
}
/// The block's scratch, `bytes_in` bytes after its begin, as `count` values.
template <class T>
RUNG_DEVICE shared_view<T> scratch_array(std::size_t /*count*/, std::size_t bytes_in = 0) {
  return reinterpret_cast<T*>(detail::scratch_bytes + bytes_in);
}

/// The array as an array of U: `as<pack<float, 4>>(x)[i]` is four neighbours in one access.
template <class U, class T>
RUNG_DEVICE U* as(T* x) {
  static_assert(std::is_const_v<U> || !std::is_const_v<T>, "as<U> of const values needs a const U");
  return reinterpret_cast<U*>(x);
}

// ---------------------------------------------------------------- loads and stores with a hint

/// Read once: first in line to leave the caches. Values of 1, 2, 4, 8, 16 bytes, or made of them.
template <class T>
RUNG_DEVICE std::remove_cv_t<T> load_streaming(const T& place);
/// Nobody writes this during the kernel: the read-only path of the first-level cache.
template <class T>
RUNG_DEVICE std::remove_cv_t<T> load_read_only(const T& place);
/// From the second-level cache, where all blocks meet.
template <class T>
RUNG_DEVICE std::remove_cv_t<T> load_uncached(const T& place);
/// Written once, not read again soon.
template <class T>
RUNG_DEVICE void store_streaming(T& place, const std::type_identity_t<T>& value);
/// In the widest words that the type's alignment allows: nvcc stores a plain pack member by member.
template <class T>
RUNG_DEVICE void store_wide(T& place, const std::type_identity_t<T>& value);

namespace detail {

template <std::size_t Bytes>
struct machine_word;
template <>
struct machine_word<1> {
  using type = unsigned char;
};
template <>
struct machine_word<2> {
  using type = unsigned short;
};
template <>
struct machine_word<4> {
  using type = unsigned;
};
template <>
struct machine_word<8> {
  using type = uint2;
};
template <>
struct machine_word<16> {
  using type = uint4;
};

/// f(word of the place, word of the value) for the widest words that T's alignment allows.
template <class T, class V, class F>
RUNG_DEVICE void by_access(T* place, V* value, F&& f) {
  constexpr std::size_t width =
      alignof(T) < access_alignment(sizeof(T)) ? alignof(T) : access_alignment(sizeof(T));
  using word = typename machine_word<width>::type;
  word words[sizeof(T) / width];
  if constexpr (std::is_const_v<T>) {
    RUNG_UNROLL
    for (std::size_t i = 0; i < sizeof(T) / width; ++i)
      words[i] = f(reinterpret_cast<const word*>(place) + i);
    __builtin_memcpy(value, words, sizeof(T));
  } else {
    __builtin_memcpy(words, value, sizeof(T));
    RUNG_UNROLL
    for (std::size_t i = 0; i < sizeof(T) / width; ++i)
      f(reinterpret_cast<word*>(place) + i, words[i]);
  }
}

template <class T, class F>
RUNG_DEVICE std::remove_cv_t<T> load_with(const T& place, F&& f) {
  static_assert(std::is_trivially_copyable_v<T>, "memory holds trivially copyable values");
  union holder {
    std::remove_cv_t<T> value;
    unsigned char bytes[sizeof(T)];
    RUNG_DEVICE holder() {}
  } result;
  by_access<const T>(&place, &result.bytes, f);
  return result.value;
}

}  // namespace detail

template <class T>
RUNG_DEVICE std::remove_cv_t<T> load_streaming(const T& place) {
  return detail::load_with(place, [](auto* p) { return __ldcs(p); });
}
template <class T>
RUNG_DEVICE std::remove_cv_t<T> load_read_only(const T& place) {
  return detail::load_with(place, [](auto* p) { return __ldg(p); });
}
template <class T>
RUNG_DEVICE std::remove_cv_t<T> load_uncached(const T& place) {
  return detail::load_with(place, [](auto* p) { return __ldcg(p); });
}
template <class T>
RUNG_DEVICE void store_streaming(T& place, const std::type_identity_t<T>& value) {
  detail::by_access<T>(&place, &value, [](auto* p, auto word) { __stcs(p, word); });
}
template <class T>
RUNG_DEVICE void store_wide(T& place, const std::type_identity_t<T>& value) {
  detail::by_access<T>(&place, &value, [](auto* p, auto word) { *p = word; });
}
/// Asks for `bytes` bytes from here on, a multiple of 16, to come to the second-level cache.
template <class T>
RUNG_DEVICE void prefetch(const T& place, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(&place)),
               "r"(bytes)
               : "memory");
#endif
}

}  // namespace rung
