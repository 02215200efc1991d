// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One array, cut at random among ranks whose parts lie in the memory of GPUs, the virtual one or
// real ones: reduce and both scans against the fold of the whole array, for any communicator. Every
// rank makes the same random numbers.
#pragma once
#include "order/levels.hpp"
#include "order/same.hpp"
#include "rung/ranks/gpu_axis.cuh"
#include "rung/ranks/gpu_scan.cuh"
#include "warp/values.hpp"

namespace rung::tests {

/// How an array is cut: evenly or anyhow, and whether all ranks are told.
inline std::vector<std::int64_t> some_cuts(std::mt19937_64& rng, int size, std::int64_t n) {
  std::vector<std::int64_t> cuts(std::size_t(size) + 1, n);
  cuts[0] = 0;
  const auto kind = rng() % 4;
  for (int r = 1; r < size; r++)
    cuts[std::size_t(r)] = kind == 0   ? n * r / size
                           : kind == 1 ? std::int64_t(rng() % std::uint64_t(n + 1)) / 64 * 64
                                       : std::int64_t(rng() % std::uint64_t(n + 1));
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

/// A part of an array on the GPU, `shift` values behind an aligned place.
template <class T>
class gpu_values {
 public:
  gpu_values(std::span<const T> x, std::size_t shift)
      : shift_(shift), size_(std::int64_t(x.size())), memory_(shift + x.size() + 1) {
    if (!x.empty()) copy_to_gpu(memory_.data() + shift, x.data(), x.size() * sizeof(T));
  }
  view<T> all() const { return {memory_.data() + shift_, {size_}}; }
  view<const T> values() const { return {memory_.data() + shift_, {size_}}; }
  list<T> to_host() const {
    list<T> x(static_cast<std::size_t>(size_), T{});
    if (size_ > 0) copy_from_gpu(x.data(), memory_.data() + shift_, x.size() * sizeof(T));
    return x;
  }

 private:
  std::size_t shift_;
  std::int64_t size_;
  gpu_array<T> memory_;
};

/// With scans, or only reduce.
template <class T, bool Scans = true, class C, class Op>
void check_gpu_ranks(C& comm, const Op& op, int rounds, std::int64_t longest, unsigned seed = 1) {
  using R = result_t<Op, T>;
  using S = state_t<Op, T>;
  std::mt19937_64 rng(seed);
  source from(seed);
  const device gpu;
  for (int round = 0; round < rounds; round++) {
    const std::int64_t n = round == 0 ? 1 << 10 : 1 + std::int64_t(rng() % std::uint64_t(longest));
    const auto x = from.many<T>(std::size_t(n));
    const S start = lift(op, from.next<T>(), 0);
    const auto cuts = some_cuts(rng, comm.size(), n);
    const bool with_init = rng() % 2 != 0, is_told = rng() % 2 != 0, in_place = rng() % 3 == 0;
    const std::size_t shift = rng() % 2 * 3;
    const std::int64_t begin = cuts[std::size_t(comm.rank())],
                       count = cuts[std::size_t(comm.rank()) + 1] - begin;
    const std::span<const T> all(x.data(), x.size());
    const gpu_values<T> mine(all.subspan(std::size_t(begin), std::size_t(count)), shift);
    const auto where =
        ranks{comm, is_told ? gpu_part(gpu).split(cuts).checked(round % 2 != 0) : gpu_part(gpu)};
    const auto before = with_init ? std::optional(start) : std::nullopt;
    const test::levels<Op, T> want(op, all);
    const auto entry = [&](std::int64_t end, const auto& first) {
      return result_of<Op, T>(op, *want.prefix(std::size_t(end), first));
    };
    const std::string what = std::to_string(comm.size()) + " ranks, " + std::to_string(n) +
                             " values, part [" + std::to_string(begin) + ", " +
                             std::to_string(begin + count) + "), round " + std::to_string(round);

    const R value = with_init ? R(reduce(where, mine.values(), op, start))
                              : R(reduce(where, mine.values(), op));
    ASSERT_PRED_FORMAT2(test::same, value, R(entry(n, before))) << what;
    if constexpr (Scans && std::is_trivially_copyable_v<R>) {
      const gpu_array<R> result(1);
      if (with_init) reduce(where, mine.values(), op, start, into(result.data()));
      else reduce(where, mine.values(), op, into(result.data()));
      ASSERT_TRUE(same(result.to_host()[0], value)) << what;
      const gpu_values<R> entries(list<R>(std::size_t(count), R{}), rng() % 2);
      exclusive_scan(where, mine.values(), entries.all(), op, start);
      auto got = entries.to_host();
      for (std::int64_t i = 0; i < count; i++)
        ASSERT_TRUE(same(got[std::size_t(i)], R(entry(begin + i, std::optional(start)))))
            << what << ", exclusive entry " << begin + i;
      const auto go = [&](const auto& out) {
        if (with_init) inclusive_scan(where, mine.values(), out, op, start);
        else inclusive_scan(where, mine.values(), out, op);
      };
      if constexpr (std::is_same_v<R, T>) {
        if (in_place) go(mine.all()), got = mine.to_host();
      }
      if (!in_place || !std::is_same_v<R, T>) go(entries.all()), got = entries.to_host();
      for (std::int64_t i = 0; i < count; i++)
        ASSERT_TRUE(same(got[std::size_t(i)], R(entry(begin + i + 1, before))))
            << what << ", entry " << begin + i;
    }
  }
}

template <class T, class C, class Op>
void check_gpu_axes(C& comm, const Op& op, int rounds, unsigned seed = 3) {
  using R = result_t<Op, T>;
  std::mt19937_64 rng(seed);
  source from(seed);
  const device gpu;
  for (int round = 0; round < rounds; round++) {
    const int split = int(rng() % 2), over = rng() % 4 == 0 ? 1 - split : split;
    const std::int64_t rows = 1 + std::int64_t(rng() % 40), columns = 1 + std::int64_t(rng() % 40);
    const auto x = from.many<T>(std::size_t(rows * columns));
    const gpu_values<T> on_gpu(std::span<const T>(x), 0);
    const view<const T> whole(on_gpu.values().data(), {rows, columns});
    const auto cuts = some_cuts(rng, comm.size(), split == 0 ? rows : columns);
    const std::int64_t begin = cuts[std::size_t(comm.rank())],
                       count = cuts[std::size_t(comm.rank()) + 1] - begin;
    const std::int64_t results = over == split ? (split == 0 ? columns : rows) : count;
    if (over != split && count == 0) continue;
    const gpu_array<R> out(static_cast<std::size_t>(results));
    reduce(ranks{comm, gpu}, whole.sliced(split, begin, count), op, split_along{split}, axes{over},
           into(view<R>(out.data(), {results})));
    const auto got = out.to_host();
    for (std::int64_t i = 0; i < results; i++) {
      std::vector<T> line;
      const std::int64_t at = over == split ? i : begin + i;
      for (std::int64_t j = 0; j < (over == 0 ? rows : columns); j++)
        line.push_back(x[std::size_t(over == 0 ? j * columns + at : at * columns + j)]);
      const R want = result_of<Op, T>(op, *fold(op, std::span<const T>(line)));
      ASSERT_TRUE(same(got[std::size_t(i)], want))
          << comm.size() << " ranks, " << rows << " x " << columns << ", split " << split
          << ", over " << over << ", result " << i;
    }
  }
}

}  // namespace rung::tests
