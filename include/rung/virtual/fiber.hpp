// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Fibers: stacks from a pool, and the switch between two of them (Boost.Context), which
// AddressSanitizer is told about. A switch costs about 10 ns.
#pragma once
#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace rung::virtual_gpu {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool has_asan = true;
#else
inline constexpr bool has_asan = false;
#endif

/// Equal stacks with a guard page below each. Used again last in, first out, so they stay in cache.
class stack_pool {
 public:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t bytes = (has_asan ? 256 : 64) * 1024;

  stack_pool() = default;
  stack_pool(const stack_pool&) = delete;
  ~stack_pool() {
    for (char* region : regions_) munmap(region, region_bytes);
  }

  /// The lowest address of a stack of `bytes` bytes.
  char* take() {
    if (free_.empty()) grow();
    char* stack = free_.back();
    free_.pop_back();
    return stack;
  }
  /// `abandoned`: frames of the kernel were left on it without returning.
  void give_back(char* stack, bool abandoned) {
#if defined(__SANITIZE_ADDRESS__)
    const std::size_t used = abandoned ? bytes : 2 * page + 4096;
    __asan_unpoison_memory_region(stack + bytes - used, used);
#else
    (void)abandoned;
#endif
    free_.push_back(stack);
  }

 private:
  static constexpr std::size_t per_region = 64;
  static constexpr std::size_t region_bytes = per_region * (bytes + page);

  void grow() {
    void* mapped = mmap(nullptr, region_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    char* region = static_cast<char*>(mapped);
    regions_.push_back(region);
    for (std::size_t i = per_region; i-- > 0;) {
      char* guard = region + i * (bytes + page);
      mprotect(guard, page, PROT_NONE);
      free_.push_back(guard + page);
    }
  }

  std::vector<char*> regions_;
  std::vector<char*> free_;
};

/// One side of a switch: where to go on, and what AddressSanitizer wants to know of the stack.
struct fiber {
  boost::context::detail::fcontext_t context = nullptr;
  const void* stack = nullptr;  // lowest address
  std::size_t stack_bytes = 0;
  void* fake_stack = nullptr;
};

/// Makes `self` ready to start in `entry` on a stack of the pool. `colour` spreads the hot ends of
/// the stacks over the sets of the cache.
inline void prepare(fiber& self, char* stack, unsigned colour,
                    void (*entry)(boost::context::detail::transfer_t)) {
  const std::size_t shift = colour % 32 * 128;
  self.stack = stack;
  self.stack_bytes = stack_pool::bytes;
  self.fake_stack = nullptr;
  self.context = boost::context::detail::make_fcontext(stack + stack_pool::bytes - shift,
                                                       stack_pool::bytes - shift, entry);
}

/// First thing after a switch, on the side that goes on: `from` is the side that stopped.
inline void arrive(fiber& from, fiber& self, boost::context::detail::fcontext_t stopped_at) {
  from.context = stopped_at;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(self.fake_stack, &from.stack, &from.stack_bytes);
#else
  (void)self;
#endif
}

/// Stops `from` and goes on with `to`; returns when something switches back to `from`, with the
/// side that stopped for it. `stopping` is where the machine notes who stops.
inline void switch_fiber(fiber& from, fiber& to, fiber*& stopping, void* data, bool leaving) {
  stopping = &from;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(leaving ? nullptr : &from.fake_stack, to.stack, to.stack_bytes);
#else
  (void)leaving;
#endif
  const auto back = boost::context::detail::jump_fcontext(to.context, data);
  arrive(*stopping, from, back.fctx);
}

}  // namespace rung::virtual_gpu
