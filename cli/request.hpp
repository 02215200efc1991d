// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the user asked for: the command line after parsing, before any file is opened.
#pragma once

#include <rung/rung.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "files/input.hpp"

namespace rung::cli {

enum class verb { fold, scan, partial, merge };

// Positions [begin, end); a missing side is the first or the last position.
struct slice {
  std::optional<std::int64_t> begin, end;
};

struct request {
  verb what = verb::fold;
  rung_op op = RUNG_SUM;
  std::vector<std::string> inputs;
  files::layout told;

  std::optional<std::vector<std::int32_t>> axes;  // nothing: all of them
  std::optional<slice> part;
  std::optional<std::string> start;  // --init, as written: its type depends on the input's
  std::optional<rung_type> accumulate;
  double ddof = 0;
  std::int32_t threads = 0;
  rung_device device = RUNG_CPU;
  std::optional<std::vector<std::int32_t>> gpus;  // --devices; empty: all of them
  bool keepdims = false, exclusive = false, reverse = false, skip_nan = false, exact = false;

  std::optional<std::string> segments, by, group;  // files of offsets, of keys
  bool cuts() const { return segments || by || group; }

  std::optional<std::string> out, keys;  // files to write: the result, the keys of its groups
  bool json = false, verbose = false;
};

}  // namespace rung::cli
