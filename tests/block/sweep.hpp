// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The sweep of the block rung for one state and operator: block shapes, values per thread, both
// arrangements, partial tiles, several orders of the virtual GPU. The test programs choose the
// types.
#pragma once
#include "rung/block/scan.cuh"
#include "warp/values.hpp"

namespace rung::tests {

/// A block of any shape, with room for its values to change threads.
template <class S, int K>
struct any_block {
  static constexpr int most = sizeof(S) * K > 96 ? 256 : 1024;
  exchange_scratch<S, most * K> scratch;
  RUNG_DEVICE auto group() { return this_block(scratch); }
};
/// One that knows its shape.
template <class S, int K, int X, int Y = 1, int Z = 1>
struct known_block {
  static constexpr int most = X * Y * Z;
  exchange_scratch<S, most * K> scratch;
  RUNG_DEVICE auto group() { return block_of<X, Y, Z>(scratch); }
};
/// Neighbours need no exchange if their number is a power of two.
template <class S, int X>
struct lean_block {
  static constexpr int most = X;
  block_scratch<S> scratch;
  RUNG_DEVICE auto group() { return block_of<X>(scratch); }
};

/// Where the kernel puts its answers; arrays have one entry per value or per thread.
template <class S>
struct block_answers {
  global<S> reduced, one, total, plain_total, inclusive, exclusive;
  global<int> here;
};

template <bool Striped, class S, int K, class B, class Op>
RUNG_DEVICE void call_verbs(const B& block, int n, const S (&x)[K], const S& init, const Op& op,
                            const block_answers<S>& out) {
  const int rank = block.rank(), threads = block.threads();
  auto values = [](S(&v)[K]) -> decltype(auto) {
    if constexpr (Striped) return striped(v);
    else return (v);
  };
  auto put = [&](global<S> to, const S(&v)[K]) {
    for (int j = 0; j < K; ++j) {
      const int p = Striped ? j * threads + rank : rank * K + j;
      if (p < n) to[p] = v[j];
    }
  };
  S v[K];
  auto again = [&] {
    block_barrier();
    for (int j = 0; j < K; ++j) v[j] = x[j];
  };
  again();
  if constexpr (has_empty<Op, S>) out.reduced[rank] = reduce(block, values(v), op);
  else if (n > 0) out.reduced[rank] = reduce(block, values(v), op);
  if constexpr (!Striped) {
    again();
    if (n > 0) {
      const auto sum = reduce_to_one(block, v, op);
      out.here[rank] = bool(sum);
      if (sum) out.one[0] = *sum;
    }
  }
  again();
  S t = init;
  exclusive_scan(block, values(v), op, init, total_to(t));
  put(out.exclusive, v);
  out.total[rank] = t;
  again();
  inclusive_scan(block, values(v), op, total_to(t));
  put(out.inclusive, v);
  out.plain_total[rank] = t;
}

/// One launch: the values at positions from `n` on never show. n < 0: the whole block, said
/// so by its type.
template <class Place, bool Striped, int K, class S, class Op>
RUNG_KERNEL(1024)
void block_kernel(global<const S> in, int n, S init, Op op, block_answers<S> out) {
  Place& place = scratch<Place>();
  const auto block = place.group();
  const int rank = block.rank(), threads = block.threads(), count = n < 0 ? threads * K : n;
  S x[K];
  for (int j = 0; j < K; ++j) {
    const int p = Striped ? j * threads + rank : rank * K + j;
    x[j] = init;  // where there is no value: something that would show
    if (p < count) x[j] = in[p];
  }
  if (n < 0) call_verbs<Striped>(block, count, x, init, op, out);
  else call_verbs<Striped>(block.first(n), n, x, init, op, out);
}

template <class Place, bool Striped, int K, class S, class Op>
void run_block(dims shape, int n, unsigned seed, const std::string& name, const Op& op = {}) {
  const int threads = int(shape.count()), values = threads * K, count = n < 0 ? values : n;
  source from(seed);
  from.special = seed % 2 == 0;
  const auto x = from.many<S>(std::size_t(values));
  const S init = from.next<S>(), junk = from.next<S>();
  const device_values<S> in(x);
  const list<S> room(std::size_t(values), junk);
  const device_values<S> reduced(room), one(room), total(room), plain(room), inclusive(room),
      exclusive(room);
  const gpu_array<int> here{std::vector<int>(std::size_t(threads), 0)};
  reseed(seed);
  launch(block_kernel<Place, Striped, K, S, Op>, 1, shape, sizeof(Place), nullptr, in, n, init, op,
         block_answers<S>{static_cast<S*>(reduced), static_cast<S*>(one), static_cast<S*>(total),
                          static_cast<S*>(plain), static_cast<S*>(inclusive),
                          static_cast<S*>(exclusive), here.data()});
  const std::string what =
      name + " block " + std::to_string(shape.x) + "x" + std::to_string(shape.y) + "x" +
      std::to_string(shape.z) + ", " + std::to_string(K) + (Striped ? " striped" : "") +
      " per thread, n = " + std::to_string(n) + ", seed " + std::to_string(seed);
  const std::span<const S> all(x.data(), std::size_t(count));
  auto whole = oracle<S>(op, all);
  if constexpr (has_empty<Op, S>)
    if (!whole) whole = empty_state<S>(op);
  const auto got_reduced = reduced.to_host(), got_total = total.to_host(), got_one = one.to_host();
  const auto got_plain = plain.to_host();
  const auto got_in = inclusive.to_host(), got_ex = exclusive.to_host();
  const auto holds = here.to_host();
  for (int t = 0; t < threads; ++t) {
    if (whole) {
      ASSERT_TRUE(same(got_reduced[t], *whole)) << what << ": reduce, thread " << t;
      ASSERT_TRUE(same(got_plain[t], *whole)) << what << ": total without init, thread " << t;
    }
    if (!Striped && count > 0) {
      ASSERT_EQ(holds[t], int(t == 0)) << what;
    }
    ASSERT_TRUE(same(got_total[t], *oracle<S>(op, all, init))) << what << ": total, thread " << t;
  }
  if (!Striped && count > 0) {
    ASSERT_TRUE(same(got_one[0], *whole)) << what << ": reduce_to_one";
  }
  detail::counter<S> c;  // the oracle of every prefix; fold itself checks a few of them
  for (int i = 0; i < count; ++i) {
    const auto before_i = c.fold(op, {init, true}).state;
    ASSERT_TRUE(same(got_ex[i], before_i)) << what << ": exclusive_scan, position " << i;
    c.push(x[i], op);
    const auto up_to_i = c.fold(op, {c.block[0], false}).state;
    ASSERT_TRUE(same(got_in[i], up_to_i)) << what << ": inclusive_scan, position " << i;
    if (i % 97 == 5 || i + 1 == count) {
      ASSERT_TRUE(same(up_to_i, *oracle<S>(op, all.first(std::size_t(i) + 1)))) << what;
      ASSERT_TRUE(same(before_i, *oracle<S>(op, all.first(std::size_t(i)), init))) << what;
    }
  }
  for (int i = count; i < values; ++i)
    ASSERT_TRUE(same(got_in[i], junk) && same(got_ex[i], junk)) << what << ": written at " << i;
}

/// The counts that a partial tile is tried with, and -1: all.
inline std::vector<int> counts(int values) {
  std::vector<int> n{-1, 0, 1, values};
  for (const int m : {2, 7, 31, 33, values / 2, values / 3 | 1, values - 1})
    if (m > 1 && m < values) n.push_back(m);
  return n;
}

template <class Pair>
class block_sweep : public testing::Test {
 protected:
  using S = typename Pair::state;
  using Op = typename Pair::op;

  template <int K, bool Striped = false>
  void any_shape(std::initializer_list<dims> shapes, int seeds = 1) {
    unsigned seed = 1;
    for (const dims shape : shapes)
      for (const int n : counts(int(shape.count()) * K))
        for (int i = 0; i < seeds; ++i) {
          run_block<any_block<S, K>, Striped, K, S, Op>(shape, n, ++seed, "run-time");
          if (this->HasFatalFailure()) return;
        }
  }
  template <class Place, int K, bool Striped = false>
  void known(dims shape) {
    unsigned seed = 100;
    for (const int n : counts(int(shape.count()) * K)) {
      run_block<Place, Striped, K, S, Op>(shape, n, ++seed, "known");
      if (this->HasFatalFailure()) return;
    }
  }
};

}  // namespace rung::tests
