// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The ways that texts teach to reduce an array with many blocks, under their own names, to read, to
// time and to compare. In all of them a block folds a tile as ../device/tile.cuh does and puts its
// tree into an array, at the tile's number; one block then folds the array. They differ in how that
// block knows that the trees are there. All give the bits of the one order. The device rung's own
// reduce stamps each tree, so that whoever waits for it needs no fence, no second launch and no
// barrier: see ../device/reduce_kernels.cuh.
#pragma once
#include "../base/grid_barrier.cuh"
#include "../device/reduce.cuh"

namespace rung {

namespace detail {

/// Trees in global memory, as an array to fold. Who reads it knows that they are there.
template <class S>
struct tree_source {
  global<S> trees;
  using value_type = S;
  static constexpr bool aligned = false;
  static constexpr int pack_size = 4;
  template <int N>
  RUNG_DEVICE pack<S, N> some_at(std::int64_t i, std::int64_t count) const {
    pack<S, N> some;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) some[j] = trees[j < count ? i + j : count > 0 ? i : 0];
    return some;
  }
};
/// The places of ../device/reduce_kernels.cuh without stamps.
template <class S>
struct reduce_trees {
  global<S> states;
  static constexpr int rest = 0, singles = 32, tiles = 64;
  RUNG_DEVICE void put(std::int64_t i, std::uint32_t, const S& s) const { states[i] = s; }
  RUNG_DEVICE S get(std::int64_t i, std::uint32_t) const { return states[i]; }
  RUNG_DEVICE tree_source<S> of_tiles(std::uint32_t) const { return {states + tiles}; }
};

template <class S>
struct classic_scratch {
  reduce_scratch<S> reduce;
  shared<S[16]> cluster;
};

/// The tiles; none: those that the device rung takes.
using classic_plan = std::optional<tune::reduce_plan>;

/// One call: what is read, how it is cut, and where things go.
template <int Packs, class Source, class Op, class Out>
struct classic_work {
  using S = state_t<Op, typename Source::value_type>;
  static constexpr int adjacent = tune::adjacent_packs(sizeof(S), false, Source::pack_size);
  using tile_type = tile<Packs / adjacent, adjacent, Packs == tune::packs_of_tiles, Source, Op>;
  using scratch_type = classic_scratch<S>;
  Source x;
  Op op;
  reduce_cut cut;
  reduce_trees<S> trees;
  global<std::uint64_t> ticket;  ///< 0 before and after every call
  global<std::uint64_t> barrier;
  Out out;
  static constexpr std::size_t head = 128;  ///< bytes of ticket and barrier

