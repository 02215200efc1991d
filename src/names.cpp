// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The names of types and operators, both ways. NumPy's names and codes are understood as well; a
// code without a byte order mark is rung's own where the two differ (i8 is one byte wide, <i8 is
// eight).
#include <array>
#include <string_view>

#include "codes.hpp"

namespace {

using namespace std::literals;

struct type_entry {
  rung_type type;
  const char* name;
  std::array<std::string_view, 4> others;
};
constexpr type_entry types[] = {
    {RUNG_BOOL, "bool", {"bool_", "b1", "?", "bool8"}},
    {RUNG_I8, "i8", {"int8", "i1", "b", "byte"}},
    {RUNG_I16, "i16", {"int16", "i2", "h", "short"}},
    {RUNG_I32, "i32", {"int32", "i4", "intc", "int"}},
    {RUNG_I64, "i64", {"int64", "int_", "longlong", "q"}},
    {RUNG_U8, "u8", {"uint8", "u1", "ubyte", "B"}},
    {RUNG_U16, "u16", {"uint16", "u2", "ushort", "H"}},
    {RUNG_U32, "u32", {"uint32", "u4", "uintc", "I"}},
    {RUNG_U64, "u64", {"uint64", "uint", "ulonglong", "Q"}},
    {RUNG_F16, "f16", {"float16", "f2", "half", "e"}},
    {RUNG_BF16, "bf16", {"bfloat16", "bfloat", "", ""}},
    {RUNG_F32, "f32", {"float32", "f4", "single", "f"}},
    {RUNG_F64, "f64", {"float64", "f8", "double", "float"}},
    {RUNG_C64, "c64", {"complex64", "c8", "csingle", "F"}},
    {RUNG_C128, "c128", {"complex128", "c16", "cdouble", "complex"}},
};

constexpr const char* ops[] = {"sum",     "prod",   "min",    "max",         "argmin",    "argmax",
                               "minmax",  "mean",   "var",    "std",         "norm",      "dot",
                               "vdot",    "any",    "all",    "count",       "logsumexp", "cumsum",
                               "cumprod", "cummin", "cummax", "cumlogsumexp"};

/// A NumPy code with a byte order mark: kind letter and byte count.
bool marked_code(std::string_view s, rung_type* type) {
  constexpr std::pair<std::string_view, rung_type> codes[] = {
      {"b1", RUNG_BOOL}, {"i1", RUNG_I8},  {"i2", RUNG_I16}, {"i4", RUNG_I32},  {"i8", RUNG_I64},
      {"u1", RUNG_U8},   {"u2", RUNG_U16}, {"u4", RUNG_U32}, {"u8", RUNG_U64},  {"f2", RUNG_F16},
      {"f4", RUNG_F32},  {"f8", RUNG_F64}, {"c8", RUNG_C64}, {"c16", RUNG_C128}};
  for (const auto& [code, t] : codes)
    if (code == s) return *type = t, true;
  return false;
}

}  // namespace

extern "C" {

const char* rung_type_name(rung_type type) {
  return type >= RUNG_BOOL && type <= RUNG_C128 ? types[type].name : "unknown type";
}

int rung_type_from_name(const char* name, rung_type* type) {
  const std::string_view s = name ? name : "";
  if (!s.empty() && "<>|="sv.find(s[0]) != s.npos)
    return marked_code(s.substr(1), type) ? RUNG_OK : RUNG_BAD_TYPE;
  for (const type_entry& t : types) {
    bool same = s == t.name;
    for (const auto& other : t.others) same = same || (!other.empty() && s == other);
    if (same) return *type = t.type, RUNG_OK;
  }
  return RUNG_BAD_TYPE;
}

size_t rung_type_size(rung_type type) {
  constexpr size_t sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
  return type >= RUNG_BOOL && type <= RUNG_C128 ? sizes[type] : 0;
}

const char* rung_op_name(rung_op op) {
  return op >= RUNG_SUM && op <= RUNG_CUMLOGSUMEXP ? ops[op] : "unknown operation";
}

int rung_op_from_name(const char* name, rung_op* op) {
  for (int i = 0; i <= RUNG_CUMLOGSUMEXP; i++)
    if (name && std::string_view(name) == ops[i]) return *op = rung_op(i), RUNG_OK;
  return RUNG_BAD_ARGUMENT;
}

int rung_op_is_scan(rung_op op) { return op >= RUNG_CUMSUM; }

}  // extern "C"
