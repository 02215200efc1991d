// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the vocabulary for the virtual GPU: who am I, exchange inside a warp, barriers of warp
// and block. Each exchange is a meeting of lanes (waits.hpp); the last to come moves all values.
#pragma once
#include "blocks.hpp"

namespace rung {

namespace virtual_gpu {

/// The machine whose kernel is running on this host thread.
inline machine& here() {
  if (machine::active() == nullptr)
    fail(error_code::bad_argument,
         "virtual GPU: a word of the machine vocabulary outside of a kernel");
  return *machine::active();
}

/// What a lane brings to an exchange, and where it wants the answer.
template <class T>
struct offer {
  const T* value;
  T* answer;
  int argument = 0, width = warp_size;
};

template <class T>
offer<T>& offer_of(warp& w, unsigned lane) {
  return *static_cast<offer<T>*>(const_cast<void*>(w.home->threads[w.first + lane].payload));
}

/// Each lane gets the value of lane source(lane, argument, width); its own if that is outside.
template <class T, class F>
T exchange(const char* word, const T& value, int argument, lane_mask mask, int width,
           const place& where, F source) {
  static_assert(std::is_trivially_copyable_v<T>, "lanes exchange trivially copyable values");
  static_assert(sizeof(T) <= 1024, "lanes exchange values of at most 1024 bytes");
  machine& m = here();
  thread& t = begin_word(m, word, where);
  if (width < 1 || width > warp_size || (width & (width - 1)) != 0)
    m.stop(t, word, " in groups of ", width, " lanes: the width is a power of two, 32 at most");
  T answer = value;
  const offer<T> mine{&value, &answer, argument, width};
  meet_lanes(m, t, mask, sizeof(T), &mine, [&](warp& w, lane_mask lanes) {
    for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      offer<T>& to = offer_of<T>(w, unsigned(lane));
      const int first = lane & ~(to.width - 1);
      const int from = source(lane - first, to.argument, to.width) + first;
      if (from < first || from >= first + to.width) continue;
      if ((lanes >> from & 1) == 0) {
        const thread& reader = w.home->threads[w.first + unsigned(lane)];
        m.stop(reader, word, " reads from lane ", from, ", which is not in the mask ",
               mask_text{lanes});
      }
      std::memcpy(static_cast<void*>(to.answer), offer_of<T>(w, unsigned(from)).value, sizeof(T));
    }
  });
  return answer;
}

/// All lanes get answer(warp, lanes), where payloads are offers of T.
template <class T, class F>
T agree(const char* word, const T& value, lane_mask mask, const place& where, F answer_for) {
  machine& m = here();
  thread& t = begin_word(m, word, where);
  T answer = value;
  const offer<T> mine{&value, &answer};
  meet_lanes(m, t, mask, sizeof(T), &mine, [&](warp& w, lane_mask lanes) {
    const T common = answer_for(w, lanes);
    for (lane_mask rest = lanes; rest != 0; rest &= rest - 1)
      *offer_of<T>(w, unsigned(std::countr_zero(rest))).answer = common;
  });
  return answer;
}

template <class T, class F>
T redux(const char* word, T value, lane_mask mask, const place& where, F fold) {
  return agree(word, value, mask, where, [&](warp& w, lane_mask lanes) {
    T sum = *offer_of<T>(w, unsigned(std::countr_zero(lanes))).value;
    for (lane_mask rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1)
      sum = fold(sum, *offer_of<T>(w, unsigned(std::countr_zero(rest))).value);
    return sum;
  });
}

}  // namespace virtual_gpu

// ---------------------------------------------------------------- who am I

inline dims thread_index() { return virtual_gpu::here().running().index; }
inline dims block_index() { return virtual_gpu::here().running().home->index; }
inline dims block_shape() { return virtual_gpu::here().work().block; }
inline dims grid_shape() { return virtual_gpu::here().work().grid; }

inline unsigned thread_rank() { return virtual_gpu::here().running().rank; }
inline unsigned block_threads() { return static_cast<unsigned>(block_shape().count()); }
inline std::uint64_t block_rank() { return virtual_gpu::here().running().home->rank; }
inline std::uint64_t grid_blocks() { return grid_shape().count(); }

inline int lane() { return static_cast<int>(virtual_gpu::here().running().lane); }
inline unsigned warp_rank() { return virtual_gpu::here().running().team->rank; }
inline unsigned block_warps() { return (block_threads() + warp_size - 1) / warp_size; }

inline lane_mask lanes_below() { return (lane_mask(1) << lane()) - 1; }
inline lane_mask lanes_above() { return ~lanes_below() & ~(lane_mask(1) << lane()); }

