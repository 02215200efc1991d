// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the vocabulary for the virtual GPU through which threads agree: relaxed, acquire and
// release loads and stores, atomics, fences, in global and shared memory. Stores to global memory
// arrive late (stores.hpp); what a release hands on comes to whoever acquires it.
#pragma once
#include "memory.hpp"

namespace rung {

namespace virtual_gpu {

/// The value of a place that words and atomics take: x[i] of a global<T>, or a shared<T>.
template <class P>
struct place_value;
template <class T>
struct place_value<global_place<T>> {
  using type = std::remove_const_t<T>;
};
template <class T>
struct place_value<shared<T>> {
  using type = T;
};
template <class P>
using value_of = typename place_value<std::remove_cvref_t<P>>::type;

template <class T>
constexpr void check_word() {
  static_assert(std::is_trivially_copyable_v<T>, "a word is a trivially copyable value");
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "a word has 2, 4, 8 or 16 bytes");
}

constexpr bool acquires(order o) { return o == order::acquire || o == order::acq_rel; }
constexpr bool releases(order o) { return o == order::release || o == order::acq_rel; }
constexpr bool is_wide(scope s) { return s == scope::device || s == scope::system; }

/// What a store of this order hands on; relaxed ones hand on what the last fence released.
inline publication hand_on(machine& m, thread& t, order o, scope s) {
  return releases(o) ? m.publish(t, is_wide(s)) : t.released;
}
/// What a load of this order takes over now; relaxed ones leave it to the next fence.
inline void take_over(machine& m, thread& t, order o, const publication* from) {
  if (from == nullptr) return;
  if (acquires(o)) {
    m.learn(t, *from);
  } else {
    m.add(t.heard, *from, t.home->team->number);
  }
}

// ---------------------------------------------------------------- words in global memory

template <class T>
value_of<global_place<T>> load_word(const char* word, order o, const place& where,
                                    const global_place<T>& p) {
  using value = std::remove_const_t<T>;
  check_word<value>();
  machine& m = here();
  begin_word(m, word, where);
  m.spin();
  thread& t = begin_global(m, word, where, p.home(), p.address(), sizeof(T), sizeof(T));
  room_for<value> v;
  const auto* from = reinterpret_cast<const unsigned char*>(p.address());
  take_over(m, t, o, m.global.load_strong(t, from, &v, sizeof(T)));
  return v.value;
}

template <class T>
void store_word(const char* word, order o, scope s, const place& where, const global_place<T>& p,
                const T& value) {
  check_word<T>();
  machine& m = here();
  m.drift();
  thread& t = begin_global(m, word, where, p.home(), p.address(), sizeof(T), sizeof(T));
  const publication handed_on = hand_on(m, t, o, s);
  m.global.store(t, *p.home(), reinterpret_cast<unsigned char*>(p.address()), &value, sizeof(T),
                 sizeof(T), m.places.number(where), &handed_on);
}

template <class T, class F>
T change_word(const char* word, order o, scope s, const place& where, const global_place<T>& p,
              F&& changed) {
  machine& m = here();
  begin_word(m, word, where);
  m.spin();
  thread& t = begin_global(m, word, where, p.home(), p.address(), sizeof(T), sizeof(T));
  const publication handed_on = hand_on(m, t, o, s);
  auto* address = reinterpret_cast<unsigned char*>(p.address());
  room_for<T> old;
  m.global.load(t, address, &old, sizeof(T));
  take_over(m, t, o, m.global.handed_on(address));
  m.global.change(t, *p.home(), address, sizeof(T), m.places.number(where), handed_on, [&] {
    const T next = changed(old.value);
    std::memcpy(address, &next, sizeof(T));
  });
  return old.value;
}

// ---------------------------------------------------------------- words in shared memory

/// Shared memory changes at once, so only the order of accesses is checked.
template <class T, class F>
T access_word(const char* word, order o, const place& where, const shared<T>& v, bool reads,
              bool writes, F&& changed) {
  check_word<T>();
  machine& m = here();
  thread& t = begin_word(m, word, where);
  if (reads) m.spin();
  else m.drift();
  auto* address = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(&v));
  block& home = block_of(m, t, address, sizeof(T));
  publication& handed_on = home.words[home.memory.offset(address)];
  if (reads) take_over(m, t, o, &handed_on);
  const visitor who = visitor_of(m, t);
  const conflict found = writes ? home.memory.write(address, sizeof(T), who, home.team->readers,
                                                    home.team->members, true)
                                : home.memory.read_strong(address, sizeof(T), who);
  if (found) stop_shared(m, t, home, address, sizeof(T), writes, found);
  room_for<T> old;
  std::memcpy(&old, address, sizeof(T));
  if (!writes) return old.value;
  if (!reads) handed_on = {};
  m.add(handed_on, hand_on(m, t, o, scope::block), t.home->team->number);
  const T next = changed(old.value);
  m.write_bytes(address, &next, sizeof(T));
  return old.value;
}

