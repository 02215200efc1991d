// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// From the words of a command line to a request. Each operation has its own set of options, so an
// option that means nothing to it is an error and not silently ignored.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "request.hpp"

namespace rung::cli {

// The request, or a text to print and be done (--help, --version). `words` are the arguments
// without the program's name. Throws files::error for anything that cannot be understood.
std::variant<request, std::string> parse(std::vector<std::string> words);

}  // namespace rung::cli
