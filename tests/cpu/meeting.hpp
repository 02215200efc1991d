// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A function of one value that makes threads work at the same time: the first value that a thread
// asks for is given once `expected` threads have come (or a moment has passed: there may be no more
// threads). It also remembers who came.
#pragma once
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "cpu/random_layout.hpp"
#include "rung/cpu/reduce.hpp"

namespace rung::test {

class meeting {
 public:
  explicit meeting(int expected) : expected_(std::size_t(expected)) {}

  auto function() {
    return [this](float x) {
      thread_local int last_seen = 0;
      if (last_seen != number_) {
        last_seen = number_;
        arrive();
      }
      return x;
    };
  }
  std::size_t count() const { return threads_.size(); }
  bool only_this_thread() const {
    return count() == 1 && *threads_.begin() == std::this_thread::get_id();
  }

 private:
  void arrive() {
    {
      const std::lock_guard lock(mutex_);
      threads_.insert(std::this_thread::get_id());
      here_ = threads_.size();
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    while (here_ < expected_ && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
  }

  static inline std::atomic<int> made_{0};
  const int number_ = ++made_;
  const std::size_t expected_;
  std::mutex mutex_;
  std::set<std::thread::id> threads_;
  std::atomic<std::size_t> here_{0};
};

/// Wakes the workers that `where` asks for, so that what follows is really done by several.
inline void wake_workers(const cpu_rung& where) {
  static const block<float> x(1 << 20);
  meeting all(host::worker_count(where));
  reduce(where, transform(all.function(), x.all()), plus{});
}

}  // namespace rung::test
