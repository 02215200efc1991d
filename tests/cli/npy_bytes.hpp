// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the bytes of .npy headers, right and wrong ones, for the tests.
#pragma once

#include <cstddef>
#include <string>

namespace rung::files {

// The header with that text, of exactly `length` bytes if it is not 0 (blanks fill it up).
inline std::string npy_bytes(std::string text, int version = 1, std::size_t length = 0) {
  if (length > text.size() + 1) text.append(length - text.size() - 1, ' ');
  text += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(version), '\0'};
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k) {
    bytes += static_cast<char>(text.size() >> 8 * k & 0xff);
  }
  return bytes + text;
}

}  // namespace rung::files
