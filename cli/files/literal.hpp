// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A reader for the few Python literals that a .npy header may hold: strings, True and False,
// integers, tuples of integers. It moves a cursor through the text and throws on anything else.
// No recursion, so that no input can exhaust the stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rung::files {

class literal_reader {
 public:
  literal_reader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  bool accept(char c);  // skips blanks, then takes c if it is next
  void expect(char c);
  bool at_end();
  char peek();  // the next character after blanks; 0 at the end

  std::string string();
  bool boolean();
  std::int64_t integer();
  std::vector<std::int64_t> integers();  // a tuple of them

  [[noreturn]] void fail(const std::string& what) const;

 private:
  void skip_blanks();

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
};

}  // namespace rung::files
