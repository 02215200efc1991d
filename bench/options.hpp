// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line that every benchmark has, and what it says about the machine and the versions.
#pragma once
#include <map>
#include <string>

namespace bench {

struct options {
  std::string json;         // --json FILE: where the results go; nowhere if empty
  std::string only;         // --only TEXT: points whose "what type" contains it
  int rounds = 9;           // --rounds N
  double max_bytes = 1e18;  // --max-bytes N: skip larger points
  double slice = 0.004;     // seconds that a candidate runs per round, at least
  std::string command;      // as typed

  /// Exits with a message on a wrong option. --smoke: one round of the smallest points.
  static options parse(int argc, char** argv);
};

std::string machine();  // processor, cores, memory, system
std::string date();     // UTC, ISO 8601
std::map<std::string, std::string> versions();

}  // namespace bench
