// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Standard input as a stream of raw values.
#pragma once

#include <cstdint>

#include "library.hpp"

namespace rung::cli {

// Appends all of standard input, values of the type that --dtype told, to a partial, and checks
// the length if --shape told one. Returns the bytes read.
std::int64_t append_stream(rung_partial& partial, const request& ask, progress& bar);

}  // namespace rung::cli
