// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The words that may follow `rung`, and what each can take.
#pragma once

#include <rung/rung.h>

#include <span>
#include <string_view>

namespace rung::cli {

struct operation {
  std::string_view name;
  rung_op op;
  std::string_view does;
  int inputs = 1;
  bool scan = false;
  bool ddof = false;
};

std::span<const operation> operations();
const operation* find_operation(std::string_view name);  // null if there is none
const operation& operation_of(rung_op op);

}  // namespace rung::cli
