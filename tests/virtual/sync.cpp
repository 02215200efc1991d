// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words through which threads agree, on the virtual GPU: the patterns that are right stay right
// however late stores arrive, and the ones that lack a release or an acquire go wrong.
#include <numeric>

#include "virtual/expect.hpp"

namespace rung {
namespace {

using word = unsigned long long;

TEST(virtual_sync, atomics_give_the_old_value) {
  const auto kernel = +[](global<int> i, global<unsigned> u, global<float> f, global<word> w) {
    atomic_add(i[0], -1);
    atomic_min(i[1], -int(thread_rank()));
    atomic_max(u[1], thread_rank());
    atomic_or(u[2], 1u << lane());
    atomic_and(u[3], ~(1u << lane()));
    atomic_xor(u[4], 1u << lane());
    atomic_add(f[0], 1.0f);
    atomic_add(w[0], word(1) << 40);
    const unsigned ticket = atomic_add(u[0], 1u);
    EXPECT_EQ(atomic_exchange(u[8 + ticket], 7u), 0u);
    EXPECT_EQ(atomic_exchange(u[8 + ticket], 9u), 7u);
    word old = load_relaxed(w[1]);
    while (true) {
      const word seen = atomic_compare_exchange(w[1], old, old + 3);
      if (seen == old) break;
      old = seen;
    }
  };
  for_seeds(10, [&] {
    gpu_array<int> i(2);
    gpu_array<unsigned> u(8 + 512);
    gpu_array<float> f(1);
    gpu_array<word> w(2);
    i.fill(0);
    f.fill(0);
    w.fill(0);
    std::vector<unsigned> start(u.size(), 0);
    start[3] = whole_warp;
    u.assign(start);
    launch(kernel, 4, 128, 0, nullptr, i, u, f, w);
    EXPECT_EQ(i.to_host(), (std::vector<int>{-512, -127}));
    std::vector<unsigned> expected(u.size(), 9u);
    const unsigned first[8] = {512, 127, whole_warp, 0, 0, 0, 0, 0};
    std::copy(first, first + 8, expected.begin());
    EXPECT_EQ(u.to_host(), expected);
    EXPECT_EQ(f.to_host()[0], 512.0f);
    EXPECT_EQ(w.to_host(), (std::vector<word>{word(512) << 40, 1536}));
  });
}

struct counters {
  shared<unsigned> ticket;
  shared<int> data;
  shared<word> flag;
};

TEST(virtual_sync, words_in_shared_memory) {
  const auto kernel = +[] {
    auto& s = scratch<counters>();
    if (thread_rank() == 0) {
      store_relaxed(s.ticket, 0u);
      store_relaxed(s.flag, 0);
    }
    block_barrier();
    atomic_add(s.ticket, 1u);
    if (thread_rank() == 5) {
      s.data = 42;
      store_release<scope::block>(s.flag, 1);
    }
    if (thread_rank() == 37) {
      while (load_acquire<scope::block>(s.flag) == 0) back_off();
      EXPECT_EQ(int(s.data), 42);
    }
    block_barrier();
    EXPECT_EQ(unsigned(s.ticket), block_threads());
  };
  for_seeds(20, [&] { launch(kernel, 2, 96, sizeof(counters), nullptr); });
}

/// Block 0 sends a value to block 1 through a flag; how is the parameter.
enum class how { release_acquire, fences, one_word, no_release, no_acquire, narrow_release };
RUNG_KERNEL() void send(how way, global<int> data, global<unsigned> flag, global<int> out) {
  if (thread_rank() != 0) return;
  if (block_rank() == 0) {
    data[0] = 42;
    if (way == how::fences) fence();
    if (way == how::release_acquire || way == how::no_acquire) store_release(flag[0], 1u);
    else if (way == how::narrow_release) store_release<scope::block>(flag[0], 1u);
    else store_relaxed(flag[0], way == how::one_word ? 42u : 1u);
  } else {
    unsigned seen = 0;
    do {
      back_off();
      seen = way == how::release_acquire || way == how::no_release || way == how::narrow_release
                 ? load_acquire(flag[0])
                 : load_relaxed(flag[0]);
    } while (seen == 0);
    if (way == how::fences) fence();
    if (way == how::one_word) {
      out[0] = int(seen);
    } else {
      const int got = data[0];
      out[0] = got;
    }
  }
}

std::string message(how way) {
  const gpu_array<int> data(1), out(1);
  gpu_array<unsigned> flag(1);
  flag.fill(0);
  const std::string text = finding(
      [&] { launch_with({.cooperative = true}, send, 2, 32, 0, nullptr, way, data, flag, out); });
  if (text.empty()) {
    EXPECT_EQ(out.to_host()[0], 42);
  }
  return text;
}

TEST(virtual_sync, a_message_with_release_and_acquire_arrives) {
  for_seeds(100, [] {
    EXPECT_EQ(message(how::release_acquire), "");
    EXPECT_EQ(message(how::fences), "");
    EXPECT_EQ(message(how::one_word), "");
  });
}

TEST(virtual_sync, a_message_without_release_or_acquire_is_found) {
  for (const how way : {how::no_release, how::no_acquire, how::narrow_release})
    for_seeds(20, [&] {
      const std::string text = message(way);
      EXPECT_NE(
          text.find("race on global memory: 4 bytes at byte 0 of an allocation, read here and "
                    "stored by block 0, thread 0 at virtual/sync.cpp:"),
          text.npos)
          << text;
      EXPECT_NE(text.find("block 1, warp 0, lane 0"), text.npos) << text;
    });
}

/// The same with words: nothing is undefined, but the wrong value can be seen.
RUNG_KERNEL()
void send_words(bool release, bool acquire, global<unsigned> w, global<unsigned> out) {
  if (block_rank() == 0) {
    store_relaxed(w[0], 42u);
    if (release) store_release(w[1], 1u);
    else store_relaxed(w[1], 1u);
  } else {
    while ((acquire ? load_acquire(w[1]) : load_relaxed(w[1])) == 0) back_off();
    out[0] = load_relaxed(w[0]);
  }
}

int words_gone_wrong(bool release, bool acquire) {
  int wrong = 0;
  for_seeds(200, [&] {
    gpu_array<unsigned> w(2), out(1);
    w.fill(0);
    launch_with({.cooperative = true}, send_words, 2, 1, 0, nullptr, release, acquire, w, out);
    wrong += out.to_host()[0] != 42;
  });
  return wrong;
}

TEST(virtual_sync, relaxed_words_overtake_each_other) {
  EXPECT_EQ(words_gone_wrong(true, true), 0);
  EXPECT_GT(words_gone_wrong(false, true), 10);
  EXPECT_GT(words_gone_wrong(true, false), 10);
}

TEST(virtual_sync, late_stores_can_be_switched_off) {
  virtual_gpu::settings settings;
  settings.late_stores = false;
  int wrong = 0;
  for_seeds(
      50,
      [&] {
        gpu_array<unsigned> w(2), out(1);
        w.fill(0);
        launch_with({.cooperative = true}, send_words, 2, 1, 0, nullptr, false, false, w, out);
        wrong += out.to_host()[0] != 42;
      },
      settings);
  EXPECT_EQ(wrong, 0);
}

struct last_scratch {
  shared<float[32]> totals;
  shared<bool> last;
};

/// Every block leaves a partial sum; the last one to finish folds them: the pattern of a one-kernel
/// reduction, with an atomic of order acq_rel, or with fences around a relaxed one.
RUNG_KERNEL(128)
void sum_by_last_block(bool fences, global<const float> x, global<float> partial,
                       global<unsigned> done, global<float> out) {
  auto& s = scratch<last_scratch>();
  const auto block_sum = [&](float v) {
    for (int d = 1; d < 32; d *= 2) v += shuffle_xor(v, d);
    block_barrier();
    if (lane() == 0) s.totals[warp_rank()] = v;
    block_barrier();
    float sum = 0;
    for (unsigned i = 0; i < block_warps(); ++i) sum += float(s.totals[i]);
    return sum;
  };
  const float sum = block_sum(x[block_rank() * block_threads() + thread_rank()]);
  if (thread_rank() == 0) {
    partial[block_rank()] = sum;
    if (fences) fence();
    const unsigned before =
        fences ? atomic_add(done[0], 1u) : atomic_add<order::acq_rel>(done[0], 1u);
    if (fences) fence();
    s.last = before == grid_blocks() - 1;
  }
  block_barrier();
  if (!s.last) return;
  float mine = 0;
  for (std::uint64_t i = thread_rank(); i < grid_blocks(); i += block_threads()) mine += partial[i];
  const float total = block_sum(mine);
  if (thread_rank() == 0) out[0] = total;
}

TEST(virtual_sync, the_last_block_sees_what_all_blocks_left) {
  std::vector<float> input(40 * 128);
  std::iota(input.begin(), input.end(), 0.0f);
  const gpu_array<float> x(input);
  for (const bool fences : {false, true})
    for_seeds(8, [&] {
      const gpu_array<float> partial(40), out(1);
      gpu_array<unsigned> done(1);
      done.fill(0);
      launch(sum_by_last_block, 40, 128, sizeof(last_scratch), nullptr, fences, x, partial, done,
             out);
      EXPECT_EQ(out.to_host()[0], float(40 * 128) * (40 * 128 - 1) / 2);
    });
}

/// Look-back with tickets: a block's prefix is that of the block before it, in the order of
/// tickets.
RUNG_KERNEL(64)
void prefix_by_look_back(global<unsigned> ticket, global<word> published, global<unsigned> prefix) {
  auto& s = scratch<counters>();
  if (thread_rank() == 0) store_relaxed(s.ticket, atomic_add(ticket[0], 1u));
  block_barrier();
  const unsigned tile = s.ticket;
  if (thread_rank() != 0) return;
  word before = 0;
  if (tile > 0)
    while ((before = load_relaxed(published[tile - 1])) == 0) back_off();
  const unsigned sum = unsigned(before) + tile;  // the word holds its own flag above the value
  store_relaxed(published[tile], word(1) << 32 | sum);
  prefix[tile] = sum;
}

TEST(virtual_sync, look_back_by_tickets_needs_one_resident_block) {
  std::vector<unsigned> expected(50);
  for (unsigned i = 0; i < 50; ++i) expected[i] = i * (i + 1) / 2;
  for (const unsigned resident : {0u, 1u, 2u, 7u}) {
    virtual_gpu::settings settings;
    settings.resident_blocks = resident;
    for_seeds(
        10,
        [&] {
          gpu_array<unsigned> ticket(1), prefix(50);
          gpu_array<word> published(50);
          ticket.fill(0);
          published.fill(0);
          launch(prefix_by_look_back, 50, 64, sizeof(counters), nullptr, ticket, published, prefix);
          EXPECT_EQ(prefix.to_host(), expected);
        },
        settings);
  }
}

}  // namespace
}  // namespace rung
