// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Values into partials: standard input as a stream of raw values, and slices of files; and the
// report of a partial's value.
#pragma once

#include <cstdint>

#include "library.hpp"

namespace rung::cli {

// Appends all of standard input, values of the type that --dtype told, to a partial, and checks
// the length if --shape told one. Returns the bytes read.
std::int64_t append_stream(rung_partial& partial, const request& ask, progress& bar);

// Appends positions [begin, end) of a file, in C order.
void append_slice(rung_partial& partial, const files::input& in, std::int64_t begin,
                  std::int64_t end);

// Reports the value of a partial of all values of an array of `rank` axes, or writes it to --out.
void report_value(const request& ask, result& done, partial_value& value, std::size_t rank,
                  std::span<const files::identity> inputs);

}  // namespace rung::cli
