// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What a thread knows of the others: for every thread of its cluster, up to which of that thread's
// ticks its memory accesses happened before now. Threads that met share one immutable vector, so a
// barrier of n threads costs one vector and n additions.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <utility>
#include <vector>

namespace rung::virtual_gpu {

using tick = std::uint32_t;

class knowledge_pool;

/// A handle to one vector of ticks, shared until the last handle lets go.
class knowledge {
 public:
  knowledge() = default;
  knowledge(const knowledge& other) : shared_(other.shared_) {
    if (shared_ != nullptr) ++shared_->owners;
  }
  knowledge(knowledge&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  knowledge& operator=(knowledge other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~knowledge() { let_go(); }

  explicit operator bool() const { return shared_ != nullptr; }
  bool same(const knowledge& other) const { return shared_ == other.shared_; }
  tick operator[](unsigned member) const { return shared_->at[member]; }

 private:
  friend class knowledge_pool;
  struct alignas(64) vector {
    knowledge_pool* home;
    std::uint32_t owners;
    tick* at;  // the ticks follow this header
  };
  explicit knowledge(vector* shared) : shared_(shared) {}
  inline void let_go();

  vector* shared_ = nullptr;
};

/// Makes the vectors of one launch, all of the same size, and keeps them for the next.
class knowledge_pool {
 public:
  knowledge_pool() = default;
  knowledge_pool(const knowledge_pool&) = delete;
  ~knowledge_pool() { clear(); }

  /// From now on vectors have room for this many threads. No handle may be left.
  void resize(unsigned members) {
    const std::uint32_t size = (members + 15) / 16 * 16;
    if (size != size_) clear();
    size_ = size;
  }
  knowledge nothing() {
    knowledge made = raw();
    std::fill_n(made.shared_->at, size_, 0);
    return made;
  }
  knowledge copy(const knowledge& from) {
    knowledge made = raw();
    std::copy_n(from.shared_->at, size_, made.shared_->at);
    return made;
  }
  /// Only for a vector that nobody else has a handle to.
  void set(knowledge& mine, unsigned member, tick now) { mine.shared_->at[member] = now; }
  void add(knowledge& mine, const knowledge& other) {
    tick* to = mine.shared_->at;
    const tick* from = other.shared_->at;
    for (std::uint32_t i = 0; i < size_; i += 16)
      for (std::uint32_t j = 0; j < 16; ++j) to[i + j] = (std::max)(to[i + j], from[i + j]);
  }
  knowledge both(const knowledge& a, const knowledge& b) {
    if (!b || a.same(b)) return a;
    knowledge made = copy(a);
    add(made, b);
    return made;
  }

 private:
  friend class knowledge;
  knowledge raw() {
    knowledge::vector* made = nullptr;
    if (free_.empty()) {
      void* memory =
          std::aligned_alloc(64, (sizeof(knowledge::vector) + size_ * sizeof(tick) + 63) / 64 * 64);
      if (memory == nullptr) throw std::bad_alloc();
      made = new (memory) knowledge::vector;
      made->home = this;
      made->at = reinterpret_cast<tick*>(made + 1);
    } else {
      made = free_.back();
      free_.pop_back();
    }
    made->owners = 1;
    return knowledge(made);
  }
  void clear() {
    for (auto* vector : free_) std::free(vector);
    free_.clear();
  }

  std::uint32_t size_ = 0;
  std::vector<knowledge::vector*> free_;
};

inline void knowledge::let_go() {
  if (shared_ != nullptr && --shared_->owners == 0) shared_->home->free_.push_back(shared_);
}

}  // namespace rung::virtual_gpu
