// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What a sum over MPI ranks costs, and of what: mpirun -n P bench_ranks_mpi N prints one JSON line,
// the median over calls of the slowest rank's time, in microseconds. tools/scale.py reads it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <rung/cpu/reduce.hpp>
#include <rung/ranks/mpi.hpp>
#include <rung/ranks/reduce.hpp>
#include <vector>

namespace {

template <class F>
double median_us(const F& f) {
  std::vector<double> times(401);
  for (double& t : times) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    f();
    t = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  std::nth_element(times.begin(), times.begin() + 200, times.end());
  return times[200];
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    rung::mpi comm;
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 1 << 20, size = comm.size();
    const std::int64_t begin = n * comm.rank() / size, end = n * (comm.rank() + 1) / size;
    const std::vector<float> x(static_cast<std::size_t>(end - begin), 1.0f);
    int blocks = 0;
    for (std::int64_t r = 0; r < size; ++r)
      blocks = std::max(blocks, rung::host::block_count({n * r / size, n * (r + 1) / size}));
    const std::size_t bytes = 8 + 4 * std::size_t(blocks);
    std::vector<std::byte> head(24), heads(24 * std::size_t(size)), part(bytes),
        parts(bytes * std::size_t(size));
    const rung::ranks all{comm, rung::cpu.with_threads(1)};
    float sum = 0, plain = 0;
    const double fold =
        median_us([&] { sum = rung::reduce(rung::cpu.with_threads(1), x, rung::plus{}); });
    const double agree = median_us([&] { comm.all_gather(head, heads); });
    const double gather = median_us([&] { comm.all_gather(part, parts); });
    const double whole = median_us([&] { sum = rung::reduce(all, x, rung::plus{}); });
    const double reduce =
        median_us([&] { MPI_Allreduce(&sum, &plain, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); });
    if (comm.rank() == 0)
      std::printf(
          "{\"ranks\": %d, \"values\": %lld, \"blocks\": %d, \"bytes\": %zu, \"fold\": %.2f, "
          "\"agree\": %.2f, \"gather\": %.2f, \"sum\": %.2f, \"mpi_allreduce\": %.2f, "
          "\"right\": %s}\n",
          comm.size(), static_cast<long long>(n), blocks, bytes, fold, agree, gather, whole, reduce,
          sum == float(n) ? "true" : "false");
  }
  MPI_Finalize();
}
