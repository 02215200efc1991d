// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One JSON object on one line. The values are written as they are met, never collected in a tree:
// a result may have millions of them.

#include <fmt/format.h>

#include "files/dtype.hpp"
#include "number.hpp"
#include "report.hpp"

namespace rung::cli {
namespace {

void append_string(std::string& to, std::string_view text) {
  to += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (to += '\\') += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      to += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      to += c;
    }
  }
  to += '"';
}

// Nested lists from `axis` on; returns where the next value lies.
const std::byte* append_nested(printer& to, const result& done, std::size_t axis,
                               const std::byte* at) {
  if (axis == done.shape.size()) {
    append_value(to.text(), at, done.type, spelling::json);
    to.relieve();
    return at + files::type_size(done.type);
  }
  to.text() += '[';
  for (std::int64_t k = 0; k < done.shape[axis]; ++k) {
    if (k > 0) to.text() += ", ";
    at = append_nested(to, done, axis + 1, at);
  }
  to.text() += ']';
  return at;
}

}  // namespace

void print_json(printer& to, const result& done, const std::string* out) {
  std::string& text = to.text();
  text += "{\"op\": ";
  append_string(text, done.op);
  text += ", \"dtype\": ";
  append_string(text, files::type_name(done.type));
  text += ", \"shape\": [";
  for (std::size_t k = 0; k < done.shape.size(); ++k) {
    text += (k == 0 ? "" : ", ") + std::to_string(done.shape[k]);
  }
  text += "], \"value\": ";
  append_nested(to, done, 0, done.values);
  text += fmt::format(", \"seconds\": {:.9f}, \"bytes\": {}", done.seconds, done.bytes);
  if (!done.of.empty()) {
    text += ", \"of\": ";
    append_string(text, done.of);
  }
  if (out != nullptr) {
    text += ", \"out\": ";
    append_string(text, *out);
  }
  text += "}\n";
}

}  // namespace rung::cli
