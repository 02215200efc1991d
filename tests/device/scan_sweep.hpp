// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The sweep of the device rung's scans for one type and operator: both kernels, sizes around all
// edges, aligned and not, backwards, in place, with and without init and total, every entry against
// the fold of its prefix. The test programs choose the types.
#pragma once
#include <algorithm>

#include "rung/device/scan.cuh"
#include "warp/values.hpp"

namespace rung::tests {

using scan_kernel = tune::scan_plan::kernel;

/// fold(x[0 .. i)) for every i up to n, after init: a table of the aligned blocks of all levels,
/// and for each prefix the join of those that it consists of.
template <class T, class Op>
std::vector<std::optional<state_t<Op, T>>> prefix_folds(const Op& op, std::span<const T> x,
                                                        std::optional<state_t<Op, T>> init) {
  using S = state_t<Op, T>;
  std::vector<std::vector<S>> blocks(1);
  for (std::size_t i = 0; i < x.size(); ++i) blocks[0].push_back(lift(op, x[i], std::int64_t(i)));
  while (blocks.back().size() > 1) {
    const auto& below = blocks.back();
    std::vector<S> level;
    for (std::size_t i = 0; i + 1 < below.size(); i += 2)
      level.push_back(op(below[i], below[i + 1]));
    blocks.push_back(std::move(level));
  }
  std::vector<std::optional<S>> prefixes;
  for (std::size_t n = 0; n <= x.size(); ++n) {
    std::optional<S> all = init;
    for (std::size_t k = blocks.size(); k-- > 0;)
      if ((n >> k & 1) != 0) {
        const S& block = blocks[k][(n >> k) - 1];
        all = all ? S(op(*all, block)) : block;
      }
    prefixes.push_back(all);
  }
  return prefixes;
}

/// How one call of the sweep differs from another.
struct scan_case {
  std::size_t n;
  tune::scan_plan plan;
  std::size_t shift = 0, out_shift = 0;
  bool init = false, counted = false, in_place = false;
  bool back = false, out_back = false;  // in place: the same
  int patience = 16;
  unsigned seed = 1;
  friend std::ostream& operator<<(std::ostream& out, const scan_case& c) {
    return out << "n = " << c.n << ", kernel " << int(c.plan.which) << ", warps " << c.plan.warps
               << ", packs " << c.plan.packs << ", shifts " << c.shift << " " << c.out_shift
               << (c.init ? ", init and total" : "") << (c.counted ? ", counted" : "")
               << (c.in_place ? ", in place" : "") << (c.back ? ", backwards" : "")
               << (c.out_back ? ", output backwards" : "") << ", patience " << c.patience
               << ", seed " << c.seed;
  }
};

/// Entries are states: the operator without its finish.
template <class Op>
struct unfinished : Op {
  using keeps_accumulator = void;
  template <class S>
  RUNG_HD constexpr S finish(const S& s) const {
    return s;
  }
};

template <class T, class Op>
struct device_scan_sweep {
  using S = state_t<Op, T>;
  static constexpr int packs = detail::scan_packs<detail::array_source<as_it_is, T>, S>;
  static constexpr std::size_t row = warp_size * detail::common_pack<T>();
  /// What a warp takes where there are many values.
  static constexpr std::size_t lanes = row * packs;
  unfinished<Op> op{};
  device where;
  list<T> x;
  S init{};

