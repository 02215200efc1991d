// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Global memory while a kernel runs. A store waits in a buffer and arrives later, in any order that
// the machine allows: stores of one cluster to one place in order, everything that happened before
// a release or a fence before what follows it. A plain load of a store that is not ordered before
// it is a finding. A relaxed load may still see the value before the last one.
#pragma once
#include <array>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "allocations.hpp"
#include "grid.hpp"
#include "settings.hpp"

namespace rung::virtual_gpu {

class stores {
 public:
  /// One store of the launch that is running.
  struct note {
    std::uint32_t cluster = 0;
    tick when = 0;
    std::uint16_t member = 0, at = 0;
    arrival arrived = 0;  // 0: under way
  };

  stores(random& chance, knowledge_pool& pool) : chance_(chance), pool_(pool) {}

  void begin_launch(bool late) {
    late_ = late;
    arrivals_ = 0;
    capacity_ = late ? 1u << (1 + chance_.below(7)) : 0;
    delay_ = 2u << chance_.below(6);
  }
  void end_launch() {
    while (!waiting_.empty()) deliver(0);
    abandon();
  }
  /// Forgets what is under way.
  void abandon() {
    waiting_.clear();
    words_.clear();
    crowds_.fill(0);
    first_note_ += static_cast<std::uint32_t>(notes_.size());
    notes_.clear();
    if (first_note_ > 1u << 30) {
      allocations::all().forget_notes();
      first_note_ = 1;
    }
  }

  bool any_waiting() const { return !waiting_.empty(); }
  /// How often global memory has changed.
  std::uint64_t changes() const { return changes_; }
  /// Chance lets one store arrive; the machine calls it all the time.
  void pass_time() {
    if (!waiting_.empty() && chance_.once_in(delay_)) deliver_one();
  }
  void deliver_one() { deliver(chance_.below(static_cast<std::uint32_t>(waiting_.size()))); }

  /// The store that a plain load of these bytes would race with, if there is one.
  std::optional<note> race(const thread& t, allocation& home, const unsigned char* from,
                           std::size_t bytes) const {
    if (home.notes.empty()) return {};
    std::uint32_t last = 0;
    for (std::size_t i = 0, at = static_cast<std::size_t>(from - home.begin); i < bytes; ++i) {
      const std::uint32_t* id = home.note(at + i, false);
      if (id == nullptr || *id == last || *id < first_note_) continue;
      last = *id;
      const note& n = notes_[last - first_note_];
      if (!ordered(t, n)) return n;
    }
    return {};
  }
  /// Has this launch stored to any of these bytes?
  std::optional<note> stored(allocation& home, const unsigned char* from, std::size_t bytes) const {
    if (home.notes.empty()) return {};
    for (std::size_t i = 0, at = static_cast<std::size_t>(from - home.begin); i < bytes; ++i)
      if (const auto* id = home.note(at + i, false); id != nullptr && *id >= first_note_)
        return notes_[*id - first_note_];
    return {};
  }

  void load(const thread& t, const unsigned char* from, void* to, std::size_t bytes) {
    deliver_known(t, from, bytes);
    std::memcpy(to, from, bytes);
  }

  /// A plain store, or (with what it hands on) a strong one.
  void store(thread& t, allocation& home, unsigned char* to, const void* from, std::size_t bytes,
             std::size_t piece, std::uint16_t at, const publication* handed_on) {
    for (std::size_t i = 0; i < bytes; i += piece) {
      waiting w;
      w.to = to + i;
      w.bytes = static_cast<unsigned>(piece);
      w.note = annotate(t, home, to + i, piece, at);
      w.strong = handed_on != nullptr;
      if (w.strong) w.handed_on = *handed_on;
      std::memcpy(w.value, static_cast<const unsigned char*>(from) + i, piece);
      count(w, 1);
      waiting_.push_back(std::move(w));
    }
    while (waiting_.size() > capacity_) deliver_one();
  }