  /// Puts the tree of tile number i, or the aligned blocks of the last one, into the array.
  RUNG_DEVICE void fold_tile(std::int64_t i, scratch_type& s) const {
    fold_and_put(tile_type{x, op}, trees, cut, i, s.reduce.tile, [] {
      block_barrier();
      return 0u;
    });
  }
  /// Folds the array, when everything is there.
  RUNG_DEVICE void fold_trees(scratch_type& s) const {
    finish_in_block<tile_type>(trees, cut, 0u, s.reduce, op, no_start<S>{}, out);
  }
  /// True in the last of `blocks` blocks to call: it sees what the others' first warps have
  /// written. acq_rel is a fence on both sides of the atomic, and the barriers carry it to all.
  RUNG_DEVICE bool is_last(std::uint64_t blocks, scratch_type& s) const {
    if (warp_in_block() == 0) warp_barrier();
    if (rank_in_block() == 0) {
      const std::uint64_t turn = atomic_add<order::acq_rel>(ticket[0], std::uint64_t(1));
      if (turn + 1 == blocks) store_relaxed(ticket[0], std::uint64_t(0));  // for the next call
      s.reduce.turn = turn;
    }
    block_barrier();
    return s.reduce.turn + 1 == blocks;
  }
};

template <class Work>
RUNG_KERNEL(512)
void classic_tiles(Work work) {
  wait_for_previous_launch();
  allow_next_launch();
  work.fold_tile(block_index().x, scratch<typename Work::scratch_type>());
}
template <class Work>
RUNG_KERNEL(512)
void classic_trees(Work work) {
  wait_for_previous_launch();
  allow_next_launch();
  work.fold_trees(scratch<typename Work::scratch_type>());
}
template <class Work>
RUNG_KERNEL(512)
void classic_last_block(Work work) {
  auto& s = scratch<typename Work::scratch_type>();
  wait_for_previous_launch();
  allow_next_launch();
  work.fold_tile(block_index().x, s);
  if (work.is_last(grid_shape().x, s)) work.fold_trees(s);
}
template <class Work>
RUNG_KERNEL(512)
void classic_cooperative(Work work) {
  auto& s = scratch<typename Work::scratch_type>();
  for (std::int64_t i = block_index().x; i < work.cut.blocks(); i += grid_shape().x) {
    work.fold_tile(i, s);
    block_barrier();  // the scratch is used again
  }
  grid_barrier(work.barrier);
  if (block_index().x == 0) work.fold_trees(s);
}
/// A tile is what a cluster folds: Blocks neighbouring parts of 2^log_groups groups per warp.
template <int Blocks, class Work>
RUNG_KERNEL(512)
void classic_cluster(Work work, int log_groups) {
  using tile_type = typename Work::tile_type;
  auto& s = scratch<typename Work::scratch_type>();
  cluster_arrive();
  wait_for_previous_launch();
  allow_next_launch();
  const reduce_cut& cut = work.cut;
  const std::int64_t block = block_index().x, whole = cut.tiles * Blocks;
  if (block < whole) {
    tile_type{work.x, work.op}.fold_tile(block << (cut.log_size + log_groups), log_groups,
                                         s.reduce.tile);
    block_barrier();
    cluster_wait();  // the first block runs, so its shared memory is there
    if (warp_in_block() == 0) {
      const auto all = tile_type::fold_warps(work.op, s.reduce.tile.warps, 0, warps_of_block());
      if (lane() == 0) remote(s.cluster, 0)[cluster_rank()] = all;
    }
    cluster_barrier();
    if (cluster_rank() != 0) return;
    if (rank_in_block() == 0)
      work.trees.put(work.trees.tiles + block / Blocks, 0,
                     tree_of<typename Work::S, Blocks>(s.cluster, 0, work.op));
  } else {  // too few values for a cluster: each block for itself
    cluster_wait();
    work.fold_tile(cut.tiles + (block - whole), s);
  }
  const std::uint64_t others = grid_shape().x - whole;
  if (work.is_last(std::uint64_t(cut.tiles) + others, s)) work.fold_trees(s);
}

/// go(work, plan), where a tile is 2^log_tiles of a block's.
template <class What, class Op, class R, class Go>
void with_classic_work(const device& where, const What& what, const Op& op, const into<R>& out,
                       const classic_plan& chosen, int log_tiles, const Go& go) {
  const auto source = checked_source(what, op, std::nullopt, out);
  using Source = std::remove_cvref_t<decltype(source.source)>;
  static_assert(
      !requires { source.count; },
      "rung: the classic reductions take their number of values from the host");
  using which = tune::reduce_plan::kernel;
  auto plan = chosen ? *chosen : plan_of<Op>(source);
  if (plan.which == which::one_block) plan = {which::few_tiles, 4, 0};
  if (plan.log_groups + log_tiles > 5) plan.log_groups = 5 - log_tiles;
  const auto with = [&](auto packs) {
    using out_type = result_into<Op, typename Source::value_type, R>;
    using work = classic_work<packs(), Source, Op, out_type>;
    using S = typename work::S;
    const int log_size = floor_log2(unsigned(plan.warps * packs() * warp_size * Source::pack_size));
    const reduce_cut cut(source.size, log_size, plan.log_groups + log_tiles);
    const std::int64_t capacity = (cut.tiles + reduce_trees<S>::tiles + 1023) / 1024 * 1024;
    auto* memory = static_cast<unsigned char*>(
        where.workspace(classic_reduce_kind, work::head + std::size_t(capacity) * sizeof(S)));
    auto* words = reinterpret_cast<std::uint64_t*>(memory);
    go(work{source.source,
            op,
            cut,
            {reinterpret_cast<S*>(memory + work::head)},
            words,
            words + 8,
            out_type{out.out.data()}},
       plan);
  };
  if (plan.which == which::few_tiles) with(std::integral_constant<int, tune::packs_of_few_tiles>{});
  else with(std::integral_constant<int, tune::packs_of_tiles>{});
}
template <class Work, class... Parameters, class... More>
void launch_classic(const launch_options& options, void (*kernel)(Parameters...), const Work& work,
                    std::int64_t blocks, const device& where, int threads, const More&... more) {
  launch_with(options, kernel, blocks < 1 ? 1 : blocks, threads,
              sizeof(typename Work::scratch_type), where.stream(), work, more...);
}

}  // namespace detail

