// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One value, to text and from text. Floats are written with the fewest digits that read back to
// the same bits, in the spelling of Python's repr (15.0, 1e+16, -0.0), complex ones likewise
// ((9+4j)), so that float() and complex() of Python take them.
#pragma once

#include <rung/rung.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace rung::cli {

// json: every float is widened to f64 first, as NumPy's tolist does, because a reader of JSON has
// no other; NaN, infinities and complex numbers are strings. text: f32 keeps its few digits.
enum class spelling { json, text };

void append_value(std::string& to, const std::byte* at, rung_type type, spelling how);

// A value in the memory of its type.
struct scalar {
  rung_type type;
  alignas(16) std::array<std::byte, 16> bytes;
};

// The type in which a start value of an operation with that result type is held.
rung_type state_type(rung_type result);

// Reads a value exactly in that type; integers never pass through a float. Throws files::error.
scalar read_scalar(const std::string& option, std::string_view word, rung_type type);

}  // namespace rung::cli