  /// A strong load: the value, and what its word hands on (null: nothing).
  const publication* load_strong(const thread& t, const unsigned char* from, void* to,
                                 std::size_t bytes) {
    deliver_known(t, from, bytes);
    const auto found = words_.find(from);
    if (found == words_.end()) {
      std::memcpy(to, from, bytes);
      return nullptr;
    }
    word& w = found->second;
    const std::uint64_t us = bit_of(t.home->team->number);
    if (late_ && w.changed > t.sees && (w.seen_by & us) == 0 && w.bytes == bytes &&
        chance_.once_in(3)) {
      std::memcpy(to, w.before, bytes);
      return &w.handed_on_before;
    }
    w.seen_by |= us;
    std::memcpy(to, from, bytes);
    return &w.handed_on;
  }

  /// An atomic change: now, where all blocks meet. `change` gets the place.
  template <class F>
  void change(thread& t, allocation& home, unsigned char* place, std::size_t bytes,
              std::uint16_t at, const publication& handed_on, F&& change) {
    deliver_known(t, place, bytes);
    notes_[annotate(t, home, place, bytes, at) - first_note_].arrived = ++arrivals_;
    word& w = remember(place, bytes);
    w.seen_by = bit_of(t.home->team->number);
    change();
    if (std::memcmp(w.before, place, bytes) != 0) ++changes_;
    // An atomic goes on handing on what its word did: it belongs to the release's sequence.
    w.handed_on.until = (std::max)(w.handed_on.until, handed_on.until);
    if (handed_on.known) {
      if (w.handed_on.known && w.handed_on.from == handed_on.from)
        w.handed_on.known = pool_.both(handed_on.known, w.handed_on.known);
      else w.handed_on.known = handed_on.known;
      w.handed_on.from = handed_on.from;
    }
  }
  const publication* handed_on(const unsigned char* place) const {
    const auto found = words_.find(place);
    return found == words_.end() ? nullptr : &found->second.handed_on;
  }

  /// Everything that happened before this moment of t arrives. Returns where arrivals stand.
  arrival deliver_before(const thread& t) {
    deliver_all([&](std::size_t i) { return happened_before(t, note_of(i)); });
    return arrivals_;
  }

 private:
  struct waiting {
    unsigned char* to = nullptr;
    unsigned bytes = 0;
    std::uint32_t note = 0;
    bool strong = false;
    publication handed_on;
    unsigned char value[16];
  };
  /// A place that threads agree through.
  struct word {
    arrival changed = 0;
    std::uint64_t seen_by = 0;  // clusters (by number mod 64) that have seen the last value
    std::size_t bytes = 0;
    unsigned char before[16] = {};
    publication handed_on, handed_on_before;
  };

  const note& note_of(std::size_t i) const { return notes_[waiting_[i].note - first_note_]; }
  static std::uint64_t bit_of(std::uint32_t cluster) { return std::uint64_t(1) << cluster % 64; }
  static bool happened_before(const thread& t, const note& n) {
    return n.cluster == t.home->team->number &&
           (n.member == t.member || t.known[n.member] >= n.when);
  }
  static bool ordered(const thread& t, const note& n) {
    return happened_before(t, n) || (n.arrived != 0 && n.arrived <= t.sees);
  }

  /// The most stores under way at 4 bytes of these; a little more where places share a counter.
  unsigned crowd(const unsigned char* place, std::size_t bytes) const {
    const auto first = reinterpret_cast<std::uintptr_t>(place) / 4;
    const auto last = (reinterpret_cast<std::uintptr_t>(place) + bytes - 1) / 4;
    unsigned most = 0;
    for (auto i = first; i <= last; ++i) most = (std::max<unsigned>)(most, crowds_[slot(i)]);
    return most;
  }
  void count(const waiting& w, int change) {
    const auto first = reinterpret_cast<std::uintptr_t>(w.to) / 4;
    const auto last = (reinterpret_cast<std::uintptr_t>(w.to) + w.bytes - 1) / 4;
    for (auto i = first; i <= last; ++i)
      crowds_[slot(i)] = static_cast<std::uint16_t>(crowds_[slot(i)] + change);
  }
  static std::size_t slot(std::uintptr_t number) {
    return static_cast<std::uint32_t>(number * 0x9e3779b1u) >> 20;
  }

