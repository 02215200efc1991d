// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// rung partial: the aligned block results of a slice, into a file. rung merge: such files joined
// in the order of their positions, whatever the order of their names, and the value they have.

#include <algorithm>
#include <utility>

#include "files/error.hpp"
#include "files/output.hpp"
#include "operations.hpp"
#include "report.hpp"
#include "run.hpp"
#include "stream.hpp"

namespace rung::cli {
namespace {

constexpr std::size_t piece = std::size_t{1} << 24;  // a multiple of every value's size

// Positions [begin, end) of the request, counted from the end if negative.
std::pair<std::int64_t, std::int64_t> positions(const request& ask, const files::input& in) {
  const std::int64_t count = in.count();
  if (!ask.part) return {0, count};
  const auto side = [&](std::optional<std::int64_t> position, std::int64_t otherwise) {
    if (!position) return otherwise;
    const std::int64_t at = *position < 0 ? *position + count : *position;
    if (at < 0 || at > count) {
      throw files::error("--slice: position " + std::to_string(*position) + " lies outside the " +
                         std::to_string(count) + " values of " + in.name());
    }
    return at;
  };
  const std::int64_t begin = side(ask.part->begin, 0), end = side(ask.part->end, count);
  if (begin > end) {
    throw files::error("--slice: begins at position " + std::to_string(begin) +
                       ", after its end at " + std::to_string(end));
  }
  return {begin, end};
}

void save(const rung_partial& partial, const std::string& path,
          std::span<const files::identity> inputs) {
  std::size_t size = 0;
  check(rung_partial_save(&partial, nullptr, &size));
  files::output file(path, size, inputs);
  check(rung_partial_save(&partial, file.bytes().data(), &size));
  file.commit();
}

}  // namespace

void append_slice(rung_partial& partial, const files::input& in, std::int64_t begin,
                  std::int64_t end) {
  const rung_array view = in.view();
  const files::dtype type{view.type, view.swapped != 0};
  const std::size_t size = files::type_size(type.type);
  const auto bytes = static_cast<std::size_t>(end - begin) * size;
  if (in.packed()) {
    std::byte* const data = static_cast<std::byte*>(view.data);
    append_values(partial, type, {data + static_cast<std::size_t>(begin) * size, bytes});
    return;
  }
  std::vector<std::byte> values(std::min(piece, bytes));
  for (std::size_t done = 0; done < bytes; done += values.size()) {
    values.resize(std::min(values.size(), bytes - done));
    files::gather(view, begin + static_cast<std::int64_t>(done / size), values);
    append_values(partial, type, values);
  }
}

void run_partial(const request& ask) {
  result done;
  done.op = operation_of(ask.op).name;
  progress bar(std::string(done.op));
  const library_options options(ask, &bar);
  partial_owner partial;
  std::vector<files::identity> inputs;
  const stopwatch watch;
  if (ask.inputs[0] == "-") {
    if (!ask.told.type) {
      throw files::error("standard input is read as raw values: say which with --dtype");
    }
    partial = make_partial(ask.op, ask.told.type->type, options, 0);
    done.bytes = append_stream(*partial, ask, bar);
    done.inputs = done.bytes / static_cast<std::int64_t>(files::type_size(ask.told.type->type));
  } else {
    const files::input in = files::input::open(ask.inputs[0], ask.told);
    const auto [begin, end] = positions(ask, in);
    inputs.push_back(in.file());
    files::refuse_input_as_output(*ask.out, inputs);
    partial = make_partial(ask.op, in.view().type, options, begin);
    append_slice(*partial, in, begin, end);
    done.inputs = end - begin;
    done.bytes = done.inputs * static_cast<std::int64_t>(files::type_size(in.view().type));
  }
  done.seconds = watch.seconds();
  bar.clear();
  done.ran = rung_last_kernel();
  save(*partial, *ask.out, inputs);
  report(ask, done);
}

void run_merge(const request& ask) {
  struct piece_of_range {
    partial_owner partial;
    std::int64_t begin = 0, end = 0;
  };
  std::vector<piece_of_range> pieces;
  std::vector<files::identity> inputs;
  result done;
  for (const std::string& path : ask.inputs) {
    const std::vector<std::byte> saved = files::read_whole(path, inputs.emplace_back());
    piece_of_range& added = pieces.emplace_back();
    added.partial = load_partial(saved, path);
    check(rung_partial_range(added.partial.get(), &added.begin, &added.end));
    done.bytes += static_cast<std::int64_t>(saved.size());
  }
  std::ranges::stable_sort(pieces, {},
                           [](const piece_of_range& p) { return std::pair(p.begin, p.end); });
  rung_partial& whole = *pieces[0].partial;
  const stopwatch watch;
  for (std::size_t k = 1; k < pieces.size(); ++k) {
    check(rung_partial_merge(&whole, pieces[k].partial.get()));
  }
  // Pieces joined into a file need not begin at position 0, but only those that do have a value.
  const partial_value value = ask.json || !ask.out ? value_of(whole) : partial_value{};
  done.seconds = watch.seconds();
  done.op = "merge";
  done.of = operation_of(rung_partial_op(&whole)).name;
  done.type = value.type;
  done.shape = value.shape;
  done.values = value.bytes.data();
  done.inputs = pieces.back().end - pieces[0].begin;
  if (ask.out) save(whole, *ask.out, inputs);
  report(ask, done);
}

}  // namespace rung::cli
