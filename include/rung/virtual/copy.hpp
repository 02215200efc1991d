// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the vocabulary for the virtual GPU that move memory while the threads go on: copies per
// thread, bulk copies with their transfer barriers, and the words of a cluster. Bytes come to
// shared memory as late as the barrier allows; whoever looks before has a finding.
#pragma once
#include "sync.hpp"

namespace rung {

namespace virtual_gpu {

/// Marks bytes of shared memory as being brought by an asynchronous copy of t.
inline block& begin_flight(machine& m, thread& t, void* to, std::size_t bytes) {
  block& home = block_of(m, t, to, bytes);
  if (const auto found = home.memory.write(to, bytes, visitor_of(m, t), home.team->readers,
                                           home.team->members, false, true))
    stop_shared(m, t, home, to, bytes, true, found);
  return home;
}

inline void check_bulk(machine& m, const thread& t, const void* a, const void* b, unsigned bytes) {
  if (reinterpret_cast<std::uintptr_t>(a) % 16 != 0 ||
      reinterpret_cast<std::uintptr_t>(b) % 16 != 0 || bytes % 16 != 0)
    m.stop(t, "misaligned: ", t.word,
           " takes places aligned to 16 bytes and a multiple of 16 bytes, not ", bytes);
}

/// The transfer barrier at a place; it must have been made, by a thread that this one has met.
inline transfer& transfer_at(machine& m, const thread& t, const shared<transfer_barrier>& barrier,
                             block** owner = nullptr) {
  block& home = block_of(m, t, &barrier, sizeof barrier);
  if (const auto found =
          home.memory.read(&barrier, sizeof barrier, visitor_of(m, t), home.team->readers))
    stop_shared(m, t, home, &barrier, sizeof barrier, false, found);
  const auto made = home.transfers.find(home.memory.offset(&barrier));
  if (made == home.transfers.end()) m.stop(t, "a transfer barrier without init_transfer");
  if (owner != nullptr) *owner = &home;
  return made->second;
}

/// Copies of t in closed groups, all but the newest `left`, have arrived.
inline void land_copies(machine& m, thread& t, unsigned left) {
  std::erase_if(t.copies, [&](const open_copy& c) {
    if (c.group + left >= t.copy_group) return false;
    block& home = block_of(m, t, c.to, c.bytes.size());
    m.write_bytes(c.to, c.bytes.data(), c.bytes.size());
    home.memory.land(c.to, c.bytes.size(), t.now);
    return true;
  });
}

/// Bulk stores of t, all but the newest `left` groups, have read their bytes; or have arrived, too.
inline void land_bulk_stores(machine& m, thread& t, unsigned left, bool arrive) {
  std::erase_if(t.bulk_stores, [&](open_copy& c) {
    if (c.group + left >= t.store_group) return false;
    if (!c.has_read) {
      c.has_read = true;
      block& home = block_of(m, t, c.from, c.bytes.size());
      if (const auto found =
              home.memory.read(c.from, c.bytes.size(), visitor_of(m, t), home.team->readers))
        stop_shared(m, t, home, c.from, c.bytes.size(), false, found);
      if (std::memcmp(c.from, c.bytes.data(), c.bytes.size()) != 0)
        m.stop(t, "shared memory has changed while a bulk store, started at ", c.where,
               ", was reading it");
    }
    if (!arrive) return false;
    m.global.store(t, *c.home, c.to, c.bytes.data(), c.bytes.size(), 16, m.places.number(c.where),
                   nullptr);
    return true;
  });
}

inline void finish_copies(machine& m, thread& t) {
  if (t.bulk_stores.empty()) return;
  ++t.store_group;
  land_bulk_stores(m, t, 0, true);
}

}  // namespace virtual_gpu

// ---------------------------------------------------------------- copies of one thread

/// to = from, later: 4, 8 or 16 bytes from global to shared memory.
template <class T, class U>
void copy_async(shared<T>& to, const global_place<U>& from,
                virtual_gpu::place where = virtual_gpu::place::current()) {
  static_assert(std::is_same_v<T, std::remove_const_t<U>>, "copy_async copies values of one type");
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "copy_async moves 4, 8 or 16 bytes");
  static_assert(alignof(T) == sizeof(T),
                "copy_async needs values aligned to their size: use a pack");
  using namespace virtual_gpu;
  machine& m = here();
  m.drift();
  unsigned char bytes[sizeof(T)];
  load_global(m, "copy_async", where, from.home(), from.address(), bytes, sizeof(T), sizeof(T));
  thread& t = m.running();
  begin_flight(m, t, &to, sizeof(T));
  open_copy& c = t.copies.emplace_back();
  c.bytes.assign(bytes, bytes + sizeof(T));
  c.to = reinterpret_cast<unsigned char*>(&to);
  c.group = t.copy_group;
  c.where = where;
}
/// Closes the group of copies that this thread has started since the last commit.
inline void copy_async_commit(virtual_gpu::place where = virtual_gpu::place::current()) {
  ++begin_word(virtual_gpu::here(), "copy_async_commit", where).copy_group;
}
/// Waits until at most N groups of this thread are under way. Others see the values after a
/// barrier.
template <int N = 0>
void copy_async_wait(virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  land_copies(m, begin_word(m, "copy_async_wait", where), N);
}

