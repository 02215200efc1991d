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
// All ranks of mpirun fail together, and the first one speaks. mpirun ends everybody as soon as one
// has failed, so the others do not.
int complain(std::string text) {
  if (rung::cli::job_rank().value_or(0) != 0) return 0;
  if (text.starts_with("rung: ")) text.erase(0, 6);
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
    if (rung::cli::job_rank().value_or(0) == 0) to.flush();
  } else if (rung::cli::job_rank()) {
    rung::cli::run_ranks(std::get<rung::cli::request>(asked));
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
