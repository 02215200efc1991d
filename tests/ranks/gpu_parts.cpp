// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks that are threads, with parts in the memory of one GPU: any split gives the bits of the
// whole.
#include <gtest/gtest.h>

#include "device/calls.hpp"
#include "gpu_sweep.hpp"
#include "rung/ranks/local.hpp"

namespace rung::tests {
namespace {

class gpu_ranks : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(local, gpu_ranks, testing::Values(1, 2, 3));

TEST_P(gpu_ranks, any_split_gives_the_bits_of_the_whole) {
  run_local(GetParam(), [](local& comm) {
    check_gpu_ranks<float>(comm, plus{}, 6, 3000);
    check_gpu_ranks<float>(comm, plus{}, 1, 30000, 7);
    check_gpu_ranks<twelve, false>(comm, tangle{}, 4, 3000);
    check_gpu_ranks<float>(comm, arg_max{}, 3, 3000);
    check_gpu_ranks<std::int32_t>(comm, fuse(plus{}, moments{}, arg_min{}), 4, 3000);
    check_gpu_ranks<float>(comm, exact_plus{}, 4, 3000);
  });
}

/// A matrix, split along either axis and folded along either: against fold, line by line.
TEST_P(gpu_ranks, any_split_of_an_axis_gives_the_bits_of_the_whole) {
  run_local(GetParam(), [](local& comm) { check_gpu_axes<float>(comm, plus{}, 8); });
}

TEST(gpu_ranks_calls, all_ranks_are_told_what_is_wrong) {
  run_local(2, [](local& comm) {
    const device gpu;
    const gpu_array<float> x(std::vector<float>(10, 1.0f)), out(1);
    const auto where = ranks{comm, gpu};
    const auto part = [&](std::int64_t n) { return view<const float>(x.data(), {n}); };
    const std::vector<float> host(10, 1.0f);
    EXPECT_NE(error_of([&] {
                if (comm.rank() == 1) reduce(where, host, plus{}, into(out.data()));
                else reduce(where, part(10), plus{}, into(out.data()));
              }).find("lies in host memory"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                if (comm.rank() == 1) (void)reduce(where, part(10), minimum{});
                else (void)reduce(where, part(10), plus{});
              }).find("make different calls"),
              std::string::npos);
    EXPECT_NE(error_of([&] { (void)reduce(where, part(0), minimum{}); }).find("no values"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                (void)reduce(where, part(1), plus{}, on_rank{2});
              }).find("there is no rank 2 of 2"),
              std::string::npos);
    EXPECT_EQ(reduce(where, part(9), plus{}, on_rank{1}, 1.0f).value_or(-1.0f),
              comm.rank() == 1 ? 19.0f : -1.0f);
    EXPECT_EQ(reduce(where, part(0), plus{}), 0.0f);
    EXPECT_EQ(reduce(where, part(comm.rank() == 0 ? 0 : 10), exact_plus{}), 10.0f);
    const std::int64_t wrong[] = {0, 4, 20}, falls[] = {0, 5, 4};
    EXPECT_NE(error_of([&] {
                reduce(ranks{comm, gpu_part(gpu).split(wrong).checked()}, part(10), plus{});
              }).find("rank 0 of 2 has positions [0, 10), which is not the split"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                reduce(ranks{comm, gpu_part(gpu).split(falls).checked(false)}, part(10), plus{});
              }).find("never fall"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                reduce(ranks{comm, gpu_part(gpu).even(30).checked(false)}, part(10), plus{});
              }).find("has 10 values, not positions"),
              std::string::npos);
    EXPECT_EQ(reduce(ranks{comm, gpu_part(gpu).even(20)}, part(10), plus{}, 1.0f), 21.0f);
  });
}

}  // namespace
}  // namespace rung::tests