template <class T>
T load_word(const char* word, order o, const place& where, const shared<T>& v) {
  return access_word(word, o, where, v, true, false, [](const T& old) { return old; });
}
template <class T>
void store_word(const char* word, order o, scope, const place& where, const shared<T>& v,
                const T& value) {
  access_word(word, o, where, v, false, true, [&](const T&) { return value; });
}
template <class T, class F>
T change_word(const char* word, order o, scope, const place& where, const shared<T>& v,
              F&& changed) {
  return access_word(word, o, where, v, true, true, changed);
}

template <order O, scope S, class P, class F>
value_of<P> change(const char* word, const P& p, const place& where, F&& changed) {
  static_assert(sizeof(value_of<P>) == 4 || sizeof(value_of<P>) == 8,
                "atomics take words of 4 or 8 bytes");
  return change_word(word, O, S, where, p, changed);
}

/// a + b, wrapping around for integers.
template <class T>
T wrapping_sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using bits = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<bits>(a) + static_cast<bits>(b));
  } else {
    return a + b;
  }
}

}  // namespace virtual_gpu

// ---------------------------------------------------------------- words

template <scope S = scope::device, class P>
virtual_gpu::value_of<P> load_relaxed(const P& p,
                                      virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::load_word("load_relaxed", order::relaxed, where, p);
}
template <scope S = scope::device, class P>
virtual_gpu::value_of<P> load_acquire(const P& p,
                                      virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::load_word("load_acquire", order::acquire, where, p);
}
template <scope S = scope::device, class P>
void store_relaxed(const P& p, const virtual_gpu::value_of<P>& value,
                   virtual_gpu::place where = virtual_gpu::place::current()) {
  virtual_gpu::store_word("store_relaxed", order::relaxed, S, where, p, value);
}
template <scope S = scope::device, class P>
void store_release(const P& p, const virtual_gpu::value_of<P>& value,
                   virtual_gpu::place where = virtual_gpu::place::current()) {
  virtual_gpu::store_word("store_release", order::release, S, where, p, value);
}

/// Everything before is visible to the scope before anything after.
template <scope S = scope::device>
void fence(virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  auto& t = begin_word(m, "fence", where);
  m.learn(t, t.heard);
  t.heard = {};
  t.released = m.publish(t, virtual_gpu::is_wide(S));
}

// ---------------------------------------------------------------- atomics: the old value comes
// back

template <order O = order::relaxed, scope S = scope::device, class P>
auto atomic_add(const P& p, virtual_gpu::value_of<P> v,
                virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::change<O, S>("atomic_add", p, where,
                                   [=](auto old) { return virtual_gpu::wrapping_sum(old, v); });
}
template <order O = order::relaxed, scope S = scope::device, class P>
auto atomic_min(const P& p, virtual_gpu::value_of<P> v,
                virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::change<O, S>("atomic_min", p, where,
                                   [=](auto old) { return v < old ? v : old; });
}
template <order O = order::relaxed, scope S = scope::device, class P>
auto atomic_max(const P& p, virtual_gpu::value_of<P> v,
                virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::change<O, S>("atomic_max", p, where,
                                   [=](auto old) { return old < v ? v : old; });
}
template <order O = order::relaxed, scope S = scope::device, class P>
auto atomic_and(const P& p, virtual_gpu::value_of<P> v,
                virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::change<O, S>("atomic_and", p, where,
                                   [=](auto old) { return decltype(old)(old & v); });
}
template <order O = order::relaxed, scope S = scope::device, class P>
auto atomic_or(const P& p, virtual_gpu::value_of<P> v,
               virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::change<O, S>("atomic_or", p, where,
                                   [=](auto old) { return decltype(old)(old | v); });
}
template <order O = order::relaxed, scope S = scope::device, class P>
auto atomic_xor(const P& p, virtual_gpu::value_of<P> v,
                virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::change<O, S>("atomic_xor", p, where,
                                   [=](auto old) { return decltype(old)(old ^ v); });
}
template <order O = order::relaxed, scope S = scope::device, class P>
auto atomic_exchange(const P& p, virtual_gpu::value_of<P> v,
                     virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::change<O, S>("atomic_exchange", p, where, [=](auto) { return v; });
}
/// Writes `desired` where `expected` stands.
template <order O = order::relaxed, scope S = scope::device, class P>
auto atomic_compare_exchange(const P& p, virtual_gpu::value_of<P> expected,
                             virtual_gpu::value_of<P> desired,
                             virtual_gpu::place where = virtual_gpu::place::current()) {
  return virtual_gpu::change<O, S>("atomic_compare_exchange", p, where, [=](auto old) {
    return std::memcmp(&old, &expected, sizeof(old)) == 0 ? desired : old;
  });
}

// ---------------------------------------------------------------- launches that overlap

/// In a launch with launch_options::early: everything before this launch in its stream has ended.
inline void wait_for_previous_launch(virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  begin_word(m, "wait_for_previous_launch", where).waited_for_previous = true;
}
/// The next launch of the stream may start once all blocks have said so.
inline void allow_next_launch(virtual_gpu::place where = virtual_gpu::place::current()) {
  begin_word(virtual_gpu::here(), "allow_next_launch", where);
}

}  // namespace rung
