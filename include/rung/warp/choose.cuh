// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What depends on the lane between two exchanges, as single instructions: the compiler may not turn
// it into a branch that lanes leave at different times, nor keep in memory what fits in registers.
#pragma once
#include <utility>

#include "../base/gpu.cuh"
#include "../op.hpp"

namespace rung {

namespace detail {

/// yes where some bit is set, otherwise no. The instruction, not `?:`: between two branches with
/// the same condition nvcc 13.0 may move a shuffle into both, where lanes no longer meet. So what
/// is chosen by lane between shuffles is chosen here.
RUNG_DEVICE std::uint32_t choose_word(unsigned bits, std::uint32_t yes, std::uint32_t no) {
#if defined(__CUDA_ARCH__)
  std::uint32_t chosen;
  asm("{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.b32 %0, %1, %2, p; }"
      : "=r"(chosen)
      : "r"(yes), "r"(no), "r"(bits));
  return chosen;
#else
  return bits != 0 ? yes : no;
#endif
}
template <class S, std::size_t... Word>
RUNG_DEVICE S choose_words(unsigned bits, const S& yes, const S& no, std::index_sequence<Word...>) {
  std::uint32_t a[sizeof...(Word)] = {}, b[sizeof...(Word)] = {};
  __builtin_memcpy(a, &yes, sizeof(S));
  __builtin_memcpy(b, &no, sizeof(S));
  ((a[Word] = choose_word(bits, a[Word], b[Word])), ...);
  S chosen = yes;
  __builtin_memcpy(static_cast<void*>(&chosen), a, sizeof(S));
  return chosen;
}
template <class S>
RUNG_DEVICE S choose(unsigned bits, const S& yes, const S& no) {
  return choose_words(bits, yes, no, std::make_index_sequence<(sizeof(S) + 3) / 4>{});
}

/// v = f() where some bit is set. For floats a branch, which becomes a predicate of the operation;
/// a choice would be one more instruction, two of 8 bytes, that wait for it. The condition is
/// hidden from the compiler, so it is one that no other branch shares, and no shuffle is moved; and
/// `f` is not computed beforehand to be chosen.
template <class S, class F>
RUNG_DEVICE void update_where(unsigned bits, S& v, F&& f) {
#if defined(__CUDA_ARCH__)
  if constexpr (real_float<S>) {
    asm volatile("" : "+r"(bits));
    if (bits != 0) {
      S result = f();
      if constexpr (sizeof(S) == 4) asm volatile("" : "+f"(result));
      else asm volatile("" : "+d"(result));
      v = result;
    }
  } else {
    v = choose(bits, S(f()), v);
  }
#else
  v = choose(bits, S(f()), v);
#endif
}

/// v, computed here and not later in some branch that uses it.
template <class S>
RUNG_DEVICE S computed(S v) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<S, float>) asm volatile("" : "+f"(v));
  if constexpr (std::is_same_v<S, double>) asm volatile("" : "+d"(v));
#endif
  return v;
}

/// A place in shared memory, its address computed here. nvcc 13.0 would compute it anew before
/// every use, from a special register that takes 20 cycles to read.
template <class T>
RUNG_DEVICE T& placed(T& place) {
#if defined(__CUDA_ARCH__)
  auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&place));
  asm volatile("" : "+r"(address));
  return *static_cast<T*>(__builtin_assume_aligned(__cvta_shared_to_generic(address), alignof(T)));
#else
  return place;
#endif
}

/// f on a value, or on each half of an f64: two halves stay in registers where an array of words,
/// next to the branches of update_where, does not.
template <class S, class F>
RUNG_DEVICE S by_halves(const S& v, F&& f) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<S, double>) {
    std::uint32_t low, high;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "d"(v));
    low = f(low), high = f(high);
    double result;
    asm("mov.b64 %0, {%1, %2};" : "=d"(result) : "r"(low), "r"(high));
    return result;
  } else {
    return f(v);
  }
#else
  return f(v);
#endif
}

}  // namespace detail

}  // namespace rung