// ---------------------------------------------------------------- transfer barriers

/// A phase of the barrier ends after `arrivals` arrivals and all bytes that were announced.
/// One thread calls it; a block barrier follows before anyone else uses the barrier.
inline void init_transfer(shared<transfer_barrier>& barrier, unsigned arrivals,
                          virtual_gpu::place where = virtual_gpu::place::current()) {
  using namespace virtual_gpu;
  machine& m = here();
  begin_word(m, "init_transfer", where).indexed = &barrier;
  const transfer_barrier made = {arrivals};
  write_shared(&barrier, &made, sizeof made);
  block& home = block_of(m, m.running(), &barrier, sizeof barrier);
  transfer& state = home.transfers[home.memory.offset(&barrier)];
  state = {};
  state.arrivals = state.missing = arrivals;
}
inline void arrive_transfer(shared<transfer_barrier>& barrier,
                            virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  auto& t = begin_word(m, "arrive_transfer", where);
  arrive_at(m, t, transfer_at(m, t, barrier), 0);
}
/// Arrives, and announces `bytes` bytes that copies will bring in this phase.
inline void expect_transfer(shared<transfer_barrier>& barrier, unsigned bytes,
                            virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  auto& t = begin_word(m, "expect_transfer", where);
  arrive_at(m, t, transfer_at(m, t, barrier), bytes);
}
/// Has the phase of this parity (0, 1, 0, ...) ended? May sleep a little before it says no.
template <scope = scope::cluster>
bool test_transfer(shared<transfer_barrier>& barrier, unsigned parity,
                   virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  auto& t = begin_word(m, "test_transfer", where);
  m.spin();
  auto& state = transfer_at(m, t, barrier);
  if (state.phase % 2 == parity) return false;
  m.learn(t, state.ended);
  return true;
}
template <scope = scope::cluster>
void wait_transfer(shared<transfer_barrier>& barrier, unsigned parity,
                   virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  auto& t = begin_word(m, "wait_transfer", where);
  auto& state = transfer_at(m, t, barrier);
  while (state.phase % 2 == parity) {
    state.waiting.push_back(&t);
    m.park();
  }
  m.learn(t, state.ended);
}

// ---------------------------------------------------------------- bulk copies, by one thread

