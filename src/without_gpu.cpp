// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Without CUDA: nothing runs on a GPU, and every question is answered with that.
#include "gpu/job.hpp"

namespace rung::runtime {

std::string gpu_refusal() { return "this build has no GPU support (RUNG_CUDA=ON adds it)"; }
void fold_on_gpu(const gpu_job&, void*) { fail(error_code::internal, "rung: " + gpu_refusal()); }
void run_scan_on_gpu(const gpu_scan_job&) { fail(error_code::internal, "rung: " + gpu_refusal()); }
void run_lines_on_gpu(const gpu_lines_job&) {
  fail(error_code::internal, "rung: " + gpu_refusal());
}
std::string gpu_name() { return "no GPU"; }
std::string gpu_text() { return "cuda: " + gpu_refusal() + "\n"; }

}  // namespace rung::runtime
