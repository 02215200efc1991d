// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of a warp on the virtual GPU: who am I, shuffles of values of every size, votes, redux.
#include <numeric>
#include <set>

#include "virtual/expect.hpp"

namespace rung {
namespace {

template <int Bytes>
struct bytes_of {
  unsigned char bytes[Bytes];
  static bytes_of made_from(unsigned seed) {
    bytes_of made;
    for (int i = 0; i < Bytes; ++i) made.bytes[i] = static_cast<unsigned char>(seed * 37 + i * 11);
    return made;
  }
  bool operator==(const bytes_of&) const = default;
};

/// 12 bytes with a field of less than 4.
struct odd_twelve {
  float a;
  int b;
  short c;
  bool operator==(const odd_twelve&) const = default;
};

TEST(virtual_warp, every_thread_knows_who_it_is) {
  static std::vector<int> seen;
  const auto kernel = +[](dims grid, dims block) {
    const dims t = thread_index(), b = block_index();
    EXPECT_EQ(grid_shape().count(), grid.count());
    EXPECT_EQ(block_shape().y, block.y);
    EXPECT_EQ(block_threads(), block.count());
    EXPECT_EQ(grid_blocks(), grid.count());
    EXPECT_EQ(thread_rank(), t.x + block.x * (t.y + block.y * t.z));
    EXPECT_EQ(block_rank(), b.x + grid.x * (b.y + grid.y * b.z));
    EXPECT_EQ(unsigned(lane()), thread_rank() % 32);
    EXPECT_EQ(warp_rank(), thread_rank() / 32);
    EXPECT_EQ(block_warps(), (block.count() + 31) / 32);
    EXPECT_EQ(bit_count(lanes_below()), lane());
    EXPECT_EQ(bit_count(lanes_above()), 31 - lane());
    ++seen[block_rank() * block_threads() + thread_rank()];
  };
  for (const dims grid : {dims(1), dims(3, 2, 2)})
    for (const dims block : {dims(1), dims(48), dims(5, 3, 7), dims(1024)}) {
      seen.assign(grid.count() * block.count(), 0);
      for_seeds(3, [&] { launch(kernel, grid, block, 0, nullptr, grid, block); });
      EXPECT_EQ(std::set<int>(seen.begin(), seen.end()), std::set<int>{3});
    }
}

template <class T, class Make>
void shuffle_all_ways(Make make) {
  static Make* maker = nullptr;
  maker = &make;
  const auto kernel = +[] {
    const T mine = (*maker)(unsigned(lane()));
    for (int width = 1; width <= 32; width *= 2) {
      const int first = lane() / width * width, place = lane() % width;
      for (int i = 0; i < width; i = 2 * i + 1) {
        EXPECT_EQ(shuffle(mine, i, whole_warp, width), (*maker)(unsigned(first + i)));
        const int up = place - i < 0 ? lane() : lane() - i;
        EXPECT_EQ(shuffle_up(mine, unsigned(i), whole_warp, width), (*maker)(unsigned(up)));
        const int down = place + i >= width ? lane() : lane() + i;
        EXPECT_EQ(shuffle_down(mine, unsigned(i), whole_warp, width), (*maker)(unsigned(down)));
        EXPECT_EQ(shuffle_xor(mine, i, whole_warp, width), (*maker)(unsigned(first + (place ^ i))));
      }
    }
  };
  for_seeds(3, [&] { launch(kernel, 1, 64, 0, nullptr); });
}

TEST(virtual_warp, shuffles_move_values_of_1_to_64_bytes) {
  shuffle_all_ways<float>([](unsigned l) { return float(l) + 0.5f; });
  shuffle_all_ways<double>([](unsigned l) { return 1.0 / (l + 1); });
  shuffle_all_ways<bool>([](unsigned l) { return l % 3 == 0; });
  shuffle_all_ways<odd_twelve>([](unsigned l) {
    return odd_twelve{float(l), -int(l), short(l * 7)};
  });
  shuffle_all_ways<bytes_of<1>>([](unsigned l) { return bytes_of<1>::made_from(l); });
  shuffle_all_ways<bytes_of<3>>([](unsigned l) { return bytes_of<3>::made_from(l); });
  shuffle_all_ways<bytes_of<17>>([](unsigned l) { return bytes_of<17>::made_from(l); });
  shuffle_all_ways<bytes_of<64>>([](unsigned l) { return bytes_of<64>::made_from(l); });
}

TEST(virtual_warp, lanes_in_divergent_code_exchange_among_themselves) {
  const auto kernel = +[] {
    const lane_mask odd = 0xaaaaaaaau, mask = lane() % 2 == 1 ? odd : ~odd;
    if (lane() % 2 == 1) {
      for (int i = 0; i < 3; ++i) EXPECT_EQ(shuffle_xor(lane(), 2, odd), lane() ^ 2);
    } else {
      EXPECT_EQ(shuffle_up(lane(), 2, ~odd), lane() < 2 ? lane() : lane() - 2);
    }
    EXPECT_EQ(lanes_where(lane() < 8, mask), mask & 0xffu);
    EXPECT_EQ(lanes_where(true), whole_warp);
  };
  for_seeds(20, [&] { launch(kernel, 2, 96, 0, nullptr); });
}

TEST(virtual_warp, votes_and_matches) {
  const auto kernel = +[] {
    EXPECT_EQ(lanes_where(lane() % 5 == 0), 0x42108421u);
    EXPECT_TRUE(any_lane(lane() == 31));
    EXPECT_FALSE(any_lane(lane() == 32));
    EXPECT_TRUE(all_lanes(lane() < 32));
    EXPECT_FALSE(all_lanes(lane() != 7));
    lane_mask same = 0;
    for (int other = 0; other < 32; ++other)
      if (other % 6 == lane() % 6) same |= 1u << other;
    EXPECT_EQ(match_any(lane() % 6), same);
    EXPECT_EQ(match_any(1.0 * (lane() % 6)), same);
    EXPECT_EQ(match_any(bytes_of<20>::made_from(unsigned(lane() % 6))), same);
    const lane_mask mask = lane() < 9 ? 0x1ffu : ~0x1ffu;
    EXPECT_EQ(match_any(lane() / 3, mask), mask & (lane_mask(7) << (lane() / 3 * 3)));
  };
  for_seeds(5, [&] { launch(kernel, 1, 64, 0, nullptr); });
}

TEST(virtual_warp, redux_folds_integers) {
  const auto kernel = +[] {
    const int v = lane() * 3 - 40;
    const unsigned u = 0x80000000u >> lane();
    EXPECT_EQ(redux_add(v), 208);
    EXPECT_EQ(redux_min(v), -40);
    EXPECT_EQ(redux_max(v), 53);
    EXPECT_EQ(redux_add(0xf0000000u), 0u);
    EXPECT_EQ(redux_min(u), 1u);
    EXPECT_EQ(redux_max(u), 0x80000000u);
    EXPECT_EQ(redux_or(u), whole_warp);
    EXPECT_EQ(redux_and(~u), 0u);
    EXPECT_EQ(redux_xor(u | 1), 0xfffffffeu);
    const lane_mask mask = lane() < 4 ? 0xfu : ~0xfu;
    EXPECT_EQ(redux_add(1, mask), lane() < 4 ? 4 : 28);
  };
  for_seeds(5, [&] { launch(kernel, 1, 32, 0, nullptr); });
}

TEST(virtual_warp, a_warp_may_have_fewer_lanes) {
  const auto kernel = +[] {
    const lane_mask mask = warp_rank() == 0 ? whole_warp : 0xffffu;
    EXPECT_EQ(redux_add(1, mask), warp_rank() == 0 ? 32 : 16);
    warp_barrier(mask);
  };
  for_seeds(5, [&] { launch(kernel, 1, 48, 0, nullptr); });
}

TEST(virtual_warp, active_lanes_promise_only_the_caller) {
  static std::set<int> sizes;
  const auto kernel = +[] {
    if (lane() < 20) {
      const lane_mask together = active_lanes();
      EXPECT_NE(together >> lane() & 1, 0u);
      EXPECT_EQ(together & ~0xfffffu, 0u);
      sizes.insert(redux_add(1, together));  // all of them know the same group
    }
  };
  for_seeds(40, [&] { launch(kernel, 1, 64, 0, nullptr); });
  EXPECT_GT(sizes.size(), 3u);
}

TEST(virtual_warp, bits) {
  EXPECT_EQ(bit_count(0xf0f0u), 8);
  EXPECT_EQ(bit_count(std::uint64_t(0xff) << 40), 8);
  EXPECT_EQ(lowest_bit(0xf0f0u), 4);
  EXPECT_EQ(lowest_bit(0u), -1);
  EXPECT_EQ(highest_bit(0xf0f0u), 15);
  EXPECT_EQ(highest_bit(0u), -1);
  EXPECT_EQ(bits_as<unsigned>(1.0f), 0x3f800000u);
}

}  // namespace
}  // namespace rung
