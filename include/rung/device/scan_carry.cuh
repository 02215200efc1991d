// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One block makes the exclusive prefixes of all tiles, while the others read and write. Data flow:
// blocks post the tree of each tile as a stamped word; a warp here takes 32 tiles at a time, waits
// for their words, and sweeps them up; warps pass a chain of group trees on in order, a binary
// counter in shared memory with the prefix at the end of each of its blocks; the prefix of every
// tile is posted for who waits for it. So a tile's total comes back as a prefix in two hops through
// the second-level cache, however many tiles there are, and nobody polls for more than one. Cost:
// two words per tile written and read.
#pragma once
#include "../grid/stamped.cuh"
#include "scan_rows.cuh"

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
    const std::int64_t groups = (tiles + warp_size - 1) / warp_size;
    for (std::int64_t g = warp_in_block(); g < groups; g += warps_of_block())
      make_group(unsigned(g), chain, start);
  }

 private:
  RUNG_DEVICE void make_group(unsigned g, chain_scratch<S>& chain, const before<S>& start) const {
    const std::int64_t first = std::int64_t(g) * warp_size;
    const int count = tiles - first < warp_size ? int(tiles - first) : warp_size;
    const auto is_turn = [&] { return all_lanes(load_acquire<scope::block>(chain.turn) == g); };
    const auto left = [&] { return g > 0 ? before<S>{S(chain.last), true} : start; };
    // Prefix i of the group stands left of tile first + i; that of the next group behind its last.
    const auto post_up_to = [&](const before<S>& mine, int done, int ready) {
      if (lane() > done && lane() <= ready) post(prefixes, first + lane(), stamp, mine.state);
    };
    asked_for<S> word(trees, first + lane(), lane() < count);
    S tree[1];
    int done = g > 0 ? 0 : -1;
    while (true) {
      const lane_mask here = lanes_where(word.look(stamp));
      if (here == whole_warp) break;
      // Some may wait for those that have come while others wait for them to go on.
      const int ready = lowest_bit(~here);
      if (ready <= done || ready == 0 || !is_turn()) continue;
      word.get(tree);
      const S known = choose(lane() < ready, tree[0], shuffle(tree[0], 0));
      post_up_to(up_sweep<false>(warp_lanes<>(), known, op).exclusive(op, left()), done, ready);
      done = ready;
    }
    word.get(tree);
    const auto blocks = up_sweep<false>(warp_lanes<>(), tree[0], op);
    const S group = shuffle(blocks.own, warp_size - 1);
    while (!is_turn()) {
    }
    const before<S> mine = blocks.exclusive(op, left());
    const S behind = pass_on(g, group, chain, start);
    post_up_to(mine, done, count);
    if (lane() == 0 && count == warp_size) post(prefixes, first + warp_size, stamp, behind);
    if constexpr (Total::wanted)
      if (ends_whole && first + count == tiles && lane() == count % warp_size)
        total(op, count == warp_size ? behind : mine.state);
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
