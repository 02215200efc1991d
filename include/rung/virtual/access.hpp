// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Checked accesses to shared and global memory: every read and write of the vocabulary comes
// through here, is checked (place, bounds, alignment, order), and may let other lanes run before
// it.
#pragma once
#include "warp.hpp"

namespace rung::virtual_gpu {

/// An index, and where in the source it stands.
struct at {
  std::ptrdiff_t i;
  place where;
  template <class Index>
    requires std::is_integral_v<Index> at(Index i, place where = place::current())
        : i(static_cast<std::ptrdiff_t>(i)), where(where) {}
};

// ---------------------------------------------------------------- shared memory

/// The block of t's cluster in whose shared memory these bytes lie.
inline block& block_of(machine& m, const thread& t, const void* place, std::size_t bytes) {
  if (t.home->memory.contains(place, bytes)) return *t.home;
  for (const auto& other : t.home->team->blocks) {
    if (!other->memory.contains(place, bytes)) continue;
    if (t.home->team->phase == 0)
      m.stop(t, "shared memory of block ", other->rank,
             " before the first cluster barrier: that block may not have started");
    if (other->live == 0)
      m.stop(t, "block ", other->rank, " of the cluster has ended, and its shared memory with it");
    return *other;
  }
  m.stop(t, "out of bounds: a shared value of ", bytes,
         " bytes that does not lie in the block's scratch of ", t.home->memory.size(), " bytes");
}

inline visitor visitor_of(machine& m, const thread& t) {
  return {static_cast<std::uint16_t>(t.member), m.places.number(t.where), t.now, &t.known};
}

[[noreturn]] inline void stop_shared(machine& m, const thread& t, const block& home,
                                     const void* place, std::size_t bytes, bool write,
                                     const conflict& found) {
  const std::size_t offset = home.memory.offset(place);
  if (found.what == conflict::kind::never_written)
    m.stop(t, "shared memory is read before it is written: ", bytes, " bytes at byte ", offset,
           " of the scratch of block ", home.rank);
  if (found.other == home.team->members)
    m.stop(t, "shared memory is ", write ? "written" : "read",
           " without waiting for the asynchronous copy that brings it: ", bytes, " bytes at byte ",
           offset, " of the scratch of block ", home.rank, ", started at ", m.places.at(found.at));
  const auto threads = static_cast<unsigned>(home.threads.size());
  const thread& other = home.team->blocks[found.other / threads]->threads[found.other % threads];
  if (found.what == conflict::kind::in_flight)
    m.stop(t, "shared memory is ", write ? "written" : "read",
           " without waiting for the asynchronous copy that brings it: ", bytes, " bytes at byte ",
           offset, " of the scratch of block ", home.rank, ", started by ", name_of{other}, " at ",
           m.places.at(found.at));
  m.stop(t, "race on shared memory: ", bytes, " bytes at byte ", offset,
         " of the scratch of block ", home.rank, write ? ", written here and " : ", read here and ",
         found.what == conflict::kind::unordered_read ? "read by " : "written by ", name_of{other},
         " at ", m.places.at(found.at), ", with no barrier between");
}

/// Steps into an access of a shared value.
inline thread& begin_shared(machine& m, const void* value) {
  thread& t = m.running();
  if (t.indexed == value) {
    t.word = "shared memory";
  } else if (t.word[0] != 'a' || t.word[1] != ' ') {
    t.word = "a shared value, on this line or after it";
  }
  m.drift();
  return t;
}

inline void read_shared(const void* value, void* to, std::size_t bytes) {
  machine& m = here();
  thread& t = begin_shared(m, value);
  block& home = block_of(m, t, value, bytes);
  if (const auto found = home.memory.read(value, bytes, visitor_of(m, t), home.team->readers))
    stop_shared(m, t, home, value, bytes, false, found);
  std::memcpy(to, value, bytes);
}

inline void write_shared(void* value, const void* from, std::size_t bytes) {
  machine& m = here();
  thread& t = begin_shared(m, value);
  block& home = block_of(m, t, value, bytes);
  if (const auto found =
          home.memory.write(value, bytes, visitor_of(m, t), home.team->readers, home.team->members))
    stop_shared(m, t, home, value, bytes, true, found);
  m.write_bytes(value, from, bytes);
}

// ---------------------------------------------------------------- global memory

/// Steps into an access of global memory: does it lie in a live allocation, is it aligned?
inline thread& begin_global(machine& m, const char* word, const place& where,
                            const allocation* home, const void* place, std::size_t bytes,
                            std::size_t alignment) {
  thread& t = begin_word(m, word, where);
  if (home == nullptr)
    m.stop(t, place == nullptr ? "a null pointer to global memory"
                               : "out of bounds: an address that is no memory of the virtual GPU");
  if (!home->live) m.stop(t, "an access to global memory that has been freed");
  if (!home->contains(place, bytes)) {
    const auto offset = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(place) -
                                                    reinterpret_cast<std::uintptr_t>(home->begin));
    m.stop(t, "global memory out of bounds: ", bytes, " bytes at byte ", offset,
           " of an allocation of ", home->bytes, " bytes");
  }
  if (reinterpret_cast<std::uintptr_t>(place) % alignment != 0)
    m.stop(t, "misaligned: a global value that needs ", alignment, " bytes");
  if (m.work().options.early && !t.waited_for_previous)
    m.stop(t, "an early launch touches global memory before wait_for_previous_launch()");
  return t;
}

inline void check_race(machine& m, const thread& t, allocation& home, const void* from,
                       std::size_t bytes) {
  const auto found = m.global.race(t, home, static_cast<const unsigned char*>(from), bytes);
  if (!found) return;
  m.stop(t, "race on global memory: ", bytes, " bytes at byte ",
         static_cast<const unsigned char*>(from) - home.begin,
         " of an allocation, read here and stored by ", author_of{m, *found},
         ", with no release and acquire (or barrier) between");
}

/// The caller lets others run first.
inline void load_global(machine& m, const char* word, const place& where, allocation* home,
                        const void* from, void* to, std::size_t bytes, std::size_t alignment) {
  thread& t = begin_global(m, word, where, home, from, bytes, alignment);
  check_race(m, t, *home, from, bytes);
  m.global.load(t, static_cast<const unsigned char*>(from), to, bytes);
}

inline void store_global(const char* word, const place& where, allocation* home, void* to,
                         const void* from, std::size_t bytes, std::size_t alignment) {
  machine& m = here();
  m.drift();
  thread& t = begin_global(m, word, where, home, to, bytes, alignment);
  m.global.store(t, *home, static_cast<unsigned char*>(to), from, bytes,
                 (std::min<std::size_t>)(alignment, 16), m.places.number(where), nullptr);
}

}  // namespace rung::virtual_gpu
