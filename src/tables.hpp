// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// From (operator, packed type) to kernels, from (element type, packed type, meaning) to loads, from
// states to results. SIMD tables (simd/) come first; where there is none, the generic kernels
// serve.
#pragma once
#include <rung/cpu/kernels.hpp>

#include <cstring>
#include <new>
#include <span>

#include "codes.hpp"

namespace rung::runtime {

/// Kernels of op over packed values, or null where the pair has no meaning.
const host::fold_kernels* find_fold(kernel_op op, packed type);
const host::scan_kernels* find_scan(kernel_op op, packed type);

/// The operator object that the kernels of op expect, whatever the type (all of them are
/// stateless).
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
  nan_as,   ///< converted; NaN becomes a value that is given
  nonzero,  ///< i64: 1 where the element is not zero, else 0; NaN becomes a value that is given
  product,  ///< two sources, both converted, multiplied
  product_conjugated,  ///< the first one conjugated
  pair,                ///< two sources, both converted, side by side as a complex value
};

struct source_type {
  rung_type type;
  bool swapped;
};

/// A kernel and what it points at, which must stay where it is for the call.
template <class Kernel>
struct with_facts {
  Kernel kernel{};
  alignas(16) std::byte facts[192];

  template <class Facts>
  Facts& put(const Facts& f) {
    static_assert(sizeof(Facts) <= sizeof facts && std::is_trivially_copyable_v<Facts>);
    return *new (facts) Facts(f);
  }
};
using loader = with_facts<host::load_kernel>;
using storer = with_facts<host::store_kernel>;

/// Elements of the sources to values of type `to`. Throws rung::error where there is no such
/// conversion.
void make_load(loader& l, std::span<const source_type> sources, packed to, meaning how,
               packed_value nan = {});

/// The error of a load that has no meaning.
[[noreturn]] inline void refuse_load(rung_type from, packed to) {
  fail(error_code::bad_type, std::string("rung: ") + rung_type_name(from) +
                                 " values cannot be held in " + rung_type_name(code_of(to)));
}

/// What a state turns into.
enum class outcome { state, sum, mean, variance, deviation, norm, log_sum_exp, index, min_max };

/// States to results of type `to`; op is named in errors, ddof is for variances.
void make_store(storer& s, rung_op op, kernel_op kernel, packed type, outcome what, rung_type to,
                double ddof);

// ---- with_simd.cpp or without_simd.cpp
/// SIMD kernels, or null where there are none.
const host::fold_kernels* simd_fold(kernel_op op, packed type);
const host::scan_kernels* simd_scan(kernel_op op, packed type);
/// Kernels over the elements as they are stored, whose states are those of op over `held`; fold is
/// null where there are none. l: becomes their load.
host::stored_kernels simd_stored(loader& l, kernel_op op, source_type from, packed held);
/// The instruction set they use.
const char* simd_name();
/// Stores of plain numbers; false: there are none.
bool simd_store(storer& s, packed type, rung_type to);

/// The state of one packed value (an initial value), written to state.
void lift_value(kernel_op op, packed type, const packed_value& value, void* state);
/// One element of any type as a packed value.
packed_value to_packed(rung_type type, const void* element, packed to);

}  // namespace rung::runtime
