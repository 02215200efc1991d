// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans segment by segment: offsets come from a file, or from the runs or groups of
// equal keys in one.

#include <array>

#include "destination.hpp"
#include "library.hpp"
#include "operations.hpp"
#include "report.hpp"
#include "run.hpp"

namespace rung::cli {
namespace {

struct groups_deleter {
  void operator()(rung_groups* groups) const { rung_groups_free(groups); }
};

// The segments that the request names, as arrays that the library takes.
class cuts {
 public:
  cuts(const request& ask, const files::input& values, const library_options& options)
      : source_(files::input::open(ask.segments ? *ask.segments
                                   : ask.by     ? *ask.by
                                                : *ask.group,
                                   {})) {
    const rung_array given = source_.view();
    if (given.rank != 1) throw files::error("segments and keys are one-dimensional arrays");
    if (ask.segments) {
      offsets_ = given;
      count_ = std::max<std::int64_t>(0, given.shape[0] - 1);
      return;
    }
    if (source_.count() != values.count()) {
      throw files::error("there are " + std::to_string(source_.count()) + " keys for " +
                         std::to_string(values.count()) + " values");
    }
    rung_groups* made = nullptr;
    check(rung_group(&given, ask.group ? 1 : 0, options.get(), &made));
    groups_.reset(made);
    count_ = rung_groups_count(made);
    lengths_ = {count_ + 1, source_.count()};
    offsets_ = integers(rung_groups_offsets(made), &lengths_[0]);
    if (const std::int64_t* order = rung_groups_order(made)) order_ = integers(order, &lengths_[1]);
  }

  std::int64_t count() const { return count_; }
  const rung_array* offsets() const { return &offsets_; }
  const rung_array* order() const { return order_.data ? &order_ : nullptr; }
  const files::input& source() const { return source_; }
  void write_keys(const rung_array& to) const { check(rung_groups_keys(groups_.get(), &to)); }

 private:
  static rung_array integers(const std::int64_t* data, const std::int64_t* length) {
    return {.data = const_cast<std::int64_t*>(data),
            .type = RUNG_I64,
            .swapped = 0,
            .rank = 1,
            .shape = length,
            .strides = nullptr};
  }
  files::input source_;
  std::unique_ptr<rung_groups, groups_deleter> groups_;
  std::array<std::int64_t, 2> lengths_{};
  std::int64_t count_ = 0;
  rung_array offsets_{}, order_{};
};

// The type is that of a single value's result: the array itself may be empty.
result_form form_of_segments(const request& ask, const rung_array& values,
                             const library_options& options, std::int64_t count) {
  rung_array probe = values;
  probe.rank = 0;
  result_form form = form_of_result(ask.op, probe, nullptr, options);
  if (ask.what == verb::scan) form.shape = {values.shape[0]};
  else form.shape.push_back(count);  // after the 2 of minmax
  return form;
}

}  // namespace

void run_segments(const request& ask) {
  const files::input in = files::input::open(ask.inputs[0], ask.told);
  const rung_array values = in.view();
  if (values.rank != 1) {
    throw files::error(ask.inputs[0] + ": segments lie in a one-dimensional array, this one has " +
                       std::to_string(values.rank) + " axes");
  }
  progress bar{std::string(operation_of(ask.op).name)};
  library_options options(ask, &bar);
  options.read_start(ask, {&values, 1});
  const stopwatch watch;
  const cuts cut(ask, in, options);
  const std::array identities{in.file(), cut.source().file()};
  destination to(ask, form_of_segments(ask, values, options, cut.count()), identities);
  std::optional<files::npy_output> keys;
  if (ask.keys) {
    keys.emplace(*ask.keys, cut.source().view().type, std::vector<std::int64_t>{cut.count()},
                 identities);
    cut.write_keys(keys->view());
  }
  const auto run = ask.what == verb::scan ? rung_segmented_scan : rung_segmented_reduce;
  check(run(ask.op, &values, cut.offsets(), cut.order(), options.get(), to.array()));

  result done;
  done.op = operation_of(ask.op).name;
  done.seconds = watch.seconds();
  bar.clear();
  done.ran = rung_last_kernel();
  done.type = to.form().type;
  done.shape = to.form().shape;
  done.inputs = in.count();
  done.bytes = in.bytes() + cut.source().bytes() + to.form().bytes();
  done.values = static_cast<const std::byte*>(to.array()->data);
  to.commit();
  if (keys) keys->commit();
  report(ask, done);
}

}  // namespace rung::cli
