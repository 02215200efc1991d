// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Who works together in a block, and through what: this_block(scratch) takes any shape,
// block_of<256> (scratch) or block_of<16, 8, 2>(scratch) knows it at compile time; .first(n) of
// either says that only the first n values count. The scratch is the caller's, in shared memory: a
// member of the kernel's scratch struct, or `__shared__ block_scratch<float> s;`. After a call it
// can be used again, for anything, behind the next block_barrier().
#pragma once
#include "../warp/reduce.cuh"

namespace rung {

/// What the verbs exchange states of type S through: 42 of them, for 1024 threads of up to 32
/// values.
template <class S>
struct alignas(16) block_scratch {
  using state = S;
  shared<S[32]> warps;   ///< the trees of the whole warps, in order
  shared<S[10]> blocks;  ///< the aligned blocks of what is left after them, blocks[k] of 2^k values
};

namespace detail {

/// A spare place after every 32, so that neighbours' neighbours lie in different banks.
RUNG_HD constexpr int padded(int i) { return i + i / 32; }

}  // namespace detail

/// The scratch for values that have to change threads first: striped ones, and 3, 5, 6, ... per
/// thread. Positions: threads times values per thread, at least.
template <class S, int Positions>
struct exchange_scratch {
  using state = S;
  static constexpr int positions = Positions;
  block_scratch<S> sums;
  shared<S[detail::padded(Positions)]> values;
};

/// K values of a thread that lie one block length apart: item j of thread t has position
/// j * threads + t. A plain array means neighbours, position t * K + j.
template <class S, std::size_t K>
struct striped_values {
  S (&items)[K];
};
template <class S, std::size_t K>
RUNG_HD constexpr striped_values<S, K> striped(S (&x)[K]) {
  return {x};
}

/// The shape of a block, known now or at run time.
template <int X, int Y, int Z>
struct known_shape {
  static_assert(X >= 1 && Y >= 1 && Z >= 1 && X * Y * Z <= 1024,
                "rung: a block has 1 to 1024 threads");
  static constexpr int known_threads = X * Y * Z;
  static constexpr bool whole_warps = known_threads % warp_size == 0;
  static RUNG_DEVICE int threads() { return X * Y * Z; }
  static RUNG_DEVICE int rank() {
    const dims t = thread_index();
    if constexpr (Y == 1 && Z == 1) return int(t.x);
    else return int(t.x) + X * (int(t.y) + Y * int(t.z));
  }
};
struct run_time_shape {
  static constexpr int known_threads = 0;
  static constexpr bool whole_warps = false;
  static RUNG_DEVICE int threads() { return int(block_threads()); }
  static RUNG_DEVICE int rank() { return int(thread_rank()); }
};
/// Shapes that were found out at run time: N threads, or some multiple of 32.
template <int N>
struct found_shape : run_time_shape {
  static constexpr int known_threads = N;
  static constexpr bool whole_warps = true;
  static RUNG_DEVICE int threads() { return N; }
};
template <>
struct found_shape<0> : run_time_shape {
  static constexpr bool whole_warps = true;
};

template <class Shape, class Scratch>
struct block_part;

/// All threads of the block; every one of them makes the same calls.
template <class Shape, class Scratch>
struct block_group : Shape {
  using scratch_type = Scratch;
  Scratch& scratch;
  RUNG_DEVICE explicit block_group(Scratch& s) : scratch(detail::placed(s)) {}
  RUNG_DEVICE block_part<Shape, Scratch> first(int n) const;

  RUNG_DEVICE int warp() const {
    if constexpr (Shape::known_threads > 0 && Shape::known_threads <= warp_size) return 0;
    else return int(unsigned(this->rank()) / warp_size);
  }
  RUNG_DEVICE int warps() const { return this->threads() / warp_size; }
  /// All warps are whole and all values are there: nothing to test at run time.
  static constexpr bool all_whole = Shape::whole_warps;
  template <int K>
  RUNG_DEVICE int values() const {
    return this->threads() * K;
  }
};
/// All threads call, only the values at positions below n count. n may be 0.
template <class Shape, class Scratch>
struct block_part : block_group<Shape, Scratch> {
  int n;
  RUNG_DEVICE block_part(Scratch& s, int values) : block_group<Shape, Scratch>(s), n(values) {}
  static constexpr bool all_whole = false;
  template <int K>
  RUNG_DEVICE int values() const {
    return n;
  }
};
template <class Shape, class Scratch>
RUNG_DEVICE block_part<Shape, Scratch> block_group<Shape, Scratch>::first(int n) const {
  return {scratch, n};
}

/// The calling block, of any shape.
template <class Scratch>
RUNG_DEVICE block_group<run_time_shape, Scratch> this_block(Scratch& scratch) {
  return block_group<run_time_shape, Scratch>(scratch);
}
/// The calling block, which was launched with this shape.
template <int X, int Y = 1, int Z = 1, class Scratch>
RUNG_DEVICE block_group<known_shape<X, Y, Z>, Scratch> block_of(Scratch& scratch) {
  return block_group<known_shape<X, Y, Z>, Scratch>(scratch);
}

namespace detail {

template <class B>
concept has_exchange = requires {
  B::scratch_type::positions;
};
template <class B>
RUNG_DEVICE auto& sums_of(const B& block) {
  if constexpr (has_exchange<B>) return block.scratch.sums;
  else return block.scratch;
}
template <class B, class S>
RUNG_HD constexpr void check_scratch() {
  static_assert(std::is_same_v<typename B::scratch_type::state, S>,
                "rung: the scratch is for another type than the values: block_scratch<S> and "
                "exchange_scratch<S, n> take the type of the states");
}

/// f of the block; a block of run-time size that has a usual one gets the code of known sizes, at
/// the price of a few branches that all threads take alike.
template <class B, class F>
RUNG_DEVICE auto by_shape(const B& block, F&& f) {
  return f(block);
}
template <int N, int Last, class Scratch, class F>
RUNG_DEVICE auto by_found_shape(const block_group<run_time_shape, Scratch>& block, F&& f) {
  if (block.threads() == N) return f(block_group<found_shape<N>, Scratch>(block.scratch));
  if constexpr (N < Last) return by_found_shape<2 * N, Last>(block, f);
  else if (block.threads() % warp_size == 0)
    return f(block_group<found_shape<0>, Scratch>(block.scratch));
  else return f(block);
}
template <class Scratch, class F>
RUNG_DEVICE auto by_shape(const block_group<run_time_shape, Scratch>& block, F&& f) {
  return by_found_shape<32, 1024>(block, f);
}

/// A warp that shares its scheduler with few others waits for its shuffles: fewer rounds. Many
/// warps wait for each other: fewer shuffles. Both as measured on an H200: 7 shuffles instead of 5
/// pay until about 16 warps exchange 4 bytes each.
template <class B, class S>
inline constexpr int rounds_for =
    B::known_threads > 0 && (B::known_threads + 31) / 32 * int((sizeof(S) + 3) / 4) <= 16 ? 3 : 5;
template <class B, class S>
using warp_of = warp_lanes<warp_size, rounds_for<B, S>>;

}  // namespace detail
}  // namespace rung
