// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The same checks as local_test.cpp, between processes; started by mpirun, or alone as one rank.
#include "rung/ranks/mpi.hpp"

#include <gtest/gtest.h>

#include "axis.hpp"

namespace rung::test {
namespace {

TEST(Mpi, AnySplitGivesTheBitsOfTheWhole) {
  mpi comm;
  check_all_ranks(comm, 8);
}
TEST(Mpi, AnySplitOfAnAxisGivesTheBitsOfTheWhole) {
  mpi comm;
  check_split_axes(comm, 10);
}
TEST(Mpi, EveryRankIsToldWhatFailed) {
  mpi comm;
  check_failures(comm);
}
TEST(Mpi, TwoCommunicatorsDoNotMeet) {
  mpi a, b;
  const std::vector<float> x(3, 1.0f);
  EXPECT_EQ(reduce(ranks{a}, x, plus{}), 3.0f * float(a.size()));
  EXPECT_EQ(reduce(ranks{b}, x, multiplies{}), 1.0f);
}

}  // namespace

/// A rank that never comes: the others say so and end the job, as a program should.
void go_without_rank_0() {
  mpi comm(MPI_COMM_WORLD, std::chrono::milliseconds(300));
  const std::vector<float> x(3, 1.0f);
  try {
    if (comm.rank() == 0) std::this_thread::sleep_for(std::chrono::minutes(1));
    else (void)reduce(ranks{comm}, x, plus{});
  } catch (const error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

}  // namespace rung::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) rung::test::go_without_rank_0();
  const int result = RUN_ALL_TESTS();
  MPI_Finalize();
  return result;
}
