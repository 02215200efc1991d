// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How the machine moves: which lane runs next, and what happens without a thread. A lane stops
// where it waits, where it looks at a word, and now and then at an access; then chance picks
// another.
#pragma once
#include "report.hpp"
#include "waits.hpp"

namespace rung::virtual_gpu {

// ---------------------------------------------------------------- fibers

inline void machine::enter(boost::context::detail::transfer_t from) {
  machine& m = *static_cast<machine*>(from.data);
  thread& self = *m.running_;
  arrive(*m.stopping_, self.self, from.fctx);
  try {
    m.work_->entry(m.work_->argument);
  } catch (...) {
    m.failure_ = std::current_exception();
  }
  m.leave(self);
}

inline void machine::switch_to(thread* next, bool leaving) {
  fiber& from = running_ != nullptr ? running_->self : host_;
  thread* const before = running_;
  running_ = next;
  active_ = next != nullptr ? this : nullptr;
  ++current_statistics().switches;
  if (next != nullptr && next->state == standing::fresh) {
    next->state = standing::able;
    next->stack = stacks_.take();
    prepare(next->self, next->stack, next->rank, enter);
  }
  switch_fiber(from, next != nullptr ? next->self : host_, stopping_, this, leaving);
  running_ = before;
  active_ = before != nullptr ? this : nullptr;
}

inline void machine::park() {
  thread& t = *running_;
  t.state = standing::parked;
  thread* next = pick();  // may be t: a copy that lands can wake it
  if (next != &t) switch_to(next);
}

inline void machine::wake(thread& sleeper) {
  sleeper.state = standing::able;
  warp& w = *sleeper.team;
  if (w.able == 0) enlist(w);
  w.able |= 1u << sleeper.lane;
}

inline void machine::yield() {
  thread& t = *running_;
  wake(t);
  thread* next = pick();
  if (next != &t) switch_to(next);
}

inline void machine::spin() {
  thread& t = *running_;
  const auto changes = this->changes();
  if (t.spins_since != changes) {
    t.spins_since = changes;
    t.spins = 0;
  }
  // Who looks in vain comes last for a while, or those that it waits for would hardly ever run.
  t.team->priority = chance.below(t.spins > 1 ? 32 : most_urgent);
  constexpr unsigned patience = 300;
  if (++t.spins >= patience && t.spins % 64 == 0) {
    bool stuck = !global.any_waiting() && flights_.empty();
    for (const cluster* team : clusters_)
      for (const auto& home : team->blocks)
        for (const thread& other : home->threads)
          stuck = stuck && (other.state == standing::gone || other.state == standing::parked ||
                            (other.spins_since == changes && other.spins >= patience / 2));
    if (stuck)
      stop(t, standstill{*this,
                         "everybody waits, or looks again and again at memory that "
                         "nobody changes"});
  }
  last_ = nullptr;
  yield();
}

inline void machine::leave(thread& t) {
  block& home = *t.home;
  warp& w = *t.team;
  if (failure_ == nullptr) {
    check_leaving(*this, t);
    finish_copies(*this, t);
    for (const flight& f : flights_)
      if (home.live == 1 && f.home == &home)
        stop(t, "the block ends while an asynchronous copy to its shared memory is under way: ",
             f.bytes.size(), " bytes to byte ", home.memory.offset(f.to), " of the scratch");
  }
  t.state = standing::gone;
  w.gone |= 1u << t.lane;
  thread* next = nullptr;
  if (--home.live == 0) {
    if (--home.team->live_blocks == 0) ended_.push_back(home.team);
  } else if (failure_ == nullptr) {
    next = pick();
  }
  switch_to(next, true);
  std::terminate();  // nobody switches to a fiber that has left
}

/// The running fiber stops for good, where it is; failure_ says why.
inline void machine::abandon() {
  switch_to(nullptr, true);
  std::terminate();
}

// ---------------------------------------------------------------- who is next

inline thread* machine::pick_from(warp& w) {
  unsigned lane = 0;
  if (settings_.drift) {
    const unsigned turn = chance.below(warp_size);
    lane = (std::countr_zero(std::rotr(w.able, static_cast<int>(turn))) + turn) % warp_size;
  } else {
    lane = std::countr_zero(w.able);
  }
  w.able &= ~(1u << lane);
  if (w.able == 0) {
    able_[w.slot] = able_.back();
    able_[w.slot]->slot = w.slot;
    able_.pop_back();
  }
  last_ = &w;
  return &w.home->threads[w.first + lane];
}

/// The next thread to run, or null: the host.
inline thread* machine::pick() {
  global.pass_time();
  if (!flights_.empty() && chance.once_in(16))
    land(chance.below(static_cast<std::uint32_t>(flights_.size())));
  if (last_ != nullptr && last_->able != 0 && chance.below(256) < stickiness_)
    return pick_from(*last_);
  if (able_.empty()) return nullptr;
  std::size_t best = 0;
  if (settings_.drift) {
    best = chance.below(static_cast<std::uint32_t>(able_.size()));
    for (unsigned i = 1; i < contest_; ++i) {
      const std::size_t other = chance.below(static_cast<std::uint32_t>(able_.size()));
      if (able_[other]->priority > able_[best]->priority) best = other;
    }
  }
  return pick_from(*able_[best]);
}

inline void machine::enlist(warp& w) {
  w.slot = static_cast<unsigned>(able_.size());
  able_.push_back(&w);
}

inline flight& machine::send(thread& t, block& home, void* to, std::size_t bytes,
                             std::size_t barrier) {
  flight& f = flights_.emplace_back();
  f.bytes.resize(bytes);
  f.to = static_cast<unsigned char*>(to);
  f.home = &home;
  f.barrier = barrier;
  // Only who waits on the barrier knows that the copy has happened.
  cluster& team = *home.team;
  f.brings = publish(t, false);
  pool.set(f.brings.known, team.members, ++team.bulk_now);
  home.memory.attribute(to, bytes, static_cast<std::uint16_t>(team.members), team.bulk_now);
  return f;
}

/// Brings a copy to its place and counts it on its barrier.
inline void machine::land(std::size_t i) {
  flight f = std::move(flights_[i]);
  flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(i));
  note_change();
  std::memcpy(f.to, f.bytes.data(), f.bytes.size());
  f.home->memory.land(f.to, f.bytes.size());
  transfer& barrier = f.home->transfers[f.barrier];
  gather(barrier.gathered, f.brings);
  barrier.bytes -= static_cast<std::int64_t>(f.bytes.size());
  end_phase_if_complete(*this, barrier);
}

/// Something that happens without a thread: true if it did.
inline bool machine::help() {
  if (!flights_.empty()) {
    land(chance.below(static_cast<std::uint32_t>(flights_.size())));
    return true;
  }
  return false;
}

}  // namespace rung::virtual_gpu
