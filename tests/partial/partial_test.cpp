// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// However a sequence is cut, appended and merged, a partial has the value and the bytes of the
// whole.
#include "rung/partial.hpp"

#include <gtest/gtest.h>

#include "cpu/random_layout.hpp"
#include "order/levels.hpp"
#include "order/same.hpp"
#include "rung/cpu/reduce.hpp"

namespace rung::test {
namespace {

template <class T>
block<T> random_block(generator& rng, std::int64_t n) {
  block<T> x(n);
  fill_randomly(rng, x, rarely(rng));
  return x;
}

template <class F>
std::string error_of(const F& f, error_code code = error_code::bad_argument) {
  try {
    f();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    return e.what();
  }
  return "no error";
}
#define EXPECT_SAYS(text, ...) EXPECT_NE(error_of(__VA_ARGS__).find(text), std::string::npos)

/// Cuts x[begin, end) at random and puts it together in a random way.
template <class Op, class T>
partial<Op, T> assembled(generator& rng, const Op& op, std::span<const T> x, std::int64_t begin,
                         std::int64_t end, int depth = 4) {
  if (depth == 0 || end - begin < 2 || one_in(rng, 4)) {
    partial<Op, T> p(op, begin);
    for (std::int64_t at = begin; at < end;) {
      const std::int64_t n = one_in(rng, 3) ? end - at : pick(rng, 0, end - at);
      p.append(cpu.with_threads(int(pick(rng, 1, 3))), x.subspan(std::size_t(at), std::size_t(n)));
      at += n;
    }
    return p;
  }
  const std::int64_t middle = pick(rng, begin, end);
  const auto left = assembled(rng, op, x, begin, middle, depth - 1);
  const auto right = assembled(rng, op, x, middle, end, depth - 1);
  if (!one_in(rng, 3)) return left + right;
  return partial<Op, T>::deserialise(left.serialise("k"), op, "k") + right;
}

template <class T, class Op>
void check_any_cut(const Op& op, int rounds, std::int64_t longest) {
  generator rng(1);
  for (int round = 0; round < rounds; round++) {
    const block<T> x = random_block<T>(rng, pick(rng, 0, longest));
    partial<Op, T> whole(op);
    whole.append(x.all());
    const auto p = assembled(rng, op, x.all(), 0, x.size());
    ASSERT_EQ(p.range(), (position_range{0, x.size()}));
    ASSERT_EQ(p.serialise(), whole.serialise()) << x.size();
    if (x.size() > 0) {
      const auto state = fold(op, x.all());
      ASSERT_PRED_FORMAT2(same, p.value(), (result_of<Op, T>(op, *state)));
      const auto start = lift(op, x[0], 0);
      ASSERT_PRED_FORMAT2(same, p.value(start),
                          (result_of<Op, T>(op, *fold(op, x.all(), std::optional(start)))));
    }
    // A range from the middle: its blocks keep their places in the whole sequence.
    const std::int64_t begin = pick(rng, 0, x.size()), end = pick(rng, begin, x.size());
    partial<Op, T> inner(op, begin);
    inner.append(x.all().subspan(std::size_t(begin), std::size_t(end - begin)));
    ASSERT_EQ(assembled(rng, op, x.all(), begin, end).serialise(), inner.serialise());
  }
}

TEST(Partial, SumsOfFloats) { check_any_cut<float>(plus{}, 150, 3000); }
TEST(Partial, LongSumsOfFloats) { check_any_cut<float>(plus{}, 8, 600000); }
TEST(Partial, SumsOfHalves) { check_any_cut<f16>(plus{}, 100, 3000); }
TEST(Partial, AffineMaps) { check_any_cut<affine_map<double>>(affine{}, 100, 3000); }
TEST(Partial, PlacesOfMaxima) { check_any_cut<float>(arg_max{}, 100, 3000); }
TEST(Partial, Moments) { check_any_cut<std::int16_t>(moments{}, 100, 3000); }
TEST(Partial, SkippingNaN) { check_any_cut<float>(skip_nan{arg_min{}}, 100, 3000); }
TEST(Partial, SeveralOperators) {
  check_any_cut<float>(fuse(plus{}, skip_nan{mean{}}, any{}), 100, 1000);
}

/// Every small range falls into the blocks that it must: maximal aligned ones.
TEST(Partial, HoldsTheMaximalAlignedBlocks) {
  const std::vector<std::int64_t> x(200, 1);
  for (std::int64_t begin = 0; begin < 130; begin++)
    for (std::int64_t end = begin; end <= 200; end += 3) {
      std::vector<std::int64_t> want;  // for integers a state is the length of its block
      for (std::int64_t at = begin; at < end;) {
        std::int64_t size = 1;
        while (at % (2 * size) == 0 && at + 2 * size <= end) size *= 2;
        want.push_back(size);
        at += size;
      }
      const auto& kernels = host::generic_fold<plus, std::int64_t>;
      const plus op;
      host::partial_blocks p(kernels, &op, begin);
      for (std::int64_t at = begin; at < end; at += 7)
        p.append(cpu, x.data(), std::min<std::int64_t>(7, end - at));
      ASSERT_EQ(p.blocks(), want.size());
      ASSERT_EQ(std::size_t(host::block_count(p.range())), want.size());
      ASSERT_TRUE(want.empty() ||
                  std::memcmp(p.states().data(), want.data(), want.size() * 8) == 0);
    }
}

TEST(Partial, AgreesWithReduce) {
  generator rng(2);
  const block<float> x = random_block<float>(rng, 300001);
  for (const int threads : {1, 2, 3, 8}) {
    partial<norm, float> p;
    p.append(cpu.with_threads(threads), x.all());
    EXPECT_PRED_FORMAT2(same, p.value(), reduce(cpu, x.all(), norm{}));
  }
}

TEST(Partial, FarPositions) {
  constexpr std::int64_t limit = std::int64_t(1) << 62;
  const std::vector<std::uint8_t> x(100, 1);
  partial<arg_min, std::uint8_t> p(arg_min{}, limit - 100);
  p.append(x);
  EXPECT_EQ(p.range(), (position_range{limit - 100, limit}));
  EXPECT_SAYS("positions end at 2^62", [&] { p.append(x); });
  p.append(std::span(x).first(0));
  EXPECT_EQ(host::block_count({1, limit}), 62);
  EXPECT_EQ(host::block_count({limit - 1 - (limit >> 1), limit - 1}), 62);
  EXPECT_SAYS("cannot begin at position -1", [&] { partial<plus, float>(plus{}, -1); });
  EXPECT_SAYS("cannot begin at", [&] { partial<plus, float>(plus{}, limit + 1); });
  EXPECT_EQ((partial<plus, float>(plus{}, limit).range()), (position_range{limit, limit}));
}

TEST(Partial, Errors) {
  const std::vector<float> x(10, 1);
  partial<plus, float> a, b(plus{}, 12), c(plus{}, 10);
  a.append(x), b.append(x), c.append(std::span(x).first(2));
  const auto bytes = a.serialise();
  EXPECT_SAYS("[0, 10) and [12, 22)", [&] { a.merge(b); });
  EXPECT_SAYS("[12, 22) and [0, 10)", [&] { b.merge(a); });
  EXPECT_SAYS("[0, 10) and [0, 10)", [&] { a.merge(a); });
  EXPECT_SAYS("[12, 22) has no value of its own", [&] { (void)b.value(); });
  EXPECT_EQ(a.serialise(), bytes);  // nothing changed
  EXPECT_EQ((a + c + b).value(), 22);
  partial<plus, float> nothing, after(plus{}, 10);
  EXPECT_PRED_FORMAT2(same, nothing.value(), 0.0f);
  EXPECT_EQ((nothing + a + after).value(), 10);
  EXPECT_EQ(nothing.value(3), 3);
  EXPECT_SAYS(
      "extreme of no values", [] { (void)partial<minimum, float>().value(); }, error_code::empty);
  EXPECT_EQ((partial<minimum, float>().value(2.5)), 2.5f);
  constexpr auto bare = make_operator([](float l, float) { return l; });
  EXPECT_SAYS(
      "no values", [&] { (void)partial<decltype(bare), float>(bare).value(); }, error_code::empty);
}

/// An operator that throws leaves the partial as it was.
TEST(Partial, AnExceptionChangesNothing) {
  const auto join = [](double l, double r) {
    if (l + r > 1000) throw 7;
    return l + r;
  };
  for (const int threads : {1, 3}) {
    partial<decltype(join), double> p(join), right(join, 600);
    const std::vector<double> ones(600, 1), many(300000, 1);
    p.append(ones), right.append(std::span(ones).first(500));
    const auto before = p.serialise();
    EXPECT_THROW(p.append(cpu.with_threads(threads), many), int);
    EXPECT_EQ(p.serialise(), before);
    EXPECT_THROW(p.append(cpu.with_threads(threads), std::span(many).first(500)), int);
    EXPECT_EQ(p.serialise(), before);
    EXPECT_THROW(p.merge(right), int);
    EXPECT_EQ(p.serialise(), before);
    EXPECT_EQ(p.value(), 600);
  }
}

TEST(Partial, CopiesAreIndependent) {
  const std::vector<float> x(100, 2);
  const float scale = 1;  // a lambda that holds something cannot be assigned, its partial can
  const auto op = make_operator([scale](float l, float r) { return l + scale * r; });
  partial<std::remove_const_t<decltype(op)>, float> p(op);
  p.append(x);
  auto q = p;
  q.append(x);
  EXPECT_EQ(p.value(), 200);
  EXPECT_EQ(q.value(), 400);
  p = std::move(q);
  p.append(std::span(x).first(1));
  EXPECT_EQ(p.value(), 402);
}

TEST(Partial, ProgressReachesOne) {
  double last = 0;
  cpu_rung where = cpu;
  where.progress_context = &last;
  where.progress = [](void* to, double fraction) { *static_cast<double*>(to) = fraction; };
  const block<float> x(20 << 20);
  partial<plus, float> p;
  p.append(where, x.all());
  EXPECT_EQ(last, 1);
}

}  // namespace
}  // namespace rung::test
