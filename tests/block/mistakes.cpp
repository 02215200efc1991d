// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What goes wrong with collectives, and that the virtual GPU says so: a missing barrier, scratch
// used again too early, a mask that lies, a verb that not every thread calls. On a GPU these would
// hang or give wrong answers now and then, so only the virtual one is asked.
#include "rung/block/scan.cuh"

#include "warp/values.hpp"

#if !defined(__CUDACC__)
namespace rung::tests {

/// The virtual GPU's words about a launch; empty if it found nothing.
template <class... P, class... A>
std::string finding(void (*kernel)(P...), dims block, std::size_t bytes, const A&... a) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    reseed(seed);
    try {
      launch(kernel, 1, block, bytes, nullptr, a...);
    } catch (const error& e) {
      return e.what();
    }
  }
  return "";
}
#define EXPECT_FINDING(text, words) \
  EXPECT_NE((text).find(words), std::string::npos) << "the virtual GPU said: " << (text)

/// A two-stage reduction; the barrier between the stages can be left out.
template <bool Barrier>
RUNG_KERNEL(256)
void two_stages(global<const float> in, global<float> out) {
  auto& s = scratch<block_scratch<float>>();
  const float v = in[thread_rank()];
  const auto sum = reduce_to_one(this_warp, v, plus{});
  if (sum) s.warps[warp_rank()] = *sum;
  if (Barrier) block_barrier();
  if (thread_rank() == 0) out[0] = reduce<float>(this_thread, s.warps, 8, plus{});
}
TEST(mistakes, missing_barrier) {
  const device_values<float> in(std::vector<float>(256, 1.0f)), out(std::vector<float>(1));
  EXPECT_EQ(finding(two_stages<true>, 256, sizeof(block_scratch<float>), in, out), "");
  EXPECT_EQ(out.to_host()[0], 256.0f);
  const auto text = finding(two_stages<false>, 256, sizeof(block_scratch<float>), in, out);
  EXPECT_TRUE(text.find("read before it is written") != text.npos ||
              text.find("race on shared memory") != text.npos)
      << text;
}

/// Two reductions through one scratch; between them the barrier that the docs ask for, or not.
template <bool Barrier>
RUNG_KERNEL(256)
void twice(global<const float> in, global<float> out) {
  auto block = this_block(scratch<block_scratch<float>>());
  const float v = in[thread_rank()], a = reduce(block, v, plus{});
  if (Barrier) block_barrier();
  out[thread_rank()] = a + reduce(block, v, plus{});
}
TEST(mistakes, scratch_used_again_too_early) {
  const device_values<float> in(std::vector<float>(256, 1.0f)), out(std::vector<float>(256));
  EXPECT_EQ(finding(twice<true>, 256, sizeof(block_scratch<float>), in, out), "");
  EXPECT_EQ(out.to_host()[255], 512.0f);
  EXPECT_FINDING(finding(twice<false>, 256, sizeof(block_scratch<float>), in, out),
                 "race on shared memory");
}

/// Half of the warp calls a verb of the whole warp.
RUNG_KERNEL(32)
void half_of_the_warp(global<const float> in, global<float> out) {
  const float v = in[lane()];
  if (lane() < 16) out[lane()] = reduce(this_warp, v, plus{});
}
TEST(mistakes, half_of_the_warp_is_missing) {
  const device_values<float> in(std::vector<float>(32, 1.0f)), out(std::vector<float>(32));
  EXPECT_FINDING(finding(half_of_the_warp, 32, 0, in, out), "missing");
}

/// 48 threads: the second warp has 16 lanes, and this_warp means 32.
RUNG_KERNEL(48)
void whole_warps_of_48(global<const float> in, global<float> out) {
  const float v = in[thread_rank()];
  out[thread_rank()] = reduce(this_warp, v, plus{});
}
TEST(mistakes, a_warp_of_16) {
  const device_values<float> in(std::vector<float>(48, 1.0f)), out(std::vector<float>(48));
  EXPECT_FINDING(finding(whole_warps_of_48, 48, 0, in, out), "do not exist");
}

/// Only the threads with a value call the block's verb; first(n) is the way to say that.
RUNG_KERNEL(64)
void some_threads(global<const float> in, int n, global<float> out) {
  auto block = this_block(scratch<block_scratch<float>>());
  const float v = in[thread_rank()];
  if (int(thread_rank()) < n) out[thread_rank()] = reduce(block, v, plus{});
}
TEST(mistakes, not_every_thread_calls) {
  const device_values<float> in(std::vector<float>(64, 1.0f)), out(std::vector<float>(64));
  EXPECT_NE(finding(some_threads, 64, sizeof(block_scratch<float>), in, 40, out), "");
}

/// lanes{mask} with a lane that does not come.
RUNG_KERNEL(32)
void lying_mask(global<const float> in, global<float> out) {
  const float v = in[lane()];
  if (lane() % 2 == 0) out[lane()] = reduce(lanes(0x55555557u), v, plus{});
}
TEST(mistakes, a_lane_of_the_mask_does_not_come) {
  const device_values<float> in(std::vector<float>(32, 1.0f)), out(std::vector<float>(32));
  EXPECT_FINDING(finding(lying_mask, 32, 0, in, out), "missing");
}

}  // namespace rung::tests
#endif
