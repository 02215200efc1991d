// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans of whole arrays: open, ask the library for the result's form, make room for
// it (a file or memory), compute, report. Every check comes before the first byte is written.

#include "destination.hpp"
#include "library.hpp"
#include "operations.hpp"
#include "report.hpp"
#include "run.hpp"

namespace rung::cli {
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
  if (ask.cuts()) return run_segments(ask);
  switch (ask.what) {
    case verb::partial:
      return run_partial(ask);
    case verb::merge:
      return run_merge(ask);
    case verb::scan:
      return run_array(ask);
    case verb::fold:
      // Not along an axis, whose state is as large as the input; nor from a start value, which
      // stands before the whole array and not before each of its parts; nor on a GPU.
      if (ask.inputs == std::vector<std::string>{"-"} && !ask.axes && !ask.start &&
          ask.device != RUNG_CUDA) {
        return run_stream(ask);
      }
      return run_array(ask);
  }
}

}  // namespace rung::cli
