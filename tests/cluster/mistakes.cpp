// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What goes wrong in clusters and grids, and that the virtual GPU says so.
#include "rung/cluster/reduce.cuh"
#include "rung/grid/reduce.cuh"
#include "virtual/expect.hpp"

#if !defined(__CUDACC__)
namespace rung {
namespace {

/// A cluster whose blocks are not all there, or have another shape than the scratch is for.
template <class Scratch>
RUNG_KERNEL()
void sum_of_cluster(unsigned from, global<float> out) {
  if (cluster_rank() < from) return;
  const float sum = reduce(this_cluster(scratch<Scratch>()), 1.0f, plus{});
  out[block_rank() * block_threads() + thread_rank()] = sum;
}
template <class Scratch>
void clusters(unsigned from, unsigned threads) {
  const gpu_array<float> out(4 * threads);
  launch_with({.cluster = 4}, sum_of_cluster<Scratch>, 4, threads, sizeof(Scratch), nullptr, from,
              out);
  EXPECT_EQ(out.to_host(), std::vector<float>(4 * threads, float(4 * threads)));
}
TEST(team_mistakes, a_block_of_the_cluster_does_not_call) {
  for_seeds(3, [] { clusters<cluster_scratch<float>>(0, 64); });
  expect_finding([] { clusters<cluster_scratch<float>>(1, 64); }, {"cluster"});
}
TEST(team_mistakes, ragged_blocks_without_room) {
  for_seeds(3, [] { clusters<cluster_scratch<float, 48>>(0, 48); });
  expect_finding([] { clusters<cluster_scratch<float>>(0, 48); },
                 {"threads times values per thread is no power of two", "(give_up)"});
  expect_finding([] { clusters<cluster_scratch<float, 40>>(0, 48); },
                 {"the scratch has fewer positions than the block has values"});
}

/// The cluster's scratch is used for something else, with a barrier before it or not.
template <bool Barrier>
RUNG_KERNEL()
void used_again(global<float> out) {
  auto& s = scratch<cluster_scratch<float>>();
  const float sum = reduce(this_cluster(s), 1.0f, plus{});
  if (Barrier) block_barrier();
  if (thread_rank() == 40) s.cells[0] = sum + 1;
  block_barrier();
  if (thread_rank() == 0) out[block_rank()] = s.cells[0];
}
TEST(team_mistakes, scratch_used_again_too_early) {
  const gpu_array<float> out(2);
  const auto run = [&](auto kernel) {
    launch_with({.cluster = 2}, kernel, 2, 64, sizeof(cluster_scratch<float>), nullptr, out);
  };
  for_seeds(5, [&] { run(used_again<true>); });
  expect_finding([&] { run(used_again<false>); }, {"race on shared memory"});
}

RUNG_KERNEL() void sum_of_grid(grid_memory<float> memory, unsigned from, global<float> out) {
  if (block_rank() < from) return;
  const float sum = reduce(this_grid(scratch<grid_scratch<float>>(), memory), 1.0f, plus{});
  out[block_rank() * block_threads() + thread_rank()] = sum;
}
/// 8 blocks, and a memory of so many words that says that it is for `blocks`.
void grid(std::size_t size, unsigned blocks, launch_options options, unsigned from = 0) {
  const gpu_array<grid_word> words{std::vector<grid_word>(size)};
  const gpu_array<float> out(8 * 32);
  launch_with(options, sum_of_grid, 8, 32, sizeof(grid_scratch<float>), nullptr,
              grid_memory<float>{words.data(), blocks}, from, out);
  EXPECT_EQ(out.to_host(), std::vector<float>(8 * 32, 8 * 32.0f));
}
constexpr std::size_t enough = grid_memory<float>::size(8);
TEST(team_mistakes, blocks_that_never_run) {
  for_seeds(5, [] { grid(enough, 8, {.cooperative = true}); });
  expect_finding([] { grid(enough, 8, {}); },
                 {"nothing can progress", "stamped.cuh", "blocks have not started: 4 fit"},
                 {.resident_blocks = 4});
  expect_finding([] { grid(enough, 8, {.cooperative = true}); },
                 {"a cooperative launch of 8 blocks, but only 4 fit"}, {.resident_blocks = 4});
}
TEST(team_mistakes, a_block_of_the_grid_does_not_call) {
  expect_finding([] { grid(enough, 8, {.cooperative = true}, 1); },
                 {"nothing can progress", "stamped.cuh"});
}
TEST(team_mistakes, memory_for_fewer_blocks) {
  expect_finding([] { grid(enough, 7, {.cooperative = true}); },
                 {"the grid_memory is for fewer blocks", "(give_up)"});
  expect_finding([] { grid(8, 8, {.cooperative = true}); }, {"global memory out of bounds"});
}

}  // namespace
}  // namespace rung
#endif
