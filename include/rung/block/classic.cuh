// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The classic algorithms of a block under their own names, to read, to time and to compare: one
// value per thread, a one-dimensional block of T threads. Each says its steps (operator calls that
// wait for each other), its work (calls in all), its barriers, and whether its natural order is the
// one order. The scratch can be used again behind the next block_barrier(). The verbs are in
// reduce.cuh, scan.cuh.
#pragma once
#include "../thread/reduce.hpp"
#include "../warp/classic.cuh"

namespace rung::classic {

/// Shuffle trees in two stages; thread 0 gets the result. The barrier stands between the stages
/// because the first warp reads what the others write. 10 steps, 1 barrier; work T - 1 where it
/// matters. Order: lanes 16 apart first, so the operands have to be free to change sides.
template <int T, class S, class Op>
RUNG_DEVICE S two_stage_reduce(const S& v, const Op& op, shared<S[32]>& sums) {
  static_assert(T % 1024 == 0 || (T % 32 == 0 && rung::detail::is_power_of_two(T / 32)),
                "rung: two_stage_reduce takes a power of two of whole warps");
  const int warp = int(warp_rank());
  const S sum = shuffle_tree_reduce(v, op);
  if (lane() == 0) sums[warp] = sum;
  block_barrier();
  S all = sum;
  if (warp == 0 && lane() < T / 32) {
    all = sums[lane()];
    RUNG_UNROLL
    for (int distance = T / 64; distance > 0; distance /= 2)
      all = op(all, shuffle_down(all, unsigned(distance), whole_warp >> (32 - T / 32), T / 32));
  }
  return all;
}

/// The tree in shared memory, neighbours first; thread 0 gets the result. log2 T steps, T - 1
/// calls, log2 T + 1 barriers. Order: the one order. Few warps are busy in every step, and strides
/// of two run into the same banks.
template <int T, class S, class Op>
RUNG_DEVICE S interleaved_tree_reduce(const S& v, const Op& op, shared<S[T]>& x) {
  static_assert(rung::detail::is_power_of_two(T), "rung: a tree takes a power of two of threads");
  const int t = int(thread_rank());
  x[t] = v;
  block_barrier();
  for (int distance = 1; distance < T; distance *= 2) {
    if (t % (2 * distance) == 0) x[t] = op(S(x[t]), S(x[t + distance]));
    block_barrier();
  }
  return x[0];
}

/// The tree in shared memory, halves first: no divergence, no bank conflicts. log2 T steps, T - 1
/// calls, log2 T + 1 barriers. Order: threads T / 2 apart first, so the operands have to be free to
/// change sides. Source: Harris, "Optimizing parallel reduction in CUDA" (2007).
template <int T, class S, class Op>
RUNG_DEVICE S sequential_tree_reduce(const S& v, const Op& op, shared<S[T]>& x) {
  static_assert(rung::detail::is_power_of_two(T), "rung: a tree takes a power of two of threads");
  const int t = int(thread_rank());
  x[t] = v;
  block_barrier();
  for (int distance = T / 2; distance > 0; distance /= 2) {
    if (t < distance) x[t] = op(S(x[t]), S(x[t + distance]));
    block_barrier();
  }
  return x[0];
}

/// One warp rakes over all values: each lane folds T / 32 neighbours, then a shuffle tree. Lane 0
/// of the first warp gets the result. T / 32 + 4 steps, T - 1 calls, 1 barrier. Order: neighbours
/// one by one, then lanes 16 apart.
template <int T, class S, class Op>
RUNG_DEVICE S raking_reduce(const S& v, const Op& op, shared<S[T]>& x) {
  static_assert(T % 32 == 0, "rung: raking takes whole warps");
  constexpr int each = T / 32;
  x[int(thread_rank())] = v;
  block_barrier();
  S sum = v;
  if (warp_rank() == 0) {
    sum = x[lane() * each];
    for (int i = 1; i < each; ++i) sum = op(sum, S(x[lane() * each + i]));
    sum = shuffle_tree_reduce(sum, op);
  }
  return sum;
}

/// Inclusive scan: in step k each entry takes the one 2^k places left of it. log2 T steps,
/// T log2 T - T + 1 calls, log2 T + 1 barriers with two buffers. Order: each entry is grouped from
/// its own end. Source: Hillis and Steele, "Data parallel algorithms" (1986).
template <int T, class S, class Op>
RUNG_DEVICE S hillis_steele_scan(S v, const Op& op, shared<S[2 * T]>& x) {
  const int t = int(thread_rank());
  int buffer = 0;
  x[t] = v;
  block_barrier();
  for (int distance = 1; distance < T; distance *= 2) {
    if (t >= distance) v = op(S(x[buffer + t - distance]), v);
    buffer = T - buffer;
    x[buffer + t] = v;
    block_barrier();
  }
  return v;
}

/// Exclusive scan after `init`: an up-sweep that builds the tree, a down-sweep that hands each node
/// what stands left of it. 2 log2 T steps, 2 (T - 1) calls, 2 log2 T + 1 barriers. Order: the one
/// order. Source: Blelloch, "Prefix sums and their applications" (1990).
template <int T, class S, class Op>
RUNG_DEVICE S blelloch_scan(const S& v, const S& init, const Op& op, shared<S[T]>& x) {
  static_assert(rung::detail::is_power_of_two(T), "rung: a tree takes a power of two of threads");
  const int t = int(thread_rank());
  x[t] = v;
  block_barrier();
  for (int distance = 1; distance < T; distance *= 2) {
    const int right = (t + 1) * 2 * distance - 1;
    if (right < T) x[right] = op(S(x[right - distance]), S(x[right]));
    block_barrier();
  }
  if (t == 0) x[T - 1] = init;
  for (int distance = T / 2; distance > 0; distance /= 2) {
    const int right = (t + 1) * 2 * distance - 1;
    if (right < T) {
      const S left_tree = x[right - distance], before = x[right];
      x[right - distance] = before;
      x[right] = op(before, left_tree);
    }
    block_barrier();
  }
  return x[t];
}

/// Inclusive scan by one warp that rakes: fold T / 32 neighbours, scan the lanes' folds, go over
/// the neighbours again. 2 T / 32 + 5 steps, about 2 T calls, 2 barriers. Order: neighbours one by
/// one.
template <int T, class S, class Op>
RUNG_DEVICE S raking_scan(const S& v, const Op& op, shared<S[T]>& x) {
  static_assert(T % 32 == 0, "rung: raking takes whole warps");
  constexpr int each = T / 32;
  const int t = int(thread_rank());
  x[t] = v;
  block_barrier();
  if (warp_rank() == 0) {
    const int first = lane() * each;
    S sum = x[first];
    for (int i = 1; i < each; ++i) sum = op(sum, S(x[first + i]));
    const S left = shuffle_up(kogge_stone_scan(sum, op), 1);
    S entry = x[first];
    if (lane() > 0) entry = op(left, entry);
    x[first] = entry;
    for (int i = 1; i < each; ++i) {
      entry = op(entry, S(x[first + i]));
      x[first + i] = entry;
    }
  }
  block_barrier();
  return x[t];
}

}  // namespace rung::classic