/// The arguments of each are those of the device rung's reduce: `what` in device memory is folded
/// into the one value of out.out, after what is already on the stream; the call returns at once,
/// throws rung::error before anything is started, and can be captured into a graph. They share one
/// workspace of the device. Tiles are those of the device rung unless the caller chooses others.
namespace classic {

/// Two launches: blocks write their trees, and end; a grid of one block folds them. It waits for
/// nothing by itself: the stream starts it when the first grid has ended, or, in
/// device::overlap(), has it wait on the GPU (programmatic dependent launch). Cost: a launch; a
/// store and a load per tile.
template <class What, class Op, class R>
void reduce_two_kernels(const device& where, const What& what, const Op& op, const into<R>& out,
                        const rung::detail::classic_plan& tiles = {}) {
  rung::detail::with_classic_work(
      where, what, op, out, tiles, 0,
      [&]<class Work>(const Work& work, const tune::reduce_plan& plan) {
        const launch_options options{.early = where.overlaps()};
        const int threads = plan.warps * warp_size;
        using namespace rung::detail;
        launch_classic(options, classic_tiles<Work>, work, work.cut.blocks(), where, threads);
        launch_classic(options, classic_trees<Work>, work, 1, where, threads);
      });
}

/// One launch: a block writes its tree, then takes a ticket, with a fence between; the one that
/// gets the last ticket finds all trees there and folds them. Nobody waits. Cost: per tile a store,
/// a fence and an atomic on one word, before the last block can begin to read.
/// Source: threadFenceReduction of the CUDA samples.
template <class What, class Op, class R>
void reduce_last_block(const device& where, const What& what, const Op& op, const into<R>& out,
                       const rung::detail::classic_plan& tiles = {}) {
  rung::detail::with_classic_work(where, what, op, out, tiles, 0,
                                  [&]<class Work>(const Work& work, const tune::reduce_plan& plan) {
                                    using namespace rung::detail;
                                    launch_classic(
                                        {.early = where.overlaps()}, classic_last_block<Work>, work,
                                        work.cut.blocks(), where, plan.warps * warp_size);
                                  });
}

/// One cooperative launch of as many blocks as run at the same time: each walks over tiles, one
/// grid length apart, all meet at a barrier of the grid, the first folds the trees. Everybody waits
/// for everybody. Cost: the barrier; a block that has ended its tile starts its next one itself,
/// behind a barrier of the block.
template <class What, class Op, class R>
void reduce_cooperative(const device& where, const What& what, const Op& op, const into<R>& out,
                        const rung::detail::classic_plan& tiles = {}) {
  rung::detail::with_classic_work(
      where, what, op, out, tiles, 0,
      [&]<class Work>(const Work& work, const tune::reduce_plan& plan) {
        using namespace rung::detail;
        const int threads = plan.warps * warp_size;
        const auto kernel = classic_cooperative<Work>;
        const std::int64_t most =
            most_resident_blocks(kernel, threads, sizeof(typename Work::scratch_type));
        const std::int64_t blocks = work.cut.blocks() < most ? work.cut.blocks() : most;
        launch_classic({.cooperative = true}, kernel, work, blocks, where, threads);
      });
}

/// One launch of clusters (Hopper and later): the blocks of a cluster write their trees into the
/// shared memory of its first, which folds them and puts one tree for all into global memory; then
/// as with the last block. A cluster waits for its blocks, which run at the same time. Cost: two
/// barriers of the cluster, the first overlaps the reading; a Blocks-th of the stores and tickets.
template <int Blocks = 8, class What, class Op, class R>
void reduce_cluster(const device& where, const What& what, const Op& op, const into<R>& out,
                    const rung::detail::classic_plan& tiles = {}) {
  static_assert(Blocks == 2 || Blocks == 4 || Blocks == 8 || Blocks == 16,
                "rung: a cluster has 2, 4, 8 or 16 blocks");
  constexpr int log = rung::detail::floor_log2(Blocks);
  rung::detail::with_classic_work(
      where, what, op, out, tiles, log,
      [&]<class Work>(const Work& work, const tune::reduce_plan& plan) {
        using namespace rung::detail;
        const std::int64_t rest = work.cut.singles + (work.cut.rest > 0);
        const std::int64_t clusters = work.cut.tiles + (rest + Blocks - 1) / Blocks;
        launch_classic({.cluster = Blocks, .early = where.overlaps()},
                       classic_cluster<Blocks, Work>, work, (clusters < 1 ? 1 : clusters) * Blocks,
                       where, plan.warps * warp_size, plan.log_groups);
      });
}

}  // namespace classic
}  // namespace rung
