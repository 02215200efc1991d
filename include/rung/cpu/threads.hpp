// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads of the CPU rung: oneTBB where it is there (the caller's arena decides how many),
// otherwise the calling thread. Work is a numbered list of tasks; workers take the next number. How
// many workers there are, and who takes what, can never change a result. Every worker computes in
// the default floating-point mode: no flush to zero, round to nearest.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#if defined(RUNG_HAVE_TBB)
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace rung {

/// The CPU rung: who folds. threads = 0: as many as the caller's arena has; results are the same
/// for any number.
struct cpu_rung {
  int threads = 0;
  void (*progress)(void* context,
                   double fraction) = nullptr;  ///< called now and then, from one thread at a time
  void* progress_context = nullptr;

  constexpr cpu_rung with_threads(int n) const {
    cpu_rung c = *this;
    c.threads = n;
    return c;
  }
};
inline constexpr cpu_rung cpu{};

namespace host {

/// Sets the default floating-point mode for a scope and puts the caller's back.
class default_float_mode {
 public:
#if defined(__SSE2__)
  default_float_mode() : saved_(_mm_getcsr()) {
    if ((saved_ & controls) != defaults) _mm_setcsr((saved_ & ~controls) | defaults);
  }
  ~default_float_mode() {
    if ((saved_ & controls) != defaults) _mm_setcsr(saved_);
  }

 private:
  static constexpr unsigned controls = 0xe040,
                            defaults = 0;  // rounding, flush to zero, denormals are zero
  unsigned saved_;
#else
  default_float_mode() { std::fegetenv(&saved_), std::fesetenv(FE_DFL_ENV); }
  ~default_float_mode() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif
 public:
  default_float_mode(const default_float_mode&) = delete;
  default_float_mode& operator=(const default_float_mode&) = delete;
};

/// Memory that grows and is never given back before its owner goes.
class growing_block {
 public:
  growing_block() = default;
  growing_block(const growing_block&) = delete;
  growing_block& operator=(const growing_block&) = delete;
  ~growing_block() { ::operator delete(p_, std::align_val_t(64)); }
  std::byte* at_least(std::size_t bytes) {
    if (size_ < bytes) {
      ::operator delete(p_, std::align_val_t(64));
      p_ = nullptr, size_ = 0;
      p_ = static_cast<std::byte*>(::operator new(bytes, std::align_val_t(64)));
      size_ = bytes;
    }
    return p_;
  }

 private:
  std::byte* p_ = nullptr;
  std::size_t size_ = 0;
};

/// The buffers of a thread. A fold inside another one's operator or transformation has its own.
struct buffer_set {
  std::array<growing_block, 9> blocks;
  std::unique_ptr<buffer_set> inner;
  int depth = 0;  ///< of the outermost set only: how many scopes are open

  static buffer_set& of_thread() {
    thread_local buffer_set set;
    return set;
  }
};

/// What every worker is in while it works: the default floating-point mode, buffers of its own.
class worker_scope {
 public:
  worker_scope() { buffer_set::of_thread().depth++; }
  ~worker_scope() { buffer_set::of_thread().depth--; }
  worker_scope(const worker_scope&) = delete;
  worker_scope& operator=(const worker_scope&) = delete;

 private:
  default_float_mode mode_;
};

/// Memory for one purpose that a worker keeps from task to task; for use in a worker_scope.
template <int Slot>
std::byte* thread_buffer(std::size_t bytes) {
  buffer_set* set = &buffer_set::of_thread();
  for (int depth = set->depth; depth > 1; depth--) {
    if (!set->inner) set->inner = std::make_unique<buffer_set>();
    set = set->inner.get();
  }
  return set->blocks[Slot].at_least(bytes);
}

inline int worker_count(const cpu_rung& where) {
#if defined(RUNG_HAVE_TBB)
  return where.threads > 0 ? where.threads : std::max(1, tbb::this_task_arena::max_concurrency());
#else
  return (void)where, 1;
#endif
}

/// Runs worker() on `workers` threads at the same time, or as many as there are; returns when all
/// have returned. An exception of one is thrown here.
template <class Worker>
void run_workers([[maybe_unused]] const cpu_rung& where, int workers, const Worker& worker) {
  if (workers <= 1) {
    const worker_scope scope;
    worker();
    return;
  }
#if defined(RUNG_HAVE_TBB)
  auto all = [&] {
    tbb::parallel_for(
        0, workers,
        [&](int) {
          const worker_scope scope;
          // Isolated: an operator that waits for parallel work of its own is not given our next
          // task meanwhile.
          tbb::this_task_arena::isolate(worker);
        },
        tbb::static_partitioner{});
  };
  // There are never more than `workers` tasks, so an arena of our own is only needed for more
  // threads than the caller's has: workers are slow to come to a new one.
  if (where.threads > tbb::this_task_arena::max_concurrency()) {
    // oneTBB makes no more workers than this says, however large an arena is asked for.
    using limit = tbb::global_control;
    const std::size_t most =
        std::max(limit::active_value(limit::max_allowed_parallelism), std::size_t(where.threads));
    const limit raised(limit::max_allowed_parallelism, most);
    tbb::task_arena(where.threads).execute(all);
  } else all();
#else
  worker();
#endif
}

/// Tells the caller how far the work is, at most from one thread at a time.
class progress_meter {
 public:
  progress_meter(const cpu_rung& where, std::size_t total) : where_(where), total_(total) {}
  void advance() {
    if (!where_.progress) return;
    const std::size_t done = done_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (std::unique_lock lock(mutex_, std::try_to_lock); lock)
      where_.progress(where_.progress_context, double(done) / double(total_));
  }

 private:
  const cpu_rung& where_;
  std::size_t total_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
};

/// task(i) for i < count, each once, in any order, on all workers.
template <class Task>
void for_each_task(const cpu_rung& where, std::size_t count, const Task& task) {
  const int workers = int(std::min<std::size_t>(count, std::size_t(worker_count(where))));
  std::atomic<std::size_t> next{0};
  progress_meter meter(where, count);
  run_workers(where, workers, [&] {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      task(i);
      meter.advance();
    }
  });
}

}  // namespace host
}  // namespace rung
