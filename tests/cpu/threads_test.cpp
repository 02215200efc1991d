// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Who does the work: the caller's arena, the number of threads asked for, several callers at once,
// folds inside folds; exceptions out of operators; the caller's floating-point mode.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "cpu/long_lines.hpp"
#include "cpu/meeting.hpp"
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#if defined(RUNG_HAVE_TBB)
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace rung::test {
namespace {

constexpr std::int64_t long_enough = 600000;  // for chunks, look-back and several workers

TEST(Threads, OneThreadMeansTheCaller) {
  const block<float> x = random_block<float>(long_enough, 1);
  block<float> out(x.size());
  meeting watch(1);
  const auto what = transform(watch.function(), x.all());
  reduce(cpu.with_threads(1), what, plus{});
  inclusive_scan(cpu.with_threads(1), what, std::span<float>(out.data(), std::size_t(x.size())),
                 plus{});
  EXPECT_TRUE(watch.only_this_thread());
}

TEST(Threads, SmallWorkStaysWithTheCaller) {
  const block<float> x = random_block<float>(1000, 1);
  meeting watch(1);
  reduce(cpu.with_threads(8), transform(watch.function(), x.all()), plus{});
  EXPECT_TRUE(watch.only_this_thread());
}

#if defined(RUNG_HAVE_TBB)
TEST(Threads, TheCallersArenaIsRespected) {
  const block<float> x = random_block<float>(long_enough, 2);
  block<float> out(x.size());
  const std::span<float> target(out.data(), std::size_t(x.size()));
  const float want = reduce(cpu.with_threads(1), x.all(), plus{});
  for (const int size : {1, 2}) {
    tbb::task_arena arena(size);
    meeting watch(size);
    const auto what = transform(watch.function(), x.all());
    arena.execute([&] {
      EXPECT_EQ(host::worker_count(cpu), size);
      for (int i = 0; i < 5; i++) {
        EXPECT_PRED_FORMAT2(same, reduce(cpu, what, plus{}), want);
        inclusive_scan(cpu, what, target, plus{});
        EXPECT_PRED_FORMAT2(same, out[x.size() - 1], want);
      }
    });
    EXPECT_LE(watch.count(), std::size_t(size)) << size;
    if (size == 1) {
      EXPECT_EQ(watch.count(), 1u);
    }
  }
}

TEST(Threads, AskedForThreadsAreNotExceeded) {
  const block<float> x = random_block<float>(long_enough, 3);
  block<float> out(x.size());
  const std::span<float> target(out.data(), std::size_t(x.size()));
  for (const int n : {2, 3, 8}) {
    meeting reducing(n), scanning(n);
    reduce(cpu.with_threads(n), transform(reducing.function(), x.all()), plus{});
    inclusive_scan(cpu.with_threads(n), transform(scanning.function(), x.all()), target, plus{});
    for (const meeting* watch : {&reducing, &scanning}) {
      EXPECT_GE(watch->count(), 1u);
      EXPECT_LE(watch->count(), std::size_t(n));
    }
  }
}

TEST(Threads, FoldsInsideFoldsHaveTheirOwnMemory) {
  constexpr std::int64_t rows = 200, columns = 3000;
  const block<float> x = random_block<float>(rows * columns, 4);
  const view<const float> m(x.data(), {rows, columns});
  std::vector<int> numbers(rows);
  for (int i = 0; i < rows; i++) numbers[std::size_t(i)] = i;
  // Every value of the outer fold is a fold of a strided column, and a scan; some run in parallel.
  const auto column_sum = [&](int i, const cpu_rung& where) {
    const auto column = m.sliced(1, 7 * i, 1);
    std::vector<float> scan(rows);
    inclusive_scan(where, column, view<float>(scan.data(), {rows, 1}), plus{}, axis{0});
    const float sum = reduce(where, column, plus{});
    return same_bits(sum, scan.back()) ? sum : quiet_nan<float>;
  };
  std::vector<float> want(rows);
  for (int i = 0; i < rows; i++) want[std::size_t(i)] = column_sum(i, cpu.with_threads(1));
  const float total = *fold(plus{}, std::span<const float>(want));
  for (const int threads : {0, 1, 2, 8}) {
    const auto where = cpu.with_threads(threads);
    const auto inner = [&](int i) { return column_sum(i, where); };
    EXPECT_PRED_FORMAT2(same, reduce(where, transform(inner, numbers), plus{}), total);
    std::vector<float> prefixes(rows);
    inclusive_scan(where, transform(inner, numbers), prefixes, plus{});
    EXPECT_PRED_FORMAT2(same, prefixes.back(), total);
  }
}

/// The operator itself runs parallel work while other threads wait for its chunk.
TEST(Threads, ParallelWorkInsideAParallelScanDoesNotDeadlock) {
  const block<float> x = random_block<float>(long_enough, 5);
  block<float> out(x.size());
  const block<float> want = all_prefixes(plus{}, x.all());
  std::atomic<std::int64_t> calls{0};
  const auto f = [&](float v) {
    if (calls.fetch_add(1, std::memory_order_relaxed) % 4096 == 0)
      tbb::parallel_for(0, 16, [](int) { std::this_thread::yield(); });
    return v;
  };
  for (const int threads : {2, 8}) {
    inclusive_scan(cpu.with_threads(threads), transform(f, x.all()),
                   std::span<float>(out.data(), std::size_t(x.size())), plus{});
    ASSERT_NO_FATAL_FAILURE(
        expect_entries([&](std::int64_t i) { return out[i]; }, want, x.size(), 1));
  }
}
#endif

TEST(Threads, SeveralCallersAtOnce) {
  const block<float> x = random_block<float>(long_enough, 6);
  const float want = reduce(cpu.with_threads(1), x.all(), plus{});
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; i++)
    callers.emplace_back([&, i] {
      std::vector<float> out(std::size_t(x.size()));
      for (int k = 0; k < 5; k++) {
        const auto where = cpu.with_threads(i);
        inclusive_scan(where, x.all(), out, plus{});
        right += same_bits(reduce(where, x.all(), plus{}), want) && same_bits(out.back(), want);
      }
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(right, 20);
}

struct trouble {
  std::int64_t at;
};

TEST(Threads, AnExceptionOfTheOperatorComesOut) {
  block<float> x(long_enough);
  std::fill(x.begin(), x.end(), 1.0f);
  block<float> out(x.size());
  const std::span<float> target(out.data(), std::size_t(x.size()));
  generator rng(7);
  for (int round = 0; round < 40; round++) {
    const std::int64_t at = pick(rng, 0, x.size() - 1);
    x[at] = 2;
    const auto where = cpu.with_threads(thread_counts[round % 4]);
    const auto expect_trouble = [&](const auto& call) {
      meeting together(where.threads);  // the others work on, or wait for what never comes
      const auto f = [&, meet = together.function()](float v) {
        if (meet(v) == 2) throw trouble{at};
        return v;
      };
      try {
        call(transform(f, x.all()));
        FAIL() << "no exception";
      } catch (const trouble& t) {
        EXPECT_EQ(t.at, at);
      }
    };
    expect_trouble([&](const auto& what) { reduce(where, what, plus{}); });
    expect_trouble([&](const auto& what) { inclusive_scan(where, what, target, plus{}); });
    expect_trouble([&](const auto& what) { exclusive_scan(where, what, target, plus{}, 0.0f); });
    x[at] = 1;
  }
  // Nothing is left behind.
  EXPECT_EQ(reduce(cpu.with_threads(3), x.all(), plus{}), float(long_enough));
}

TEST(Threads, AnExceptionOfAJoinComesOut) {
  block<float> x(long_enough);
  std::fill(x.begin(), x.end(), 1.0f);
  block<float> out(x.size());
  const auto join = [](float l, float r) {
    if (l + r > 100000) throw trouble{0};
    return l + r;
  };
  for (const int threads : thread_counts) {
    const auto where = cpu.with_threads(threads);
    wake_workers(where);
    EXPECT_THROW(reduce(where, x.all(), join), trouble);
    EXPECT_THROW(
        inclusive_scan(where, x.all(), std::span<float>(out.data(), std::size_t(x.size())), join),
        trouble);
  }
}

TEST(Threads, ProgressRunsFromZeroToOneAndNeverTwiceAtATime) {
  struct record {
    std::atomic<int> inside{0}, calls{0}, overlaps{0};
    double last = 0;
    bool in_range = true;
  } r;
  cpu_rung where = cpu.with_threads(4);
  where.progress_context = &r;
  where.progress = [](void* context, double fraction) {
    auto& seen = *static_cast<record*>(context);
    if (seen.inside.fetch_add(1) != 0) seen.overlaps++;
    seen.calls++;
    seen.in_range = seen.in_range && fraction > 0 && fraction <= 1;
    seen.last = fraction;
    seen.inside.fetch_sub(1);
  };
  const block<float> x = random_block<float>(4 * long_enough, 8);
  block<float> out(x.size());
  reduce(where, x.all(), plus{});
  EXPECT_GT(r.calls, 1);
  r.calls = 0;
  inclusive_scan(where, x.all(), std::span<float>(out.data(), std::size_t(x.size())), plus{});
  EXPECT_GT(r.calls, 1);
  EXPECT_EQ(r.overlaps, 0);
  EXPECT_TRUE(r.in_range);
}

#if defined(__SSE2__)
/// A scope with another MXCSR: flush to zero, denormals are zero, a rounding direction.
class float_mode {
 public:
  explicit float_mode(unsigned bits) : saved_(_mm_getcsr()), set_(saved_ | bits) {
    _mm_setcsr(set_);
  }
  ~float_mode() { _mm_setcsr(saved_); }
  bool still_set() const { return (_mm_getcsr() & 0xffc0u) == (set_ & 0xffc0u); }

 private:
  unsigned saved_, set_;
};

TEST(FloatMode, TheCallersModeChangesNothingAndIsKept) {
  block<float> x(long_enough);
  generator rng(9);
  for (float& v : x) v = std::ldexp(random_value<float>(rng), one_in(rng, 2) ? -140 : -20);
  block<double> d(5000);
  for (double& v : d) v = std::ldexp(random_value<double>(rng), -1060);
  const std::vector<f16> h(100, f16::from_bits(0x0007));
  const block<float> want = all_prefixes(plus{}, x.all(), std::optional(0x1p-149f));
  const double want_d = reduce(cpu, d.all(), plus{}),
               want_log = reduce(cpu, d.all(), log_sum_exp{});
  block<float> out(x.size());
  for (const unsigned bits : {0x8040u, 0x2000u, 0x4000u, 0xe040u})
    for (const int threads : thread_counts) {
      float got, got_nothing;
      double got_d, got_log;
      f16 got_h;
      bool kept;
      {
        const float_mode mode(bits);
        const auto where = cpu.with_threads(threads);
        got = reduce(where, x.all(), plus{}, 0x1p-149);  // a double, to be made a float
        inclusive_scan(where, x.all(), std::span<float>(out.data(), std::size_t(x.size())), plus{},
                       0x1p-149f);
        got_d = reduce(where, d.all(), plus{});
        got_log = reduce(where, d.all(), log_sum_exp{});
        got_h = reduce(where, h, plus{});
        got_nothing = reduce(where, std::span<const float>(), plus{}, 0x1p-149);
        try {
          reduce(where, transform([](float) -> float { throw trouble{0}; }, x.all()), plus{});
        } catch (const trouble&) {
        }
        kept = mode.still_set();
      }
      EXPECT_TRUE(kept) << bits;
      EXPECT_PRED_FORMAT2(same, got, want[x.size()]) << bits;
      ASSERT_NO_FATAL_FAILURE(
          expect_entries([&](std::int64_t i) { return out[i]; }, want, x.size(), 1));
      EXPECT_PRED_FORMAT2(same, got_d, want_d) << bits;
      EXPECT_PRED_FORMAT2(same, got_log, want_log) << bits;
      EXPECT_EQ(got_h.bits, 700) << bits;
      EXPECT_PRED_FORMAT2(same, got_nothing, 0x1p-149f) << bits;
    }
}
#endif

}  // namespace
}  // namespace rung::test
