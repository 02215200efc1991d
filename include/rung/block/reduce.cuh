// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce of the values of a block, in the one order of their positions: (thread, item). Data flow:
// each thread folds its items, each warp its threads, one tree per whole warp goes to shared
// memory; what is left after the last whole warp goes there as the aligned blocks it is made of.
// One barrier. Then the trees are folded by one thread, or by every thread. Cost for T threads: 1
// barrier, 5 to 7 shuffles per 4 bytes, T / 32 states written, T / 32 read and T / 32 - 1 calls by
// each thread that folds them.
#pragma once
#include "exchange.cuh"

namespace rung {

namespace detail {

/// The aligned blocks of one thread's first `items` values.
template <int K, class To, class S, int N, class Op>
RUNG_DEVICE void publish_items(To& blocks, const S (&x)[N], int items, const Op& op) {
  if constexpr (K >= 0) {
    RUNG_UNROLL
    for (int at = 0; at + (1 << K) <= N; at += 2 << K)  // the places where such a block may begin
      if (items >> K == (at >> K) + 1) blocks[K] = tree_of<S, 1 << K>(x, at, op);
    publish_items<K - 1>(blocks, x, items, op);
  }
}

/// Puts the trees of the block's values into the scratch.
template <class B, class S, int K, class Op>
RUNG_DEVICE void publish(const B& block, const S (&x)[K], const Op& op) {
  auto& to = sums_of(block);
  const int rank = block.rank(), warp = block.warp();
  const int threads = block.template values<K>() / K, items = block.template values<K>() % K;
  if (B::all_whole || warp < threads / warp_size) {
    const auto sum = reduce_to_one(warp_of<B, S>{}, reduce(this_thread, x, op), op);
    const S tree = computed(*sum);
    if (sum) to.warps[warp] = tree;
  } else if (rank < threads) {
    const int rest = threads % warp_size;
    const auto lanes = up_sweep(low_lanes(rest), reduce(this_thread, x, op), op);
    RUNG_UNROLL
    for (int k = 0; k < 5; ++k)  // a block of `rest` has its tree in the lane where it ends
      if ((rest >> k & 1) != 0 && lanes.rank + 1 == rest >> k << k)
        to.blocks[floor_log2(K) + k] = lanes.own;
  } else if (rank == threads) {
    publish_items<floor_log2(K) - 1>(to.blocks, x, items, op);
  }
}

/// The hardware folds 16 trees or more faster than a thread reads them.
template <class B, class Op, class S>
inline constexpr bool hardware_folds =
    B::all_whole&& B::known_threads >= 512 && hardware<Op, S>::exists&& has_identity<Op, S>;

/// More trees than one thread likes to hold, or 32 warps that all want to know: each lane of a warp
/// folds four, shuffles do the rest.
template <class B, class S, bool ForAll>
inline constexpr bool folds_in_warp =
    B::all_whole&& is_power_of_two(B::known_threads) && B::known_threads >= (sizeof(S) > 4 ? 512
                                                                             : ForAll      ? 1024
                                                                                           : 2048);

/// Behind the barrier: the fold of what was published, after `start`; whole warps call.
template <int K, bool ForAll, class S, class B, class Op>
RUNG_DEVICE S fold_published(const B& block, const Op& op, const before<S>& start) {
  auto& from = sums_of(block);
  if constexpr (hardware_folds<B, Op, S>) {
    S v = identity<S>(op);
    if (lane() < block.warps()) v = from.warps[lane()];
    return after(op, start, reduce(this_warp, v, op));
  } else if constexpr (folds_in_warp<B, S, ForAll>) {
    constexpr auto group = this_warp.split<B::known_threads / warp_size / 4>();
    const S four = tree_of<S, 4>(from.warps, group.rank() * 4, op);
    return after(op, start, reduce(group, four, op));
  } else if constexpr (B::all_whole) {
    return reduce_at_most<32>(this_thread, from.warps, block.warps(), op, start);
  } else {
    constexpr int tile = warp_size * K, known = B::known_threads;
    constexpr int most = known == 0 ? 32 : known < 2 * warp_size ? 1 : known / warp_size;
    const int n = block.template values<K>();
    before<S> all = start;
    if (n >= tile) all = {reduce_at_most<most>(this_thread, from.warps, n / tile, op, start), true};
    RUNG_UNROLL
    for (int k = floor_log2(tile) - 1; k >= 0; --k)
      if ((n >> k & 1) != 0) all = {after(op, all, S(from.blocks[k])), true};
    return all.some ? all.state : result_of_nothing(op, start.state);
  }
}

/// The fold of what one block of a larger group has, after what the blocks before it have.
template <class Shape, class Scratch, class S, int K, class Op>
RUNG_DEVICE S reduce_after(const block_part<Shape, Scratch>& block, const S (&x)[K], const Op& op,
                           const before<S>& start) {
  publish(block, x, op);
  block_barrier();
  return fold_published<K, true>(block, op, start);
}

/// The fold, for thread 0 at least. Of up to 8 warps each folds all trees: a branch costs more, but
/// for up to 4 trees of integers in a shape known at compile time. Of 32 with large states one
/// does, for all.
template <int K, bool ForAll, class S, class B, class Op>
RUNG_DEVICE S fold_of_block(const B& block, const S (&x)[K], const Op& op) {
  check_states<Op, S>();
  check_scratch<B, S>();
  static_assert(K <= 32, "rung: a thread brings at most 32 values at a time");
  if constexpr (B::all_whole && B::known_threads == warp_size) {
    return reduce(warp_of<B, S>{}, x, op);  // one warp: nothing to exchange
  } else {
    if constexpr (B::all_whole && B::known_threads == 0)
      if (block.warps() == 1) return reduce(this_warp, x, op);
    publish(block, x, op);
    block_barrier();
    constexpr bool broadcasts = ForAll && B::all_whole && B::known_threads == 1024 &&
                                sizeof(S) > 4 && !hardware_folds<B, Op, S>;
    constexpr bool found = std::is_base_of_v<run_time_shape, B>;
    constexpr int all_fold_from = hardware<Op, S>::exists && !found ? 256 : 1;
    constexpr bool all_fold =
        (B::known_threads >= all_fold_from && B::known_threads <= 256) || hardware_folds<B, Op, S>;
    S all = x[0];
    if ((ForAll && !broadcasts) || all_fold || block.warp() == 0)
      all = fold_published < K, ForAll && !broadcasts, S > (block, op, {x[0], false});
    if constexpr (broadcasts) {
      auto& place = sums_of(block).blocks[0];
      if (block.rank() == 0) place = all;
      block_barrier();
      all = place;
    }
    return all;
  }
}

}  // namespace detail

/// The fold of the block's values, K neighbours per thread, for every thread.
template <thread_block B, class S, std::size_t K, class Op>
RUNG_DEVICE S reduce(const B& block, const S (&x)[K], const Op& op) {
  if constexpr (detail::is_power_of_two(K)) {
    return detail::by_shape(
        block, [&](const auto& b) { return detail::fold_of_block<int(K), true>(b, x, op); });
  } else {
    S y[detail::whole_items<K>];
    detail::bring_together<false>(block, x, y);
    return detail::fold_of_block<detail::whole_items<K>, true>(detail::gathered<int(K)>(block), y,
                                                               op);
  }
}
/// One value per thread.
template <thread_block B, class S, class Op>
RUNG_DEVICE S reduce(const B& block, const S& v, const Op& op) {
  const S x[1] = {v};
  return reduce(block, x, op);
}
/// K values per thread that lie one block length apart.
template <thread_block B, class S, std::size_t K, class Op>
RUNG_DEVICE S reduce(const B& block, const striped_values<S, K>& x, const Op& op) {
  S y[detail::whole_items<K>];
  detail::bring_together<true>(block, x.items, y);
  return detail::fold_of_block<detail::whole_items<K>, true>(detail::gathered<int(K)>(block), y,
                                                             op);
}

/// The same on thread 0 alone: the other warps do not wait for the trees to be folded.
template <thread_block B, class S, std::size_t K, class Op>
RUNG_DEVICE held<S> reduce_to_one(const B& block, const S (&x)[K], const Op& op) {
  const bool here = block.rank() == 0;
  if constexpr (!detail::is_power_of_two(K)) return {reduce(block, x, op), here};
  else
    return {
        detail::by_shape(
            block, [&](const auto& b) { return detail::fold_of_block<int(K), false>(b, x, op); }),
        here};
}
template <thread_block B, class S, class Op>
RUNG_DEVICE held<S> reduce_to_one(const B& block, const S& v, const Op& op) {
  const S x[1] = {v};
  return reduce_to_one(block, x, op);
}

}  // namespace rung
