// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Every word of the machine vocabulary, the same source for the virtual GPU and (compiled as CUDA)
// for a GPU: a kernel notes the line of the last expectation that failed.
#include <gtest/gtest.h>

#include <numeric>
#include <rung/base/gpu.cuh>
#include <rung/base/grid_barrier.cuh>
#include <rung/base/launch.cuh>

namespace rung {
namespace {

using wide = unsigned long long;

/// In a kernel: the line is noted if the condition does not hold.
RUNG_DEVICE void expect(bool holds, global<int> wrong, int line) {
  if (!holds) atomic_max(wrong[0], line);
}

/// Runs f(wrong) under several seeds, or once on a GPU.
template <class F>
void run(F f) {
#if defined(__CUDACC__)
  const int seeds = 1;
#else
  const int seeds = 5;
#endif
  for (int seed = 1; seed <= seeds; ++seed) {
#if !defined(__CUDACC__)
    virtual_gpu::configure({.seed = static_cast<std::uint64_t>(seed)});
#endif
    gpu_array<int> wrong(1);
    wrong.fill(0);
    f(wrong);
    synchronize();
    EXPECT_EQ(wrong.to_host()[0], 0) << "the expectation in this line of " << __FILE__;
  }
}

struct twelve {
  float a;
  int b;
  short c;
};
template <int Bytes>
struct bytes_of {
  unsigned char bytes[Bytes];
};

template <class T>
RUNG_DEVICE T made_from(int seed) {
  if constexpr (std::is_same_v<T, twelve>) return {float(seed), -seed, short(seed * 7)};
  T value;
  auto* bytes = reinterpret_cast<unsigned char*>(&value);
  for (int i = 0; i < int(sizeof(T)); ++i) bytes[i] = static_cast<unsigned char>(seed * 31 + i * 7);
  return value;
}
template <class T>
RUNG_DEVICE bool equal(const T& value, int seed) {
  if constexpr (std::is_same_v<T, twelve>)
    return value.a == float(seed) && value.b == -seed && value.c == short(seed * 7);
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  for (int i = 0; i < int(sizeof(T)); ++i)
    if (bytes[i] != static_cast<unsigned char>(seed * 31 + i * 7)) return false;
  return true;
}

RUNG_KERNEL() void who(dims grid, dims block, global<int> wrong) {
  const dims t = thread_index(), b = block_index();
  expect(grid_shape().count() == grid.count() && block_shape().z == block.z, wrong, __LINE__);
  expect(block_threads() == block.count() && grid_blocks() == grid.count(), wrong, __LINE__);
  expect(thread_rank() == t.x + block.x * (t.y + block.y * t.z), wrong, __LINE__);
  expect(block_rank() == b.x + grid.x * (b.y + grid.y * b.z), wrong, __LINE__);
  expect(unsigned(lane()) == thread_rank() % 32, wrong, __LINE__);
  expect(warp_rank() == thread_rank() / 32, wrong, __LINE__);
  expect(block_warps() == (block.count() + 31) / 32, wrong, __LINE__);
  expect(lanes_below() == (1u << lane()) - 1, wrong, __LINE__);
  expect((lanes_below() ^ lanes_above()) == ~(1u << lane()), wrong, __LINE__);
  expect((active_lanes() >> lane() & 1) == 1, wrong, __LINE__);
  expect(bit_count(0xf0f0u) == 8 && bit_count(wide(0xff) << 40) == 8, wrong, __LINE__);
  expect(lowest_bit(0x30u) == 4 && highest_bit(0x30u) == 5, wrong, __LINE__);
  expect(lowest_bit(0u) == -1 && highest_bit(0u) == -1, wrong, __LINE__);
  expect(bits_as<unsigned>(1.0f) == 0x3f800000u, wrong, __LINE__);
}

TEST(words, who_am_i) {
  for (const dims grid : {dims(1), dims(3, 2, 2)})
    for (const dims block : {dims(1), dims(48), dims(5, 3, 7), dims(1024)})
      run([&](const gpu_array<int>& wrong) {
        launch(who, grid, block, 0, nullptr, grid, block, wrong);
      });
}

template <class T>
RUNG_KERNEL()
void shuffles(global<int> wrong) {
  const T mine = made_from<T>(lane());
  for (int width = 2; width <= 32; width *= 2) {
    const int first = lane() / width * width, place = lane() % width;
    for (int i = 0; i < width; i = 2 * i + 1) {
      const int up = place < i ? lane() : lane() - i;
      const int down = place + i >= width ? lane() : lane() + i;
      expect(equal(shuffle(mine, i, whole_warp, width), first + i), wrong, __LINE__);
      expect(equal(shuffle_up(mine, unsigned(i), whole_warp, width), up), wrong, __LINE__);
      expect(equal(shuffle_down(mine, unsigned(i), whole_warp, width), down), wrong, __LINE__);
      expect(equal(shuffle_xor(mine, i, whole_warp, width), lane() ^ i), wrong, __LINE__);
    }
  }
  if (lane() % 2 == 1)
    expect(equal(shuffle_xor(mine, 2, 0xaaaaaaaau), lane() ^ 2), wrong, __LINE__);
  else expect(equal(shuffle(mine, 4, 0x55555555u), 4), wrong, __LINE__);
  if (std::is_same_v<T, twelve>) return;  // its padding is not to be matched
  lane_mask same = 0;
  for (int other = 0; other < 32; ++other)
    if (other % 6 == lane() % 6) same |= 1u << other;
  expect(match_any(made_from<T>(lane() % 6)) == same, wrong, __LINE__);
}

TEST(words, shuffles_of_1_to_64_bytes) {
  run([](const gpu_array<int>& wrong) {
    launch(shuffles<unsigned char>, 1, 64, 0, nullptr, wrong);
    launch(shuffles<short>, 1, 64, 0, nullptr, wrong);
    launch(shuffles<bytes_of<3>>, 1, 64, 0, nullptr, wrong);
    launch(shuffles<int>, 1, 64, 0, nullptr, wrong);
    launch(shuffles<bytes_of<7>>, 1, 64, 0, nullptr, wrong);
    launch(shuffles<wide>, 1, 64, 0, nullptr, wrong);
    launch(shuffles<twelve>, 1, 64, 0, nullptr, wrong);
    launch(shuffles<pack<float, 4>>, 1, 64, 0, nullptr, wrong);
    launch(shuffles<bytes_of<33>>, 1, 64, 0, nullptr, wrong);
    launch(shuffles<bytes_of<64>>, 1, 64, 0, nullptr, wrong);
  });
}

RUNG_KERNEL() void votes(global<int> wrong) {
  expect(lanes_where(lane() % 5 == 0) == 0x42108421u, wrong, __LINE__);
  expect(any_lane(lane() == 31) && !any_lane(lane() == 32), wrong, __LINE__);
  expect(all_lanes(lane() < 32) && !all_lanes(lane() != 7), wrong, __LINE__);
  const int v = lane() * 3 - 40;
  const unsigned u = 0x80000000u >> lane();
  expect(redux_add(v) == 208 && redux_min(v) == -40 && redux_max(v) == 53, wrong, __LINE__);
  expect(redux_add(0xf0000000u) == 0 && redux_min(u) == 1, wrong, __LINE__);
  expect(redux_max(u) == 0x80000000u && redux_or(u) == whole_warp, wrong, __LINE__);
  expect(redux_and(~u) == 0 && redux_xor(u | 1) == 0xfffffffeu, wrong, __LINE__);
  const lane_mask mask = lane() < 9 ? 0x1ffu : ~0x1ffu;
  const bool few = lane() < 9;
  expect(redux_add(1, mask) == (few ? 9 : 23), wrong, __LINE__);
  expect(lanes_where(lane() % 2 == 0, mask) == (0x55555555u & mask), wrong, __LINE__);
}

TEST(words, votes_and_redux) {
  run([](const gpu_array<int>& wrong) { launch(votes, 2, 96, 0, nullptr, wrong); });
}

struct box {
  shared<int[1024]> value;
  shared<unsigned> count;
  shared<wide> flag;
  shared<wide[16]> wides;
  alignas(16) shared<float[512]> tile;
  shared<transfer_barrier[2]> full;
};

RUNG_KERNEL() void barriers(global<int> wrong) {
  auto& s = scratch<box>();
  const unsigned n = block_threads(), me = thread_rank();
  s.value[me] = int(me);
  block_barrier();
  const int neighbour = s.value[(me + 33) % n];
  expect(neighbour == int((me + 33) % n), wrong, __LINE__);
  block_barrier();
  for (unsigned d = 1; d < 32; d *= 2) {
    s.value[me] = lane();
    warp_barrier();
    const int other = s.value[me ^ d];
    expect(other == (lane() ^ int(d)), wrong, __LINE__);
    warp_barrier();
  }
  if (warp_rank() == 0) {
    s.value[me] = 100 + lane();
    barrier_arrive(3, 64);
  }
  if (warp_rank() == 1) {
    barrier_sync(3, 64);
    const int from_first = s.value[31 - lane()];
    expect(from_first == 131 - lane(), wrong, __LINE__);
  }
}

TEST(words, barriers) {
  run([](const gpu_array<int>& wrong) {
    launch(barriers, 3, 64, sizeof(box), nullptr, wrong);
    launch(barriers, 3, dims(16, 8, 8), sizeof(box), nullptr, wrong);
  });
}

RUNG_KERNEL()
void memory(global<const float> x, global<float> y, global<twelve> z, int n, global<int> wrong) {
  const int i = int(block_rank() * block_threads() + thread_rank());
  if (4 * i + 3 >= n) return;
  const pack<float, 4> four = as<const pack<float, 4>>(x)[i];
  const pack<float, 4> same = load_streaming(as<const pack<float, 4>>(x)[i]);
  for (int j = 0; j < 4; ++j) {
    const float plain = x[4 * i + j];
    expect(four[j] == plain && same[j] == plain, wrong, __LINE__);
    expect(load_read_only(x[4 * i + j]) == plain, wrong, __LINE__);
    expect(load_uncached(x[4 * i + j]) == plain, wrong, __LINE__);
    store_streaming(y[4 * i + j], 2 * plain);
  }
  z[i] = made_from<twelve>(i);
  const twelve back = z[i];
  expect(equal(back, i) && equal(load_streaming(z[i]), i), wrong, __LINE__);
  prefetch(x[0], 64);
}

TEST(words, global_memory) {
  std::vector<float> input(4096), twice(4096);
  std::iota(input.begin(), input.end(), 0.0f);
  for (std::size_t i = 0; i < input.size(); ++i) twice[i] = 2 * input[i];
  const gpu_array<float> x(input), y(4096);
  const gpu_array<twelve> z(std::vector<twelve>(1024));  // with the padding, which is read, too
  run([&](const gpu_array<int>& wrong) {
    launch(memory, 8, 128, 0, nullptr, x, y, z, 4096, wrong);
    EXPECT_EQ(y.to_host(), twice);
  });
}

RUNG_KERNEL()
void atomics(global<int> i, global<unsigned> u, global<float> f, global<wide> w,
             global<int> wrong) {
  auto& s = scratch<box>();
  if (thread_rank() == 0) {
    store_relaxed(s.count, 0u);
    store_relaxed(s.flag, 0);
  }
  block_barrier();
  atomic_add(s.count, 1u);
  atomic_add<order::relaxed, scope::block>(s.flag, wide(1) << 33);
  atomic_add(i[0], -1);
  atomic_min(i[1], -int(thread_rank()));
  atomic_max(u[1], thread_rank());
  atomic_or(u[2], 1u << lane());
  atomic_and(u[3], ~(1u << lane()));
  atomic_xor(u[4], 1u << lane());
  atomic_add(f[0], 1.0f);
  atomic_add<order::acq_rel, scope::system>(w[0], wide(1) << 40);
  const unsigned ticket = atomic_add<order::acquire>(u[0], 1u);
  expect(atomic_exchange(u[8 + ticket], 7u) == 0, wrong, __LINE__);
  expect(atomic_exchange<order::release>(u[8 + ticket], 9u) == 7, wrong, __LINE__);
  for (wide old = load_relaxed(w[1]);;) {
    const wide seen = atomic_compare_exchange(w[1], old, old + 3);
    if (seen == old) break;
    old = seen;
  }
  block_barrier();
  expect(load_relaxed(s.count) == block_threads(), wrong, __LINE__);
  expect(load_acquire<scope::block>(s.flag) == wide(block_threads()) << 33, wrong, __LINE__);
}

TEST(words, atomics) {
  run([](const gpu_array<int>& wrong) {
    gpu_array<int> i(2);
    gpu_array<unsigned> u(8 + 512);
    gpu_array<float> f(1);
    gpu_array<wide> w(2);
    i.fill(0);
    f.fill(0);
    w.fill(0);
    std::vector<unsigned> start(u.size(), 0);
    start[3] = whole_warp;
    u.assign(start);
    launch(atomics, 4, 128, sizeof(box), nullptr, i, u, f, w, wrong);
    EXPECT_EQ(i.to_host(), (std::vector<int>{-512, -127}));
    std::vector<unsigned> expected(u.size(), 9u);
    const unsigned first[8] = {512, 127, whole_warp, 0, 0, 0, 0, 0};
    std::copy(first, first + 8, expected.begin());
    EXPECT_EQ(u.to_host(), expected);
    EXPECT_EQ(f.to_host()[0], 512.0f);
    EXPECT_EQ(w.to_host(), (std::vector<wide>{wide(512) << 40, 1536}));
  });
}

/// Block b hands a value to block b + 1, round after round, through words of every size.
template <class Word>
RUNG_KERNEL()
void hand_on(int rounds, global<Word> flags, global<int> data, global<int> wrong) {
  if (thread_rank() != 0) return;
  const int n = int(grid_blocks()), me = int(block_rank()), next = (me + 1) % n;
  for (int i = 1; i <= rounds; ++i) {
    data[next * rounds + i - 1] = me * 1000 + i;
    if (i % 2 == 0) {
      store_release(flags[next], bits_as<Word>(pack<short, sizeof(Word) / 2>{{short(i)}}));
    } else {
      fence();
      store_relaxed(flags[next], bits_as<Word>(pack<short, sizeof(Word) / 2>{{short(i)}}));
    }
    while (bits_as<pack<short, sizeof(Word) / 2>>(load_acquire(flags[me]))[0] < i) back_off();
    const int got = data[me * rounds + i - 1];
    expect(got == (me + n - 1) % n * 1000 + i, wrong, __LINE__);
  }
}

template <class Word>
void hand_on_words() {
  run([](const gpu_array<int>& wrong) {
    gpu_array<Word> flags(16);
    flags.fill(Word{});
    const gpu_array<int> data(16 * 20);
    launch_with({.cooperative = true}, hand_on<Word>, 16, 32, 0, nullptr, 20, flags, data, wrong);
  });
}

TEST(words, release_and_acquire) {
  hand_on_words<short>();
  hand_on_words<unsigned>();
  hand_on_words<wide>();
  hand_on_words<pack<unsigned, 2>>();
  hand_on_words<pack<unsigned, 4>>();
}

RUNG_KERNEL(128) void copies(global<const float> x, global<float> y, int tiles, global<int> wrong) {
  auto& s = scratch<box>();
  const int me = int(thread_rank());
  copy_async(as<pack<float, 4>>(s.tile)[me], as<const pack<float, 4>>(x)[me]);
  copy_async_commit();
  copy_async_wait<0>();
  block_barrier();
  const float last = s.tile[511 - me], there = x[511 - me];
  expect(last == there, wrong, __LINE__);
  if (me == 0) {
    init_transfer(s.full[0], 1);
    init_transfer(s.full[1], block_threads());
  }
  fence_before_bulk();
  block_barrier();
  for (int tile = 0; tile < tiles; ++tile) {
    if (me == 0) {
      expect_transfer(s.full[0], 2048);
      bulk_load(s.tile[0], x[tile * 512], 1024, s.full[0]);
      bulk_load(s.tile[256], x[tile * 512 + 256], 1024, s.full[0]);
    }
    wait_transfer(s.full[0], unsigned(tile % 2));
    for (int i = me; i < 512; i += 128) s.tile[i] = 2 * float(s.tile[i]);
    fence_before_bulk();
    arrive_transfer(s.full[1]);
    while (!test_transfer(s.full[1], unsigned(tile % 2))) back_off();
    if (me == 0) {
      bulk_store(y[tile * 512], s.tile[0], 2048);
      bulk_store_commit();
      if (tile + 1 < tiles) bulk_store_wait_read<0>();
      else bulk_store_wait<0>();
    }
    block_barrier();
  }
}

TEST(words, copies) {
  std::vector<float> input(5 * 512), twice(5 * 512);
  std::iota(input.begin(), input.end(), 0.0f);
  for (std::size_t i = 0; i < input.size(); ++i) twice[i] = 2 * input[i];
  const gpu_array<float> x(input), y(input.size());
  run([&](const gpu_array<int>& wrong) {
    launch(copies, 1, 128, sizeof(box), nullptr, x, y, 5, wrong);
    EXPECT_EQ(y.to_host(), twice);
  });
}

RUNG_KERNEL() void clusters(global<int> wrong) {
  auto& s = scratch<box>();
  const unsigned me = cluster_rank(), n = cluster_blocks();
  if (thread_rank() == 0) {
    s.count = unsigned(block_rank());
    init_transfer(s.full[0], 1);
    expect_transfer(s.full[0], n > 1 ? n * 12 : 0);
  }
  cluster_barrier();
  if (thread_rank() < n) {
    const unsigned theirs = remote(s, thread_rank()).count;
    expect(theirs == block_rank() - me + thread_rank(), wrong, __LINE__);
    remote(s.value[me], thread_rank()) = int(me);
    if (n > 1) {
      send_async(s.value[32 + me], int(100 + me), s.full[0], thread_rank());
      send_async(s.wides[me], wide(42 + me), s.full[0], thread_rank());
    }
  }
  wait_transfer(s.full[0], 0);
  cluster_arrive();
  cluster_wait();
  if (thread_rank() < n) {
    const int plain = s.value[thread_rank()];
    expect(plain == int(thread_rank()), wrong, __LINE__);
    if (n == 1) return;
    const int sent = s.value[32 + thread_rank()];
    const wide eight = s.wides[thread_rank()];
    expect(sent == 100 + plain, wrong, __LINE__);
    expect(eight == 42 + thread_rank(), wrong, __LINE__);
  }
}

TEST(words, clusters) {
  for (const unsigned size : {1u, 2u, 8u})
    run([&](const gpu_array<int>& wrong) {
      launch_with({.cluster = size}, clusters, 16, 64, sizeof(box), nullptr, wrong);
    });
}

RUNG_KERNEL()
void rounds(int count, global<int> ring, global<std::uint64_t> word, global<int> wrong) {
  const int n = int(grid_blocks()), me = int(block_rank());
  int mine = me;
  for (int i = 1; i <= count; ++i) {
    if (thread_rank() == 5) ring[me] = mine;
    grid_barrier(word);
    mine = ring[(me + 1) % n];
    expect(mine == (me + i) % n, wrong, __LINE__);
    grid_barrier(word);
  }
  expect(cycle_clock() >= 0 && nanosecond_clock() > 0, wrong, __LINE__);
}

TEST(words, grid_barrier) {
  run([](const gpu_array<int>& wrong) {
    gpu_array<std::uint64_t> word(1);
    word.fill(0);
    const gpu_array<int> ring(20);
    for (int again = 0; again < 3; ++again)
      launch_with({.cooperative = true}, rounds, 20, 64, 0, nullptr, 10, ring, word, wrong);
  });
}

RUNG_KERNEL() void add_one(global<int> x) {
  allow_next_launch();
  wait_for_previous_launch();
  if (thread_rank() == 0) x[0] += 1;
}

TEST(words, launches_that_overlap) {
  run([](const gpu_array<int>&) {
    gpu_array<int> x(1);
    x.fill(0);
    for (int i = 0; i < 50; ++i) launch_with({.early = true}, add_one, 1, 32, 0, nullptr, x);
    EXPECT_EQ(x.to_host()[0], 50);
  });
}

RUNG_KERNEL() void large(int n, global<int> wrong) {
  auto values = scratch_array<int>(std::size_t(n));
  for (int i = int(thread_rank()); i < n; i += int(block_threads())) values[i] = i;
  block_barrier();
  const int last = values[n - 1 - int(thread_rank())];
  expect(last == n - 1 - int(thread_rank()), wrong, __LINE__);
}

TEST(words, scratch_beyond_48_KiB) {
  run([](const gpu_array<int>& wrong) {
    launch(large, 2, 256, 200 * 1024, nullptr, 50 * 1024, wrong);
  });
}

TEST(words, launches_that_cannot_start_say_why) {
  try {
    launch(votes, 1, 2048, 0, nullptr, nullptr);
    ADD_FAILURE() << "a block of 2048 threads";
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("2048"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("votes"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace rung
