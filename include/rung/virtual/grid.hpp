// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a running grid: thread, warp, block, cluster, and where each of them stands. Plain
// data; machine.hpp moves it.
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../base/gpu_types.hpp"
#include "fiber.hpp"
#include "knowledge.hpp"
#include "place.hpp"
#include "shared_memory.hpp"

namespace rung::virtual_gpu {

struct warp;
struct block;
struct allocation;
struct cluster;

enum class standing { fresh, able, parked, gone };

/// A position in the order in which stores have reached global memory.
using arrival = std::uint32_t;

/// What one word of global memory, or a fence, hands on: stores up to `until` are visible, and in
/// the cluster it came from (by number, 0: none), what its thread knew.
struct publication {
  arrival until = 0;
  std::uint32_t from = 0;
  knowledge known;
};

/// What several threads hand on together. Threads that come with the same knowledge add it once.
struct gathering {
  publication sum;
  knowledge last;
};

/// A copy that a thread has started and not waited for.
struct open_copy {
  std::vector<unsigned char> bytes;
  unsigned char* to = nullptr;          // in shared memory (copy_async) or in global memory
  const unsigned char* from = nullptr;  // in shared memory, for a bulk store
  allocation* home = nullptr;           // of `to`, for a bulk store
  unsigned group = 0;
  bool has_read = false;  // a bulk store that no longer reads shared memory
  place where;
};

struct thread {
  fiber self;
  char* stack = nullptr;
  block* home = nullptr;
  warp* team = nullptr;
  unsigned rank = 0;    // in the block
  unsigned member = 0;  // in the cluster
  unsigned lane = 0;
  dims index;
  standing state = standing::fresh;

  const char* word = "the begin of the kernel";
  place where;
  const void* indexed = nullptr;  // the shared value that `where` is an index of
  const void* payload = nullptr;  // what this lane brings to a meeting

  tick now = 1;
  knowledge known;
  arrival sees = 0;      // stores that have arrived until here are visible to plain loads
  publication released;  // of the last fence: handed on by relaxed stores
  publication heard;     // by relaxed loads: visible after the next fence
  std::vector<open_copy> copies, bulk_stores;
  unsigned copy_group = 0, store_group = 0;
  unsigned spins = 0, spins_since = 0;  // looks at an unchanged memory, and since which change
  bool waited_for_previous = false;
};

/// Lanes that wait for each other in one word of the vocabulary.
struct meeting {
  lane_mask mask = 0, came = 0;
  const char* word = nullptr;
  std::size_t bytes = 0;
};

struct warp {
  block* home = nullptr;
  unsigned rank = 0;
  unsigned first = 0;  // rank of lane 0
  lane_mask exists = 0, able = 0, gone = 0;
  lane_mask gathering = 0;          // in active_lanes()
  unsigned priority = 0, slot = 0;  // in the machine's list of warps that can run
  std::vector<meeting> meetings;
};

/// A barrier of the block; number 0 is block_barrier().
struct gate {
  struct arrivals {
    lane_mask lanes = 0;
    place where;  // of the first of them
  };
  unsigned expected = 0;       // threads, 0 while nobody is there
  std::vector<arrivals> came;  // by warp
  unsigned warps = 0, complete_warps = 0;
  std::vector<thread*> waiting;
  gathering passed;  // by those that do not wait
};

/// A transfer barrier in shared memory.
struct transfer {
  unsigned arrivals = 0, missing = 0;
  std::int64_t bytes = 0;  // announced and not yet brought
  unsigned phase = 0;
  gathering gathered;  // of this phase
  publication ended;   // of the phase before
  std::vector<thread*> waiting;
};

struct block {
  cluster* team = nullptr;
  std::uint64_t rank = 0;
  unsigned rank_in_cluster = 0;
  dims index;
  unsigned live = 0;
  std::vector<thread> threads;
  std::vector<warp> warps;
  shared_memory memory;
  std::vector<gate> gates;
  std::map<std::size_t, transfer> transfers;  // by offset in shared memory
  std::map<std::size_t, publication> words;   // the same, for words that threads agree through
};

struct cluster {
  std::uint32_t number = 0;  // 1, 2, ... in the order in which clusters start
  unsigned members = 0;      // threads
  tick bulk_now = 0;         // of bulk copies, which act as one more member behind the threads
  unsigned live_blocks = 0;
  std::vector<std::unique_ptr<block>> blocks;
  reader_sets readers;
  // the cluster barrier
  unsigned came = 0, phase = 0;
  std::vector<thread*> waiting;
  std::vector<unsigned> phase_of;  // by member: the phase it has arrived in
  gathering gathered;
  publication ended;
};

}  // namespace rung::virtual_gpu
