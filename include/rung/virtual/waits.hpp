// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Where threads wait for each other: meetings of the lanes of a warp, barriers of a block, transfer
// barriers, the barrier of a cluster. Each knows who is missing, and what is handed on when all
// came.
#pragma once
#include <cstring>

#include "machine.hpp"
#include "report.hpp"

namespace rung::virtual_gpu {

/// Every word of the vocabulary begins so: the thread says where it is.
inline thread& begin_word(machine& m, const char* word, const place& where) {
  thread& t = m.running();
  t.word = word;
  t.where = where;
  t.indexed = nullptr;
  return t;
}

inline bool same_line(const place& a, const place& b) {
  return a.line() == b.line() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

// ---------------------------------------------------------------- lanes of a warp

inline void check_mask(machine& m, const thread& t, lane_mask mask) {
  const warp& w = *t.team;
  if ((mask >> t.lane & 1) == 0)
    m.stop(t, "the lane is not in the mask ", mask_text{mask}, " that it calls ", t.word, " with");
  if (const lane_mask absent = mask & ~w.exists; absent != 0)
    m.stop(t, "the mask ", mask_text{mask}, " of ", t.word, " names ", lane_list{absent},
           ", which do not exist: the block has ", t.home->threads.size(), " threads");
  if (const lane_mask absent = mask & w.gone; absent != 0)
    m.stop(t, "missing: the mask ", mask_text{mask}, " of ", t.word, " names ", lane_list{absent},
           ", and that has left the kernel");
}

/// Waits until all lanes of the mask have come to the same word; the last one calls
/// complete(warp, mask) before the others go on. `payload` is what this lane brings.
template <class F>
void meet_lanes(machine& m, thread& t, lane_mask mask, std::size_t bytes, const void* payload,
                F&& complete) {
  check_mask(m, t, mask);
  warp& w = *t.team;
  t.payload = payload;
  std::size_t i = 0;
  while (i < w.meetings.size() && w.meetings[i].mask != mask) ++i;
  if (i == w.meetings.size()) w.meetings.push_back({mask, 0, t.word, bytes});
  meeting& open = w.meetings[i];
  if (open.word != t.word || open.bytes != bytes) {
    const thread& other = w.home->threads[w.first + std::countr_zero(open.came)];
    m.stop(t, "lanes of one mask are at different words: ", t.word, " of ", bytes, " bytes here, ",
           open.word, " of ", open.bytes, " bytes in lane ", other.lane, " ", place_of{other});
  }
  open.came |= 1u << t.lane;
  if (open.came != mask) {
    m.park();
    return;
  }
  open = w.meetings.back();
  w.meetings.pop_back();
  complete(w, mask);
  for (lane_mask rest = mask & ~(1u << t.lane); rest != 0; rest &= rest - 1)
    m.wake(w.home->threads[w.first + std::countr_zero(rest)]);
}

inline void meet_memory(machine& m, warp& w, lane_mask mask) {
  std::array<thread*, warp_size> lanes;
  std::size_t count = 0;
  for (; mask != 0; mask &= mask - 1)
    lanes[count++] = &w.home->threads[w.first + std::countr_zero(mask)];
  m.meet(std::span(lanes.data(), count));
}

// ---------------------------------------------------------------- barriers of a block

/// All lanes of a warp have to come to a barrier together, at the same line.
inline void come_together(machine& m, const thread& t, gate& g) {
  if (g.came.empty()) g.came.resize(t.home->warps.size());
  auto& [lanes, where] = g.came[t.team->rank];
  if (lanes == 0) where = t.where;
  if ((lanes >> t.lane & 1) != 0)
    m.stop(t, "the thread comes twice to the same ", t.word, ", which others have not reached");
  if (!same_line(where, t.where))
    m.stop(t, "divergent barrier: ", lane_list{lanes}, " of the same warp came to it at ", where);
  lanes |= 1u << t.lane;
}

inline void open_gate(machine& m, gate& g, thread& last) {
  for (thread* t : g.waiting)
    if (t != &last) m.wake(*t);
  g.waiting.clear();
  g.passed = {};
  g.expected = g.warps = g.complete_warps = 0;
  std::fill(g.came.begin(), g.came.end(), gate::arrivals{});
}

inline void wait_for_block(machine& m, thread& t) {
  block& b = *t.home;
  gate& g = b.gates[0];
  if (b.live != b.threads.size()) {
    const auto left = std::find_if(b.threads.begin(), b.threads.end(), [](const thread& other) {
      return other.state == standing::gone;
    });
    m.stop(t, "divergent barrier: thread ", left->rank,
           " has left the kernel without it, and it is for every thread of the block");
  }
  come_together(m, t, g);
  g.waiting.push_back(&t);
  if (g.waiting.size() < b.threads.size()) {
    m.park();
    return;
  }
  m.meet(g.waiting);
  open_gate(m, g, t);
}

inline void wait_at_gate(machine& m, thread& t, int id, int threads, bool wait) {
  block& b = *t.home;
  if (id < 1 || id > 15) m.stop(t, "barrier ", id, " does not exist: their numbers are 1 to 15");
  if (threads <= 0 || threads % warp_size != 0 ||
      unsigned(threads) > b.warps.size() * unsigned(warp_size))
    m.stop(t, "barrier ", id, " of ", threads,
           " threads: it takes a multiple of 32, at most the block's ", b.warps.size() * warp_size);
  gate& g = b.gates[static_cast<unsigned>(id)];
  if (g.expected != 0 && g.expected != unsigned(threads))
    m.stop(t, "barrier ", id, " of ", threads, " threads, but others came to it as of ",
           g.expected);
  g.expected = unsigned(threads);
  come_together(m, t, g);
  const lane_mask lanes = g.came[t.team->rank].lanes;
  if (const lane_mask left = t.team->gone & ~lanes; left != 0)
    m.stop(t, "divergent barrier: ", lane_list{left},
           " of the same warp left the kernel without it");
  if (std::popcount(lanes) == 1 && ++g.warps * warp_size > g.expected)
    m.stop(t, "barrier ", id, ": more threads come than the ", threads, " it is called with");
  if (lanes == t.team->exists) ++g.complete_warps;
  if (wait) g.waiting.push_back(&t);
  else m.gather(g.passed, t);
  if (g.complete_warps * warp_size < g.expected) {
    if (wait) m.park();
    return;
  }
  if (!g.waiting.empty()) {
    m.meet(g.waiting);
    if (g.passed.sum.known) {
      m.learn(*g.waiting[0], g.passed.sum);
      for (thread* other : g.waiting) {
        other->known = g.waiting[0]->known;
        other->sees = g.waiting[0]->sees;
      }
    }
  }
  open_gate(m, g, t);
}

// ---------------------------------------------------------------- transfer barriers

inline void end_phase_if_complete(machine& m, transfer& barrier) {
  if (barrier.missing != 0 || barrier.bytes != 0) return;
  barrier.missing = barrier.arrivals;
  ++barrier.phase;
  m.note_change();
  barrier.ended = barrier.gathered.sum;
  barrier.gathered = {};
  for (thread* t : barrier.waiting) m.wake(*t);
  barrier.waiting.clear();
}

inline void arrive_at(machine& m, thread& t, transfer& barrier, unsigned bytes) {
  if (barrier.missing == 0)
    m.stop(t, "more arrivals at a transfer barrier than the ", barrier.arrivals,
           " it was made for");
  m.gather(barrier.gathered, t);
  barrier.bytes += bytes;
  --barrier.missing;
  end_phase_if_complete(m, barrier);
}

// ---------------------------------------------------------------- barrier of a cluster

inline void arrive_at_cluster(machine& m, thread& t) {
  cluster& team = *t.home->team;
  if (team.blocks.size() == 1) {  // a block alone: who waits is this block
    team.phase_of.resize(team.members);
  }
  if (team.phase_of[t.member] > team.phase)
    m.stop(t, "cluster_arrive twice without cluster_wait between");
  m.gather(team.gathered, t);
  team.phase_of[t.member] = team.phase + 1;
  if (++team.came < team.members) return;
  team.came = 0;
  ++team.phase;
  team.ended = team.gathered.sum;
  team.gathered = {};
  for (thread* other : team.waiting) m.wake(*other);
  team.waiting.clear();
}

inline void wait_for_cluster(machine& m, thread& t) {
  cluster& team = *t.home->team;
  if (team.phase_of.empty() || team.phase_of[t.member] == 0)
    m.stop(t, "cluster_wait without cluster_arrive before");
  if (team.phase_of[t.member] > team.phase) {
    team.waiting.push_back(&t);
    m.park();
  }
  m.learn(t, team.ended);
}

// ---------------------------------------------------------------- the end of a thread

/// A thread may not leave while others count on it.
inline void check_leaving(machine& m, thread& t) {
  t.word = "the end of the kernel";
  t.where = {};
  const warp& w = *t.team;
  for (const meeting& open : w.meetings)
    if ((open.mask >> t.lane & 1) != 0) {
      const thread& other = w.home->threads[w.first + std::countr_zero(open.came)];
      m.stop(t, "lane ", t.lane, " is missing: it leaves the kernel, but ", lane_list{open.came},
             " wait for it ", place_of{other}, ", mask ", mask_text{open.mask});
    }
  for (const gate& g : t.home->gates) {
    if (g.came.empty()) continue;
    const auto& [lanes, where] = g.came[w.rank];
    if (lanes != 0 && (lanes >> t.lane & 1) == 0)
      m.stop(t, "divergent barrier: the thread leaves the kernel without the barrier that ",
             lane_list{lanes}, " of its warp came to at ", where);
    if (&g == &t.home->gates[0] && !g.waiting.empty())
      m.stop(t, "divergent barrier: the thread leaves the kernel, but ", name_of{*g.waiting[0]},
             " waits for it ", place_of{*g.waiting[0]});
  }
}

}  // namespace rung::virtual_gpu
