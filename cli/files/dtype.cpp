// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of type names and its three readers: user text, .npy descr, and back.
// bf16 has no NumPy code: ml_dtypes saves it as two void bytes (V2) and names it bfloat16.

#include "files/dtype.hpp"

#include <array>
#include <bit>

#include "files/error.hpp"

namespace rung::files {
namespace {

struct names {
  rung_type type;
  std::size_t size;
  std::string_view own, code, numpy;
};

constexpr std::array<names, 15> table{{
    {RUNG_BOOL, 1, "bool", "b1", "bool"},
    {RUNG_I8, 1, "i8", "i1", "int8"},
    {RUNG_I16, 2, "i16", "i2", "int16"},
    {RUNG_I32, 4, "i32", "i4", "int32"},
    {RUNG_I64, 8, "i64", "i8", "int64"},
    {RUNG_U8, 1, "u8", "u1", "uint8"},
    {RUNG_U16, 2, "u16", "u2", "uint16"},
    {RUNG_U32, 4, "u32", "u4", "uint32"},
    {RUNG_U64, 8, "u64", "u8", "uint64"},
    {RUNG_F16, 2, "f16", "f2", "float16"},
    {RUNG_BF16, 2, "bf16", "V2", "bfloat16"},
    {RUNG_F32, 4, "f32", "f4", "float32"},
    {RUNG_F64, 8, "f64", "f8", "float64"},
    {RUNG_C64, 8, "c64", "c8", "complex64"},
    {RUNG_C128, 16, "c128", "c16", "complex128"},
}};

constexpr bool little = std::endian::native == std::endian::little;

const names& row(rung_type type) {
  for (const names& n : table) {
    if (n.type == type) return n;
  }
  throw error("there is no value type with code " + std::to_string(static_cast<int>(type)));
}

// A code behind a byte order; '=' is this machine's, and so is '|' (order has no meaning).
std::optional<dtype> from_ordered_code(std::string_view text) {
  const char order = text.front();
  if (order != '<' && order != '>' && order != '=' && order != '|') return std::nullopt;
  for (const names& n : table) {
    if (text.substr(1) != n.code) continue;
    const bool other = little ? order == '>' : order == '<';
    return dtype{n.type, other && n.size > 1};
  }
  return std::nullopt;
}

// All that numpy.dtype() would read in a header; here a bare i8 is NumPy's, eight bytes wide.
std::optional<dtype> from_descr(std::string_view descr) {
  if (descr.empty()) return std::nullopt;
  if (const auto found = from_ordered_code(descr)) return found;
  if (const auto found = from_ordered_code("=" + std::string(descr))) return found;
  for (const names& n : table) {
    if (descr == n.numpy) return dtype{n.type};
  }
  return descr == "?" || descr == "|?" ? std::optional(dtype{RUNG_BOOL}) : std::nullopt;
}

}  // namespace

std::string_view type_name(rung_type type) { return row(type).own; }

std::size_t type_size(rung_type type) { return row(type).size; }

std::string type_descr(rung_type type) {
  const names& n = row(type);
  return (n.size == 1 ? '|' : little ? '<' : '>') + std::string(n.code);
}

std::optional<dtype> dtype_from_text(std::string_view text) {
  if (text.empty()) return std::nullopt;
  for (const names& n : table) {
    if (text == n.own || text == n.numpy) return dtype{n.type};
  }
  for (const names& n : table) {
    if (text == n.code && n.type != RUNG_BF16) return dtype{n.type};
  }
  if (text == "?" || text == "bool_") return dtype{RUNG_BOOL};
  if (text == "half") return dtype{RUNG_F16};
  const auto ordered = from_ordered_code(text);
  return ordered && ordered->type != RUNG_BF16 ? ordered : std::nullopt;
}

dtype dtype_from_descr(std::string_view descr, std::optional<dtype> told, const std::string& file) {
  const std::string shown = "'" + std::string(descr) + "'";
  const std::optional<dtype> found = from_descr(descr);
  if (found && found->type == RUNG_BF16 && descr != "bfloat16" &&
      (!told || told->type != RUNG_BF16)) {
    throw error(file + ": its values are two untyped bytes each (" + shown +
                "); if they are bf16, say --dtype bf16");
  }
  if (found && told && told->type != found->type) {
    throw error(file + ": holds " + std::string(type_name(found->type)) + " values, not " +
                std::string(type_name(told->type)) + " as --dtype says");
  }
  if (found) return *found;
  const char kind = descr.size() > 1 ? descr[1] : ' ';
  if (kind == 'V') {
    throw error(file + ": holds records or untyped bytes (" + shown + "), which are not supported");
  }
  const std::string_view what = kind == 'O'                  ? "Python objects"
                                : kind == 'U' || kind == 'S' ? "text"
                                : kind == 'M' || kind == 'm' ? "dates or durations"
                                                             : "values of a type";
  throw error(file + ": holds " + std::string(what) + " (" + shown +
              "), which are not supported; bool, integer, float and complex values are");
}

}  // namespace rung::files
