// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks that are threads, with parts in the memory of one GPU: any split gives the bits of the
// whole.
#include <gtest/gtest.h>

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
    check_gpu_ranks<twelve>(comm, tangle{}, 4, 3000);
    check_gpu_ranks<float>(comm, arg_max{}, 3, 3000);
    check_gpu_ranks<std::int32_t>(comm, fuse(plus{}, moments{}, arg_min{}), 4, 3000);
    check_gpu_ranks<float>(comm, exact_plus{}, 4, 3000);
  });
}

}  // namespace
}  // namespace rung::tests
