// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of the device rung's scans are given, and what both do with a warp's values when
// it is known what stands left of them. One launch per call, each value read once and written once:
// scan_few.cuh for few tiles, scan_tiles.cuh for many.
#pragma once
#include "../grid/stamped.cuh"
#include "reduce_kernels.cuh"
#include "scan_rows.cuh"

namespace rung {

namespace detail {

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
                               ///< [1] how many blocks have ended
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
  /// The next launch has a stamp of its own. When they have all been used, the words of the round
  /// that used the same one must be gone. One warp calls.
  RUNG_DEVICE void end_round(std::uint32_t stamp) const {
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

/// Entries of a warp's part of a tile, put where they belong; the total of everything, if it ends
/// here.
template <class Rows, class Work, class S>
RUNG_DEVICE void finish_warp(const Rows& rows, const Work& w,
                             const pack<typename Rows::T, Rows::N> (&packs)[Rows::rows],
                             const typename Rows::sweeps& swept, std::int64_t first, std::int64_t n,
                             const before<S>& left, const S& next) {
  constexpr bool total = Work::total_type::wanted;
  if (first >= n) {
    if constexpr (total)
      if (first == n && lane() == 0) {
        if (n == 0) put_total_of_nothing(w);
        else w.total(w.op, left.state);
      }
    return;
  }
  // All entries, then all results: what lies between two branches runs at once.
  constexpr int N = Rows::N;
  typename decltype(w.out)::packed results[Rows::rows];
  const std::int64_t mine = first + lane() * N;
  rows.entries(
      packs, swept, first, left, next, [&](int r, const auto& entries, const before<S>& before_me) {
        results[r] = w.out.results(w.op, entries);
        if constexpr (total) {
          const std::int64_t count = n - mine - r * Rows::row;
          if (n - first < Rows::size && count >= 0 && count < N)
            w.total(w.op, rows.up_to(packs[r], mine + r * Rows::row, before_me, int(count)));
        }
      });
  if (n - first >= Rows::size) [[likely]] {
    w.out.put_rows(mine, results);
  } else {
    RUNG_UNROLL
    for (int r = 0; r < Rows::rows; ++r)
      w.out.put_some(mine + r * Rows::row, results[r], n - mine - r * Rows::row);
  }
}

}  // namespace detail
}  // namespace rung
