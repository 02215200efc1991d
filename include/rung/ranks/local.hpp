// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks that are threads of one process, for tests, and for programs that are written for ranks
// where there is only one process. A collective is two meetings of all ranks: each shows where its
// bytes lie; all read; each takes its bytes back. Cost: two waits on a condition variable.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "call.hpp"

namespace rung {

/// What the ranks of one process share.
class local_group {
 public:
  explicit local_group(int size, std::chrono::milliseconds timeout = std::chrono::minutes(5))
      : shown_(std::size_t(size)), here_(std::size_t(size)), timeout_(timeout) {}
  local_group(const local_group&) = delete;
  int size() const { return int(shown_.size()); }

  /// This rank will come no more: those that wait for it fail.
  void leave(int rank, const std::string& why) {
    const std::lock_guard lock(mutex_);
    give_up("rung: rank " + std::to_string(rank) + " of " + std::to_string(size()) +
            " has stopped: " + why);
  }

  /// All ranks meet here; read(shown) sees what each has brought.
  template <class Read>
  void meet(int rank, std::span<std::byte> mine, const Read& read) {
    std::unique_lock lock(mutex_);
    shown_[std::size_t(rank)] = mine;
    arrive(lock, rank);
    lock.unlock();
    bool fits = true;  // seen alike by all
    for (const auto& bytes : shown_) fits = fits && bytes.size() == shown_[0].size();
    if (fits) read(std::span<const std::span<std::byte>>(shown_));
    lock.lock();
    arrive(lock, rank);
    if (!fits)
      fail(error_code::rank, "rung: the ranks bring different numbers of bytes to one collective");
  }

 private:
  void give_up(const std::string& why) {
    if (broken_.empty()) broken_ = why;
    changed_.notify_all();
  }
  void arrive(std::unique_lock<std::mutex>& lock, int rank) {
    const std::uint64_t meeting = meetings_;
    here_[std::size_t(rank)] = true;
    if (++arrived_ == size()) {
      arrived_ = 0, meetings_++;
      here_.assign(here_.size(), false);
      changed_.notify_all();
      return;
    }
    const auto over = [&] { return meetings_ != meeting || !broken_.empty(); };
    if (!changed_.wait_for(lock, timeout_, over)) {
      std::vector<int> missing;
      for (int r = 0; r < size(); r++)
        if (!here_[std::size_t(r)]) missing.push_back(r);
      give_up("rung: " + host::rank_names(missing) + " of " + std::to_string(size()) +
              " did not come within " + std::to_string(timeout_.count()) + " ms");
    }
    if (meetings_ == meeting) fail(error_code::rank, broken_);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::span<std::byte>> shown_;
  std::vector<bool> here_;
  int arrived_ = 0;
  std::uint64_t meetings_ = 0;
  std::string broken_;
  std::chrono::milliseconds timeout_;
};

/// One of them. Only one thread may use it at a time.
class local {
 public:
  local(local_group& group, int rank) : group_(group), rank_(rank) {}
  int rank() const { return rank_; }
  int size() const { return group_.size(); }

  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
    const std::span<std::byte> shown(const_cast<std::byte*>(mine.data()), mine.size());
    group_.meet(rank_, shown, [&](auto each) {
      for (std::size_t r = 0; r < each.size(); r++)
        if (!mine.empty()) std::memcpy(all.data() + r * mine.size(), each[r].data(), mine.size());
    });
  }
  void all_reduce(std::span<std::int64_t> words) {
    std::vector<std::uint64_t> sums(words.size());
    group_.meet(rank_, std::as_writable_bytes(words), [&](auto each) {
      for (const auto& bytes : each)
        for (std::size_t i = 0; i < sums.size(); i++)
          sums[i] += std::uint64_t(reinterpret_cast<const std::int64_t*>(bytes.data())[i]);
    });
    for (std::size_t i = 0; i < sums.size(); i++) words[i] = std::int64_t(sums[i]);
  }
  void broadcast(std::span<std::byte> bytes, int root) {
    group_.meet(rank_, bytes, [&](auto each) {
      if (rank_ != root && !bytes.empty())
        std::memcpy(bytes.data(), each[std::size_t(root)].data(), bytes.size());
    });
  }

 private:
  local_group& group_;
  int rank_;
};

/// f(comm) on `size` threads, each with its own rank. When all have ended, throws what went wrong:
/// rather what f threw first than that the other ranks then could not go on.
template <class F>
void run_local(int size, const F& f, std::chrono::milliseconds timeout = std::chrono::minutes(5)) {
  local_group group(size, timeout);
  std::vector<std::exception_ptr> failures(std::size_t(size) + 1);  // the last: the cause
  std::mutex mutex;
  const auto run = [&](int rank) {
    local comm(group, rank);
    try {
      f(comm);
    } catch (...) {
      const auto failure = std::current_exception();
      const std::lock_guard lock(mutex);
      failures[std::size_t(rank)] = failure;
      bool follows = false;
      try {
        throw;
      } catch (const error& e) {
        follows = e.code() == error_code::rank;
      } catch (...) {
      }
      if (!follows && !failures.back()) failures.back() = failure;
      group.leave(rank, host::failure_text(failure));
    }
  };
  std::vector<std::thread> threads;
  for (int r = 0; r < size; r++) threads.emplace_back(run, r);
  for (auto& t : threads) t.join();
  if (failures.back()) std::rethrow_exception(failures.back());
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rung
