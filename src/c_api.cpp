// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The C functions of rung.h: exceptions become codes and a text that the thread keeps.
#include "gpu/job.hpp"
#include "guarded.hpp"
#include "on_gpu.hpp"

namespace rung::runtime {

std::string& last_error_text() {
  thread_local std::string text;
  return text;
}

const rung_array& required(const rung_array* a, const char* name) {
  if (!a) fail(error_code::bad_argument, std::string("rung: ") + name + " is missing (NULL)");
  return *a;
}

}  // namespace rung::runtime

using namespace rung::runtime;

extern "C" {

void rung_options_default(rung_options* options) {
  *options = {};
  options->size = sizeof *options;
  options->axis_count = -1;
  options->accumulate = -1;
  options->gpu = -1;
}

int rung_result(rung_op op, const rung_array* a, const rung_array* b, const rung_options* options,
                rung_type* type, int32_t* rank, int64_t* shape) {
  return guarded([&] {
    const result_form form = find_result(op, required(a, "the input"), b, checked_options(options));
    if (type) *type = form.type;
    if (rank) *rank = form.rank;
    for (int d = 0; shape && d < form.rank; d++) shape[d] = form.shape[std::size_t(d)];
  });
}

int rung_reduce(rung_op op, const rung_array* a, const rung_array* b, const rung_options* options,
                const rung_array* out) {
  return guarded([&] {
    reduce(op, required(a, "the input"), b, checked_options(options), required(out, "the output"));
  });
}

int rung_scan(rung_op op, const rung_array* a, const rung_options* options, const rung_array* out) {
  return guarded([&] {
    scan(op, required(a, "the input"), checked_options(options), required(out, "the output"));
  });
}

const char* rung_last_error(void) { return last_error_text().c_str(); }
const char* rung_last_kernel(void) { return last_kernel(); }
const char* rung_version(void) { return RUNG_VERSION; }
const char* rung_machine(void) {
  thread_local std::string text;
  const int code = guarded([&] {
    text = std::string("cpu: ") + simd_name() + ", " +
           std::to_string(rung::host::worker_count({})) + " threads\n" + gpu_text() + where_text();
  });
  return code == RUNG_OK ? text.c_str() : rung_last_error();
}

}  // extern "C"
