// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Without CUDA: nothing runs on a GPU, and every question is answered with that.
#include "gpu/job.hpp"
#include "gpu/resident.hpp"

namespace rung::runtime {
namespace {

[[noreturn]] void refuse() { fail(error_code::internal, "rung: " + gpu_refusal()); }
[[noreturn]] void refuse_memory() {
  fail(error_code::device, "rung: an array in GPU memory: " + gpu_refusal());
}

}  // namespace

std::string gpu_refusal() { return "this build has no GPU support (RUNG_CUDA=ON adds it)"; }
int gpu_count() { return 0; }
void use_gpu(int) {}
void fold_on_gpu(const gpu_job&) { refuse(); }
void run_scan_on_gpu(const gpu_scan_job&) { refuse(); }
void run_lines_on_gpu(const gpu_lines_job&) { refuse(); }
std::string gpu_name() { return "no GPU"; }
std::string gpu_text() { return "cuda: " + gpu_refusal() + "\n"; }

void reduce_resident(const resident_call&) { refuse_memory(); }
void scan_resident(const resident_call&) { refuse_memory(); }
void recurrence_resident(const recurrence_call&) { refuse_memory(); }
void* own_stream(std::int32_t) { refuse_memory(); }
void hold_back(std::int32_t, void*, void*) { refuse_memory(); }
void* allocate_resident(std::int32_t, std::size_t, void*) { refuse_memory(); }
void free_resident(std::int32_t, void*, void*) noexcept {}
void* mark(std::int32_t, void*) { refuse_memory(); }
bool has_passed(void*) noexcept { return true; }

}  // namespace rung::runtime
