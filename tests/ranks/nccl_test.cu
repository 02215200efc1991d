// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks that are GPUs, through NCCL: all GPUs of the machine in one process, a thread each, then a
// process each; and threads that share one GPU. The sweep is that of gpu_parts.cpp; long arrays
// besides, against the CPU.
#include "rung/ranks/nccl.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "device/calls.hpp"
#include "gpu_sweep.hpp"
#include "rung/cpu/reduce.hpp"
#include "rung/cpu/scan.hpp"
#include "rung/ranks/local.hpp"
#include "rung/ranks/peers.cuh"

namespace rung::tests {
namespace {

int gpu_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}
void must(ncclResult_t status) {
  if (status != ncclSuccess) fail(error_code::rank, ncclGetErrorString(status));
}

/// f(comm) in a thread for each GPU, as ranks of NCCL.
template <class F>
void on_all_gpus(const F& f, std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
  const int count = gpu_count();
  std::vector<ncclComm_t> comms(static_cast<std::size_t>(count));
  must(ncclCommInitAll(comms.data(), count, nullptr));
  run_local(count, [&](local& here) {
    check(cudaSetDevice(here.rank()), "the rank's GPU");
    nccl comm(comms[std::size_t(here.rank())], timeout);
    f(comm);
    if (!comm.is_lost()) must(ncclCommDestroy(comms[std::size_t(here.rank())]));
  });
}

/// Long arrays: any split gives the bits of the CPU.
template <class C>
void check_long(C& comm) {
  const std::size_t n = (std::size_t(1) << 25) + 12345;
  std::vector<float> x(n), sums(n);
  std::uint64_t bits = 1;
  for (float& v : x) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    v = float(std::int32_t(bits >> 32)) * 1e-6f;
  }
  inclusive_scan(cpu, x, sums, plus{});
  const float exact = reduce(cpu, x, exact_plus{});
  const device gpu;
  for (int round = 0; round < 6; ++round) {
    const auto size = std::size_t(comm.size());
    std::vector<std::int64_t> cuts(size + 1, std::int64_t(n));
    for (std::size_t r = 0; r < size; ++r)
      cuts[r] = std::int64_t(round == 0   ? n * r / size
                             : round == 1 ? n * r / size / 4096 * 4096
                                          : n / (size + 1) * r + r * std::size_t(round) * 777);
    const auto begin = std::size_t(cuts[std::size_t(comm.rank())]),
               count = std::size_t(cuts[std::size_t(comm.rank()) + 1]) - begin;
    const gpu_values<float> mine({x.data() + begin, count}, round % 2), out({x.data(), count}, 0);
    const auto where = ranks{comm, gpu_part(gpu).split(cuts).checked(round % 2 != 0)};
    EXPECT_TRUE(same(reduce(where, mine.values(), plus{}), sums.back())) << "round " << round;
    EXPECT_TRUE(same(reduce(where, mine.values(), exact_plus{}), exact)) << "round " << round;
    inclusive_scan(where, mine.values(), out.all(), plus{});
    const auto got = out.to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) wrong += !same(got[i], sums[begin + i]);
    EXPECT_EQ(wrong, 0u) << "round " << round << ", part from " << begin;
  }
}

template <class C>
void check_all(C& comm, int rounds) {
  check_gpu_ranks<float>(comm, plus{}, rounds, 300000);
  check_gpu_ranks<twelve>(comm, tangle{}, rounds, 100000);
  check_gpu_ranks<float>(comm, arg_max{}, rounds, 100000);
  check_gpu_ranks<float>(comm, exact_plus{}, rounds, 20000);
  check_gpu_axes<float>(comm, plus{}, 4 * rounds);
}

