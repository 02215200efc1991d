// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What happened before what: what threads know of each other's accesses after they have met, what a
// release hands on, what an acquire takes over.
#pragma once
#include "machine.hpp"

namespace rung::virtual_gpu {

template <class Threads>
void machine::meet(Threads&& threads) {
  knowledge sum;
  const knowledge* last[8] = {};
  unsigned next = 0;
  arrival sees = 0;
  for (thread* t : threads) {
    if (!sum) sum = pool.copy(t->known);
    const auto known = [&](const knowledge* k) { return k != nullptr && k->same(t->known); };
    if (std::none_of(last, last + 8, known)) {
      pool.add(sum, t->known);
      last[next++ % 8] = &t->known;
    }
    sees = (std::max)(sees, t->sees);
  }
  for (thread* t : threads) pool.set(sum, t->member, t->now++);
  for (thread* t : threads) {
    t->known = sum;
    t->sees = sees;
  }
}

inline publication machine::publish(thread& t, bool wide) {
  publication made;
  made.until = wide ? global.deliver_before(t) : t.sees;
  made.from = t.home->team->number;
  made.known = pool.copy(t.known);
  pool.set(made.known, t.member, t.now++);
  return made;
}

inline void machine::learn(thread& t, const publication& from) {
  t.sees = (std::max)(t.sees, from.until);
  if (from.from == t.home->team->number && from.known) t.known = pool.both(t.known, from.known);
}

inline void machine::add(publication& sum, const publication& from, std::uint32_t cluster) {
  sum.until = (std::max)(sum.until, from.until);
  if (from.from != cluster || !from.known) return;
  sum.known = sum.known && sum.from == cluster ? pool.both(sum.known, from.known) : from.known;
  sum.from = cluster;
}

inline void machine::gather(gathering& all, thread& t) {
  publication& sum = all.sum;
  sum.until = (std::max)(sum.until, t.sees);
  sum.from = t.home->team->number;
  if (!sum.known) sum.known = pool.copy(t.known);
  if (!all.last.same(t.known)) pool.add(sum.known, t.known);
  all.last = t.known;
  pool.set(sum.known, t.member, t.now++);
}

inline void machine::gather(gathering& all, const publication& part) {
  publication& sum = all.sum;
  sum.until = (std::max)(sum.until, part.until);
  sum.from = part.from;
  if (!sum.known) sum.known = pool.copy(part.known);
  pool.add(sum.known, part.known);
}

}  // namespace rung::virtual_gpu