  template <bool Exclusive>
  void once(const scan_case& c) {
    if constexpr (sizeof(S) != sizeof(T))
      if (c.in_place) return;
    const std::span<const T> values(x.data() + c.shift, c.n);
    list<T> brought(x.begin(), x.begin() + std::ptrdiff_t(c.shift + c.n));
    if (c.back) std::reverse(brought.begin() + std::ptrdiff_t(c.shift), brought.end());
    const device_values<T> on_gpu(brought);
    const device_values<S> results(list<S>(c.out_shift + c.n + 1, S{}));
    S* out = static_cast<S*>(results) + c.out_shift;
    if (c.in_place) out = reinterpret_cast<S*>(static_cast<T*>(on_gpu) + c.shift);
    const std::size_t n = c.counted ? c.n - c.n / 3 : c.n;
    const gpu_array<std::int64_t> count(std::vector<std::int64_t>{std::int64_t(n)});
    const gpu_array<S> total(std::vector<S>{S{}}), given(std::vector<S>{init});
    const auto want =
        prefix_folds<T>(op, values.first(n), c.init ? std::optional(init) : std::nullopt);

    SCOPED_TRACE(testing::Message() << c);
    reseed(c.seed);
    view<const T> array(static_cast<T*>(on_gpu) + c.shift, {std::int64_t(c.n)});
    if (c.back) array = array.reversed(0);
    const bool out_back = c.out_back && c.n > 1;
    const auto source = detail::device_source(array);
    using Source = std::remove_cvref_t<decltype(source.source)>;
    constexpr int N = Source::pack_size;
    const auto go = [&](const auto& what, const auto& how_many, const auto& start,
                        const auto& end) {
      using sized = std::remove_cvref_t<decltype(what)>;
      using output = detail::scan_output<unfinished<Op>, T, S, N>;
      using Count = std::remove_cvref_t<decltype(how_many)>;
      using Start = std::remove_cvref_t<decltype(start)>;
      using Total = std::remove_cvref_t<decltype(end)>;
      const detail::scan_work<Source, unfinished<Op>, Count, Start, output, Total> work{
          what.source, op, how_many, start, output(out + (out_back ? c.n - 1 : 0), out_back), end};
      detail::launch_scan<detail::scan_kind<Exclusive, Start::given>, sized>(
          where, what, work, c.in_place, c.plan, c.patience);
    };
    const detail::total_into_memory<unfinished<Op>, T, S> sum{{total.data()}};
    constexpr bool may_be_bare = !Exclusive || has_empty<Op, S>;
    if constexpr (may_be_bare)
      if (c.counted)
        go(detail::with_count(source, count.data()), detail::count_on_device{count.data()},
           detail::no_start<S>{}, sum);
    if (!c.counted && c.init)
      go(source, detail::count_given{std::int64_t(n)}, detail::start_on_device<S>{given.data()},
         sum);
    if constexpr (may_be_bare)
      if (!c.counted && !c.init)
        go(source, detail::count_given{std::int64_t(n)}, detail::no_start<S>{}, detail::no_total{});

    list<S> got;
    if constexpr (sizeof(S) == sizeof(T))
      if (c.in_place) {
        const auto raw = on_gpu.to_host();
        for (std::size_t i = 0; i < n; ++i) {
          S s;
          const T v = raw[c.shift + (c.out_back ? c.n - 1 - i : i)];
          std::memcpy(static_cast<void*>(&s), &v, sizeof(S));
          got.push_back(s);
        }
      }
    if (!c.in_place) {
      const auto all = results.to_host();
      ASSERT_TRUE(same(S(all[c.out_shift + c.n]), S{})) << "written behind the end: " << c;
      got.assign(all.begin() + std::ptrdiff_t(c.out_shift), all.end() - 1);
      if (c.out_back) std::reverse(got.begin(), got.end());
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto& entry = want[i + !Exclusive];
      if constexpr (has_empty<Op, S>) {
        ASSERT_TRUE(same(S(got[i]), entry ? *entry : empty_state<S>(op)))
            << "entry " << i << ", " << c;
      } else {
        ASSERT_TRUE(same(S(got[i]), *entry)) << "entry " << i << ", " << c;
      }
    }
    if (!c.counted && !c.init) return;
    const auto sum_there = total.to_host()[0];
    if (want[n]) {
      ASSERT_TRUE(same(sum_there, *want[n])) << "total, " << c;
    } else if constexpr (has_empty<Op, S>) {
      ASSERT_TRUE(same(sum_there, empty_state<S>(op))) << "total, " << c;
    }
  }
  void both(scan_case c) {
    c.init = c.seed % 2 == 0 && !c.counted;
    ASSERT_NO_FATAL_FAILURE(once<false>(c));
    if constexpr (has_empty<Op, S>) {
      ASSERT_NO_FATAL_FAILURE(once<true>(c));
    } else if (c.init) {
      ASSERT_NO_FATAL_FAILURE(once<true>(c));
    }
  }

  void all_kernels(unsigned seed) {
    tests::source from(seed);
    from.special = seed % 2000 == 0;  // sums are NaN from the first one on: not every time
    const int small = tune::fewer_packs(packs);
    const std::size_t few = row * std::size_t(small), tile = 2 * lanes,
                      most = std::max(36 * lanes, 128 * few) + 10;
    x = from.many<T>(most);
    init = lift(op, from.next<T>(), 0);
    const auto each = [&](const tune::scan_plan& plan, const std::vector<std::size_t>& sizes) {
      for (const std::size_t n : sizes) {
        ++seed;
        scan_case c{n, plan};
        c.seed = seed;
        c.shift = seed % 3 == 0, c.out_shift = seed % 5 < 2;
        c.counted = seed % 7 == 3;
        c.in_place = seed % 6 == 1 || seed % 12 == 9;
        c.back = seed % 4 == 1, c.out_back = c.in_place ? c.back : seed % 8 < 3;
        c.patience = plan.which == scan_kernel::few_tiles ? int(seed % 16) : 0;
        ASSERT_NO_FATAL_FAILURE(both(c));
      }
    };
    each({scan_kernel::few_tiles, 1, small},
         {0, 1, 2, 3, row - 1, row, row + 1, 5 * row + row / 3});
    each({scan_kernel::few_tiles, 4, small}, {row + 3, 4 * row - 1, 4 * row, 9 * row + 5});
    each({scan_kernel::few_tiles, 2, packs},
         {tile - 1, tile, tile + 1, 4 * tile + row + 7, 7 * tile});
    each({scan_kernel::few_tiles, 1, small}, {127 * few, 127 * few + 5, 128 * few});
    each({scan_kernel::tiles, 2, packs},
         {0, 1, row + 5, 2 * lanes - 1, 2 * lanes, 2 * lanes + 1, 7 * lanes + 3, 18 * lanes - 2});
    each({scan_kernel::tiles, 1, packs},
         {16 * lanes, 17 * lanes + 3 * row + 2, 33 * lanes + 1, 34 * lanes});
  }
};

template <class Pair>
class device_scan : public testing::Test {};
TYPED_TEST_SUITE_P(device_scan);
TYPED_TEST_P(device_scan, every_entry_is_the_fold_of_its_prefix) {
  device_scan_sweep<typename TypeParam::state, typename TypeParam::op> sweep;
#if defined(__CUDACC__)
  const unsigned rounds = 2;
#else
  const unsigned rounds = 1;  // the virtual GPU has many_schedules beside
#endif
  for (unsigned seed = 1; seed <= rounds; ++seed) {
    sweep.all_kernels(1000 * seed);
    if (this->HasFatalFailure()) return;
  }
}
REGISTER_TYPED_TEST_SUITE_P(device_scan, every_entry_is_the_fold_of_its_prefix);

}  // namespace rung::tests
