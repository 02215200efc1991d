// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans of whole arrays: open, ask the library for the result's form, make room for
// it (a file or memory), compute, report. Every check comes before the first byte is written.

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "files/dtype.hpp"
#include "files/error.hpp"
#include "files/npy.hpp"
#include "files/output.hpp"
#include "library.hpp"
#include "operations.hpp"
#include "report.hpp"
#include "run.hpp"

namespace rung::cli {
namespace {

// Where a result is written: a file that will appear when it is complete, or memory.
class destination {
 public:
  destination(const request& ask, result_form form, std::span<const files::identity> inputs)
      : form_(std::move(form)) {
    const auto bytes = static_cast<std::size_t>(form_.bytes());
    if (ask.out) {
      file_.emplace(*ask.out, form_.type, form_.shape, inputs);
      array_ = file_->view();
      return;
    }
    try {
      memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    } catch (const std::bad_alloc&) {
      throw files::error("there is no memory for a result of " + std::to_string(bytes) +
                         " bytes; --out FILE.npy needs none");
    }
    strides_ = files::packed_strides(form_.shape, files::type_size(form_.type), false);
    array_ = {.data = memory_.get(),
              .type = form_.type,
              .swapped = 0,
              .rank = static_cast<std::int32_t>(form_.shape.size()),
              .shape = form_.shape.data(),
              .strides = strides_.data()};
  }

  const rung_array* array() const { return &array_; }
  const result_form& form() const { return form_; }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  result_form form_;
  std::optional<files::npy_output> file_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<std::int64_t> strides_;
  rung_array array_{};
};

}  // namespace

void run_array(const request& ask) {
  std::vector<files::input> inputs;
  std::vector<files::identity> identities;
  std::vector<rung_array> views;
  result done;
  done.op = operation_of(ask.op).name;
  for (const std::string& path : ask.inputs) {
    inputs.push_back(files::input::open(path, ask.told));
    identities.push_back(inputs.back().file());
    done.inputs += inputs.back().count();
    done.bytes += inputs.back().bytes();
  }
  for (const files::input& in : inputs) views.push_back(in.view());
  const rung_array* second = views.size() > 1 ? &views[1] : nullptr;

  progress bar(std::string(done.op));
  library_options options(ask, &bar);
  options.read_start(ask, views);
  destination to(ask, form_of_result(ask.op, views[0], second, options), identities);

  const stopwatch watch;
  if (ask.what == verb::scan) {
    check(rung_scan(ask.op, &views[0], options.get(), to.array()));
  } else {
    check(rung_reduce(ask.op, &views[0], second, options.get(), to.array()));
  }
  done.seconds = watch.seconds();
  bar.clear();

  done.ran = rung_last_kernel();
  done.type = to.form().type;
  done.shape = to.form().shape;
  done.bytes += to.form().bytes();
  done.values = static_cast<const std::byte*>(to.array()->data);
  to.commit();
  report(ask, done);
}

void run(const request& ask) {
  switch (ask.what) {
    case verb::partial:
      return run_partial(ask);
    case verb::merge:
      return run_merge(ask);
    case verb::scan:
      return run_array(ask);
    case verb::fold:
      // Not along an axis, whose state is as large as the input; nor from a start value, which
      // stands before the whole array and not before each of its parts.
      if (ask.inputs == std::vector<std::string>{"-"} && !ask.axes && !ask.start) {
        return run_stream(ask);
      }
      return run_array(ask);
  }
}

}  // namespace rung::cli
