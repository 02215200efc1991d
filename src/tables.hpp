// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// From (operator, packed type) to kernels, from (element type, packed type, meaning) to loads, from states to results.
// SIMD tables (simd/) come first; where there is none, the generic kernels serve.
#pragma once
#include <rung/cpu/kernels.hpp>

#include <cstring>
#include <span>

#include "codes.hpp"

namespace rung::runtime {

/// Kernels of op over packed values, or null where the pair has no meaning.
const host::fold_kernels* find_fold(kernel_op op, packed type);
const host::scan_kernels* find_scan(kernel_op op, packed type);

/// The operator object that the kernels of op expect, whatever the type (all of them are stateless).
const void* operator_object(kernel_op op);
/// The instruction set that serves this pair, for people.
const char* simd_target(kernel_op op, packed type);

/// A packed value of any of the six types, as bytes.
struct packed_value {
  alignas(16) std::byte bytes[16]{};
  packed_value() = default;
  template <class P>
  explicit packed_value(P value) {
    std::memcpy(bytes, &value, sizeof value);
  }
  template <class P>
  P as() const {
    P value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
};

/// How elements become values.
enum class meaning {
  value,    ///< converted
  nan_as,   ///< converted; NaN becomes load_context::nan
  nonzero,  ///< i64: 1 where the element is not zero, else 0; NaN becomes load_context::nan
  product,  ///< two sources, both converted, multiplied
  product_conjugated,  ///< the first one conjugated
};

/// What a load needs to know; it must outlive the call.
struct load_context {
  using convert_row = void (*)(const void* from, void* to, std::size_t n, const packed_value& nan);
  using join_row = void (*)(const void* right, void* left, std::size_t n);
  int arrays = 1;
  std::size_t element[2]{}, swap_unit[2]{}, value = 0;
  convert_row convert[2]{};
  join_row join = nullptr;
  packed_value nan{};
};

struct source_type {
  rung_type type;
  bool swapped;
};
/// Fills context and returns the kernel that reads it.
host::load_kernel make_load(load_context& context, std::span<const source_type> sources, packed to, meaning how,
                            packed_value nan = {});

/// What a state turns into.
enum class outcome { state, sum, mean, variance, deviation, norm, log_sum_exp, index, min_max };

struct store_context {
  double ddof = 0;
  bool skip_nan = false;
  rung_op op = RUNG_SUM;
};
/// Writes results of type `to`; context as above.
host::store_kernel find_store(kernel_op op, packed type, outcome what, rung_type to);

/// The state of one packed value (an initial value), written to state.
void lift_value(kernel_op op, packed type, const packed_value& value, void* state);
/// One element of any type as a packed value.
packed_value to_packed(rung_type type, const void* element, packed to);

}  // namespace rung::runtime
