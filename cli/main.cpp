// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line of rung: parse, run, report. Whatever goes wrong ends here as one line on
// standard error and exit code 2, with nothing on standard output and no file half-written.

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include "files/error.hpp"
#include "files/interrupt.hpp"
#include "parse.hpp"
#include "report.hpp"
#include "run.hpp"

namespace {

// File names and header texts may hold anything; a line break among it would break the promise.
int complain(std::string text) {
  std::string line = "rung: ";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f') {
      line += c;
    } else {
      line += c == '\n' ? ' ' : '?';
    }
  }
  line += '\n';
  std::fputs(line.c_str(), stderr);
  return rung::files::exit_error;
}

void run(std::vector<std::string> words) {
  const auto asked = rung::cli::parse(std::move(words));
  if (const std::string* text = std::get_if<std::string>(&asked)) {
    rung::cli::printer to;
    to.text() = *text;
    to.flush();
  } else {
    rung::cli::run(std::get<rung::cli::request>(asked));
  }
}

}  // namespace

int main(int argc, char** argv) {
  rung::files::watch_signals();
  try {
    run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
    return 0;
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory");
  } catch (const std::exception& failure) {
    return complain(failure.what());
  }
}
