// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What must happen when a signal ends the program: the one unfinished output is removed. Also
// turns two signals into ordinary errors: SIGBUS (a mapped file shrank, or its disk failed) into
// one line and exit code 2, SIGXFSZ (a file size limit) into an error number.
#pragma once

#include <csignal>

namespace rung::files {

inline constexpr int exit_error = 2;

void watch_signals();  // once, at the start of main()

// The file to remove if a signal comes; there is one at a time.
void remember_for_removal(const char* path);
void forget_removal();

// Keeps the watched signals waiting for as long as it lives.
class signals_held {
 public:
  signals_held();
  signals_held(const signals_held&) = delete;
  signals_held& operator=(const signals_held&) = delete;
  ~signals_held();

 private:
  sigset_t before_;
};

}  // namespace rung::files