/// `bytes` bytes from global to shared memory; they count on the barrier. Both places are aligned
/// to 16 bytes, and the size is a multiple of 16.
template <class T, class U>
void bulk_load(shared<T>& to, const global_place<U>& from, unsigned bytes,
               shared<transfer_barrier>& barrier,
               virtual_gpu::place where = virtual_gpu::place::current()) {
  using namespace virtual_gpu;
  machine& m = here();
  m.drift();
  thread& t = begin_word(m, "bulk_load", where);
  check_bulk(m, t, &to, from.address(), bytes);
  block* home = nullptr;
  transfer_at(m, t, barrier, &home);
  begin_global(m, "bulk_load", where, from.home(), from.address(), bytes, 16);
  check_race(m, t, *from.home(), from.address(), bytes);
  begin_flight(m, t, &to, bytes);
  flight& f = m.send(t, *home, &to, bytes, home->memory.offset(&barrier));
  m.global.load(t, reinterpret_cast<const unsigned char*>(from.address()), f.bytes.data(), bytes);
}
/// `bytes` bytes from shared to global memory. fence_before_bulk() and a barrier come between the
/// writes to shared memory and this.
template <class T, class U>
void bulk_store(const global_place<U>& to, shared<T>& from, unsigned bytes,
                virtual_gpu::place where = virtual_gpu::place::current()) {
  using namespace virtual_gpu;
  machine& m = here();
  m.drift();
  check_bulk(m, begin_word(m, "bulk_store", where), &from, to.address(), bytes);
  thread& t = begin_global(m, "bulk_store", where, to.home(), to.address(), bytes, 16);
  block& home = block_of(m, t, &from, bytes);
  if (const auto found = home.memory.read(&from, bytes, visitor_of(m, t), home.team->readers))
    stop_shared(m, t, home, &from, bytes, false, found);
  open_copy& c = t.bulk_stores.emplace_back();
  const auto* first = reinterpret_cast<const unsigned char*>(&from);
  c.bytes.assign(first, first + bytes);
  c.to = reinterpret_cast<unsigned char*>(to.address());
  c.from = reinterpret_cast<const unsigned char*>(&from);
  c.home = to.home();
  c.group = t.store_group;
  c.where = where;
}
inline void bulk_store_commit(virtual_gpu::place where = virtual_gpu::place::current()) {
  ++begin_word(virtual_gpu::here(), "bulk_store_commit", where).store_group;
}
/// Waits until at most N groups of bulk stores of this thread still read shared memory.
template <int N = 0>
void bulk_store_wait_read(virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  land_bulk_stores(m, begin_word(m, "bulk_store_wait_read", where), N, false);
}
/// Waits until at most N groups of bulk stores of this thread are unfinished.
template <int N = 0>
void bulk_store_wait(virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  land_bulk_stores(m, begin_word(m, "bulk_store_wait", where), N, true);
}
/// Orders this thread's own accesses to shared memory before bulk copies of it.
inline void fence_before_bulk(virtual_gpu::place where = virtual_gpu::place::current()) {
  begin_word(virtual_gpu::here(), "fence_before_bulk", where);
}

// ---------------------------------------------------------------- cluster

inline unsigned cluster_rank() { return virtual_gpu::here().running().home->rank_in_cluster; }
inline unsigned cluster_blocks() { return virtual_gpu::here().work().options.cluster; }

/// Counts as having come to the cluster's barrier; what came before is visible after the wait.
inline void cluster_arrive(virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  arrive_at_cluster(m, begin_word(m, "cluster_arrive", where));
}
inline void cluster_wait(virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  wait_for_cluster(m, begin_word(m, "cluster_wait", where));
}
inline void cluster_barrier(virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  auto& t = begin_word(m, "cluster_barrier", where);
  arrive_at_cluster(m, t);
  wait_for_cluster(m, t);
}
/// The same place in the shared memory of block `rank` of the cluster.
template <class S>
S& remote(S& place, unsigned rank, virtual_gpu::place where = virtual_gpu::place::current()) {
  using namespace virtual_gpu;
  machine& m = here();
  thread& t = begin_word(m, "remote", where);
  const auto& blocks = t.home->team->blocks;
  if (rank >= blocks.size())
    m.stop(t, "out of bounds: block ", rank, " of a cluster of ", blocks.size());
  if (!t.home->memory.contains(&place, sizeof(S)))
    m.stop(t, "out of bounds: remote() of a place that is not in the block's scratch");
  return *reinterpret_cast<S*>(blocks[rank]->memory.begin() + t.home->memory.offset(&place));
}
/// Writes 4 or 8 bytes to the same place of block `rank`, later; they count on its barrier. Only
/// in clusters of 2 blocks or more: alone, the GPU takes it for an illegal instruction.
template <class T>
void send_async(shared<T>& place, const std::type_identity_t<T>& value,
                shared<transfer_barrier>& barrier, unsigned rank,
                virtual_gpu::place where = virtual_gpu::place::current()) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "send_async moves 4 or 8 bytes");
  using namespace virtual_gpu;
  machine& m = here();
  m.drift();
  auto& to = remote(place, rank, where);
  auto& count = remote(barrier, rank, where);
  thread& t = begin_word(m, "send_async", where);
  if (t.home->team->blocks.size() < 2) m.stop(t, "send_async needs a cluster of 2 blocks or more");
  block* home = nullptr;
  transfer_at(m, t, count, &home);
  begin_flight(m, t, &to, sizeof(T));
  flight& f = m.send(t, *home, &to, sizeof(T), home->memory.offset(&count));
  std::memcpy(f.bytes.data(), &value, sizeof(T));
}

}  // namespace rung
