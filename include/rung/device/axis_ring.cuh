// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What a lane will need of its columns, asked for while it folds what has come. Data flow: the raw
// packs of B rows of every array are copied to the lane's own places in shared memory
// (copy_async), `Stages` batches ahead; nobody else reads them, so nobody meets. What is under way
// takes no registers, and lanes beside each other meet no bank twice. Cost: one write and one read
// of shared memory per pack.
#pragma once
#include "axis_source.cuh"

namespace rung::detail {

inline constexpr int column_threads = 256;

template <int V, int B, int Stages, class Source>
struct lane_ring;
template <int V, int B, int Stages, class F, class... Ts>
struct lane_ring<V, B, Stages, strided_source<F, Ts...>> {
  using source = strided_source<F, Ts...>;
  static constexpr int arrays = int(sizeof...(Ts)), stages = Stages;
  /// Packs of 16 bytes: smaller ones go by way of the first-level cache, and are slower than loads.
  static constexpr bool exists = Stages > 1 && ((V * sizeof(Ts) == 16) && ...);
  static constexpr std::size_t bytes_of_lane =
      exists ? std::size_t(Stages) * B * V * (sizeof(Ts) + ...) : 0;
  static constexpr std::size_t bytes_of_block = column_threads * bytes_of_lane;

  std::size_t begin;  ///< of the block's rings

  template <class T>
  using raw = pack<std::uint32_t, int(V * sizeof(T) / 4)>;
  /// The rows of one array in all slots of a warp, from byte `at` of a lane's bytes on.
  template <class T>
  RUNG_DEVICE auto rows_of(std::size_t at) const {
    return scratch_array<raw<T>>(std::size_t(Stages) * B * warp_size,
                                 begin + warp_size * (warp_in_block() * bytes_of_lane + at));
  }
  /// Asks for row j of a batch, which lies at `row`.
  RUNG_DEVICE void start(const source& x, const axis_place<arrays>& row, int slot, int j) const {
    std::size_t at = 0;
    int a = 0;
    with_each(
        x.arrays,
        [&]<class T>(const array_line<T>& line) {
          const auto from = as<const unsigned char>(line.first) + std::ptrdiff_t(row.source[a++]);
          copy_async(rows_of<T>(at)[(slot * B + j) * warp_size + lane()],
                     as<const raw<T>>(from)[0]);
          at += std::size_t(Stages) * B * V * sizeof(T);
          return 0;
        },
        [](auto...) { return 0; });
  }
  /// The values of a batch that has come.
  RUNG_DEVICE void take(const source& x, int slot,
                        pack<typename source::value_type, V> (&values)[B]) const {
    RUNG_UNROLL
    for (int j = 0; j < B; ++j) {
      std::size_t at = 0;
      values[j] = with_each(
          x.arrays,
          [&]<class T>(const array_line<T>&) {
            const raw<T> bytes = rows_of<T>(at)[(slot * B + j) * warp_size + lane()];
            at += std::size_t(Stages) * B * V * sizeof(T);
            pack<T, V> p;
            __builtin_memcpy(static_cast<void*>(&p), &bytes, sizeof p);
            return p;
          },
          [&](const auto&... packs) {
            pack<typename source::value_type, V> all;
            RUNG_UNROLL
            for (int v = 0; v < V; ++v) all[v] = x.f(packs[v]...);
            return all;
          });
    }
  }
};

}  // namespace rung::detail
