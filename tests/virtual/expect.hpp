// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// For the tests of the virtual GPU: run something under many seeds, and look at a finding's text.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <rung/base/gpu.cuh>
#include <rung/base/launch.cuh>
#include <string>

namespace rung {

/// Runs f with the settings under seeds 1 to `count`; stops at the first failure.
inline void for_seeds(int count, const std::function<void()>& f,
                      virtual_gpu::settings settings = {}) {
  for (int seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    settings.seed = static_cast<std::uint64_t>(seed);
    virtual_gpu::configure(settings);
    f();
  }
  virtual_gpu::configure({});
}

/// "file.cpp:12" for a line some lines below the caller's.
inline std::string line_below(int lines, virtual_gpu::place where = virtual_gpu::place::current()) {
  const std::string text = virtual_gpu::text_of(where);
  return text.substr(0, text.find(':') + 1) + std::to_string(int(where.line()) + lines);
}

/// The text of the error that f throws, or "" if it throws none.
inline std::string finding(const std::function<void()>& f) {
  try {
    f();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), error_code::device);
    return e.what();
  }
  return "";
}

/// Expects a finding with all of these pieces, under several seeds.
inline void expect_finding(const std::function<void()>& f,
                           std::initializer_list<std::string> pieces,
                           virtual_gpu::settings settings = {}) {
  for_seeds(
      10,
      [&] {
        const std::string text = finding(f);
        for (const std::string& piece : pieces)
          EXPECT_NE(text.find(piece), text.npos) << "no \"" << piece << "\" in:\n" << text;
      },
      settings);
}

}  // namespace rung
