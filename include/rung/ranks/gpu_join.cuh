// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of all ranks joined on every GPU, in the one order: a binary counter of the blocks
// of all positions so far, with the fold up to the end of each. One launch of one block: its
// threads read states side by side, one thread joins them. Cost: a look at memory per 256 states,
// two joins per state. The fold of everything, or what stands left of this rank's blocks, for its
// scan.
#pragma once
#include "../device/scan_kernels.cuh"
#include "gpu_blocks.cuh"
#include "words.hpp"

namespace rung::detail {

/// The messages of all ranks, one behind the other.
template <class S>
struct gathered_parts {
  global<const unsigned char> first;
  std::int64_t each;  ///< bytes of a message
  int ranks, most;    ///< states that a message has room for
  RUNG_DEVICE std::int64_t count(int r) const {
    return as<const std::int64_t>(first + std::ptrdiff_t(r * each))[0];
  }
  RUNG_DEVICE S state(int r, std::int64_t j) const {
    return as<const S>(first + std::ptrdiff_t(r * each + part_message<S>::head))[j];
  }
};

inline constexpr int join_width = 256;
template <class S>
struct join_scratch {
  shared<std::int64_t[join_width]> counts;
  shared<S[join_width]> states;
  shared<S[64]> block, end;  ///< of all positions so far; the fold up to the end of each
};
/// The positions so far, in one thread.
template <class S, class Op>
struct positions_so_far {
  join_scratch<S>& s;
  const Op& op;
  before<S> start;
  std::int64_t at = 0;
  int top = 0;

  RUNG_DEVICE before<S> left() const {
    if (top == 0) return start;
    return {S(s.end[top - 1]), true};
  }
  /// The next `length` positions, an aligned block.
  RUNG_DEVICE void push(S v, std::int64_t length) {
    for (; (at & length) != 0; at -= length, length *= 2) v = op(S(s.block[--top]), v);
    const S behind = after(op, left(), v);
    s.block[top] = v, s.end[top] = behind;
    ++top, at += length;
  }
  /// Any number of positions, of which the order does not matter.
  RUNG_DEVICE void add(const S& v, std::int64_t length) {
    const S behind = after(op, left(), v);
    s.end[0] = behind;
    top = 1, at += length;
  }
};

/// Reads all messages. sink.count_of(rank, what its message says); sink.at_block(rank, its end, so
/// far) before each block, until it says no; sink.behind(rank, so far) after it; at last
/// sink.end(so far).
template <bool FreeOrder, class Op, class S, class Start, class Sink>
RUNG_KERNEL(join_width)
void join_parts(Op op, gathered_parts<S> parts, Start start, Sink sink) {
  auto& s = scratch<join_scratch<S>>();
  wait_for_previous_launch();
  allow_next_launch();
  const int slots = parts.ranks * parts.most, me = rank_in_block();
  positions_so_far<S, Op> all{s, op, start(op)};
  std::int64_t end = 0;  // of the rank's positions
  bool goes_on = true;
  for (int first = 0; first < slots; first += join_width) {
    if (first > 0) block_barrier();
    if (first + me < slots) {
      const int r = (first + me) / parts.most;
      s.counts[me] = parts.count(r);
      s.states[me] = parts.state(r, (first + me) % parts.most);
    }
    block_barrier();
    if (me != 0) continue;
    for (int i = 0; i < join_width && first + i < slots; ++i) {
      const int r = (first + i) / parts.most;
      if ((first + i) % parts.most == 0) end = all.at + sink.count_of(r, s.counts[i]);
      if (all.at == end || !goes_on) continue;
      goes_on = sink.at_block(r, end, all);
      if (!goes_on) continue;
      if constexpr (FreeOrder) all.add(S(s.states[i]), end - all.at);
      else all.push(S(s.states[i]), block_at(all.at, end - all.at));
      sink.behind(r, all);
    }
  }
  if (me == 0) sink.end(all);
}

/// The fold of everything, to `out`.
template <class Op, class Start, class Out>
struct reduce_sink {
  Op op;
  Start start;
  Out out;
  RUNG_DEVICE std::int64_t count_of(int, std::int64_t told) const { return told; }
  template <class SoFar>
  RUNG_DEVICE bool at_block(int, std::int64_t, const SoFar&) {
    return true;
  }
  template <class SoFar>
  RUNG_DEVICE void behind(int, const SoFar&) {}
  template <class SoFar>
  RUNG_DEVICE void end(const SoFar& all) {
    put_result(out, op, all.left(), all.at, start);
  }
};

/// Whether a scan goes from here to the rank's end in one: no entry but the last can end with a
/// block that begins before.
RUNG_HD constexpr bool runs_on(bool free_order, std::int64_t at, std::int64_t end) {
  return free_order || at == 0 || end - at < (at & -at);
}
/// For the scan of a rank's blocks: what stands left of each, and the entry at the end of each but
/// the last run.
template <bool FreeOrder, bool Exclusive, class Op, class T, class R>
struct scan_sink {
  using S = state_t<Op, T>;
  Op op;
  int rank;
  std::int64_t begin, behind_last;  ///< of the rank's positions
  global<S> starts;
  global<R> out;
  bool backwards;
  int block = 0;
  /// The rank's own message need not tell.
  RUNG_DEVICE std::int64_t count_of(int r, std::int64_t told) const {
    return r == rank ? behind_last - begin : told;
  }
  template <class SoFar>
  RUNG_DEVICE bool at_block(int r, std::int64_t end, const SoFar& all) {
    if (r != rank) return true;
    starts[block] = all.left().state;
    ++block;
    return !runs_on(FreeOrder, all.at, end);
  }
  template <class SoFar>
  RUNG_DEVICE void behind(int r, const SoFar& all) {
    if (Exclusive || r != rank) return;
    const std::int64_t i = all.at - 1 - begin;
    out[backwards ? -i : i] = result_as<R, Op, T>(op, all.left().state);
  }
  template <class SoFar>
  RUNG_DEVICE void end(const SoFar&) {}
};

/// A state that is a sum of integers, as words; and what their sums over all ranks are.
template <class S>
struct words_into {
  global<std::int64_t> words;
  template <class Op>
  RUNG_DEVICE void operator()(const Op&, const S& s) const {
    std::int64_t word[rank_words<S>::count];
    rank_words<S>::write(s, word);
    for (int i = 0; i < rank_words<S>::count; ++i) words[i] = word[i];
  }
};
template <class Op, class S, class Start, class Out>
RUNG_KERNEL(32)
void read_words(Op op, global<const std::int64_t> words, std::int64_t total, Start start, Out out) {
  wait_for_previous_launch();
  allow_next_launch();
  if (rank_in_block() != 0) return;
  before<S> all = start(op);
  if (total > 0) {
    std::int64_t word[rank_words<S>::count];
    for (int i = 0; i < rank_words<S>::count; ++i) word[i] = words[i];
    all = {after(op, all, rank_words<S>::read(word)), true};
  }
  put_result(out, op, all, total, start);
}

}  // namespace rung::detail
