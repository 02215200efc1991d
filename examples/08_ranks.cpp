// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks rung: one array, of which every rank has a part. Here the ranks are threads of this
// program; with `rung::mpi comm;` from rung/ranks/mpi.hpp between MPI_Init and MPI_Finalize they
// are processes on any number of machines, and the function below stays the same.
#include <cstdio>
#include <rung/rung.hpp>
#include <vector>

/// The part of a rank: 1 / (i + 1) for its positions, which need not be equally many.
std::vector<float> part_of(int rank, int size) {
  const std::size_t n = 20001, begin = n * std::size_t(rank * rank) / std::size_t(size * size),
                    end = n * std::size_t((rank + 1) * (rank + 1)) / std::size_t(size * size);
  std::vector<float> x;
  for (std::size_t i = begin; i < end; ++i) x.push_back(1.0f / float(i + 1));
  return x;
}

template <rung::communicator C>
bool work(C& comm) {
  const std::vector<float> mine = part_of(comm.rank(), comm.size()), whole = part_of(0, 1);
  const rung::ranks all{comm};
  const auto [sum, largest] = rung::reduce(all, mine, rung::fuse(rung::plus{}, rung::arg_max{}));
  const float exact = rung::reduce(all, mine, rung::exact_plus{});
  std::vector<float> sums(mine.size()), sums_of_whole(whole.size());
  rung::inclusive_scan(all, mine, sums, rung::plus{});
  const auto on_first = rung::reduce(all, sums, rung::maximum{}, rung::on_rank{0});

  rung::inclusive_scan(rung::cpu, whole, sums_of_whole, rung::plus{});
  const bool same = sum == rung::reduce(rung::cpu, whole, rung::plus{}) && largest.index == 0 &&
                    exact == rung::reduce(rung::cpu, whole, rung::exact_plus{}) &&
                    on_first.value_or(sum) == sum;
  // The entries of the last rank are the last ones of the whole.
  const bool ends = comm.rank() + 1 < comm.size() || sums.back() == sums_of_whole.back();
  if (on_first)
    std::printf("%d ranks: sum %.9g, exact %.9g\n", comm.size(), double(sum), double(exact));
  return same && ends;
}

int main() {
  bool same = true;
  for (const int size : {1, 2, 3, 8}) {
    std::vector<char> good(std::size_t(size), 0);
    rung::run_local(size, [&](rung::local& comm) { good[comm.rank()] = work(comm); });
    for (const char g : good) same = same && g;
  }
  std::printf("%s as on one CPU\n", same ? "the same bits" : "different bits");
  return same ? 0 : 1;
}
