// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of the virtual GPU, for the whole process: every allocation lies between red zones, is
// filled with poison, and is known by its bounds, so that a kernel's access outside is a finding.
// An allocation also keeps, for each byte, the number of the last store (see stores.hpp).
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "shared_memory.hpp"

namespace rung::virtual_gpu {

struct allocation {
  unsigned char* begin = nullptr;
  std::size_t bytes = 0;
  bool live = false;

  static constexpr std::size_t page_bytes = 1024;
  using page = std::array<std::uint32_t, page_bytes>;
  std::vector<std::unique_ptr<page>> notes;  // empty until a kernel stores here

  bool contains(const void* place, std::size_t count) const {
    const auto p = reinterpret_cast<std::uintptr_t>(place);
    const auto b = reinterpret_cast<std::uintptr_t>(begin);
    return p >= b && p + count <= b + bytes && p + count >= p;
  }
  /// The note of the byte at `offset`, or null if its page has none.
  std::uint32_t* note(std::size_t offset, bool make) {
    if (notes.empty()) {
      if (!make) return nullptr;
      notes.resize(bytes / page_bytes + 1);
    }
    auto& p = notes[offset / page_bytes];
    if (p == nullptr) {
      if (!make) return nullptr;
      p = std::make_unique<page>();
      p->fill(0);
    }
    return p->data() + offset % page_bytes;
  }
};

class allocations {
 public:
  static allocations& all() {
    static allocations* one = new allocations;  // outlives every gpu_array
    return *one;
  }

  void* make(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    auto* raw = static_cast<unsigned char*>(
        ::operator new(bytes + 2 * red_zone, std::align_val_t(red_zone)));
    std::memset(raw, poison, bytes + 2 * red_zone);
    records_.push_back({});
    allocation& made = records_.back();
    made.begin = raw + red_zone;
    made.bytes = bytes;
    made.live = true;
    by_begin_[reinterpret_cast<std::uintptr_t>(made.begin)] = &made;
    return made.begin;
  }
  /// False if the address is not the begin of a live allocation.
  bool release(void* memory) {
    std::lock_guard lock(mutex_);
    const auto found = by_begin_.find(reinterpret_cast<std::uintptr_t>(memory));
    if (found == by_begin_.end()) return false;
    allocation& record = *found->second;
    record.live = false;
    record.notes.clear();
    ::operator delete(record.begin - red_zone, std::align_val_t(red_zone));
    by_begin_.erase(found);
    return true;
  }
  /// The live allocation that an address lies in or just behind, or null.
  allocation* find(const void* place) {
    std::lock_guard lock(mutex_);
    const auto p = reinterpret_cast<std::uintptr_t>(place);
    auto next = by_begin_.upper_bound(p);
    if (next == by_begin_.begin()) return nullptr;
    allocation* candidate = std::prev(next)->second;
    return p <= std::prev(next)->first + candidate->bytes ? candidate : nullptr;
  }
  void forget_notes() {
    std::lock_guard lock(mutex_);
    for (auto& record : records_) record.notes.clear();
  }

 private:
  static constexpr std::size_t red_zone = 256;
  std::mutex mutex_;
  std::deque<allocation> records_;  // records stay, so that a late access can be named
  std::map<std::uintptr_t, allocation*> by_begin_;
};

}  // namespace rung::virtual_gpu
