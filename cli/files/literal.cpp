// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See literal.hpp. Python 2 wrote long integers with a trailing L, and NumPy still reads them.

#include "files/literal.hpp"

#include <algorithm>
#include <charconv>

#include "files/error.hpp"

namespace rung::files {

void literal_reader::fail(const std::string& what) const {
  throw error(file_ + ": the .npy header is not valid: " + what);
}

void literal_reader::skip_blanks() {
  while (at_ < text_.size() && std::string_view(" \t\r\n\f").find(text_[at_]) != text_.npos) ++at_;
}

char literal_reader::peek() {
  skip_blanks();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool literal_reader::accept(char c) {
  if (peek() != c || at_end()) return false;
  ++at_;
  return true;
}

void literal_reader::expect(char c) {
  if (!accept(c)) fail(std::string("expected '") + c + "' at character " + std::to_string(at_));
}

bool literal_reader::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

std::string literal_reader::string() {
  const char quote = peek();
  if (quote != '\'' && quote != '"') fail("expected a string at character " + std::to_string(at_));
  const std::size_t end = text_.find(quote, at_ + 1);
  if (end == text_.npos) fail("a string does not end");
  const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
  // No key and no supported type has an escape or is anywhere near this long.
  if (inside.size() > 64 || std::ranges::any_of(inside, [](unsigned char c) {
        return c < ' ' || c > '~' || c == '\\';
      })) {
    fail("a string holds unexpected characters");
  }
  at_ = end + 1;
  return std::string(inside);
}

bool literal_reader::boolean() {
  skip_blanks();
  for (const std::string_view word : {"True", "False"}) {
    if (text_.substr(at_, word.size()) != word) continue;
    at_ += word.size();
    const char after = at_ < text_.size() ? text_[at_] : ' ';
    if (std::string_view(", \t\r\n}").find(after) == std::string_view::npos) break;
    return word == "True";
  }
  fail("fortran_order is neither True nor False");
}

std::int64_t literal_reader::integer() {
  skip_blanks();
  std::int64_t value = 0;
  const char* begin = text_.data() + at_;
  const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (code == std::errc::result_out_of_range) fail("a length does not fit in 64 bits");
  if (code != std::errc()) fail("expected an integer at character " + std::to_string(at_));
  at_ += static_cast<std::size_t>(end - begin);
  if (at_ < text_.size() && text_[at_] == 'L') ++at_;
  return value;
}

std::vector<std::int64_t> literal_reader::integers() {
  expect('(');
  std::vector<std::int64_t> values;
  while (!accept(')')) {
    values.push_back(integer());
    if (values.size() > 64) fail("it has more than 64 axes");
    if (accept(',')) continue;
    // (5) is a number, (5,) a tuple: Python knows the difference, so this reader does too.
    if (values.size() == 1) fail("the shape is a number, not a tuple");
    expect(')');
    break;
  }
  return values;
}

}  // namespace rung::files
