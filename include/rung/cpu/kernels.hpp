// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the CPU drivers know of an operator and of the arrays: plain tables of functions over bytes.
// So there is one driver for reduce and one for scan, not one per type and operator, and the same
// driver serves operators that the user's own translation unit instantiates (cpu/generic.hpp) and
// the SIMD ones of the compiled library (src/simd).
//
// Three stages, an L1-sized block at a time; a stage that would only copy is left out (`direct`):
//   load    source elements, any type and stride -> values side by side
//   fold    values -> states (perfect trees), or scan: values -> states
//   store   states -> results, any type and stride
#pragma once
#include <cstddef>
#include <cstdint>

#include "../base/loops.hpp"

// The namespace is `host`, since rung::cpu is the name of the rung itself, as in reduce(cpu, ...).
namespace rung::host {

/// Where a scan of some positions starts and ends. States are `width` side by side (1 for a line).
struct carry {
  const void* before = nullptr;  ///< the fold of all earlier positions; null: there are none
  const void* after =
      nullptr;  ///< the fold through the last position of this range, or null: not known
  std::int64_t position = 0;  ///< of the first value; a multiple of a power of two >= n
  bool exclusive =
      false;  ///< entry i is the fold before value i; the very first entry is then op's empty state
  bool stream = false;  ///< the output is large: stores may bypass the cache
  const void* ahead =
      nullptr;  ///< as many values that are wanted after these: to be fetched into L2 meanwhile
};

/// One operator over one type of value. `op` is the operator object. Strides count elements of the
/// array they are for. n is a number of positions, a power of two wherever a perfect tree is asked
/// for.
struct fold_kernels {
  std::size_t value_size, state_size;
  bool any_order;   ///< exact in any order
  bool positional;  ///< looks at positions (arg_min, ...)
  bool has_empty;   ///< there is a state of no values

  /// *state = the perfect tree over n contiguous values.
  void (*tree)(const void* op, const void* values, std::size_t n, std::int64_t position,
               void* state);
  /// states[i] = the perfect tree over values[i * n .. (i + 1) * n), for count trees; each starts
  /// at position 0.
  void (*trees)(const void* op, const void* values, std::size_t n, std::size_t count, void* states);
  /// states[c] = the perfect tree down column c: rows r < n at values[r * stride + c], c < width.
  void (*tree_rows)(const void* op, const void* values, std::ptrdiff_t stride, std::size_t n,
                    std::size_t width, std::int64_t position, void* states);
  /// left[c] = op(left[c], right[c]).
  void (*join)(const void* op, void* left, const void* right, std::size_t width);
  /// *state = the state of no values (only if has_empty).
  void (*empty)(const void* op, void* state);
  /// states[i] = the fold of values at[i] .. at[i + 1] - 1, i < count, each after `start` unless
  /// that is null; of none: `start`, or else `nothing`. For many short ones.
  void (*segments)(const void* op, const void* values, const std::int64_t* at, std::size_t count,
                   const void* start, const void* nothing, void* states);
};

/// Scans, beside the trees that give their carries. states may be the values themselves if the
/// sizes agree.
struct scan_kernels {
  /// states[i] = fold through (or before) value i of n <= 2^k contiguous values.
  void (*line)(const void* op, const void* values, std::size_t n, void* states, const carry&);
  /// count independent scans of n (a power of two) contiguous values each, back to back; the
  /// carry's before, exclusive and stream hold for every one.
  void (*lines)(const void* op, const void* values, std::size_t n, std::size_t count, void* states,
                const carry&);
  /// Down the columns: row r of the result at states[r * state_stride + c].
  void (*rows)(const void* op, const void* values, std::ptrdiff_t stride, std::size_t n,
               std::size_t width, void* states, std::ptrdiff_t state_stride, const carry&);
  /// Values at[i] .. at[i + 1] - 1, i < count, to states of the same numbers, scanned each for
  /// themselves, as in lines. For many short ones; null: there is no such kernel.
  void (*segments)(const void* op, const void* values, const std::int64_t* at, std::size_t count,
                   void* states, const carry&) = nullptr;
};

/// A source or a target in two dimensions: element (r, c) lies at data + r * row + c * column
/// bytes.
struct place {
  void* data;
  std::ptrdiff_t row, column;
};

struct load_kernel {
  int arrays;  ///< how many sources one value is made from
  std::size_t element_size[max_arrays];
  bool direct;  ///< one source, and its elements are values already
  /// values[r * stride + c] = the value made from the elements (r, c) of the sources.
  void (*load)(const void* context, const place* from, std::size_t rows, std::size_t columns,
               void* values, std::ptrdiff_t stride);
};

struct store_kernel {
  using store_function = void (*)(const void* context, const void* states, std::ptrdiff_t stride,
                                  std::size_t rows, std::size_t columns, const place* to,
                                  std::int64_t count);
  int arrays;  ///< how many results one state has
  std::size_t element_size[max_arrays];
  bool direct;  ///< one result, and a state is one already (scan kernels make NaN canonical)
  /// Elements (r, c) of the targets = the results of states[r * stride + c]. count: how many values
  /// were folded (a mean divides by it).
  store_function store;
  bool counts = false;  ///< count matters
};

}  // namespace rung::host
