// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What a test may choose about the virtual GPU, and what it can ask afterwards. Settings belong to
// the calling host thread.
#pragma once
#include <cstdint>

namespace rung::virtual_gpu {

struct settings {
  std::uint64_t seed = 1;        ///< everything that is left to chance follows from it
  unsigned resident_blocks = 0;  ///< blocks that run at the same time; 0: the seed chooses
  bool drift = true;             ///< lanes, warps and blocks run in an adversarial order
  bool late_stores = true;  ///< stores to global memory become visible late, in any legal order
};

struct statistics {
  std::uint64_t launches = 0, blocks = 0, threads = 0;
  std::uint64_t switches = 0;  ///< between fibers
};

inline settings& current_settings() {
  static thread_local settings chosen;
  return chosen;
}
/// Launches since the last configure(): each draws its own chance from the seed.
inline std::uint64_t& launches_with_settings() {
  static thread_local std::uint64_t count = 0;
  return count;
}
/// The next launches of this host thread run with these settings.
inline void configure(const settings& chosen) {
  current_settings() = chosen;
  launches_with_settings() = 0;
}

inline statistics& current_statistics() {
  static thread_local statistics counted;
  return counted;
}

/// xorshift64*: chance with a seed.
class random {
 public:
  void seed(std::uint64_t value) {
    state_ = (value + 1) * 0x9e3779b97f4a7c15u;
    if (state_ == 0) state_ = 1;
    next();
    next();
  }
  std::uint32_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::uint32_t>((state_ * 0x2545f4914f6cdd1du) >> 32);
  }
  /// 0 to n - 1.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((std::uint64_t(next()) * n) >> 32);
  }
  bool once_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace rung::virtual_gpu
