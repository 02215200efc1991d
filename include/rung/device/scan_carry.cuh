// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One block makes the exclusive prefixes of all tiles, while the others read and write. Data flow:
// blocks post the tree of each tile as a stamped word; a warp here takes 64 tiles at a time, waits
// for their words, and sweeps them up; warps pass a chain of group trees on in order, a binary
// counter in shared memory with the prefix at the end of each of its blocks; the prefix of every
// tile is posted for who waits for it. So a tile's total comes back as a prefix in two hops through
// the second-level cache, however many tiles there are, and nobody polls for more than one. Cost:
// two words per tile written and read.
#pragma once
#include "../grid/stamped.cuh"
#include "../warp/scan.cuh"
#include "tile.cuh"

namespace rung::detail {

/// The chain that the warps pass on.
template <class S>
struct chain_scratch {
  shared<S[24]> block, end;  ///< of 2^k groups each; the prefix behind it
  shared<S> last;            ///< the prefix behind the last group
  shared<unsigned> turn;     ///< whose it is: the number of a group
};

/// Prefixes 0 .. tiles, from the trees of `tiles` tiles (none if there is no tile).
template <class S, class Op, class Total>
struct carry_maker {
  global<stamped_word<S>> trees, prefixes;
  std::int64_t tiles;
  std::uint32_t stamp;
  const Op& op;
  const Total& total;  ///< of all tiles, if nothing stands behind them
  bool ends_whole;

  RUNG_DEVICE void run(chain_scratch<S>& chain, const before<S>& start) const {
    if (rank_in_block() == 0) store_relaxed<scope::block>(chain.turn, 0u);
    block_barrier();
    const std::int64_t groups = (tiles + size - 1) / size;
    for (std::int64_t g = warp_in_block(); g < groups; g += warps_of_block())
      make_group(unsigned(g), chain, start);
  }

 private:
  static constexpr int size = 2 * warp_size;  ///< of a group: a lane has two neighbouring tiles

  RUNG_DEVICE void make_group(unsigned g, chain_scratch<S>& chain, const before<S>& start) const {
    const std::int64_t first = std::int64_t(g) * size;
    const int count = tiles - first < size ? int(tiles - first) : size, mine = 2 * lane();
    const auto is_turn = [&] { return all_lanes(load_acquire<scope::block>(chain.turn) == g); };
    const auto left = [&] { return g > 0 ? before<S>{S(chain.last), true} : start; };
    // Prefix i of the group stands left of tile first + i; that of the next group behind its last.
    const auto post_up_to = [&](const before<S>& first_of_mine, const S& x, int done, int ready) {
      if (mine > done && mine <= ready) post(prefixes, first + mine, stamp, first_of_mine.state);
      if (mine + 1 > done && mine + 1 <= ready)
        post(prefixes, first + mine + 1, stamp, after(op, first_of_mine, x));
    };
    asked_for<S, 2> words(trees, first + mine, count - mine);
    S x[2];
    int done = g > 0 ? 0 : -1;
    while (true) {
      const lane_mask here = lanes_where(words.look(stamp));
      if (here == whole_warp) break;
      // Some may wait for those that have come while others wait for them to go on.
      const int lanes = lowest_bit(~here);
      const lane_mask halves = lanes_where(words.is_here(0, stamp));
      const int ready = 2 * lanes + int(halves >> lanes & 1);
      if (ready <= done || ready == 0 || !is_turn()) continue;
      words.get(x);
      const S known = shuffle(x[0], 0);
      RUNG_UNROLL
      for (int i = 0; i < 2; ++i) x[i] = choose(mine + i < ready, x[i], known);
      const auto blocks = up_sweep<false>(warp_lanes<>(), S(op(x[0], x[1])), op);
      post_up_to(blocks.exclusive(op, left()), x[0], done, ready);
      done = ready;
    }
    words.get(x);
    const auto blocks = up_sweep<false>(warp_lanes<>(), S(op(x[0], x[1])), op);
    const S group = shuffle(blocks.own, warp_size - 1);
    while (!is_turn()) {
    }
    const before<S> before_mine = blocks.exclusive(op, left());
    const S behind = pass_on(g, group, chain, start);
    post_up_to(before_mine, x[0], done, count);
    if (lane() == 0 && count == size) post(prefixes, first + size, stamp, behind);
    if constexpr (Total::wanted)
      if (ends_whole && first + count == tiles && lane() == count % size / 2)
        total(op, count == size    ? behind
                  : count % 2 == 0 ? before_mine.state
                                   : after(op, before_mine, x[0]));
  }
  /// Takes the tree of group g into the chain; returns the prefix behind it.
  RUNG_DEVICE S pass_on(unsigned g, const S& group, chain_scratch<S>& chain,
                        const before<S>& start) const {
    S v = group;
    int k = 0;
    for (; (g >> k & 1) != 0; ++k) v = op(S(chain.block[k]), v);
    const unsigned above = g & (g + 1);
    const S behind = above != 0 ? S(op(S(chain.end[lowest_bit(above)]), v)) : after(op, start, v);
    warp_barrier();
    if (lane() == 0) {
      chain.block[k] = v, chain.end[k] = behind, chain.last = behind;
      store_release<scope::block>(chain.turn, g + 1);
    }
    return behind;
  }
};

}  // namespace rung::detail