/// Captured once, replayed with other values.
template <class C>
void check_graph(C& comm) {
  const std::int64_t n = 100000;
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  {
    const device gpu(stream);
    const auto where = ranks{comm, gpu_part(gpu).even(n)};
    const std::int64_t begin = n * comm.rank() / comm.size(),
                       end = n * (comm.rank() + 1) / comm.size();
    gpu_array<float> x(static_cast<std::size_t>(end - begin));
    const gpu_array<float> y(x.size()), out(1);
    const view<const float> values(x.data(), {end - begin});
    const auto calls = [&] {
      reduce(where, values, plus{}, into(out.data()));
      inclusive_scan(where, values, view<float>(y.data(), {end - begin}), plus{});
    };
    calls();
    check(cudaStreamSynchronize(stream), "first calls");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    calls();
    check(cudaStreamEndCapture(stream, &graph), "capture");
    check(cudaGraphInstantiate(&exec, graph, 0), "graph");
    for (int round = 1; round < 4; ++round) {
      std::vector<float> all(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = 1.0f / float(i + std::size_t(round));
      x.assign({all.begin() + begin, all.begin() + end});
      check(cudaGraphLaunch(exec, stream), "graph");
      comm.wait(stream);
      EXPECT_TRUE(same(out.to_host()[0], reduce(cpu, all, plus{})));
      std::vector<float> sums(all.size());
      inclusive_scan(cpu, all, sums, plus{});
      EXPECT_TRUE(same(y.to_host().back(), sums[std::size_t(end - 1)]));
    }
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
}

TEST(nccl_ranks, threads_give_the_bits_of_the_whole) {
  on_all_gpus([](nccl& comm) { check_all(comm, 4); });
}
TEST(nccl_ranks, long_arrays) {
  on_all_gpus([](nccl& comm) { check_long(comm); });
}
TEST(nccl_ranks, in_a_graph) {
  on_all_gpus([](nccl& comm) { check_graph(comm); });
}
/// Threads of one process, each with a GPU, or all with one: messages through the host.
TEST(local_ranks, threads_give_the_bits_of_the_whole) {
  for (const int size : {2, 3})
    run_local(size, [](local& comm) {
      check(cudaSetDevice(comm.rank() % gpu_count()), "the rank's GPU");
      check_all(comm, 3);
    });
}
TEST(nccl_ranks, host_arrays) {
  on_all_gpus([](nccl& comm) {
    const std::vector<float> x(1000, 0.1f), whole(x.size() * std::size_t(comm.size()), 0.1f);
    EXPECT_EQ(reduce(ranks{comm}, x, plus{}), reduce(cpu, whole, plus{}));
    EXPECT_EQ(reduce(ranks{comm}, x, exact_plus{}), reduce(cpu, whole, exact_plus{}));
  });
}

/// The same in a process for each GPU.
int run_process(int rank, int size, const char* file) {
  ncclUniqueId id{};
  if (rank == 0) {
    must(ncclGetUniqueId(&id));
    std::ofstream(std::string(file) + ".new", std::ios::binary)
        .write(reinterpret_cast<const char*>(&id), sizeof id);
    std::rename((std::string(file) + ".new").c_str(), file);
  }
  for (int tries = 0; rank > 0; ++tries) {
    std::ifstream in(file, std::ios::binary);
    if (in.read(reinterpret_cast<char*>(&id), sizeof id)) break;
    if (tries > 600) return 1;
    usleep(50000);
  }
  check(cudaSetDevice(rank), "the rank's GPU");
  ncclComm_t all = nullptr;
  must(ncclCommInitRank(&all, size, id, rank));
  nccl comm(all, std::chrono::seconds(30));
  check_all(comm, 3);
  check_long(comm);
  {
    peers<nccl> near_ranks(comm, std::chrono::seconds(30));
    check_gpu_ranks<float>(near_ranks, plus{}, 4, 100000);
    check_graph(near_ranks);
  }
  must(ncclCommDestroy(all));
  return testing::Test::HasFailure() ? 1 : 0;
}
TEST(nccl_ranks, processes_give_the_bits_of_the_whole) {
  const int size = gpu_count();
  const std::string file = testing::TempDir() + "nccl_test_id_" + std::to_string(getpid());
  std::vector<pid_t> children;
  for (int r = 0; r < size; ++r) {
    const std::string rank = std::to_string(r), all = std::to_string(size);
    const pid_t child = fork();
    if (child == 0) {
      execl("/proc/self/exe", "nccl_test", "process", rank.c_str(), all.c_str(), file.c_str(),
            static_cast<char*>(nullptr));
      _exit(127);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  std::remove(file.c_str());
}

/// Messages that GPUs write to each other, with NCCL or without.
TEST(peer_ranks, threads_give_the_bits_of_the_whole) {
  on_all_gpus([](nccl& comm) {
    peers<nccl> near_ranks(comm, std::chrono::seconds(30));
    check_all(near_ranks, 3);
    check_graph(near_ranks);
  });
  run_local(gpu_count(), [](local& comm) {
    check(cudaSetDevice(comm.rank()), "the rank's GPU");
    peers<local> near_ranks(comm, std::chrono::seconds(30));
    check_gpu_ranks<float>(near_ranks, plus{}, 20, 5000);
    check_gpu_axes<float>(near_ranks, plus{}, 10);
  });
}
TEST(peer_ranks, have_a_gpu_each) {
  run_local(2, [](local& comm) {
    EXPECT_NE(error_of([&] { peers<local> near_ranks(comm); }).find("is that of the same GPU"),
              std::string::npos);
  });
}
TEST(peer_ranks, who_stays_away_is_no_hang) {
  if (gpu_count() < 2) GTEST_SKIP() << "needs two GPUs";
  run_local(2, [](local& comm) {
    check(cudaSetDevice(comm.rank()), "the rank's GPU");
    peers<local> near_ranks(comm, std::chrono::milliseconds(300));
    const device gpu;
    const gpu_array<float> x(std::vector<float>(1000, 1.0f));
    const auto where = ranks{near_ranks, gpu_part(gpu).even(2000).checked(false)};
    if (comm.rank() == 1)
      EXPECT_NE(error_of([&] {
                  (void)reduce(where, x, plus{});
                }).find("sent to each other's GPUs within 300 ms"),
                std::string::npos);
    comm.all_reduce({});  // boxes are there until all have ended
  });
}

/// A rank that stays away: the others say so within the timeout, and go on without it.
TEST(nccl_ranks_lost, who_stays_away_is_no_hang) {
  if (gpu_count() < 2) GTEST_SKIP() << "needs two GPUs";
  on_all_gpus(
      [](nccl& comm) {
        const device gpu;
        const gpu_array<float> x(std::vector<float>(1000, 1.0f));
        const auto where = ranks{comm, gpu_part(gpu).even(1000 * comm.size()).checked(false)};
        const auto call = [&] { (void)reduce(where, x, plus{}); };
        if (comm.rank() == 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1500));
          return;
        }
        EXPECT_NE(error_of(call).find("came to a call of NCCL within 500 ms"), std::string::npos);
        EXPECT_TRUE(comm.is_lost());
        EXPECT_NE(error_of(call).find("was aborted in an earlier call"), std::string::npos);
      },
      std::chrono::milliseconds(500));
}

}  // namespace
}  // namespace rung::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 5) return rung::tests::run_process(std::atoi(argv[2]), std::atoi(argv[3]), argv[4]);
  if (rung::tests::gpu_count() == 0) {
    std::printf("there is no GPU\n");
    return 77;
  }
  return RUN_ALL_TESTS();
}
