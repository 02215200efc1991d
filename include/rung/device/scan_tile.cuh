// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The scan of one tile by a block that has no other: brought to shared memory, folded, and, when it
// is known what stands left of it, scanned. Data flow: every warp folds its part; the first warp
// hands the tile's tree over and finds what stands left of the tile and behind it, which is up to
// the caller; what stands left of each warp goes back through shared memory. Cost: 2 block barriers
// and 2 up-sweeps of a warp between reading and writing.
#pragma once
#include "scan_lanes.cuh"

namespace rung::detail {

/// Warps of a block that scans one tile, at most.
inline constexpr int most_warps_of_one = 16;
template <class S>
struct one_tile_scratch {
  shared<S[most_warps_of_one]> trees;       ///< of the warps
  shared<S[most_warps_of_one + 1]> begins;  ///< what stands left of each warp, and behind the last
  shared<std::uint64_t> turn;
};

template <class Kind, int Packs, class Work>
struct one_tile {
  using S = typename Work::S;
  using lanes_type = scan_lanes<Kind, Packs, Work>;
  using stage_type = typename lanes_type::stage_type;
  static constexpr std::size_t head = (sizeof(one_tile_scratch<S>) + 127) / 128 * 128;
  static constexpr std::size_t bytes(int warps) {
    return head + std::size_t(warps) * (lanes_type::bytes + stage_type::ends);
  }

  /// All of the block. The first warp calls start(), post(tree of the tile), find(tree, left,
  /// next): `left` is what stands left of everything, and becomes what stands left of the tile;
  /// `next` becomes what stands behind it. Of a tile that is not whole, tree and next are any
  /// state. Around: nobody writes what lies beside values that this block reads.
  template <class Start, class Post, class Find>
  static RUNG_DEVICE void scan(const Work& w, std::int64_t tile, bool around, const Start& start,
                               const Post& post, const Find& find) {
    auto& s = scratch<one_tile_scratch<S>>();
    const lanes_type lanes{w};
    const int warps = warps_of_block(), warp = warp_in_block();
    const std::int64_t n = w.count(), first = (tile * warps + warp) * lanes_type::size;
    const stage_place at = {
        std::uint32_t(head) + std::uint32_t(warp) * std::uint32_t(lanes_type::bytes),
        std::uint32_t(head) + std::uint32_t(warps) * std::uint32_t(lanes_type::bytes) +
            std::uint32_t(warp) * std::uint32_t(stage_type::ends)};
    typename lanes_type::sweeps swept{typename lanes_type::values_type(w.x), {}, {}};
    if (first < n) {
      swept.values.read_early(first, n);
      stage_type::load(w.x, at, first, n, around);
    }
    copy_async_commit();
    if (warp == 0) start();
    copy_async_wait<0>();
    warp_barrier();
    if (first < n) lanes.sweep(at, first, swept);
    if (lane() == warp_size - 1) s.trees[warp] = computed(swept.blocks.own);
    block_barrier();
    if (warp == 0) {
      const auto blocks = sweep_warps(s.trees, warps, w.op);
      const S all = shuffle(blocks.own, warps - 1);
      post(all);
      before<S> left = w.start(w.op);
      S next{};
      find(all, left, next);
      const before<S> begin = blocks.exclusive(w.op, left);
      if (lane() < warps) s.begins[lane()] = begin.state;
      if (lane() == 0) s.begins[warps] = next;
    }
    block_barrier();
    const bool some = Kind::has_init || first > 0 || w.start(w.op).some;
    const before<S> left{S(s.begins[warp]), some};
    if (first < n) lanes.finish(swept, at, first, n, left, S(s.begins[warp + 1]));
    else lanes.finish_nothing(first, n, left);
  }
};

}  // namespace rung::detail
