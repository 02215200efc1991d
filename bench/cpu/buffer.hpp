// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for benchmarks: on huge pages where the system grants them, touched by all threads.
#pragma once
#include <sys/mman.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstring>
#include <new>
#include <type_traits>

#include "types.hpp"

namespace bench {

class buffer {
 public:
  explicit buffer(std::size_t bytes) : bytes_((bytes + 2 * huge - 1) & ~(huge - 1)) {
    void* p = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    start_ = static_cast<char*>(p);
    madvise(start_, bytes_, MADV_HUGEPAGE);
    each_part([](char* part, std::size_t n) { std::memset(part, 0, n); });
  }
  ~buffer() { munmap(start_, bytes_); }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  /// The buffer from its first huge page on.
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(start_) + huge - 1) &
                                ~(huge - 1));
  }

  /// n values in [-1/2, 1/2), or small integers, without a pattern.
  template <class T>
  T* fill(std::size_t n) const {
    T* x = as<T>();
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 1 << 16), [x](const auto& r) {
      for (std::size_t i = r.begin(); i < r.end(); i++) {
        const std::uint64_t h = (i ^ i >> 29) * 0x9e3779b97f4a7c15u;
        if constexpr (std::is_integral_v<T>) x[i] = T(h >> 52) - 2048;
        else x[i] = T(float(h >> 40) * 0x1p-24f - 0.5f);
      }
    });
    return x;
  }

 private:
  static constexpr std::size_t huge = 2 << 20;

  template <class F>
  void each_part(F f) const {
    tbb::parallel_for(std::size_t(0), bytes_ / huge,
                      [&](std::size_t i) { f(start_ + i * huge, huge); });
  }

  char* start_;
  std::size_t bytes_;
};

}  // namespace bench
