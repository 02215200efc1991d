// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What an operation means for a type (DESIGN: "Meanings"): the type values are held in, the
// operator, how elements are read, what a state turns into and as which type. One table for
// reductions, scans and partials.
#pragma once
#include "tables.hpp"

namespace rung::runtime {

struct recipe {
  rung_op op;
  packed held;
  kernel_op kernel;
  meaning read = meaning::value;
  packed_value nan{};  ///< what a NaN is read as, where read says so
  outcome what = outcome::state;
  rung_type result;
  bool takes_init = true;
  bool needs_values = false;  ///< no values: an error (min, max, arg_*)
  int planes = 1;             ///< results per state: 2 for minmax
};

/// Throws rung::error for a type without a meaning. b: the type of dot's second array, otherwise
/// null.
recipe find_recipe(rung_op op, rung_type a, const rung_type* b, const rung_options& options);

/// The type that two arrays of a product meet in, as NumPy has it; f16 with bf16 meet in f32.
rung_type promote(rung_type a, rung_type b);

/// Options with defaults for what an older caller's struct does not have; throws if size is not
/// plausible.
rung_options checked_options(const rung_options* options);

}  // namespace rung::runtime
