// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The types that kernels and launches name: extents, lane masks, memory order and scope, packs.
// Plain data, the same for nvcc and for the virtual GPU.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "machine.hpp"

namespace rung {

/// Sizes or indices in x, y and z; a number alone means x.
struct dims {
  unsigned x = 1, y = 1, z = 1;
  constexpr dims() = default;
  template <class Size>
  requires std::is_integral_v<Size> RUNG_HD constexpr dims(Size x, unsigned y = 1, unsigned z = 1)
      : x(static_cast<unsigned>(x)), y(y), z(z) {}
  /// Entries in all: 64 bits, because a grid may have more than 2^32 threads.
  RUNG_HD constexpr std::uint64_t count() const { return std::uint64_t(x) * y * z; }
};

/// Bit i stands for lane i of the warp.
using lane_mask = std::uint32_t;
inline constexpr int warp_size = 32;
inline constexpr lane_mask whole_warp = 0xffffffffu;

/// Who has to see a word: the threads of the block, cluster or device, or the host too.
enum class scope { block, cluster, device, system };

/// What else becomes visible together with a word.
enum class order { relaxed, acquire, release, acq_rel };

namespace detail {

/// The largest power of two, 16 at most, that divides a size: what one load or store can carry.
RUNG_HD constexpr std::size_t access_alignment(std::size_t bytes) {
  const std::size_t low = bytes & (~bytes + 1);
  return low < 16 ? low : 16;
}

}  // namespace detail

/// N neighbouring values that travel together, in as few instructions as their size allows.
template <class T, int N>
struct alignas(detail::access_alignment(sizeof(T) * N)) pack {
  T values[N];
  RUNG_HD constexpr T& operator[](int i) { return values[i]; }
  RUNG_HD constexpr const T& operator[](int i) const { return values[i]; }
};

/// A meeting of threads and asynchronous copies; lives in shared memory (see init_transfer).
struct alignas(8) transfer_barrier {
  std::uint64_t state;
};

/// What a launch may ask for beyond its sizes.
struct launch_options {
  unsigned cluster = 1;          ///< blocks per cluster, along x
  bool cooperative = false;      ///< all blocks of the grid run at the same time, or it is an error
  bool early = false;            ///< may start before the previous launch of the stream has ended;
                                 ///< the kernel calls wait_for_previous_launch()
  unsigned resident_blocks = 0;  ///< this many blocks must be able to run at the same time
};

}  // namespace rung
