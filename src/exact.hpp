// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums under the codes of the runtime: kernels, loads of pairs, results, the bytes of states.
#pragma once
#include <rung/cpu/state_bytes.hpp>

#include "recipe.hpp"

namespace rung::runtime {

/// The largest state of any operator.
inline constexpr std::size_t most_state = 1024;

inline bool is_exact(kernel_op op) {
  return op >= kernel_op::exact_plus && op <= kernel_op::exact_dot;
}

/// Makes a recipe exact, of values of type t. Throws rung::error where that has no meaning.
void make_exact(recipe& r, rung_type t, bool skip_nan);

const host::fold_kernels* exact_fold(kernel_op op, packed type);
const host::scan_kernels* exact_scan(kernel_op op, packed type);
void exact_lift(kernel_op op, packed type, const packed_value& value, void* state);
host::state_care exact_care(kernel_op op, packed type);
/// States to results of type `to`, each rounded once, straight to that type.
void make_exact_store(storer& s, kernel_op op, packed type, outcome what, rung_type to,
                      double ddof);
/// Two sources as pairs of values: a product is taken later, without rounding.
void make_pair_load(loader& l, std::span<const source_type> sources, packed to);

}  // namespace rung::runtime
