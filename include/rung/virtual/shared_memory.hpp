// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The shared memory of a block: its bytes, and for every byte who wrote it last and who has read it
// since. An access is a finding if nothing was written before a read, or if two accesses, one of
// them a write, are not ordered by a barrier. Cost: one comparison of ticks per byte and access.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "knowledge.hpp"
#include "place.hpp"

namespace rung::virtual_gpu {

inline constexpr unsigned char poison = 0xfb;

/// Sets of threads that have read a byte, for bytes that more than one thread reads.
class reader_sets {
 public:
  void reset(unsigned members) {
    members_ = members;
    used_ = 0;
  }
  std::uint32_t make() {
    if (++used_ > ticks_.size() / members_) ticks_.resize(std::size_t(used_) * 2 * members_);
    std::fill_n(of(used_ - 1), members_, 0);
    return used_ - 1;
  }
  tick* of(std::uint32_t set) { return ticks_.data() + std::size_t(set) * members_; }

 private:
  unsigned members_ = 1;
  std::uint32_t used_ = 0;
  std::vector<tick> ticks_;
};

/// Who accesses: a thread of the cluster at one of its ticks, with what it knows.
struct visitor {
  std::uint16_t member;
  std::uint16_t at;  // number of the place
  tick now;
  const knowledge* known;
  bool has_seen(std::uint16_t other, tick then) const {
    return other == member || (*known)[other] >= then;
  }
};

/// What is wrong with an access, and who did the other half of it.
struct conflict {
  enum class kind {
    none,
    never_written,
    in_flight,
    unordered_write,
    unordered_read
  } what = kind::none;
  std::uint16_t other = 0, at = 0;
  explicit operator bool() const { return what != kind::none; }
};

class shared_memory {
 public:
  /// Room for `bytes` bytes of poison; everything from before is forgotten.
  void reset(std::size_t bytes) {
    if (bytes > capacity_) {
      memory_ = std::make_unique<unsigned char[]>(bytes + alignment);
      shadows_ = std::make_unique<shadow[]>(bytes);
      capacity_ = bytes;
      generation_ = 0;
    }
    bytes_ = bytes;
    if (++generation_ == 0) {
      for (std::size_t i = 0; i < capacity_; ++i) shadows_[i] = {};
      generation_ = 1;
    }
    if (bytes_ != 0) std::memset(begin(), poison, bytes_);
  }
  unsigned char* begin() const {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    return memory_.get() + (alignment - address % alignment) % alignment;
  }
  std::size_t size() const { return bytes_; }
  bool contains(const void* place, std::size_t bytes) const {
    const auto* p = static_cast<const unsigned char*>(place);
    return capacity_ != 0 && p >= begin() && p + bytes <= begin() + bytes_;
  }
  std::size_t offset(const void* place) const {
    return static_cast<std::size_t>(static_cast<const unsigned char*>(place) - begin());
  }

  conflict read(const void* place, std::size_t bytes, const visitor& who, reader_sets& readers) {
    shadow* s = shadows_.get() + offset(place);
    for (shadow* end = s + bytes; s != end; ++s) {
      if (s->generation != generation_ || s->writer == nobody)
        return {conflict::kind::never_written, 0, 0};
      if (s->in_flight) return {conflict::kind::in_flight, s->writer, s->write_at};
      if (!who.has_seen(s->writer, s->written))
        return {conflict::kind::unordered_write, s->writer, s->write_at};
      if (s->reader == several) {
        readers.of(s->read)[who.member] = who.now;
      } else if (s->reader == nobody || who.has_seen(s->reader, s->read)) {
        s->reader = who.member;
        s->read = who.now;
      } else {
        const std::uint32_t set = readers.make();
        readers.of(set)[s->reader] = s->read;
        readers.of(set)[who.member] = who.now;
        s->reader = several;
        s->read = set;
      }
      s->read_at = who.at;
    }
    return {};
  }

  /// A strong load: it may meet atomics and strong stores unordered.
  conflict read_strong(const void* place, std::size_t bytes, const visitor& who) const {
    const shadow* s = shadows_.get() + offset(place);
    for (const shadow* end = s + bytes; s != end; ++s) {
      if (s->generation != generation_ || s->writer == nobody)
        return {conflict::kind::never_written, 0, 0};
      if (s->in_flight) return {conflict::kind::in_flight, s->writer, s->write_at};
      if (!s->atomic && !who.has_seen(s->writer, s->written))
        return {conflict::kind::unordered_write, s->writer, s->write_at};
    }
    return {};
  }

  /// `atomic`: may meet other atomics unordered. `in_flight`: an asynchronous copy begins to write.
  conflict write(const void* place, std::size_t bytes, const visitor& who, reader_sets& readers,
                 unsigned members, bool atomic = false, bool in_flight = false) {
    shadow* s = shadows_.get() + offset(place);
    for (shadow* end = s + bytes; s != end; ++s) {
      if (s->generation != generation_) {
        *s = {};
        s->generation = generation_;
      }
      if (s->writer != nobody) {
        if (s->in_flight && !in_flight) return {conflict::kind::in_flight, s->writer, s->write_at};
        if (!who.has_seen(s->writer, s->written) && !(atomic && s->atomic))
          return {conflict::kind::unordered_write, s->writer, s->write_at};
      }
      if (s->reader == several) {
        const tick* set = readers.of(s->read);
        for (unsigned other = 0; other < members; ++other)
          if (set[other] != 0 && !who.has_seen(static_cast<std::uint16_t>(other), set[other]))
            return {conflict::kind::unordered_read, static_cast<std::uint16_t>(other), s->read_at};
      } else if (s->reader != nobody && !who.has_seen(s->reader, s->read)) {
        return {conflict::kind::unordered_read, s->reader, s->read_at};
      }
      s->writer = who.member;
      s->written = who.now;
      s->write_at = who.at;
      s->atomic = atomic;
      s->in_flight = in_flight;
      s->reader = nobody;
    }
    return {};
  }

  /// The last write of these bytes counts as that of `member` at tick `now`.
  void attribute(const void* place, std::size_t bytes, std::uint16_t member, tick now) {
    shadow* s = shadows_.get() + offset(place);
    for (shadow* end = s + bytes; s != end; ++s) {
      s->writer = member;
      s->written = now;
    }
  }
  /// An asynchronous copy has brought its bytes: the writer's write, at tick `now` if that is not
  /// 0.
  void land(const void* place, std::size_t bytes, tick now = 0) {
    shadow* s = shadows_.get() + offset(place);
    for (shadow* end = s + bytes; s != end; ++s) {
      s->in_flight = false;
      if (now != 0) s->written = now;
    }
  }

 private:
  static constexpr std::size_t alignment = 1024;
  static constexpr std::uint16_t nobody = 0xffff, several = 0xfffe;
  struct shadow {
    tick written = 0;
    tick read = 0;  // or the number of the set of readers
    std::uint16_t writer = nobody, reader = nobody;
    std::uint16_t write_at = 0, read_at = 0;
    std::uint16_t generation = 0;
    bool atomic = false, in_flight = false;
  };

  std::unique_ptr<unsigned char[]> memory_;
  std::unique_ptr<shadow[]> shadows_;
  std::size_t capacity_ = 0, bytes_ = 0;
  std::uint16_t generation_ = 0;
};

}  // namespace rung::virtual_gpu
