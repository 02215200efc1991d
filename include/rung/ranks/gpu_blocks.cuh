// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The aligned power-of-two blocks of a rank's positions, which may begin and end anywhere, made by
// a GPU in two launches. Data flow: the range is cut into pieces, aligned blocks of at most a tile:
// a few that grow up to the first tile, tiles, a few that shrink behind the last one; every block
// of the first launch folds a piece to a state; every block of the second folds the states of the
// pieces of one block, most of which have one. Where the range is a block of its own, or any order
// gives the same bits, the device rung's reduce does it in one. Cost: each value read once.
#pragma once
#include "../cpu/partial_bytes.hpp"
#include "../device/reduce.cuh"
#include "../op/placed.hpp"
#include "gpu_pieces.hpp"

namespace rung::detail {

/// States in memory, to be folded further.
template <class S>
struct state_source {
  global<const S> states;
  using value_type = S;
  static constexpr bool aligned = false;
  static constexpr int pack_size = 4;
  template <int N>
  RUNG_DEVICE pack<S, N> some_at(std::int64_t i, std::int64_t count) const {
    pack<S, N> all;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) all[j] = states[j < count ? i + j : count > 0 ? i : 0];
    return all;
  }
};

/// A rank's message: how many values its part has, and the states of their blocks.
template <class S>
struct part_message {
  global<std::int64_t> count;
  global<S> states;
  static constexpr std::size_t head = 16;
  static std::size_t bytes(int blocks) {
    return (head + std::size_t(blocks) * sizeof(S) + 15) / 16 * 16;
  }
  static part_message at(unsigned char* message) {
    return {reinterpret_cast<std::int64_t*>(message), reinterpret_cast<S*>(message + head)};
  }
};
/// A part that is one state.
template <class S>
struct message_into {
  part_message<S> to;
  std::int64_t count;
  template <class Op>
  RUNG_DEVICE void operator()(const Op&, const S& s) const {
    to.count[0] = count, to.states[0] = s;
  }
};

/// One block for each piece. Number i of x stands at position anchor + i.
template <int Rows, int Adjacent, class Source, class Op, class S>
RUNG_KERNEL(tune::warps_of_tiles(slow_joins<Op, typename Source::value_type>) * 32,
            tune::blocks_of_tiles(sizeof(S), slow_joins<Op, typename Source::value_type>))
void fold_pieces(Source x, Op op, piece_cut cut, std::int64_t anchor, global<S> states) {
  using tile_type = tile<Rows, Adjacent, true, Source, Op>;
  auto& s = scratch<tile_scratch<S>>();
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t i = block_index().x;
  const aligned_range piece = cut.piece(i);
  const std::int64_t first = piece.position - anchor;
  const int warps = warps_of_block();
  const std::int64_t at_once = std::int64_t(warps) * tile_type::group;
  const tile_type t{x, op};
  if (piece.length >= at_once) {
    int groups = 0;
    while (at_once << groups < piece.length) ++groups;
    t.fold_tile(first, groups, s);
    block_barrier();
    if (warp_in_block() != 0) return;
    const S all = tile_type::fold_warps(op, s.warps, 0, warps);
    if (lane() == 0) states[i] = all;
  } else {
    t.fold_end(first, int(piece.length), s);
    block_barrier();
    if (warp_in_block() != 0) return;
    finish_block<tile_type>(s, warps, int(piece.length), op, before<S>{S{}, false},
                            [&](const S& all) { states[i] = all; });
  }
}

/// One block for each block of the range.
inline constexpr int join_threads = 512;
template <class Op, class S>
RUNG_KERNEL(join_threads)
void join_pieces(Op op, piece_cut cut, global<const S> pieces, part_message<S> to) {
  auto& s = scratch<tile_scratch<S>>();
  wait_for_previous_launch();
  allow_next_launch();
  const int j = int(block_index().x);
  if (j == 0 && rank_in_block() == 0) to.count[0] = cut.end - cut.begin;
  const aligned_range mine = cut.pieces_of(j);
  const global<const S> first = pieces + std::ptrdiff_t(mine.position);
  if (mine.length == 1) {
    if (rank_in_block() == 0) to.states[j] = S(first[0]);
    return;
  }
  int holds = 0;
  const before<S> all =
      fold_states(s, state_source<S>{first}, mine.length, op, before<S>{S{}, false}, holds);
  if (warp_in_block() == 0 && lane() == holds) to.states[j] = all.state;
}

/// How a rank's part is folded.
template <class Op, class Source>
struct part_plan {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  static constexpr bool free_order = any_order<Op, S>, slow = slow_joins<Op, T>;
  static constexpr int packs = tune::packs_of_tiles, group = packs * warp_size * Source::pack_size;
  position_range range;
  int warps = 4, log_groups = 0;

  explicit part_plan(position_range r) : range(r) {
    const std::int64_t rows = (r.end - r.begin) / (warp_size * Source::pack_size);
    const auto plan = tune::plan_reduce(
        rows, {.slow_joins = slow, .wide = sizeof(S) > 8, .pack = Source::pack_size});
    if (plan.which == tune::reduce_plan::kernel::tiles && rows > 1 << 13)
      warps = plan.warps, log_groups = plan.log_groups;
  }
  /// What of a range its rank sends.
  static int blocks_of(position_range r) {
    return free_order ? r.begin < r.end : blocks_between(r.begin, r.end);
  }
  piece_cut cut() const {
    return {range.begin, range.end, floor_log2(unsigned(warps * group)) + log_groups};
  }
  /// States beside the message.
  std::size_t memory() const {
    return blocks_of(range) < 2 ? 0 : std::size_t(cut().pieces()) * sizeof(S);
  }

  /// The blocks of `what`, the values of the range, to a message.
  template <class What>
  void fold(const device& gpu, const What& what, const Op& op, unsigned char* message,
            void* memory) const {
    const auto to = part_message<S>::at(message);
    const int blocks = blocks_of(range);
    if (blocks == 0) return stream_zero(message, part_message<S>::head, gpu.stream());
    if (blocks == 1)
      return launch_fold(gpu, what, placed<T>(op, range.begin), no_start<S>{},
                         message_into<S>{to, range.end - range.begin});
    if constexpr (!free_order) {
      // Packs lie as they should where their positions are multiples of their size.
      std::int64_t anchor = (range.begin + 15) / 16 * 16;
      const bool has_packs = anchor < range.end;
      if (!has_packs) anchor = range.begin;
      auto x = shifted(what.source, anchor - range.begin);
      if constexpr (requires { x.turned; })
        if (!has_packs) x.aligned = x.turned = false;
      const auto use = placed<T>(op, anchor);
      using Use = std::remove_const_t<decltype(use)>;
      constexpr int adjacent = tune::adjacent_packs(sizeof(S), slow, Source::pack_size);
      S* const states = static_cast<S*>(memory);
      launch_with({.early = gpu.overlaps()},
                  fold_pieces<packs / adjacent, adjacent, Source, Use, S>, cut().pieces(),
                  warps * warp_size, sizeof(tile_scratch<S>), gpu.stream(), x, use, cut(), anchor,
                  states);
      launch_with({.early = true}, join_pieces<Op, S>, blocks, join_threads,
                  sizeof(tile_scratch<S>), gpu.stream(), op, cut(), states, to);
    }
  }
};

}  // namespace rung::detail
