// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Values change threads through shared memory: from striped, or from a number per thread that is no
// power of two, to 2^j neighbours per thread, and back. Cost each way: every value is written and
// read once, one barrier; the padding keeps the reads of neighbours out of each other's banks.
#pragma once
#include "group.cuh"

namespace rung {

/// A block as the verbs take it.
template <class B>
concept thread_block = requires {
  B::all_whole;
};

namespace detail {

/// The position of item j of this thread.
template <bool Striped, int K, class B>
RUNG_DEVICE int position_of(const B& block, int j) {
  return Striped ? j * block.threads() + block.rank() : block.rank() * K + j;
}

template <std::size_t K>
inline constexpr int whole_items = is_power_of_two(K) ? int(K) : 2 << floor_log2(K);

template <class B, class S, int K>
RUNG_HD constexpr void check_exchange() {
  check_scratch<B, S>();
  static_assert(
      has_exchange<B>,
      "rung: striped values, and 3, 5, 6, 7, ... values per thread, change threads first: "
      "give the block an exchange_scratch<S, threads * values per thread>");
  if constexpr (has_exchange<B>)
    static_assert(B::known_threads * K <= B::scratch_type::positions,
                  "rung: the exchange_scratch has fewer positions than the block has values");
}

/// y: this thread's share of the block's values, 2^j neighbours of them.
template <bool Striped, class B, class S, std::size_t K, int Y>
RUNG_DEVICE void bring_together(const B& block, const S (&x)[K], S (&y)[Y]) {
  check_exchange<B, S, int(K)>();
  const int n = block.template values<int(K)>();
  auto& values = block.scratch.values;
  RUNG_UNROLL
  for (int j = 0; j < int(K); ++j) {
    const int p = position_of<Striped, int(K)>(block, j);
    if (p < n) values[padded(p)] = x[j];
  }
  block_barrier();
  RUNG_UNROLL
  for (int j = 0; j < Y; ++j) {
    const int p = block.rank() * Y + j;
    y[j] = x[0];  // some state, where there is no value
    if (p < n) y[j] = values[padded(p)];
  }
}

/// Back again, from the same places.
template <bool Striped, class B, class S, std::size_t K, int Y>
RUNG_DEVICE void send_back(const B& block, const S (&y)[Y], S (&x)[K]) {
  const int n = block.template values<int(K)>();
  auto& values = block.scratch.values;
  RUNG_UNROLL
  for (int j = 0; j < Y; ++j) {
    const int p = block.rank() * Y + j;
    if (p < n) values[padded(p)] = y[j];
  }
  block_barrier();
  RUNG_UNROLL
  for (int j = 0; j < int(K); ++j) {
    const int p = position_of<Striped, int(K)>(block, j);
    if (p < n) x[j] = values[padded(p)];
  }
}

/// The same values as 2^j neighbours per thread: their number does not change.
template <int K, class Shape, class Scratch>
RUNG_DEVICE block_part<Shape, Scratch> gathered(const block_group<Shape, Scratch>& block) {
  return block.first(block.template values<K>());
}
template <int K, class Shape, class Scratch>
RUNG_DEVICE block_part<Shape, Scratch> gathered(const block_part<Shape, Scratch>& block) {
  return block;
}

}  // namespace detail
}  // namespace rung
