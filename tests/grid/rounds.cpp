// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Many exchanges through one memory: in one kernel, made anew in the middle of it, in launches of
// several sizes, in several streams with a memory each.
#include "grid/grids.hpp"

namespace rung::tests {

struct rounds_scratch {
  grid_scratch<std::uint32_t> sums;
};
#if defined(__CUDACC__)
constexpr int rounds = 3000, most_blocks = 264;
#else
constexpr int rounds = 12, most_blocks = 9;
#endif

/// Each round's fold depends on the one before. Now and then a block is slow.
RUNG_KERNEL(64)
void many_rounds(grid_memory<std::uint32_t> memory, int count, global<std::uint32_t> out) {
  auto& s = scratch<rounds_scratch>().sums;
  const std::uint32_t me = std::uint32_t(block_rank() * 64 + thread_rank());
  std::uint32_t v = 0;
  for (int half = 0; half < 2; ++half) {
    const auto grid = grid_of<64>(s, memory);
    for (int i = 0; i < count / 2; ++i) {
      if ((me / 64 + unsigned(i)) % 7 == 0) back_off(500);
      v = reduce(grid, v * 31 + me, tangle{});
      v += exclusive_scan(grid, v ^ me, tangle{}, 7u) - exclusive_scan(grid, v ^ me, tangle{}, 7u);
    }
  }
  out[me] = v;
}

std::uint32_t by_hand(int blocks, int count) {
  std::uint32_t v = 0;
  for (int i = 0; i < count; ++i) {
    std::vector<std::uint32_t> x;
    for (std::uint32_t me = 0; me < std::uint32_t(blocks) * 64; ++me) x.push_back(v * 31 + me);
    v = *oracle<std::uint32_t>(tangle{}, x);
  }
  return v;
}
std::vector<grid_word> zeros() {
  return std::vector<grid_word>(grid_memory<std::uint32_t>::size(most_blocks));
}

TEST(grid_rounds, launches_of_several_sizes_use_one_memory) {
  const gpu_array<grid_word> words(zeros());
  unsigned seed = 0;
  for (const int blocks : {most_blocks, 2, most_blocks / 2, most_blocks, 1, 4, 3}) {
    const gpu_array<std::uint32_t> out(std::size_t(blocks) * 64);
    reseed(++seed);
    launch_with({.cooperative = true}, many_rounds, blocks, 64, sizeof(rounds_scratch), nullptr,
                grid_memory<std::uint32_t>{words.data(), most_blocks}, rounds, out);
    EXPECT_EQ(out.to_host(), std::vector<std::uint32_t>(out.size(), by_hand(blocks, rounds)))
        << blocks << " blocks";
  }
}

#if defined(__CUDACC__)
TEST(grid_rounds, streams_with_a_memory_each) {
  constexpr int streams = 4, blocks = 60;
  std::vector<gpu_array<grid_word>> words;
  std::vector<gpu_array<std::uint32_t>> out;
  cudaStream_t stream[streams];
  for (cudaStream_t& s : stream) {
    words.emplace_back(zeros());
    out.emplace_back(std::size_t(blocks) * 64);
    check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  for (int again = 0; again < 3; ++again)
    for (int i = 0; i < streams; ++i)
      launch_with({.cooperative = true}, many_rounds, blocks, 64, sizeof(rounds_scratch), stream[i],
                  grid_memory<std::uint32_t>{words[i].data(), most_blocks}, rounds, out[i]);
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  for (const auto& o : out)
    EXPECT_EQ(o.to_host(), std::vector<std::uint32_t>(o.size(), by_hand(blocks, rounds)));
  for (cudaStream_t s : stream) cudaStreamDestroy(s);
}
#endif

}  // namespace rung::tests
