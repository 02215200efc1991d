// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The run-time calls behind the C functions; they throw rung::error.
#pragma once
#include <rung/cpu/arrays.hpp>
#include <rung/cpu/threads.hpp>

#include "recipe.hpp"

namespace rung::runtime {

struct result_form {
  rung_type type;
  int rank = 0;
  std::array<std::int64_t, max_rank + 1> shape{};
};

result_form find_result(rung_op op, const rung_array& a, const rung_array* b,
                        const rung_options& options);
void reduce(rung_op op, const rung_array& a, const rung_array* b, const rung_options& options,
            const rung_array& out);
void scan(rung_op op, const rung_array& a, const rung_options& options, const rung_array& out);

/// An array of the C interface as the drivers take it; checks rank, shape and type.
host::array_ref to_ref(const rung_array& a, const char* name);
/// The axes that options name.
std::array<bool, max_rank> folded_axes(const rung_options& options, const layout& shape);
/// The array back to front along some axes.
void turn_round(host::array_ref& array, const std::array<bool, max_rank>& axes);
/// Threads and progress that options ask for.
cpu_rung where(const rung_options& options);
/// The state that options.init stands for; null if there is none. memory holds it.
const void* initial_state(const recipe& r, const rung_options& options,
                          std::span<std::byte> memory);
/// Notes what ran, for rung_last_kernel().
void note_run(std::string text);
void note_kernel(const recipe& r, const rung_options& options);
void note_resident(const recipe& r);
const char* last_kernel();

}  // namespace rung::runtime