// ---------------------------------------------------------------- bits

template <class Bits>
int bit_count(Bits bits) {
  static_assert(std::is_unsigned_v<Bits>, "bit_count takes unsigned integers");
  return std::popcount(bits);
}
/// The number of the lowest bit that is set, -1 if none is.
template <class Bits>
int lowest_bit(Bits bits) {
  static_assert(std::is_unsigned_v<Bits>, "lowest_bit takes unsigned integers");
  return bits == 0 ? -1 : std::countr_zero(bits);
}
/// The number of the highest bit that is set, -1 if none is.
template <class Bits>
int highest_bit(Bits bits) {
  static_assert(std::is_unsigned_v<Bits>, "highest_bit takes unsigned integers");
  return static_cast<int>(sizeof(Bits) * 8) - 1 - std::countl_zero(bits);
}

/// The same bits as another type of the same size.
template <class To, class From>
To bits_as(const From& value) {
  static_assert(sizeof(To) == sizeof(From), "bits_as needs two types of the same size");
  return std::bit_cast<To>(value);
}

// ---------------------------------------------------------------- exchange

/// The value that lane `source` brought; in groups of `width` lanes, lane `source` of the group.
template <class T>
T shuffle(const T& value, int source, lane_mask mask = whole_warp, int width = warp_size,
          virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::exchange("shuffle", value, source, mask, width, where,
                               [](int, int from, int w) { return from & (w - 1); });
}
/// From `delta` lanes below; lanes without such a neighbour in their group keep their own.
template <class T>
T shuffle_up(const T& value, unsigned delta, lane_mask mask = whole_warp, int width = warp_size,
             virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::exchange("shuffle_up", value, int(delta), mask, width, where,
                               [](int lane, int down, int) { return lane - down; });
}
/// From `delta` lanes above; lanes without such a neighbour in their group keep their own.
template <class T>
T shuffle_down(const T& value, unsigned delta, lane_mask mask = whole_warp, int width = warp_size,
               virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::exchange("shuffle_down", value, int(delta), mask, width, where,
                               [](int lane, int up, int) { return lane + up; });
}
/// From the lane whose number differs in the bits of `bits`.
template <class T>
T shuffle_xor(const T& value, int bits, lane_mask mask = whole_warp, int width = warp_size,
              virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::exchange("shuffle_xor", value, bits, mask, width, where,
                               [](int lane, int flip, int) { return lane ^ flip; });
}

/// The ballot: the lanes of the mask whose predicate holds.
inline lane_mask lanes_where(bool predicate, lane_mask mask = whole_warp,
                             virtual_gpu::place where = virtual_gpu::place::current()) {
  using virtual_gpu::offer_of;
  return virtual_gpu::agree("lanes_where", lane_mask(predicate), mask, where,
                            [](virtual_gpu::warp& w, lane_mask lanes) {
                              lane_mask yes = 0;
                              for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
                                const auto lane = unsigned(std::countr_zero(rest));
                                yes |= *offer_of<lane_mask>(w, lane).value << lane;
                              }
                              return yes;
                            });
}
inline bool any_lane(bool predicate, lane_mask mask = whole_warp,
                     virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::redux("any_lane", predicate, mask, where,
                            [](bool a, bool b) { return a || b; });
}
inline bool all_lanes(bool predicate, lane_mask mask = whole_warp,
                      virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::redux("all_lanes", predicate, mask, where,
                            [](bool a, bool b) { return a && b; });
}
/// The lanes of the mask that brought the same bits; padding inside a struct counts.
template <class T>
lane_mask match_any(const T& value, lane_mask mask = whole_warp,
                    virtual_gpu::place where = virtual_gpu::place::current()) {
  static_assert(std::is_trivially_copyable_v<T>, "lanes exchange trivially copyable values");
  struct asked {
    T value;
    lane_mask same;
  };
  using namespace virtual_gpu;
  machine& m = here();
  thread& t = begin_word(m, "match_any", where);
  asked mine{value, 0};
  const offer<asked> payload{&mine, &mine};
  meet_lanes(m, t, mask, sizeof(T), &payload, [](warp& w, lane_mask lanes) {
    for (lane_mask a = lanes; a != 0; a &= a - 1) {
      asked& one = *offer_of<asked>(w, unsigned(std::countr_zero(a))).answer;
      for (lane_mask b = lanes; b != 0; b &= b - 1) {
        const auto other = unsigned(std::countr_zero(b));
        if (std::memcmp(&one.value, &offer_of<asked>(w, other).value->value, sizeof(T)) == 0)
          one.same |= 1u << other;
      }
    }
  });
  return mine.same;
}
/// Some lanes that run together with this one, itself included; no promise which.
inline lane_mask active_lanes(virtual_gpu::place where = virtual_gpu::place::current()) {
  using namespace virtual_gpu;
  machine& m = here();
  thread& t = begin_word(m, "active_lanes", where);
  warp& w = *t.team;
  lane_mask together = 0;
  t.payload = &together;
  w.gathering |= 1u << t.lane;
  m.yield();  // others of the warp may come in the meantime
  if (together != 0) return together;
  for (lane_mask rest = w.gathering; rest != 0; rest &= rest - 1) {
    const thread& other = w.home->threads[w.first + unsigned(std::countr_zero(rest))];
    if (same_line(other.where, where)) together |= 1u << other.lane;
  }
  for (lane_mask rest = together; rest != 0; rest &= rest - 1)
    *static_cast<lane_mask*>(const_cast<void*>(
        w.home->threads[w.first + unsigned(std::countr_zero(rest))].payload)) = together;
  w.gathering &= ~together;
  return together;
}

