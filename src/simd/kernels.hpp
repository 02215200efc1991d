// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The SIMD kernels of the compiled library: which there are, and how to find them. Every function
// picks the best instruction set of this machine when it is asked; all sets give the same bits.
// A lookup that has no meaning gives nullptr (or a kernel whose function is nullptr).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rung/cpu/kernels.hpp"

namespace rung::simd {

/// What a kernel folds. A state is that of the operator struct over the same C++ type.
/// f16, bf16 and i32 are for sums alone, straight from memory (states: f32, f32, i64).
enum class packed : std::uint8_t { i64, u64, f32, f64, c64, c128, f16, bf16, i32 };

enum class kernel_op : std::uint8_t {
  plus,
  multiplies,
  minimum,
  maximum,
  minimum_number,
  maximum_number,
  min_max,
  min_max_number,
  arg_min,
  arg_max,
  arg_min_number,
  arg_max_number,
  moments,
  moments_number,  ///< rung::moments whose values that are NaN count as none
  norm,
  log_sum_exp,
  bit_or,
  bit_and,
};

/// The operator object that the kernels take is ignored: they know it.
const host::fold_kernels* find_fold(kernel_op, packed);
/// plus, multiplies, log_sum_exp, minimum, maximum and their number-preferring twins.
/// Scans of packed::f16 and bf16 write results (rounded to f16, bf16) where others write states;
/// where there are none (nullptr), scan them as f32.
const host::scan_kernels* find_scan(kernel_op, packed);

/// A type in memory.
enum class element : std::uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  c64,
  c128
};
inline constexpr int element_count = 15;
std::size_t size_of(element);
std::size_t size_of(packed);

enum class load_how : std::uint8_t {
  value,
  nonzero,             ///< 1 where the element is not zero (NaN is not), otherwise 0, as i64
  nonzero_number,      ///< the same, but 0 where it is NaN
  nan_as,              ///< NaN (in either part) becomes load_plan::instead
  product,             ///< of two sources, both taken in the packed type; rounded once per product
  product_conjugated,  ///< the first source is conjugated
};

/// A source or a target: its type, and whether its bytes stand in the other order.
struct in_memory {
  element type{};
  bool swapped = false;
};

/// Contiguous elements to contiguous others: rows * columns of them, rows `step` bytes apart.
using convert_rows = void (*)(const void* from, std::ptrdiff_t from_step, std::size_t rows,
                              std::size_t columns, void* to, std::ptrdiff_t to_step);

/// How values are made. kernel.load takes the plan itself as its context.
struct load_plan {
  host::load_kernel kernel{};  ///< kernel.load is nullptr where the request has no meaning
  struct side {
    std::size_t size = 0;    ///< of an element, in bytes
    std::size_t swap = 0;    ///< bytes that are reversed together, or 0
    convert_rows convert{};  ///< nullptr: elements are values
  } sides[2];
  std::size_t value_size = 0;
  packed to{};
  load_how how{};
  std::uint64_t instead[2]{};  ///< the value for nan_as, as its bytes
};
/// Integers and bool to i64 and u64 (wrapping), all real types to f32 and f64, all to complex.
load_plan find_load(in_memory from, packed to, load_how = load_how::value, in_memory second = {});

/// How results are written. kernel.store takes the plan itself as its context.
struct store_plan {
  host::store_kernel kernel{};
  std::size_t state_size = 0, size = 0, swap = 0;
  convert_rows convert{};
};
/// States of a packed type to elements: integers to integers and bool (wrapping, not zero), floats
/// to floats (nearest even, one rounding), complex to complex. NaN is made canonical.
store_plan find_store(packed from, in_memory to);

/// The instruction set that was chosen, e.g. "AVX3".
const char* target_name();
/// For tests: the compiled sets that this machine has, best first; lookups from here on use one of
/// them, or with 0 again the best.
std::vector<std::int64_t> targets();
void use_target(std::int64_t);

}  // namespace rung::simd
