// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See interrupt.hpp. Handlers may call only what POSIX names async-signal-safe, so the path waits
// in a fixed buffer and the text is written with write().

#include "files/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <climits>
#include <cstring>
#include <string_view>

namespace rung::files {
namespace {

constexpr std::array ending = {SIGINT, SIGTERM, SIGHUP, SIGBUS};

std::array<char, PATH_MAX> unfinished{};
volatile std::sig_atomic_t have_unfinished = 0;

void remove_unfinished() {
  if (have_unfinished) unlink(unfinished.data());
}

void end_by_signal(int number) {  // the default action is in place again (SA_RESETHAND)
  remove_unfinished();
  raise(number);
}

void end_by_bus_error(int) {
  remove_unfinished();
  constexpr std::string_view text =
      "rung: a file could not be read or written any further: it shrank, or its disk failed\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(exit_error);
}

}  // namespace

void watch_signals() {
  for (const int number : ending) {
    struct sigaction action = {}, before = {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;  // nohup: keep ignoring what the parent ignores
    action.sa_handler = number == SIGBUS ? end_by_bus_error : end_by_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

void remember_for_removal(const char* path) {
  if (std::strlen(path) >= unfinished.size()) return;
  std::strcpy(unfinished.data(), path);
  have_unfinished = 1;
}

void forget_removal() { have_unfinished = 0; }

signals_held::signals_held() {
  sigset_t held;
  sigemptyset(&held);
  for (const int number : ending) sigaddset(&held, number);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

signals_held::~signals_held() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace rung::files