template <class T>
  requires std::is_same_v<T, int> || std::is_same_v<T, unsigned> T redux_add(
      T v, lane_mask mask = whole_warp, virtual_gpu::place where = virtual_gpu::place::current()) {
    return virtual_gpu::redux("redux_add", v, mask, where,
                              [](T a, T b) { return T(unsigned(a) + unsigned(b)); });
  }
template <class T>
  requires std::is_same_v<T, int> || std::is_same_v<T, unsigned> T redux_min(
      T v, lane_mask mask = whole_warp, virtual_gpu::place where = virtual_gpu::place::current()) {
    return virtual_gpu::redux("redux_min", v, mask, where, [](T a, T b) { return b < a ? b : a; });
  }
template <class T>
  requires std::is_same_v<T, int> || std::is_same_v<T, unsigned> T redux_max(
      T v, lane_mask mask = whole_warp, virtual_gpu::place where = virtual_gpu::place::current()) {
    return virtual_gpu::redux("redux_max", v, mask, where, [](T a, T b) { return a < b ? b : a; });
  }
inline unsigned redux_and(unsigned v, lane_mask mask = whole_warp,
                          virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::redux("redux_and", v, mask, where,
                            [](unsigned a, unsigned b) { return a & b; });
}
inline unsigned redux_or(unsigned v, lane_mask mask = whole_warp,
                         virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::redux("redux_or", v, mask, where,
                            [](unsigned a, unsigned b) { return a | b; });
}
inline unsigned redux_xor(unsigned v, lane_mask mask = whole_warp,
                          virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::redux("redux_xor", v, mask, where,
                            [](unsigned a, unsigned b) { return a ^ b; });
}

// ---------------------------------------------------------------- barriers

inline void warp_barrier(lane_mask mask = whole_warp,
                         virtual_gpu::place where = virtual_gpu::place::current()) {
  using namespace virtual_gpu;
  machine& m = here();
  thread& t = begin_word(m, "warp_barrier", where);
  meet_lanes(m, t, mask, 0, nullptr, [&](warp& w, lane_mask lanes) { meet_memory(m, w, lanes); });
}
inline void block_barrier(virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  wait_for_block(m, begin_word(m, "block_barrier", where));
}
/// Barrier `id` (1 to 15) of `threads` threads, a multiple of 32: wait for all of them.
inline void barrier_sync(int id, int threads,
                         virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  wait_at_gate(m, begin_word(m, "barrier_sync", where), id, threads, true);
}
/// Counts as having come to barrier `id`, and goes on.
inline void barrier_arrive(int id, int threads,
                           virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  wait_at_gate(m, begin_word(m, "barrier_arrive", where), id, threads, false);
}

/// Ends the kernel with an error: what it was asked for cannot be done.
inline void give_up(const char* why, virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  m.stop(begin_word(m, "give_up", where), why);
}

// ---------------------------------------------------------------- time

/// Gives way to others for about this many nanoseconds; every spinning loop calls it.
inline void back_off(unsigned /*nanoseconds*/ = 32,
                     virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  begin_word(m, "back_off", where);
  m.spin();
}
/// Fiber switches so far: time passes where others run.
inline std::int64_t cycle_clock() {
  return static_cast<std::int64_t>(virtual_gpu::current_statistics().switches);
}
inline std::uint64_t nanosecond_clock() { return virtual_gpu::current_statistics().switches; }

}  // namespace rung
