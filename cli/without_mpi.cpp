// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A build without MPI: every process is one of its own.

#include "run.hpp"

namespace rung::cli {

std::optional<int> job_rank() { return {}; }
void run_ranks(const request& ask) { run(ask); }

}  // namespace rung::cli
