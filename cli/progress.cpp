// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See progress.hpp.

#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace rung::cli {
namespace {

constexpr int bar_width = 40;
constexpr std::chrono::milliseconds patience{1000}, interval{100};

}  // namespace

progress::progress(std::string what)
    : what_(std::move(what)),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(clock::now() + patience) {}

void progress::show(double fraction) noexcept {
  if (!terminal_ || drawing_.test_and_set(std::memory_order_acquire)) return;
  if (const clock::time_point now = clock::now(); now >= next_) {
    next_ = now + interval;
    const double part = std::clamp(fraction, 0.0, 1.0);
    const int filled = static_cast<int>(part * bar_width);
    char bar[bar_width + 1];
    for (int k = 0; k < bar_width; ++k) bar[k] = k < filled ? '=' : ' ';
    bar[bar_width] = '\0';
    std::fprintf(stderr, "\r%s [%s] %3d %%", what_.c_str(), bar, static_cast<int>(part * 100));
    std::fflush(stderr);
    drawn_ = true;
  }
  drawing_.clear(std::memory_order_release);
}

void progress::clear() noexcept {
  if (!std::exchange(drawn_, false)) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

void progress::callback(void* context, double fraction) {
  static_cast<progress*>(context)->show(fraction);
}

}  // namespace rung::cli
