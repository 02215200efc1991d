// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A bar on standard error, if that is a terminal and the work takes more than a second. The
// library reports from whatever thread it likes; one thread draws and the others do not wait.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

namespace rung::cli {

class progress {
 public:
  explicit progress(std::string what);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress() { clear(); }

  bool wanted() const { return terminal_; }
  void show(double fraction) noexcept;
  void clear() noexcept;  // removes the bar, before anything else is printed

  // For rung_options: `context` is the progress.
  static void callback(void* context, double fraction);

 private:
  using clock = std::chrono::steady_clock;

  std::string what_;
  bool terminal_;
  std::atomic_flag drawing_ = ATOMIC_FLAG_INIT;
  clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace rung::cli