  std::uint32_t annotate(const thread& t, allocation& home, unsigned char* to, std::size_t bytes,
                         std::uint16_t at) {
    const auto id = first_note_ + static_cast<std::uint32_t>(notes_.size());
    notes_.push_back({t.home->team->number, t.now, static_cast<std::uint16_t>(t.member), at, 0});
    const auto offset = static_cast<std::size_t>(to - home.begin);
    for (std::size_t i = 0; i < bytes; ++i) *home.note(offset + i, true) = id;
    return id;
  }

  /// What t itself or someone before it has stored here is there when t looks.
  void deliver_known(const thread& t, const unsigned char* from, std::size_t bytes) {
    if (waiting_.empty() || crowd(from, bytes) == 0) return;
    deliver_all([&](std::size_t i) {
      return overlap(waiting_[i], from, bytes) && happened_before(t, note_of(i));
    });
  }
  template <class Which>
  void deliver_all(Which&& which) {
    for (std::size_t i = 0; i < waiting_.size();) {
      if (!which(i)) {
        ++i;
        continue;
      }
      const std::size_t before = waiting_.size();
      deliver(i);
      if (waiting_.size() != before - 1) i = 0;  // others went with it, and their places are filled
    }
  }

  static bool overlap(const waiting& w, const unsigned char* place, std::size_t bytes) {
    return w.to < place + bytes && place < w.to + w.bytes;
  }

  /// Store i arrives, after those that its cluster made before it at the same place.
  void deliver(std::size_t i) {
    const std::uint32_t id = waiting_[i].note;
    while (crowd(waiting_[i].to, waiting_[i].bytes) > 1) {
      const waiting& last = waiting_[i];
      std::size_t first = i;
      for (std::size_t j = 0; j < waiting_.size(); ++j)
        if (waiting_[j].note < waiting_[first].note && overlap(waiting_[j], last.to, last.bytes) &&
            note_of(j).cluster == note_of(i).cluster)
          first = j;
      if (first == i) break;
      deliver(first);
      for (i = 0; waiting_[i].note != id;) ++i;
    }
    waiting w = std::move(waiting_[i]);
    if (i + 1 != waiting_.size()) waiting_[i] = std::move(waiting_.back());
    waiting_.pop_back();
    count(w, -1);
    notes_[w.note - first_note_].arrived = ++arrivals_;
    if (std::memcmp(w.to, w.value, w.bytes) != 0) ++changes_;
    if (w.strong) {
      word& state = remember(w.to, w.bytes);
      state.handed_on = std::move(w.handed_on);
      state.seen_by = bit_of(notes_[w.note - first_note_].cluster);
    } else if (!words_.empty()) {
      words_.erase(w.to);
    }
    std::memcpy(w.to, w.value, w.bytes);
  }

  /// The word at a place, with the value it has now as the one before.
  word& remember(const unsigned char* place, std::size_t bytes) {
    word& w = words_[place];
    w.changed = arrivals_;
    w.seen_by = 0;
    w.bytes = bytes;
    std::memcpy(w.before, place, bytes);
    w.handed_on_before = w.handed_on;
    return w;
  }

  random& chance_;
  knowledge_pool& pool_;
  bool late_ = true;
  std::size_t capacity_ = 0;
  std::uint32_t delay_ = 4;
  arrival arrivals_ = 0;
  std::uint64_t changes_ = 0;
  std::vector<waiting> waiting_;
  std::array<std::uint16_t, 1 << 12> crowds_ = {};  // stores under way, by 4 bytes
  std::unordered_map<const unsigned char*, word> words_;
  std::uint32_t first_note_ = 1;
  std::vector<note> notes_;
};

}  // namespace rung::virtual_gpu
