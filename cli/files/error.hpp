// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the file layer and the command line throw when the user can do something about it.
// The text is a full sentence fragment that names the file; main() prints it after "rung: ".
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace rung::files {

struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An error of the system: what was tried, and errno in words.
inline error system_error(const std::string& tried, int number = errno) {
  return error(tried + ": " + std::strerror(number));
}

}  // namespace rung::files
