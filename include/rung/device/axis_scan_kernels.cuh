// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of scans along an axis share. A tile is one part of the positions of one line or
// of some lines side by side. Tiles are taken in the order of starting, the first part of all lines
// first. Data flow between the tiles of a line: tile j posts the tree of the largest aligned block
// of tiles that ends with it, and the prefix behind it; both come from words of tiles before it, a
// tree for each trailing one of j, and the prefix before that block. No chain: the words that a
// tile waits for are as many as j has ones. Cost: two words per tile and line.
#pragma once
#include "../grid/stamped.cuh"
#include "axis_source.cuh"
#include "reduce_kernels.cuh"
#include "scan_rows.cuh"

namespace rung::detail {

/// The words of one workspace.
template <class S>
struct axis_words {
  global<std::uint64_t> turn;  ///< [0] which round, and how many tiles have been taken; [1] done
  global<stamped_word<S>> words;
  std::int64_t count;  ///< of all words: half for trees, half for prefixes

  static constexpr std::size_t head = 128;
  static std::size_t bytes(std::int64_t states) {
    return head + std::size_t(2 * states) * stamped_words<S> * sizeof(stamped_word<S>);
  }
  RUNG_DEVICE global<stamped_word<S>> prefixes() const {
    return words + static_cast<std::ptrdiff_t>(count / (2 * stamped_words<S>)*stamped_words<S>);
  }
  /// A tile's number, and the round's stamp; one thread calls.
  RUNG_DEVICE std::uint64_t take() const { return atomic_add(turn[0], std::uint64_t(1)); }
  static RUNG_DEVICE std::uint32_t stamp_of(std::uint64_t turn) {
    return std::uint32_t(turn >> 32) + 1;
  }
  /// The tile has read and posted all its words; the last one ends the round. One warp calls.
  RUNG_DEVICE void leave(std::uint32_t stamp) const {
    std::uint64_t done = 0;
    warp_barrier();
    if (lane() == 0) done = atomic_add(turn[1], std::uint64_t(1));
    if (shuffle(done, 0) + 1 != grid_shape().x) return;
    if (stamp + 1 == 0) [[unlikely]] {  // all stamps have been used
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

/// What stands left of a tile, and the prefix behind it.
template <class S>
struct tile_edges {
  before<S> left;
  S behind;
};
/// The words that a tile of one of `lines` lines waits for, asked for before its values are.
template <class S>
struct tile_words {
  const axis_words<S>& words;
  std::uint32_t stamp;
  std::int64_t part, lines, line, above;
  asked_for<S> tree, prefix_left, prefix_above;

  RUNG_DEVICE tile_words(const axis_words<S>& words, std::uint32_t stamp, std::int64_t part,
                         std::int64_t lines, std::int64_t line)
      : words(words),
        stamp(stamp),
        part(part),
        lines(lines),
        line(line),
        above(part & (part + 1)),
        tree(words.words, (part - 1) * lines + line, part & 1),
        prefix_left(words.prefixes(), (part - 1) * lines + line, part > 0),
        prefix_above(words.prefixes(), (above - 1) * lines + line, above > 0) {}

  /// `own`: the tile's tree, if it is whole. More: another tile follows.
  template <class Op>
  RUNG_DEVICE tile_edges<S> edges(const S& own, bool whole, bool more, const Op& op,
                                  const before<S>& start) {
    tile_edges<S> e{start, own};
    S got[1];
    if (whole) {
      S all = own;
      for (int k = 0; (part >> k & 1) != 0; ++k) {
        if (k == 0) tree.take(stamp, got);
        else got[0] = wait_for(words.words, (part - (std::int64_t(1) << k)) * lines + line, stamp);
        all = op(got[0], all);
      }
      if (more) post(words.words, part * lines + line, stamp, all);
      if (above > 0) prefix_above.take(stamp, got);
      e.behind = above > 0 ? S(op(got[0], all)) : after(op, start, all);
      if (more) post(words.prefixes(), part * lines + line, stamp, e.behind);
    }
    if (part > 0) {
      prefix_left.take(stamp, got);
      e.left = {got[0], true};
    }
    return e;
  }
};

/// Where entries go: so many bytes behind the output's begin.
template <class Op, class T, class R>
struct axis_entries {
  global<R> y;
  static RUNG_DEVICE R result(const Op& op, const state_t<Op, T>& s) {
    const auto r = result_of<Op, T>(op, s);
    if constexpr (number<R> && number<std::remove_cvref_t<decltype(r)>>) return convert<R>(r);
    else return R(r);
  }
  template <int N>
  RUNG_DEVICE void put(std::int64_t bytes, const pack<R, N>& entries) const {
    const auto to = as<unsigned char>(y) + static_cast<std::ptrdiff_t>(bytes);
    store_wide(as<pack<R, N>>(to)[0], entries);
  }
};

/// How lines and positions are cut.
template <int Arrays>
struct axis_scan_job {
  axis_loops<Arrays> kept;    ///< of packs of lines
  axis_loops<Arrays> folded;  ///< of positions
  std::int64_t packs, length;
  std::int64_t parts;  ///< of the positions
  divider columns;     ///< packs, or lines, side by side
  int log_depth;       ///< rows: warps of a line, or lanes
  bool aligned;        ///< rows: packs of positions are packs in every array
  bool aligned_out;    ///< and in the output
};

}  // namespace rung::detail
