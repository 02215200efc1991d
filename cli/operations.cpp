// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See operations.hpp. The order is that of docs/cli.md.

#include "operations.hpp"

#include <algorithm>
#include <array>

#include "files/error.hpp"

namespace rung::cli {
namespace {

constexpr std::array<operation, 22> table{{
    {"sum", RUNG_SUM, "the sum of the values"},
    {"prod", RUNG_PROD, "the product of the values"},
    {"min", RUNG_MIN, "the smallest value; a NaN wins"},
    {"max", RUNG_MAX, "the largest value; a NaN wins"},
    {"argmin", RUNG_ARGMIN, "the first index of the smallest value"},
    {"argmax", RUNG_ARGMAX, "the first index of the largest value"},
    {"minmax", RUNG_MINMAX, "the smallest and the largest value in one pass"},
    {"mean", RUNG_MEAN, "the arithmetic mean"},
    {"var", RUNG_VAR, "the variance", 1, false, true},
    {"std", RUNG_STD, "the standard deviation", 1, false, true},
    {"norm", RUNG_NORM, "the Euclidean norm, without overflow"},
    {"dot", RUNG_DOT, "the sum of products of two arrays", 2},
    {"vdot", RUNG_VDOT, "the same, the first array conjugated", 2},
    {"any", RUNG_ANY, "whether any value is not zero"},
    {"all", RUNG_ALL, "whether no value is zero"},
    {"count", RUNG_COUNT, "how many values are not zero"},
    {"logsumexp", RUNG_LOGSUMEXP, "the logarithm of the sum of exponentials"},
    {"cumsum", RUNG_CUMSUM, "the running sum", 1, true},
    {"cumprod", RUNG_CUMPROD, "the running product", 1, true},
    {"cummin", RUNG_CUMMIN, "the smallest value so far", 1, true},
    {"cummax", RUNG_CUMMAX, "the largest value so far", 1, true},
    {"cumlogsumexp", RUNG_CUMLOGSUMEXP, "the running logsumexp", 1, true},
}};

}  // namespace

std::span<const operation> operations() { return table; }

const operation* find_operation(std::string_view name) {
  const auto found = std::ranges::find(table, name, &operation::name);
  return found == table.end() ? nullptr : &*found;
}

const operation& operation_of(rung_op op) {
  const auto found = std::ranges::find(table, op, &operation::op);
  if (found == table.end()) throw files::error("there is no such operation");
  return *found;
}

}  // namespace rung::cli
