// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One call of all ranks: attempt, agree, attempt, exchange. Whatever fails on one rank before an
// exchange is told in it, so that every rank throws and none waits for one that has gone. agree()
// tells how many values each rank has, hence which positions, and compares who calls what: 24 bytes
// per rank. gather() then sends the aligned blocks of each part. Their number follows from the
// positions, so nobody sends sizes. Words are only spent on a call that fails.
#pragma once
#include <exception>
#include <string_view>
#include <vector>

#include "../cpu/partial_blocks.hpp"
#include "comm.hpp"

namespace rung::host {

/// The types of a call as text, the same in every process of one program.
template <class Verb, class Op, class T>
std::string_view call_text() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(std::min(text.size(), text.find("Verb = ")));
  return text.substr(0, std::min(text.find("; std::string_view"), text.size() - 1));
}

inline std::string failure_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

/// "rank 3", "ranks 1, 2 and 5": those in the list, the first few.
inline std::string rank_names(std::span<const int> list) {
  std::string s = list.size() == 1 ? "rank " : "ranks ";
  const std::size_t shown = std::min<std::size_t>(list.size(), 16);
  for (std::size_t i = 0; i < shown; i++)
    s += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + std::to_string(list[i]);
  if (shown < list.size()) s += " and " + std::to_string(list.size() - shown) + " others";
  return s;
}

template <communicator C>
class rank_call {
 public:
  /// text: what this call is, for comparison with what the others call.
  rank_call(C& comm, std::string_view text) : comm_(comm), text_(text) {}

  /// More that has to be the same on all ranks.
  void compare(const std::string& text) { text_ += ", " + text; }

  /// Runs f; what it throws is kept for the next exchange, as is what failed before.
  template <class F>
  void attempt(const F& f) {
    if (failure_) return;
    try {
      f();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  /// Exchange 1. Throws on every rank if one has failed or calls something else.
  void agree(std::int64_t count) {
    const greeting mine{count, format::checksum(std::as_bytes(std::span(text_))), failed()};
    const auto all = gather_values(mine);
    throw_if_failed([&](int r) { return all[std::size_t(r)].failed; });
    std::vector<int> others;
    for (int r = 0; r < comm_.size(); r++)
      if (all[std::size_t(r)].kind != all[0].kind) others.push_back(r);
    if (!others.empty())
      fail(error_code::rank, "rung: " + rank_names(others) + " of " + std::to_string(comm_.size()) +
                                 " and rank 0 make different calls: " + told_by(others[0], text_) +
                                 "; and " + told_by(0, text_));
    ends_.assign(1, 0);
    for (const greeting& g : all) {
      if (g.count > position_limit - ends_.back())
        fail(error_code::bad_argument, "rung: all ranks together have more than 2^62 values");
      ends_.push_back(ends_.back() + g.count);
    }
  }

  /// The same without an exchange, where every rank was told where all parts begin. Throws on this
  /// rank alone.
  void know(std::vector<std::int64_t> ends, std::int64_t count) {
    if (failure_) std::rethrow_exception(failure_);
    ends_ = std::move(ends);
    if (count != mine().end - mine().begin)
      fail(error_code::bad_argument, "rung: rank " + std::to_string(comm_.rank()) + " has " +
                                         std::to_string(count) + " values, not positions " +
                                         range_text(mine()) + " of the split that was given");
  }

  /// The positions of a rank's values, and of all.
  position_range range(int rank) const {
    return {ends_[std::size_t(rank)], ends_[std::size_t(rank) + 1]};
  }
  position_range mine() const { return range(comm_.rank()); }
  std::int64_t total() const { return ends_.back(); }

  /// Exchange 2: the parts of all ranks. Throws on every rank if one has failed.
  /// Then whole = the values of ranks 0 .. until - 1.
  void gather(const partial_blocks& part, std::size_t state_size, int until,
              partial_blocks& whole) {
    constexpr std::size_t head = 8;  // has this rank failed
    int most = 0;
    for (int r = 0; r < comm_.size(); r++) most = std::max(most, block_count(range(r)));
    const std::size_t each = head + std::size_t(most) * state_size;
    std::vector<std::byte> mine(each), all(each * std::size_t(comm_.size()));
    mine[0] = std::byte(failed());
    if (!failed() && !part.states().empty())
      std::memcpy(mine.data() + head, part.states().data(), part.states().size());
    comm_.all_gather(mine, all);
    throw_if_failed([&](int r) { return all[std::size_t(r) * each] != std::byte(0); });
    std::vector<std::byte> aligned(state_size + 64);
    auto at = reinterpret_cast<std::uintptr_t>(aligned.data());
    std::byte* const state = aligned.data() + (64 - at % 64) % 64;
    for (int r = 0; r < until; r++) {
      const std::byte* from = all.data() + std::size_t(r) * each + head;
      while (whole.range().end < range(r).end) {
        std::memcpy(state, from, state_size), from += state_size;
        const std::int64_t end = whole.range().end;
        whole.append_state(state, aligned_block(end, range(r).end - end));
      }
    }
  }

  /// Exchange 2 of sums that are words: their sums over all ranks.
  void add_up(std::span<std::int64_t> words) {
    std::vector<std::int64_t> all(words.begin(), words.end());
    all.push_back(failed());
    comm_.all_reduce(all);
    if (all.back() != 0) {
      const auto flags = gather_values(failed());
      throw_if_failed([&](int r) { return flags[std::size_t(r)]; });
    }
    std::copy(all.begin(), all.end() - 1, words.begin());
  }

 private:
  struct greeting {
    std::int64_t count;
    std::uint64_t kind;
    std::int64_t failed;
  };
  std::int64_t failed() const { return failure_ != nullptr; }

  template <class V>
  std::vector<V> gather_values(const V& mine) {
    std::vector<V> all(std::size_t(comm_.size()));
    comm_.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    return all;
  }
  /// "rank r: " and the text that rank r has; all ranks call it.
  std::string told_by(int r, const std::string& text) {
    std::array<char, 512> bytes{};
    std::copy_n(text.begin(), std::min(text.size(), bytes.size() - 1), bytes.begin());
    comm_.broadcast(std::as_writable_bytes(std::span(bytes)), r);
    bytes.back() = 0;
    return "rank " + std::to_string(r) + ": " + bytes.data();
  }
  template <class Failed>
  void throw_if_failed(const Failed& has_failed) {
    std::vector<int> list;
    for (int r = 0; r < comm_.size(); r++)
      if (has_failed(r)) list.push_back(r);
    if (list.empty()) return;
    const std::string why = told_by(list[0], failure_ ? failure_text(failure_) : "");
    if (failure_) std::rethrow_exception(failure_);
    fail(error_code::rank,
         "rung: " + rank_names(list) + " of " + std::to_string(comm_.size()) + " failed; " + why);
  }

  C& comm_;
  std::string text_;
  std::exception_ptr failure_;
  std::vector<std::int64_t> ends_;  // ends_[r]: the first position of rank r
};

}  // namespace rung::host
