// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of the device rung's scans are given, and what both do with packs of values when
// it is known what stands left of them. One launch per call, each value read once and written once:
// scan_few.cuh for few tiles, scan_tiles.cuh for many.
#pragma once
#include "../grid/stamped.cuh"
#include "../warp/scan.cuh"
#include "scan_output.cuh"

namespace rung {

namespace detail {

/// What a scan gives: entries that leave the value at their position out, or not; after an init, or
/// not.
template <bool Exclusive, bool HasInit>
struct scan_kind {
  static constexpr bool exclusive = Exclusive, has_init = HasInit;
};

/// Entries of a pack of values: what stands left of it, and (inclusive) of the next one.
template <class Kind, class T, int N, class S, class Op>
RUNG_DEVICE void scan_pack(const pack<T, N>& values, std::int64_t position, const Op& op,
                           const before<S>& left, const S& next, S (&entries)[N]) {
  RUNG_UNROLL
  for (int j = 0; j < N; ++j) entries[j] = lift(op, T(values[j]), position + j);
  if constexpr (any_order<Op, S>) {  // the fewest calls
    entries[0] = after(op, left, entries[0]);
    RUNG_UNROLL
    for (int j = 1; j < N; ++j) entries[j] = op(entries[j - 1], entries[j]);
  } else {
    inclusive_in_place<N>(entries, N - 1, op, left);
  }
  if constexpr (Kind::exclusive) {
    RUNG_UNROLL
    for (int j = N - 1; j > 0; --j) entries[j] = entries[j - 1];
    entries[0] = exclusive_entry_of<Kind::has_init>(left, position == 0, op);
  } else {
    entries[N - 1] = next;
  }
}
/// What stands left of the next lane: that of the last one is `next`.
template <class S>
RUNG_DEVICE S left_of_next_lane(const before<S>& mine, const S& next) {
  const S right = by_halves(mine.state, [](auto w) { return shuffle_down(w, 1); });
  return choose(lane() == warp_size - 1, next, right);
}
/// The fold of the first `count` values of a pack, after what stands left of it: for the total of a
/// tile that is not whole.
template <class T, int N, class S, class Op>
RUNG_DEVICE S fold_up_to(const pack<T, N>& values, std::int64_t position, const Op& op,
                         const before<S>& left, int count) {
  S lifted[N];
  RUNG_UNROLL
  for (int j = 0; j < N; ++j) lifted[j] = lift(op, T(values[j]), position + j);
  return reduce_at_most<N>(this_thread, lifted, count, op, left);
}

/// n, from the host or from device memory.
struct count_given {
  std::int64_t n;
  RUNG_HD std::int64_t operator()() const { return n; }
};
struct count_on_device {
  global<const std::int64_t> n;
  RUNG_DEVICE std::int64_t operator()() const { return n[0]; }
};
/// An init that lies in device memory.
template <class S>
struct start_on_device {
  global<const S> place;
  template <class Op>
  RUNG_DEVICE before<S> operator()(const Op&) const {
    return {place[0], true};
  }
  static constexpr bool given = true;
};

/// The same, if there is one.
template <class S>
struct start_if_any_on_device {
  global<const S> place;
  bool some;
  static constexpr bool given = false;
  template <class Op>
  RUNG_DEVICE before<S> operator()(const Op& op) const {
    if (some) return {place[0], true};
    return nothing(op, S{});
  }
};

/// A scan's total for who asked, and what happens if nobody did.
struct no_total {
  template <class Op, class S>
  RUNG_DEVICE void operator()(const Op&, const S&) const {}
  static constexpr bool wanted = false;
};
template <class Op, class T, class R>
struct total_into_memory {
  result_into<Op, T, R> put;
  RUNG_DEVICE void operator()(const Op& op, const state_t<Op, T>& s) const { put(op, s); }
  static constexpr bool wanted = true;
};

/// The words of one workspace.
template <class S>
struct scan_words {
  global<std::uint64_t> turn;  ///< [0] which round, and how many blocks or tiles have been taken;
                               ///< [1] how many blocks have left
  global<stamped_word<S>> words;
  std::int64_t count;  ///< of all words that the workspace has: half for trees, half for prefixes

  static constexpr std::size_t head = 128;
  static std::size_t bytes(std::int64_t capacity) {
    return head + std::size_t(capacity) * stamped_words<S> * sizeof(stamped_word<S>);
  }
  RUNG_DEVICE global<stamped_word<S>> at(std::int64_t i) const {
    return words + std::ptrdiff_t(i * stamped_words<S>);
  }
  RUNG_DEVICE global<stamped_word<S>> prefixes() const { return at(count / stamped_words<S> / 2); }
  static RUNG_DEVICE std::uint32_t stamp_of(std::uint64_t turn) {
    return std::uint32_t(turn >> 32) + 1;
  }
  /// A turn, for the first thread, later. The lane's number says nothing, but that this is not done
  /// once for all lanes, who would wait.
  RUNG_DEVICE std::uint64_t take_turn() const { return atomic_add(turn[lane()], std::uint64_t(1)); }
  /// Counts a block that has taken all its turns, and, where all stamps have been used, read all
  /// its words. One warp calls; the first lane gets how many came before, later.
  RUNG_DEVICE std::uint64_t count_out() const {
    std::uint64_t others = 0;  // the lane's number: see take_turn
    if (lane() == 0) others = atomic_add(turn[1 + lane()], std::uint64_t(1));
    return others;
  }
  /// The last that has been counted ends the round, so that the next launch has a stamp of its own.
  /// When all have been used, the words of the round that used the same one must be gone.
  RUNG_DEVICE void leave(std::uint64_t counted, std::uint32_t stamp) const {
    if (shuffle(counted, 0) + 1 != grid_shape().x) return;
    if (stamp + 1 == 0) [[unlikely]] {
      const stamped_word<S> none{};
      for (std::int64_t i = lane(); i < count; i += warp_size) store_relaxed(words[i], none);
      stamp = 0;
    }
    warp_barrier();
    if (lane() == 0) {
      store_relaxed(turn[1], std::uint64_t(0));
      store_relaxed(turn[0], std::uint64_t(stamp) << 32);
    }
  }
};

/// What all scan kernels are given.
template <class Source, class Op, class Count, class Start, class Out, class Total>
struct scan_work {
  using source_type = Source;
  using op_type = Op;
  using start_type = Start;
  using total_type = Total;
  using S = state_t<Op, typename Source::value_type>;
  Source x;
  Op op;
  Count count;
  Start start;
  Out out;
  Total total;
};

/// The total of no values.
template <class Work>
RUNG_DEVICE void put_total_of_nothing(const Work& w) {
  using S = typename Work::S;
  if constexpr (Work::start_type::given) w.total(w.op, w.start(w.op).state);
  else if constexpr (has_empty<typename Work::op_type, S>) w.total(w.op, empty_state<S>(w.op));
}

/// The up-sweep of the trees of a block's warps, a power of two of them, 32 at most. Lane w knows
/// what stands left of warp w; lane warps - 1 has the tree of them all.
template <class S, std::size_t Most, class Op>
RUNG_DEVICE left_blocks<S, 5> sweep_warps(const shared<S[Most]>& trees, int warps, const Op& op) {
  const S v = trees[lane() < warps ? lane() : 0];
  return up_sweep(as_measured<S>(warp_lanes<>()), v, op);
}

}  // namespace detail
}  // namespace rung
