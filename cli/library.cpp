// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See library.hpp.

#include "library.hpp"

#include "files/dtype.hpp"
#include "files/error.hpp"
#include "files/npy.hpp"

namespace rung::cli {

namespace {

// The library's texts begin with its name, as main() begins every line.
std::string last_error() {
  const std::string text = rung_last_error();
  return text.starts_with("rung: ") ? text.substr(6) : text;
}

}  // namespace

void check(int code) {
  if (code != 0) throw files::error(last_error());
}

library_options::library_options(const request& ask, progress* bar) {
  rung_options_default(&raw_);
  raw_.axes = ask.axes ? ask.axes->data() : nullptr;
  raw_.axis_count = ask.axes ? static_cast<std::int32_t>(ask.axes->size()) : -1;
  raw_.keepdims = ask.keepdims;
  raw_.exclusive = ask.exclusive;
  raw_.reverse = ask.reverse;
  raw_.skip_nan = ask.skip_nan;
  raw_.exact = ask.exact;
  raw_.ddof = ask.ddof;
  raw_.accumulate = ask.accumulate ? static_cast<std::int32_t>(*ask.accumulate) : -1;
  raw_.threads = ask.threads;
  raw_.device = ask.device;
  raw_.gpus = ask.gpus ? ask.gpus->data() : nullptr;
  raw_.gpu_count = !ask.gpus           ? 0
                   : ask.gpus->empty() ? -1
                                       : static_cast<std::int32_t>(ask.gpus->size());
  if (bar != nullptr && bar->wanted()) {
    raw_.progress = progress::callback;
    raw_.progress_context = bar;
  }
}

void library_options::read_start(const request& ask, std::span<const rung_array> inputs) {
  if (!ask.start) return;
  // The result type is asked for single values: of the inputs themselves, which may be empty, the
  // library could only tell it if it knew the start value.
  std::vector<rung_array> probes(inputs.begin(), inputs.end());
  for (rung_array& probe : probes) probe.rank = 0;
  library_options whole(*this);
  whole.raw_.axis_count = -1;
  const rung_array* second = probes.size() > 1 ? &probes[1] : nullptr;
  const rung_type result = form_of_result(ask.op, probes[0], second, whole).type;
  start_ = read_scalar("--init", *ask.start, state_type(result));
  raw_.init = start_->bytes.data();
  raw_.init_type = start_->type;
}

std::int64_t result_form::bytes() const {
  return files::count_bytes(shape, files::type_size(type), "the result");
}

result_form form_of_result(rung_op op, const rung_array& a, const rung_array* b,
                           const library_options& options) {
  result_form form;
  form.shape.resize(files::max_rank + 1);
  std::int32_t rank = 0;
  check(rung_result(op, &a, b, options.get(), &form.type, &rank, form.shape.data()));
  form.shape.resize(static_cast<std::size_t>(rank));
  return form;
}

partial_owner make_partial(rung_op op, rung_type type, const library_options& options,
                           std::int64_t begin) {
  rung_partial* made = nullptr;
  check(rung_partial_create(op, type, options.get(), begin, &made));
  return partial_owner(made);
}

partial_owner load_partial(std::span<const std::byte> saved, const std::string& file) {
  rung_partial* made = nullptr;
  if (rung_partial_load(saved.data(), saved.size(), &made) != 0) {
    throw files::error(file + ": " + last_error());
  }
  return partial_owner(made);
}

void append_values(rung_partial& partial, files::dtype type, std::span<std::byte> values) {
  const auto size = static_cast<std::int64_t>(files::type_size(type.type));
  const std::int64_t count = static_cast<std::int64_t>(values.size()) / size;
  const rung_array array{.data = values.data(),
                         .type = type.type,
                         .swapped = type.swapped,
                         .rank = 1,
                         .shape = &count,
                         .strides = &size};
  check(rung_partial_append(&partial, &array));
}

partial_value value_of(const rung_partial& partial) {
  partial_value value;
  std::int32_t count = 0;
  check(rung_partial_value(&partial, value.bytes.data(), &value.type, &count));
  if (count == 2) value.shape = {2};
  return value;
}

}  // namespace rung::cli
