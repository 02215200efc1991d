// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums of doubles, whose states have 276 bytes, by the lanes of a warp and the threads of a
// block, against the state's own additions.
#include "exact/hard_values.hpp"
#include "rung/block/scan.cuh"
#include "rung/exact/plus.hpp"
#include "warp/values.hpp"

namespace rung::tests {
namespace {

using state = exact_state<double>;
constexpr int threads = 80;

struct exact_scratch {
  block_scratch<state> block;
};
RUNG_KERNEL(threads)
void sum_up(global<const double> values, global<state> warps, global<state> prefixes,
            global<state> all) {
  auto& s = scratch<exact_scratch>();
  const int t = int(thread_rank());
  const exact_plus op;
  const state mine = exact_plus().lift(double(values[t]));
  if (t < 64) {
    const state of_warp = reduce(this_warp, mine, op);
    if (lane() == 0) warps[t / warp_size] = of_warp;
  }
  const auto block = this_block(s.block);
  const state sum = reduce(block, mine, op);
  block_barrier();
  const state prefix = inclusive_scan(block, mine, op);
  prefixes[t] = prefix;
  if (t == 0) all[0] = sum;
}

TEST(block_exact, sums_of_doubles) {
  for (int kind = 0; kind < test::hard_kinds; ++kind) {
    test::hard_source from(unsigned(kind) + 3);
    const auto x = from.many<double>(test::hard(kind), threads);
    const gpu_array<double> values(x);
    const gpu_array<state> warps(2), prefixes(threads), all(1);
    launch(sum_up, 1, threads, sizeof(exact_scratch), 0, values.data(), warps.data(),
           prefixes.data(), all.data());
    const auto got = prefixes.to_host();
    state want{}, of_warp{};
    for (int t = 0; t < threads; ++t) {
      want.add(x[std::size_t(t)]), of_warp.add(x[std::size_t(t)]);
      EXPECT_TRUE(got[std::size_t(t)] == want) << "kind " << kind << ", prefix " << t;
      if (t % 32 < 31) continue;
      EXPECT_TRUE(warps.to_host()[std::size_t(t / 32)] == of_warp) << kind;
      of_warp = state{};
    }
    EXPECT_TRUE(all.to_host()[0] == want) << "kind " << kind;
  }
}

}  // namespace
}  // namespace rung::tests
