// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// An example that nvcc compiled still runs where there is no GPU: CMake builds it a second time,
// by the C++ compiler for the virtual GPU, as NAME_virtual beside it, and the one becomes the
// other. Two programs, because the library's functions mean different things in each: in one
// program that would break the one-definition rule.
#pragma once
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <rung/rung.hpp>
#include <string>
#include <system_error>

/// Returns where a kernel can run: always, on the virtual GPU. Otherwise says why not, and this
/// process goes on as NAME_virtual, or ends with 77 (skipped) if that was not built.
inline void on_some_gpu() {
  const std::string problem = rung::gpu_problem();
  if (problem.empty()) return;
  std::error_code unknown;
  const std::string sibling =
      std::filesystem::read_symlink("/proc/self/exe", unknown).string() + "_virtual";
  const bool there = access(sibling.c_str(), X_OK) == 0;
  std::printf("%s: %s %s\n", problem.c_str(), there ? "starting" : "there is no", sibling.c_str());
  std::fflush(stdout);
  if (there) execl(sibling.c_str(), sibling.c_str(), nullptr);
  std::exit(77);
}
