// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of value types: rung's own (f32), NumPy's long names (float32) and NumPy's codes, with
// and without byte order (<f4). One table serves what users write, what .npy headers say and what
// is written back. Where the two spellings collide (i8, u8) a bare name is rung's, eight bits wide,
// and a name with a byte order is NumPy's, eight bytes wide.
#pragma once

#include <rung/rung.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rung::files {

struct dtype {
  rung_type type;
  bool swapped = false;  // the other byte order than this machine's
  bool operator==(const dtype&) const = default;
};

std::string_view type_name(rung_type type);  // "f32"
std::size_t type_size(rung_type type);       // bytes of one value
std::string type_descr(rung_type type);      // "<f4": native order, as a .npy header says it

// What a user wrote, or nothing if it names no type.
std::optional<dtype> dtype_from_text(std::string_view text);

// The descr string of a .npy header. A two-byte void type, as which NumPy stores bf16, is refused
// unless `told` says bf16. Throws an error that begins with `file` for every type rung lacks.
dtype dtype_from_descr(std::string_view descr, std::optional<dtype> told, const std::string& file);

}  // namespace rung::files
