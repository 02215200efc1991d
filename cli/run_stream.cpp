// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole reduction of standard input. The stream is read in pieces and each is appended to a
// partial, so memory stays the same however long the stream is; the partial makes the answer the
// same bits as that of a file. Also the reading half of `rung partial OP -`.

#include "stream.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>

#include "files/error.hpp"
#include "files/npy.hpp"
#include "files/output.hpp"
#include "operations.hpp"
#include "report.hpp"
#include "run.hpp"

namespace rung::cli {
namespace {

constexpr std::size_t piece = std::size_t{1} << 26;

}  // namespace

std::int64_t append_stream(rung_partial& partial, const request& ask, progress& bar) {
  const std::string name = "standard input";
  const files::dtype type = *ask.told.type;
  const std::size_t size = files::type_size(type.type);
  const std::int64_t wanted = ask.told.shape ? files::count_bytes(*ask.told.shape, size, name) : -1;
  const auto buffer = std::make_unique_for_overwrite<std::byte[]>(piece);
  std::int64_t total = 0;
  for (std::size_t got = piece; got == piece;) {
    got = files::read_fully(STDIN_FILENO, {buffer.get(), piece}, name);
    total += static_cast<std::int64_t>(got);
    if (got % size != 0) {
      throw files::error(name + ": " + std::to_string(total) + " bytes are not a whole number of " +
                         std::string(files::type_name(type.type)) + " values");
    }
    if (wanted >= 0 && total > wanted) break;
    append_values(partial, type, {buffer.get(), got});
    if (wanted > 0) bar.show(static_cast<double>(total) / static_cast<double>(wanted));
  }
  if (wanted >= 0 && total != wanted) {
    throw files::error(name + ": --shape needs " + std::to_string(wanted) + " bytes, but " +
                       (total > wanted ? "more" : std::to_string(total)) + " are there");
  }
  return total;
}

void run_stream(const request& ask) {
  if (!ask.told.type) {
    throw files::error("standard input is read as raw values: say which with --dtype");
  }
  result done;
  done.op = operation_of(ask.op).name;
  progress bar(std::string(done.op));
  const library_options options(ask, nullptr);
  const partial_owner partial = make_partial(ask.op, ask.told.type->type, options, 0);

  const stopwatch watch;
  done.bytes = append_stream(*partial, ask, bar);
  partial_value value = value_of(*partial);
  done.seconds = watch.seconds();
  bar.clear();

  done.inputs = done.bytes / static_cast<std::int64_t>(files::type_size(ask.told.type->type));
  report_value(ask, done, value, ask.told.shape ? ask.told.shape->size() : 1, {});
}

void report_value(const request& ask, result& done, partial_value& value, std::size_t rank,
                  std::span<const files::identity> inputs) {
  const std::size_t size = files::type_size(value.type), planes = value.shape.size();
  done.bytes += static_cast<std::int64_t>(size << planes);  // two values for the axis of length two
  if (ask.keepdims) value.shape.resize(planes + rank, 1);
  done.type = value.type;
  done.shape = value.shape;
  done.values = value.bytes.data();
  done.ran = rung_last_kernel();
  if (ask.out) {
    files::npy_output file(*ask.out, value.type, value.shape, inputs);
    std::copy_n(value.bytes.data(), size << planes, static_cast<std::byte*>(file.view().data));
    file.commit();
  }
  report(ask, done);
}

}  // namespace rung::cli
