// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A communicator is what the ranks rung asks of an engine such as MPI: who am I, how many are we,
// and three collectives on host memory. All ranks make the same calls in the same order. A call
// returns when its result is there, or throws rung::error (rank) within the communicator's timeout
// when another rank has not come. local.hpp: threads of one process; mpi.hpp: processes.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../cpu/threads.hpp"

namespace rung {

template <class C>
concept communicator = requires(C& c, std::span<const std::byte> mine, std::span<std::byte> bytes,
                                std::span<std::int64_t> words) {
  { c.rank() } -> std::convertible_to<int>;
  { c.size() } -> std::convertible_to<int>;
  c.all_gather(mine, bytes);  // bytes = what every rank gave, in their order; all give as many
  c.all_reduce(words);        // words[i] = the sum over all ranks, modulo 2^64
  c.broadcast(bytes, 0);      // bytes = those of the rank named
};

/// The ranks rung: all ranks of a communicator, each with a part of one array: rank 0 the first
/// positions, rank 1 the next, ... in parts of any length, empty ones too. `local` folds a part:
/// the CPU, or a GPU in whose memory it lies (gpu_part.cuh).
///   reduce(ranks{comm}, my_part, plus{})      the same result on every rank
template <communicator C, class Local = cpu_rung>
struct ranks {
  C& comm;
  Local local = cpu;
};
template <class C>
ranks(C&) -> ranks<C>;
template <class C>
ranks(C&, cpu_rung) -> ranks<C>;

/// Asks for the result on one rank only.
struct on_rank {
  int number;
};

}  // namespace rung
