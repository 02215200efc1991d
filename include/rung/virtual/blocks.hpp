// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A launch from begin to end: how many blocks fit at the same time, in which order they start, what
// is left of them when they end.
#pragma once
#include <numeric>

#include "history.hpp"
#include "schedule.hpp"

namespace rung::virtual_gpu {

// ---------------------------------------------------------------- blocks

inline void machine::choose_residency() {
  const std::uint64_t blocks = work_->grid.count();
  const std::uint64_t threads = work_->block.count();
  constexpr std::uint64_t most_threads = 65536;
  const std::uint64_t fit = (std::max<std::uint64_t>)(1, most_threads / 4 / threads);
  static constexpr unsigned choices[] = {1, 2, 3, 5, 8, 16, 64};
  std::uint64_t wanted = settings_.resident_blocks;
  if (wanted == 0) {
    wanted = settings_.drift ? choices[chance.below(7)] : 8;
    if (work_->options.cooperative) wanted = blocks;
    wanted =
        (std::min)(wanted, (std::max<std::uint64_t>)(fit, work_->options.cooperative ? blocks : 1));
  }
  wanted = (std::max<std::uint64_t>)(wanted, work_->options.resident_blocks);
  wanted = (std::max<std::uint64_t>)(wanted, work_->options.cluster);
  wanted = (std::min)(wanted, blocks);
  if (work_->options.cooperative && wanted < blocks)
    refuse("a cooperative launch of ", blocks, " blocks, but only ", wanted,
           " fit at the same time");
  if (wanted * threads > most_threads)
    refuse(wanted, " blocks of ", threads, " threads do not fit at the same time");
  residency_ = static_cast<unsigned>(wanted);
}

/// Blocks start forwards, backwards, or in steps from anywhere.
inline void machine::choose_order() {
  order_size_ = work_->grid.count() / work_->options.cluster;
  order_step_ = 1;
  order_first_ = 0;
  if (!settings_.drift || order_size_ == 1) return;
  const auto some = [&](std::uint64_t n) {
    return chance.below(static_cast<std::uint32_t>((std::min<std::uint64_t>)(n, 0xffffffffu)));
  };
  const std::uint32_t kind = chance.below(4);
  if (kind != 0) order_first_ = some(order_size_);
  if (kind == 2) order_step_ = order_size_ - 1;
  if (kind == 3) order_step_ = 1 + some((std::min<std::uint64_t>)(order_size_ - 1, 0xffff));
  while (std::gcd(order_step_, order_size_) != 1) ++order_step_;
}

inline void machine::start_cluster() {
  if (free_clusters_.empty()) {
    cluster_store_.push_back(std::make_unique<cluster>());
    free_clusters_.push_back(cluster_store_.back().get());
  }
  cluster& team = *free_clusters_.back();
  free_clusters_.pop_back();
  const unsigned size = work_->options.cluster;
  const auto threads = static_cast<unsigned>(work_->block.count());
  team.number = ++next_number_;
  team.members = size * threads;
  team.live_blocks = size;
  team.bulk_now = 0;
  team.readers.reset(team.members);
  team.came = team.phase = 0;
  team.waiting.clear();
  team.phase_of.assign(size > 1 ? team.members : 0, 0);
  team.gathered = {};
  team.ended = {};
  const std::uint64_t first = place_in_order(started_++) * size;
  for (unsigned i = 0; i < size; ++i) start_block(team, i, first + i);
  clusters_.push_back(&team);
  resident_ += size;
}

inline void machine::start_block(cluster& team, unsigned rank_in_cluster, std::uint64_t rank) {
  if (free_blocks_.empty()) free_blocks_.push_back(std::make_unique<block>());
  team.blocks.push_back(std::move(free_blocks_.back()));
  free_blocks_.pop_back();
  block& b = *team.blocks.back();
  const dims shape = work_->block, grid = work_->grid;
  const auto threads = static_cast<unsigned>(shape.count());
  b.team = &team;
  b.rank = rank;
  b.rank_in_cluster = rank_in_cluster;
  b.index = dims(unsigned(rank % grid.x), unsigned(rank / grid.x % grid.y),
                 unsigned(rank / grid.x / grid.y));
  b.live = threads;
  b.memory.reset(work_->scratch_bytes);
  b.gates.resize(16);
  for (gate& g : b.gates) {
    g.expected = g.warps = g.complete_warps = 0;
    g.came.clear();
    g.waiting.clear();
    g.passed = {};
  }
  b.threads.resize(threads);
  b.warps.resize((threads + warp_size - 1) / warp_size);
  const unsigned urgency = chance.below(most_urgent);
  for (unsigned i = 0; i < b.warps.size(); ++i) {
    warp& w = b.warps[i];
    w.home = &b;
    w.rank = i;
    w.first = i * warp_size;
    const unsigned lanes = (std::min<unsigned>)(warp_size, threads - w.first);
    w.exists = lanes == warp_size ? whole_warp : (1u << lanes) - 1;
    w.gone = w.gathering = 0;
    w.able = w.exists;
    w.priority = (urgency + chance.below(most_urgent)) / 2;
    w.meetings.clear();
    enlist(w);
  }
  for (unsigned i = 0; i < threads; ++i) {
    thread& t = b.threads[i];
    t.home = &b;
    t.team = &b.warps[i / warp_size];
    t.rank = i;
    t.member = rank_in_cluster * threads + i;
    t.lane = i % warp_size;
    t.index = dims(i % shape.x, i / shape.x % shape.y, i / shape.x / shape.y);
    t.state = standing::fresh;
    t.word = "the begin of the kernel";
    t.where = {};
    t.indexed = t.payload = nullptr;
    t.now = 1;
    t.known = nothing_;
    t.sees = 0;
    t.released = t.heard = {};
    t.copies.clear();
    t.bulk_stores.clear();
    t.copy_group = t.store_group = 0;
    t.spins = t.spins_since = 0;
    t.waited_for_previous = false;
  }
  ++current_statistics().blocks;
  current_statistics().threads += threads;
}

inline void machine::retire(cluster& team) {
  for (auto& b : team.blocks) {
    for (thread& t : b->threads) {
      if (t.stack != nullptr) stacks_.give_back(t.stack, t.state != standing::gone);
      t.stack = nullptr;
      t.known = {};
      t.released = t.heard = {};
    }
    for (const warp& w : b->warps)
      if (last_ == &w) last_ = nullptr;
    for (gate& g : b->gates) g.passed = {};
    b->transfers.clear();
    b->words.clear();
    resident_ -= 1;
    free_blocks_.push_back(std::move(b));
  }
  team.blocks.clear();
  team.gathered = {};
  team.ended = {};
  clusters_.erase(std::find(clusters_.begin(), clusters_.end(), &team));
  free_clusters_.push_back(&team);
}

inline void machine::clean_up() {
  while (!clusters_.empty()) retire(*clusters_.back());
  ended_.clear();
  able_.clear();
  flights_.clear();
  last_ = nullptr;
  nothing_ = {};
  work_ = nullptr;
}

inline void machine::run(const task& work) {
  work_ = &work;
  settings_ = current_settings();
  ++current_statistics().launches;
  launch_ = ++launches_with_settings();
  chance.seed(settings_.seed + 0x632be59bd9b4e019u * launch_);
  failure_ = nullptr;
  resident_ = 0;
  started_ = 0;
  next_number_ = 0;
  stickiness_ = settings_.drift ? chance.below(4) * 84 : 200;
  contest_ = 1 + chance.below(3);
  drift_period_ = 2u << chance.below(7);
  try {
    check_sizes();
    choose_order();
    choose_residency();
    pool.resize(static_cast<unsigned>(work.block.count()) * work.options.cluster + 1);
    nothing_ = pool.nothing();
    global.begin_launch(settings_.late_stores);
    while (true) {
      while (clusters_left() != 0 && resident_ + work.options.cluster <= residency_)
        start_cluster();
      if (thread* next = pick(); next != nullptr) {
        switch_to(next);
      } else if (!help() && clusters_.empty()) {
        break;
      } else if (able_.empty() && ended_.empty() && flights_.empty()) {
        refuse(standstill{*this, "everybody waits (deadlock)"});
      }
      if (failure_ != nullptr) std::rethrow_exception(failure_);
      for (cluster* team : ended_) retire(*team);
      ended_.clear();
    }
    clean_up();
    global.end_launch();
  } catch (...) {
    clean_up();
    global.abandon();
    failure_ = nullptr;
    throw;
  }
}

template <class... Pieces>
void machine::refuse(const Pieces&... pieces) {
  std::string text = "virtual GPU: ";
  put_all(text, pieces..., "\n  ", launch_of{*this});
  fail(error_code::device, text);
}

inline void machine::check_sizes() {
  constexpr std::size_t most_scratch = 227 * 1024;
  const dims grid = work_->grid, block = work_->block;
  const unsigned cluster = work_->options.cluster;
  if (grid.count() == 0 || block.count() == 0) refuse("a grid or block without threads");
  if (block.count() > 1024 || block.z > 64)
    refuse("a block of ", block, " threads; the most is 1024, and 64 in z");
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    refuse("a grid of ", grid, " blocks; the most is 2147483647 in x, 65535 in y and z");
  if (work_->scratch_bytes > most_scratch)
    refuse("scratch of ", work_->scratch_bytes, " bytes; the most is ", most_scratch);
  if (cluster < 1 || cluster > 16 || grid.x % cluster != 0)
    refuse("clusters of ", cluster, " blocks; they have 1 to 16, and divide the grid along x");
}

inline void start(const task& work) {
  if (machine::active() != nullptr)
    fail(error_code::bad_argument, "virtual GPU: a launch inside of a kernel");
  static std::mutex one_at_a_time;
  std::lock_guard lock(one_at_a_time);
  machine::of_this_host_thread().run(work);
}

}  // namespace rung::virtual_gpu
