// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A finished result and the three ways to tell it: one JSON object, text for people, and the
// --verbose line on standard error.
#pragma once

#include <rung/rung.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "request.hpp"

namespace rung::cli {

struct result {
  std::string_view op;
  std::string_view of;  // merge: the operation of the partials
  rung_type type = RUNG_F64;
  std::vector<std::int64_t> shape;
  const std::byte* values = nullptr;  // packed, C order
  std::int64_t inputs = 0;            // values read
  std::int64_t bytes = 0;             // input values read plus result values written
  double seconds = 0;                 // computing, the reading of mapped pages included
  std::string ran;                    // what the library says it ran
};

// Prints to standard output what the request wants there, and to standard error for --verbose.
void report(const request& ask, const result& done);

// Collects text and hands it to standard output in large pieces; flush() throws if that fails.
class printer {
 public:
  std::string& text() { return text_; }
  void relieve();  // hands over what has been collected, if it is much
  void flush();

 private:
  std::string text_;
};

void print_json(printer& to, const result& done, const std::string* out);
void print_text(printer& to, const result& done);

}  // namespace rung::cli
