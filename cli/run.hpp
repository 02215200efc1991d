// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The verbs of the command line, each from request to report.
#pragma once

#include <chrono>
#include <optional>

#include "request.hpp"

namespace rung::cli {

void run_array(const request& ask);     // reductions and scans of files
void run_segments(const request& ask);  // the same, segment by segment
void run_stream(const request& ask);    // a whole reduction of standard input, in bounded memory
void run_partial(const request& ask);   // rung partial
void run_merge(const request& ask);     // rung merge

void run(const request& ask);  // the right one of these

// The same, by all processes that mpirun has started: run() if that is one.
void run_ranks(const request& ask);
// Which of these processes this is; nothing in a build without MPI, or without mpirun.
std::optional<int> job_rank();

class stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace rung::cli
