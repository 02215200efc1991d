// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One random array, cut at random among the ranks of a communicator: reduce and both scans against
// the fold of the whole array (order/levels.hpp), for any communicator. Every rank makes the same
// random numbers, so nothing has to be sent.
#pragma once
#include "cpu/random_layout.hpp"
#include "order/levels.hpp"
#include "order/same.hpp"
#include "rung/ranks/scan.hpp"

namespace rung::test {

/// size + 1 positions from 0 to n: uneven, some parts empty, sometimes all on one rank.
inline std::vector<std::int64_t> random_cuts(generator& rng, int size, std::int64_t n) {
  std::vector<std::int64_t> cuts;
  for (int i = 1; i < size; i++) cuts.push_back(one_in(rng, 6) ? n : pick(rng, 0, n));
  std::sort(cuts.begin(), cuts.end());
  cuts.insert(cuts.begin(), 0);
  cuts.push_back(n);
  return cuts;
}

template <class T, class C, class Op>
void check_ranks(C& comm, const Op& op, int rounds, std::int64_t longest, unsigned seed = 1) {
  using R = result_t<Op, T>;
  generator rng(seed);
  const auto where = ranks{comm, cpu.with_threads(1)};
  for (int round = 0; round < rounds; round++) {
    const std::int64_t n = pick(rng, round == 0 ? 0 : 1, longest);
    block<T> x(n);
    fill_randomly(rng, x, one_in(rng, 4) ? specials::some : specials::none);
    const auto cuts = random_cuts(rng, comm.size(), n);
    const bool with_init = n == 0 || one_in(rng, 3);
    const auto start = lift(op, random_value<T>(rng), 0);
    const auto before = with_init ? std::optional(start) : std::nullopt;
    const std::int64_t begin = cuts[std::size_t(comm.rank())],
                       count = cuts[std::size_t(comm.rank()) + 1] - begin;
    const auto mine = x.all().subspan(std::size_t(begin), std::size_t(count));
    const levels<Op, T> want(op, x.all());
    const auto entry = [&](std::int64_t end) {
      const auto state = want.prefix(std::size_t(end), before);
      return result_of<Op, T>(op, *state);
    };

    const R all = with_init ? reduce(where, mine, op, start) : reduce(where, mine, op);
    ASSERT_PRED_FORMAT2(same, all, entry(n)) << comm.size() << " ranks, " << n << " values";
    const int root = int(pick(rng, 0, comm.size() - 1));
    const auto one = reduce(where, mine, op, on_rank{root}, start);
    ASSERT_EQ(one.has_value(), root == comm.rank());
    if (one) {
      ASSERT_PRED_FORMAT2(
          same, *one, (result_of<Op, T>(op, *want.prefix(std::size_t(n), std::optional(start)))));
    }

    std::vector<R> out(static_cast<std::size_t>(count));
    if (with_init) inclusive_scan(where, mine, out, op, start);
    else inclusive_scan(where, mine, out, op);
    for (std::int64_t i = 0; i < count; i++)
      ASSERT_PRED_FORMAT2(same, out[std::size_t(i)], entry(begin + i + 1))
          << comm.size() << " ranks, entry " << begin + i << " of " << n << ", part from " << begin;
    exclusive_scan(where, mine, out, op, start);
    for (std::int64_t i = 0; i < count; i++)
      ASSERT_PRED_FORMAT2(
          same, out[std::size_t(i)],
          (result_of<Op, T>(op, *want.prefix(std::size_t(begin + i), std::optional(start)))))
          << comm.size() << " ranks, entry " << begin + i << " of " << n;
  }
}

/// The operators that differ in kind: in order, positional, any order, exact, several at once.
template <class C>
void check_all_ranks(C& comm, int rounds) {
  check_ranks<float>(comm, plus{}, rounds, 300);
  check_ranks<float>(comm, plus{}, 2, 20000);
  check_ranks<float>(comm, arg_max{}, rounds, 200);
  check_ranks<affine_map<float>>(comm, affine{}, rounds, 200);
  check_ranks<std::int32_t>(comm, fuse(plus{}, arg_min{}, moments{}), rounds, 100);
  check_ranks<float>(comm, exact_plus{}, rounds, 40);
}

template <class F>
std::string what_throws(const F& f, error_code code) {
  try {
    f();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another exception: ") + e.what();
  }
  return "no error";
}
#define EXPECT_THROWS(text, code, ...)                       \
  do {                                                       \
    const std::string said = what_throws(__VA_ARGS__, code); \
    EXPECT_NE(said.find(text), std::string::npos) << said;   \
  } while (false)

/// Every rank is told what is wrong, by name, and the communicator works again afterwards.
template <class C>
void check_failures(C& comm) {
  const auto where = ranks{comm, cpu.with_threads(1)};
  const int me = comm.rank(), last = comm.size() - 1;
  const std::string name = "rank " + std::to_string(last);
  std::vector<float> x(10, 1.0f), out(10);
  const auto stops = [&](float l, float r) -> float {
    if (me == last) throw std::runtime_error("the operator of one rank stops");
    return l + r;
  };
  const auto with = [&](const auto& call) {
    try {
      call();
      ADD_FAILURE() << "no error";
    } catch (const error& e) {
      EXPECT_NE(me, last);
      EXPECT_EQ(e.code(), error_code::rank);
      EXPECT_NE(std::string(e.what()).find(name + ": the operator"), std::string::npos) << e.what();
    } catch (const std::runtime_error& e) {
      EXPECT_EQ(me, last) << e.what();
    }
  };
  with([&] { (void)reduce(where, x, make_operator(stops)); });
  with([&] { inclusive_scan(where, x, out, make_operator(stops)); });

  // Wrong on one rank only: there the error itself, elsewhere its text.
  std::vector<float> other(me == last ? 9 : 10);
  EXPECT_THROWS("as many entries as values",
                me == last ? error_code::bad_argument : error_code::rank,
                [&] { inclusive_scan(where, x, other, plus{}); });
  if (comm.size() > 1)
    EXPECT_THROWS(name + " of " + std::to_string(comm.size()) + " and rank 0 make different calls",
                  error_code::rank, [&] {
                    if (me == last) (void)reduce(where, x, minimum{});
                    else (void)reduce(where, x, plus{});
                  });
  EXPECT_THROWS("no rank -1", error_code::bad_argument,
                [&] { (void)reduce(where, x, plus{}, on_rank{-1}); });
  const std::vector<float> nothing;
  EXPECT_THROWS("no values", error_code::empty, [&] { (void)reduce(where, nothing, minimum{}); });
  EXPECT_PRED_FORMAT2(same, reduce(where, nothing, plus{}), 0.0f);
  EXPECT_PRED_FORMAT2(same, reduce(where, nothing, exact_plus{}), 0.0f);
  EXPECT_EQ(reduce(where, x, plus{}), 10.0f * float(comm.size()));
}

}  // namespace rung::test
