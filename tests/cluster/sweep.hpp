// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The sweep of the rungs that several blocks climb together, for one state and operator: numbers of
// blocks, block shapes, values per thread, partial counts, several orders of the virtual GPU; all
// verbs one after the other, with nothing between them. A team says how it is launched and found.
#pragma once
#include "rung/cluster/reduce.cuh"
#include "rung/cluster/scan.cuh"
#include "warp/values.hpp"

namespace rung::tests {

/// Where the kernel puts its answers: per value, or per thread of all teams.
template <class S>
struct team_answers {
  global<S> reduced, total, plain_total, inclusive, exclusive, plain;
  global<int> here;
};

template <class S, int K, class T, class Op>
RUNG_DEVICE void call_verbs(const T& team, int first, int n, const S (&x)[K], const S& init,
                            const Op& op, const team_answers<S>& out) {
  const int rank = team.rank() * team.block().threads() + team.block().rank();
  S v[K];
  auto again = [&] {
    for (int j = 0; j < K; ++j) v[j] = x[j];
  };
  auto put = [&](global<S> to) {
    for (int j = 0; j < K; ++j)
      if (rank * K + j < n) to[first * K + rank * K + j] = v[j];
  };
  const int me = first + rank;
  if constexpr (T::whole) {
    const auto sum = reduce_to_one(team, x, op);
    out.here[me] = bool(sum);
    if (sum) out.reduced[me] = *sum;
  } else if (has_empty<Op, S> || n > 0) {
    out.reduced[me] = reduce(team, x, op);
  }
  S t = init;
  again();
  exclusive_scan(team, v, op, init, total_to(t));
  put(out.exclusive);
  out.total[me] = t;
  again();
  if constexpr (T::whole) {
    inclusive_scan(team, v, op, total_to(t));
    put(out.inclusive);
    out.plain_total[me] = t;
  } else {
    inclusive_scan(team, v, op);
    put(out.inclusive);
    if constexpr (has_empty<Op, S>) {
      again();
      exclusive_scan(team, v, op, total_to(t));
      put(out.plain);
      out.plain_total[me] = t;
    }
  }
}

/// The values at positions from `n` on never show. n < 0: all, said so by the team's type.
template <class Team, int K, class S, class Op>
RUNG_KERNEL(1024)
void team_kernel(global<const S> in, int n, S init, Op op, team_answers<S> out,
                 typename Team::memory memory) {
  const auto team = Team::find(memory);
  const int threads = team.block().threads();
  const int mine = team.rank() * threads + team.block().rank();
  const int first = Team::number() * team.blocks() * threads;  // threads of the teams before
  const int count = n < 0 ? team.blocks() * threads * K : n;
  S x[K];
  for (int j = 0; j < K; ++j) {
    x[j] = init;  // where there is no value: something that would show
    if (mine * K + j < count) x[j] = in[(first + mine) * K + j];
  }
  if (n < 0) call_verbs(team, first, count, x, init, op, out);
  else call_verbs(team.first(n), first, n, x, init, op, out);
}

/// The values of one team, and what came out for them.
template <class S>
struct team_results {
  std::span<const S> x;
  bool all;  // said so by the team's type
  const S *reduced, *total, *plain_total, *inclusive, *exclusive, *plain;
  const int* here;
};

template <class S, class Op>
void check_team(const team_results<S>& r, int count, int threads, const S& init, const S& junk,
                const Op& op, const std::string& what) {
  const auto all = r.x.first(std::size_t(count));
  auto whole = oracle<S>(op, all);
  if constexpr (has_empty<Op, S>)
    if (!whole) whole = empty_state<S>(op);
  const S after_init = *oracle<S>(op, all, init);
  for (int t = 0; t < threads; ++t) {
    if (r.all) {
      ASSERT_EQ(r.here[t], int(t == 0)) << what;
    }
    if (whole && (!r.all || t == 0)) {
      ASSERT_TRUE(same(r.reduced[t], *whole)) << what << ": reduce, thread " << t;
    }
    if (whole && (r.all || has_empty<Op, S>)) {
      ASSERT_TRUE(same(r.plain_total[t], *whole)) << what << ": total without init, thread " << t;
    }
    ASSERT_TRUE(same(r.total[t], after_init)) << what << ": total, thread " << t;
  }
  detail::counter<S> c;  // the oracle of every prefix; fold itself checks a few of them
  for (int i = 0; i < count; ++i) {
    const auto before_i = c.fold(op, {init, true}).state;
    ASSERT_TRUE(same(r.exclusive[i], before_i)) << what << ": exclusive_scan, position " << i;
    if constexpr (has_empty<Op, S>) {
      const S plain = i == 0 ? empty_state<S>(op) : c.fold(op, {c.block[0], false}).state;
      ASSERT_TRUE(r.all || same(r.plain[i], plain))
          << what << ": exclusive_scan, no init, position " << i;
    }
    c.push(all[std::size_t(i)], op);
    const auto up_to_i = c.fold(op, {c.block[0], false}).state;
    ASSERT_TRUE(same(r.inclusive[i], up_to_i)) << what << ": inclusive_scan, position " << i;
    if (i % 97 == 5 || i + 1 == count) {
      ASSERT_TRUE(same(up_to_i, *oracle<S>(op, all.first(std::size_t(i) + 1)))) << what;
      ASSERT_TRUE(same(before_i, *oracle<S>(op, all.first(std::size_t(i)), init))) << what;
    }
  }
  for (std::size_t i = std::size_t(count); i < r.x.size(); ++i)
    ASSERT_TRUE(same(r.inclusive[i], junk) && same(r.exclusive[i], junk)) << what << ": at " << i;
}

/// One launch of `teams` teams of `blocks` blocks.
template <class Team, int K, class S, class Op>
void run_teams(Team& team, int teams, int blocks, dims shape, int n, unsigned seed) {
  const Op op{};
  const int threads = int(shape.count()) * blocks, values = threads * K;
  const std::size_t all_threads = std::size_t(threads * teams), all = all_threads * K;
  source from(seed);
  from.special = seed % 2 == 0;
  const auto x = from.many<S>(all);
  const S init = from.next<S>(), junk = from.next<S>();
  const device_values<S> in(x);
  const list<S> per_value(all, junk), per_thread(all_threads, junk);
  const device_values<S> reduced(per_thread), total(per_thread), plain_total(per_thread),
      inclusive(per_value), exclusive(per_value), plain(per_value);
  const gpu_array<int> here{std::vector<int>(all_threads, 0)};
  reseed(seed);
  launch_with(team.options(blocks), team_kernel<Team, K, S, Op>, blocks * teams, shape,
              sizeof(typename Team::scratch_type), nullptr, in, n, init, op,
              team_answers<S>{static_cast<S*>(reduced), static_cast<S*>(total),
                              static_cast<S*>(plain_total), static_cast<S*>(inclusive),
                              static_cast<S*>(exclusive), static_cast<S*>(plain), here.data()},
              team.arguments());
  const std::string what = std::to_string(blocks) + " blocks of " + std::to_string(shape.x) + "x" +
                           std::to_string(shape.y) + "x" + std::to_string(shape.z) + ", " +
                           std::to_string(K) + " per thread, n = " + std::to_string(n) + ", seed " +
                           std::to_string(seed);
  const auto a = reduced.to_host(), b = total.to_host(), c = plain_total.to_host(),
             d = inclusive.to_host(), e = exclusive.to_host(), f = plain.to_host();
  const auto g = here.to_host();
  for (int i = 0; i < teams; ++i) {
    const int t = i * threads, v = i * values;
    check_team<S, Op>({{x.data() + v, std::size_t(values)},
                       n < 0,
                       &a[std::size_t(t)],
                       &b[std::size_t(t)],
                       &c[std::size_t(t)],
                       &d[std::size_t(v)],
                       &e[std::size_t(v)],
                       &f[std::size_t(v)],
                       &g[std::size_t(t)]},
                      n < 0 ? values : n, threads, init, junk, op, what);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// The counts that a team of blocks with `room` values each is tried with; -1: all, said so by the
/// team's type. Few blocks are tried with many.
inline std::vector<int> team_counts(int blocks, int room) {
  const int values = blocks * room;
  if (blocks > 4) return {-1, values / 2 | 1, values - room};
  std::vector<int> n{-1, 0, values};
  for (const int m : {1, room + 1, values / 3 | 1, values - 1})
    if (m > 0 && m < values) n.push_back(m);
  return n;
}

/// `Team` with every count, `teams` at a time.
template <class Team, int K, class S, class Op>
void sweep_teams(Team& team, int teams, std::initializer_list<int> sizes, dims shape,
                 unsigned& seed) {
  for (const int blocks : sizes)
    for (const int n : team_counts(blocks, int(shape.count()) * K)) {
      run_teams<Team, K, S, Op>(team, teams, blocks, shape, n, ++seed);
      if (testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace rung::tests
