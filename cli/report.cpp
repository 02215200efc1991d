// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See report.hpp. With --out the file is the answer and standard output stays empty, unless
// --json asks for the object as well.

#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "files/dtype.hpp"
#include "files/error.hpp"

namespace rung::cli {

void printer::relieve() {
  if (text_.size() >= (std::size_t{1} << 16)) flush();
}

void printer::flush() {
  const bool written = std::fwrite(text_.data(), 1, text_.size(), stdout) == text_.size();
  if (!written || std::fflush(stdout) != 0) {
    throw files::system_error("standard output cannot be written");
  }
  text_.clear();
}

void report(const request& ask, const result& done) {
  printer to;
  if (ask.json) {
    print_json(to, done, ask.out ? &*ask.out : nullptr);
  } else if (!ask.out) {
    print_text(to, done);
  }
  to.flush();
  if (!ask.verbose) return;
  const double rate = static_cast<double>(done.bytes) / std::max(done.seconds, 1e-9) / 1e9;
  fmt::print(stderr, "{}: {} values, {} bytes in {:.6f} s, {:.2f} GB/s{}{}\n", done.op, done.inputs,
             done.bytes, done.seconds, rate, done.ran.empty() ? "" : ", ", done.ran);
}

}  // namespace rung::cli
