// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The virtual GPU itself: runs a grid of blocks on fibers, one per CUDA thread, on the calling host
// thread. The scheduler picks the next lane at every meeting point, wait and look at a word, in an
// order that the seed makes adversarial. What waits.hpp and memory.hpp find wrong ends the launch
// with stop(). Cost: one fiber switch per lane and meeting point.
#pragma once
#include <algorithm>
#include <exception>
#include <mutex>

#include "../base/error.hpp"
#include "grid.hpp"
#include "settings.hpp"
#include "stores.hpp"

namespace rung::virtual_gpu {

/// What to run: entry(argument) is the kernel with its arguments.
struct task {
  void (*entry)(const void*);
  const void* argument;
  const void* kernel;  // its address, for its name
  dims grid, block;
  std::size_t scratch_bytes;
  launch_options options;
};

/// Warps have priorities below this; where several could run, a more urgent one may come first.
inline constexpr unsigned most_urgent = 256;

/// Bytes on their way to shared memory, without a thread.
struct flight {
  std::vector<unsigned char> bytes;
  unsigned char* to;
  block* home;  // of the place and of the barrier
  std::size_t barrier;
  publication brings;
};

class machine {
 public:
  static machine& of_this_host_thread() {
    static thread_local machine one;
    return one;
  }

  void run(const task& work);

  /// The machine whose kernel runs on this host thread, or null.
  static machine* active() { return active_; }

  // -- for the words
  thread& running() { return *running_; }
  /// Waits until wake(): the caller has noted what for.
  void park();
  void wake(thread& sleeper);
  /// Lets others run. A look at memory that may have to be repeated counts against patience.
  void yield();
  void spin();
  /// Yields now and then.
  void drift() {
    if (--drift_in_ == 0) {
      drift_in_ = 1 + chance.below(2 * drift_period_);
      if (settings_.drift) yield();
    }
  }
  /// Ends the launch; the pieces (report.hpp) say what is wrong, at the place where `t` is.
  template <class... Pieces>
  [[noreturn]] void stop(const thread& t, const Pieces&... pieces);

  /// Writes to shared memory, and notes whether that changed anything.
  void write_bytes(void* to, const void* from, std::size_t bytes) {
    if (std::memcmp(to, from, bytes) == 0) return;
    std::memcpy(to, from, bytes);
    note_change();
  }
  void note_change() { ++changes_; }
  /// How often memory has changed: looking at memory again makes sense after that.
  unsigned changes() const { return changes_ + static_cast<unsigned>(global.changes()); }

  /// A copy sets out; the caller fills in its bytes.
  flight& send(thread& t, block& home, void* to, std::size_t bytes, std::size_t barrier);

  // -- what happened before what
  knowledge_pool pool;
  /// Everyone here has seen what everyone here did.
  template <class Threads>
  void meet(Threads&& threads);
  /// What t hands on now. `wide`: to all blocks, so what it knows of has to arrive first.
  publication publish(thread& t, bool wide);
  void learn(thread& t, const publication& from);
  /// What `from` hands on comes to `sum`; ticks only inside the cluster of this number.
  void add(publication& sum, const publication& from, std::uint32_t cluster);
  void gather(gathering& all, thread& t);
  void gather(gathering& all, const publication& part);

  random chance;
  place_table places;
  stores global;
  const task& work() const { return *work_; }
  const std::vector<cluster*>& running_clusters() const { return clusters_; }
  std::uint64_t clusters_left() const { return order_size_ - started_; }
  unsigned residency() const { return residency_; }
  /// The first block of the cluster that started as number `number`.
  std::uint64_t first_block_of(std::uint32_t number) const {
    return place_in_order(number - 1) * work_->options.cluster;
  }
  std::uint64_t seed() const { return settings_.seed; }
  std::uint64_t launch_number() const { return launch_; }

  machine() : global(chance, pool) {}

 private:
  static void enter(boost::context::detail::transfer_t from);
  [[noreturn]] void leave(thread& t);
  [[noreturn]] void abandon();
  void switch_to(thread* next, bool leaving = false);
  thread* pick();
  thread* pick_from(warp& w);
  void enlist(warp& w);
  void land(std::size_t i);
  bool help();

  template <class... Pieces>
  [[noreturn]] void refuse(const Pieces&... pieces);
  void check_sizes();
  void choose_residency();
  void start_cluster();
  void start_block(cluster& team, unsigned rank_in_cluster, std::uint64_t rank);
  void retire(cluster& team);
  void clean_up();
  void choose_order();
  std::uint64_t place_in_order(std::uint64_t i) const {
    return (order_first_ + i * order_step_) % order_size_;
  }

  static inline constinit thread_local machine* active_ = nullptr;
  settings settings_;
  std::uint64_t launch_ = 0;
  const task* work_ = nullptr;
  std::exception_ptr failure_;

  fiber host_;
  fiber* stopping_ = nullptr;
  thread* running_ = nullptr;
  stack_pool stacks_;

  std::vector<warp*> able_;  // warps with lanes that can run
  warp* last_ = nullptr;
  unsigned stickiness_ = 0, contest_ = 1;
  unsigned drift_in_ = 1, drift_period_ = 8;

  std::vector<cluster*> clusters_, ended_;
  std::vector<std::unique_ptr<cluster>> cluster_store_;
  std::vector<cluster*> free_clusters_;
  std::vector<std::unique_ptr<block>> free_blocks_;
  std::vector<flight> flights_;
  std::uint64_t order_size_ = 0, started_ = 0, order_step_ = 1, order_first_ = 0;
  unsigned changes_ = 0;
  unsigned resident_ = 0, residency_ = 1;
  std::uint32_t next_number_ = 0;
  knowledge nothing_;
};

/// Bulk stores that nobody waited for arrive when their thread has left (copy.hpp).
void finish_copies(machine& m, thread& t);

/// Runs one launch after checking its sizes.
void start(const task& work);

}  // namespace rung::virtual_gpu
