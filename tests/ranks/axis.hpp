// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Random arrays of three axes, split along a random one: every result against the fold of its own
// line of the whole array.
#pragma once
#include "rung/ranks/axis.hpp"
#include "sweep.hpp"

namespace rung::test {

template <class T, class C, class Op>
void check_split_axis(C& comm, const Op& op, int rounds) {
  using R = result_t<Op, T>;
  generator rng(11);
  for (int round = 0; round < rounds; round++) {
    const int split = int(pick(rng, 0, 2)), over = one_in(rng, 3) ? int(pick(rng, 0, 2)) : split;
    std::array<std::int64_t, 3> shape{pick(rng, 1, 9), pick(rng, 1, 9), pick(rng, 1, 9)};
    shape[std::size_t(split)] = pick(rng, 1, 70);
    block<T> x(shape[0] * shape[1] * shape[2]);
    fill_randomly(rng, x);
    const view<const T> whole(x.data(), extents(shape));
    const auto cuts = random_cuts(rng, comm.size(), shape[std::size_t(split)]);
    const std::int64_t begin = cuts[std::size_t(comm.rank())],
                       end = cuts[std::size_t(comm.rank()) + 1];
    auto mine = whole.sliced(split, begin, end - begin);
    auto out_shape = shape;
    out_shape[std::size_t(split)] = end - begin;
    const std::int64_t length = out_shape[std::size_t(over)];
    out_shape[std::size_t(over)] = 1;
    if (over != split && length == 0) continue;
    const std::int64_t results = out_shape[0] * out_shape[1] * out_shape[2];
    block<R> got(results);
    const view<R> out(got.data(), extents(out_shape));
    reduce(ranks{comm, cpu.with_threads(1)}, mine, op, split_along{split - 3 * int(rng() % 2)},
           axes{over}, into(out));
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < out_shape[0]; i++)
      for (std::int64_t j = 0; j < out_shape[1]; j++)
        for (std::int64_t k = 0; k < out_shape[2]; k++, at++) {
          std::array<std::int64_t, 3> index{i, j, k};
          if (over != split) index[std::size_t(split)] += begin;
          std::vector<T> line;
          for (std::int64_t v = 0; v < shape[std::size_t(over)]; v++) {
            index[std::size_t(over)] = v;
            line.push_back(whole(index[0], index[1], index[2]));
          }
          const auto state = fold(op, std::span<const T>(line));
          ASSERT_PRED_FORMAT2(same, got[at], (result_of<Op, T>(op, *state)))
              << comm.size() << " ranks, split " << split << ", over " << over << ", result " << at;
        }
  }
}

template <class C>
void check_split_axes(C& comm, int rounds) {
  check_split_axis<float>(comm, plus{}, rounds);
  check_split_axis<float>(comm, arg_max{}, rounds);

  const int me = comm.rank(), last = comm.size() - 1;
  const std::vector<float> x(24, 1.0f);
  std::vector<float> out(6);
  const auto where = ranks{comm, cpu.with_threads(1)};
  const view<const float> part(x.data(), {4, 6}), other(x.data(), {4, 5});
  reduce(where, part, plus{}, split_along{0}, axes{0}, into(out), 0.5f);
  EXPECT_EQ(out[5], 4.0f * float(comm.size()) + 0.5f);
  EXPECT_THROWS("axis 0 is split among the ranks, so it is folded alone", error_code::bad_argument,
                [&] { reduce(where, part, plus{}, split_along{0}, axes(), into(&out[0])); });
  if (comm.size() == 1) return;
  std::vector<float> five(5);
  EXPECT_THROWS("make different calls", error_code::rank, [&] {
    if (me == last) reduce(where, other, plus{}, split_along{0}, axes{0}, into(five));
    else reduce(where, part, plus{}, split_along{0}, axes{0}, into(out));
  });
}

}  // namespace rung::test
