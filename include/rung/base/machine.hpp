// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// All macros of the library, and what has to be true of the compiler before one value is folded.
//   RUNG_HD            the function runs on the host and on the device
//   RUNG_DEVICE        it runs on the device, inlined
//   RUNG_DEVICE_CALL   it runs on the device, and is called: large, and seldom needed
//   RUNG_KERNEL(256)   launch() starts it, with at most 256 threads per block
//   RUNG_CONSTANT      a const parameter of a kernel that stays where it is: no thread copies it
//   RUNG_UNROLL        the loop that follows is unrolled on the device
//   RUNG_ANY_CALL      the RUNG_HD function that follows may call one that is for the host alone
//   RUNG_MAY_CONTRACT  this translation unit may fuse a product into the next addition (see mul in
//                      number.hpp)
#pragma once

#if defined(__CUDACC__)
#define RUNG_HD __host__ __device__
#define RUNG_DEVICE __device__ __forceinline__
#define RUNG_DEVICE_CALL __device__ __noinline__
#define RUNG_KERNEL(...) __global__ __VA_OPT__(__launch_bounds__(__VA_ARGS__))
#define RUNG_CONSTANT __grid_constant__
#define RUNG_UNROLL _Pragma("unroll")
#define RUNG_ANY_CALL _Pragma("nv_exec_check_disable")
#else
#define RUNG_HD
#define RUNG_DEVICE inline
#define RUNG_DEVICE_CALL inline
#define RUNG_KERNEL(...)
#define RUNG_CONSTANT
#define RUNG_UNROLL
#define RUNG_ANY_CALL
#endif

// The order of additions is the contract. These flags allow the compiler to change it, or to treat
// NaN, infinity and signed zero as if they did not exist, so the answer would no longer be the same
// everywhere.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__NO_SIGNED_ZEROS__)
#error "rung: compile without -ffast-math and its parts: the compiler would reorder sums"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "rung: float arithmetic must be evaluated in its own type (use -mfpmath=sse -msse2)"
#endif

// GCC fuses a * b + c into one rounding wherever the machine can, unless told -ffp-contract=off.
#if (defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__riscv_flen)) && \
    !defined(RUNG_CONTRACTION_IS_OFF)
#define RUNG_MAY_CONTRACT 1
#else
#define RUNG_MAY_CONTRACT 0
#endif
