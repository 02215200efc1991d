// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The operators and their facts. How to write your own: op/facts.hpp, or make_operator in
// op/adaptors.hpp.
#pragma once
#include "exact/moments.hpp"  // exact_plus, exact_mean, exact_norm, exact_moments
#include "op/adaptors.hpp"    // skip_nan, accumulate_in, fuse, make_operator
#include "op/arithmetic.hpp"  // plus, multiplies, mean, affine
#include "op/extremes.hpp"  // minimum, maximum, arg_min, arg_max, min_max, and their _number twins
#include "op/facts.hpp"     // lift, state_t, finish, result_t, identity, any_order, operator_over
#include "op/log_sum_exp.hpp"  // log_sum_exp
#include "op/logic.hpp"        // any, all, count_if, count_nonzero, bit_and, bit_or, bit_xor
#include "op/moments.hpp"      // moments, variance, standard_deviation
#include "op/norm.hpp"         // norm
