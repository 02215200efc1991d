// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// inclusive_scan and exclusive_scan of a whole array on one GPU, in the one order: checks, plan
// (../tune/scan.hpp), workspace, one launch (scan_few.cuh, scan_tiles.cuh). Entry i is bit for bit
// what reduce gives for that prefix. What may be scanned: source.cuh. The call returns at once and
// can be captured into a graph.
#pragma once
#include <algorithm>

#include "../tune/scan.hpp"
#include "device.cuh"
#include "exact_scan_doubles.cuh"
#include "reduce.cuh"
#include "scan_few.cuh"
#include "scan_tiles.cuh"

namespace rung {

/// An init for a scan that lies in device memory: a state of the operator.
template <class S>
struct init_at {
  const S* place;
};
template <class S>
init_at(const S*) -> init_at<S>;
template <class S>
init_at(S*) -> init_at<S>;

/// Where a scan of the device rung puts its total, the fold of everything, in device memory.
template <class R>
struct total_into {
  R* place;
};
template <class R>
total_into(R*) -> total_into<R>;

namespace detail {

template <class S, int FirstKind = scan_kind_of_words>
scan_words<S> scan_words_of(const device& where, std::int64_t tiles) {
  const std::int64_t capacity = 2 * ((tiles + 2 + 1023) / 1024 * 1024);
  constexpr int kind = FirstKind + (sizeof(stamped_word<S>) == 8 ? 0 : 1);
  return words_in<scan_words<S>, S>(where, kind, scan_words<S>::bytes(capacity));
}

/// The bytes of the packs that a lane reads.
template <class Source>
inline constexpr std::size_t scan_pack_bytes = 16;
template <class F, class... Ts>
inline constexpr std::size_t scan_pack_bytes<array_source<F, Ts...>> =
    ((array_source<F, Ts...>::pack_size * sizeof(Ts)) + ...);
/// Packs that a lane owns of a tile that waits in shared memory.
template <class Source, class S>
inline constexpr int scan_packs = tune::scan_packs_for(
    scan_pack_bytes<Source>, Source::pack_size * sizeof(typename Source::value_type), sizeof(S));

/// What a block may have of shared memory.
inline constexpr std::size_t most_scratch = 227 * 1024;
/// Tiles that a block holds: as many as its shared memory takes, up to a number.
template <class Kind, int Packs, class Work, int Stages = tune::most_scan_stages>
constexpr int stages_that_fit() {
  if constexpr (Stages == 2 ||
                tile_pipeline<Kind, Packs, Stages, tune::scan_ahead(Stages), Work>::bytes(
                    most_tile_warps) <= most_scratch)
    return Stages;
  else return stages_that_fit<Kind, Packs, Work, Stages - 1>();
}

/// Many tiles: a block per multiprocessor, or more if more fit, and one that makes prefixes.
template <class Kind, int Packs, int Stages, int Ahead, class What, class Work>
void launch_scan_tiles(const device& where, const What& what, const Work& work, int warps,
                       bool in_place) {
  using pipeline = tile_pipeline<Kind, Packs, Stages, Ahead, Work>;
  while (warps > most_tile_warps || (warps > 1 && pipeline::bytes(warps) > most_scratch))
    warps /= 2;
  const std::int64_t size = std::int64_t(warps) * pipeline::lanes_type::size;
  const std::int64_t tiles = (what.size + size - 1) / size;
  const std::size_t scratch = pipeline::bytes(warps);
  const auto kernel = scan_tiles<Kind, Packs, Stages, Ahead, Work>;
  const int threads = (warps + pipeline::couriers) * warp_size;
  const std::int64_t most = most_resident_blocks(kernel, threads, scratch);
  const std::int64_t blocks =
      std::clamp<std::int64_t>(tiles + 1, 2, std::max<std::int64_t>(most, 2));
  const std::int64_t quota = (tiles + blocks - 2) / (blocks - 1);
  launch_with({.early = where.overlaps(), .resident_blocks = 2}, kernel, blocks, threads, scratch,
              where.stream(), work, scan_words_of<typename Work::S>(where, tiles),
              int(std::min<std::int64_t>(quota, 1000)), in_place);
}
/// Few tiles: a block for each.
template <class Kind, int Packs, class What, class Work>
void launch_scan_few(const device& where, const What& what, const Work& work, int warps,
                     bool in_place, int patience) {
  using S = typename Work::S;
  using one = one_tile<Kind, Packs, Work>;
  const std::int64_t size = std::int64_t(warps) * one::lanes_type::size;
  const std::int64_t tiles = std::max<std::int64_t>((what.size + size - 1) / size, 1);
  launch_with({.early = where.overlaps()}, scan_few_tiles<Kind, Packs, Work>, tiles,
              warps * warp_size, one::bytes(warps), where.stream(), work,
              scan_words_of<S>(where, few_copies * most_few_tiles), patience, in_place);
}

/// The launch of one call.
template <class Kind, class What, class Work>
void launch_scan(const device& where, const What& what, const Work& work, bool in_place,
                 const tune::scan_plan& plan, int patience = tune::scan_patience) {
  constexpr int packs = scan_packs<typename What::type, typename Work::S>,
                few = tune::fewer_packs(packs);
  // Values of which a block cannot hold so many: smaller tiles, and more of them.
  const bool fits = one_tile<Kind, packs, Work>::bytes(plan.warps) <= most_scratch;
  if (plan.which == tune::scan_plan::kernel::tiles || !fits) {
    constexpr int stages = stages_that_fit<Kind, packs, Work>();
    launch_scan_tiles<Kind, packs, stages, tune::scan_ahead(stages)>(where, what, work, plan.warps,
                                                                     in_place);
  } else if (plan.packs < packs) {
    launch_scan_few<Kind, few>(where, what, work, plan.warps, in_place, patience);
  } else {
    launch_scan_few<Kind, packs>(where, what, work, plan.warps, in_place, patience);
  }
}

/// An array in memory, for comparisons.
struct extent {
  std::uintptr_t begin;
  std::size_t size;
  bool backwards;
  template <class T>
  extent(const array_line<T>& line, std::int64_t n)
      : begin(reinterpret_cast<std::uintptr_t>(address_of(line)) -
              (line.backwards ? std::size_t(n - 1) * sizeof(T) : 0)),
        size(sizeof(T)),
        backwards(line.backwards) {}
};
/// Two arrays that lie over each other, other than value for value.
inline bool overlap_partly(const extent& a, const extent& b, std::int64_t n) {
  const bool same_way = a.backwards == b.backwards || n == 1;
  if (n == 0 || (a.begin == b.begin && a.size == b.size && same_way)) return false;
  return a.begin < b.begin + b.size * std::size_t(n) && b.begin < a.begin + a.size * std::size_t(n);
}
template <class R>
bool check_overlap(const array_list<>&, const array_line<R>&, std::int64_t) {
  return false;
}
/// Throws for a partial overlap; true if an array is the output.
template <class T, class... Rest, class R>
bool check_overlap(const array_list<T, Rest...>& arrays, const array_line<R>& out, std::int64_t n) {
  if (overlap_partly(extent(arrays.first, n), extent(out, n), n))
    fail(error_code::bad_argument,
         "rung: the output of a scan lies over part of its input, or over all of it the other way "
         "round; it may be the input, or be somewhere else");
  const bool rest = check_overlap(arrays.rest, out, n);
  return address_of(arrays.first) == address_of(out) || rest;
}

/// Sums of integers in 32 bits, which is what is left of longer ones where results are no wider.
struct plus_in_words {
  template <class S>
  static constexpr bool any_order = true;
  template <class S>
  static RUNG_HD constexpr S identity() {
    return 0;
  }
  template <class T>
  RUNG_HD constexpr std::uint32_t lift(T x) const {
    return static_cast<std::uint32_t>(x);
  }
  RUNG_HD constexpr std::uint32_t operator()(std::uint32_t left, std::uint32_t right) const {
    return left + right;
  }
  template <integer T, std::size_t N>
    requires(sizeof(T) <= 2 && N <= 1024)
  RUNG_HD constexpr std::uint32_t absorb(std::uint32_t s, const T (&x)[N], std::int64_t) const {
    return s + static_cast<std::uint32_t>(narrow_sum(x));
  }
};
template <class R>
inline constexpr bool keeps_low_bits = integer<R> && !std::is_same_v<R, bool> && sizeof(R) <= 4;
/// The operator that gives the same results of these types with the least work.
template <class Op, class T, class... Rs>
auto cheapest(const Op& op) {
  if constexpr (std::is_same_v<Op, plus> && integer<T> && (keeps_low_bits<Rs> && ...))
    return plus_in_words{};
  else return op;
}

template <class S, class Init>
auto start_of_scan(const Init& init) {
  if constexpr (std::is_same_v<Init, init_at<S>>) {
    check_device_pointer(init.place, "the init");
    return start_on_device<S>{init.place};
  } else {
    static_assert(
        !requires { init.place; },
        "rung: init_at points to a state of the operator: its accumulator");
    return start_value<S>{};
  }
}

/// What stands left of the values of an exact scan, as init of a scan of sums: a value, nothing at
/// all, or where it lies.
template <class S, class Start>
auto init_of(const Start& start) {
  if constexpr (requires { start.place; }) return init_at<S>{address_of_place(start.place)};
  else if constexpr (Start::given) return S(start.state);
  else return S{};
}

/// Where the entries of a scan go.
template <class R>
struct scan_target {
  R* first;
  bool backwards, in_place;
};
/// Throws for what cannot be scanned into `out`.
template <class What, class R>
scan_target<R> check_scan(const What& what, const view<R>& out) {
  what.source.check();
  if constexpr (requires { what.count; }) check_device_pointer(what.count, "the number of values");
  const array_line<R> to = line_of(view<const R>(out));
  if (out.size() != what.size)
    fail(error_code::bad_argument, "rung: a scan of " + std::to_string(what.size) +
                                       " values needs an output of as many, not " +
                                       std::to_string(out.size()));
  check_device_pointer(out.data(), "the output");
  bool in_place = false;
  if constexpr (requires { what.source.arrays; })
    in_place = check_overlap(what.source.arrays, to, what.size);
  return {out.data(), to.backwards, in_place};
}

template <bool Exclusive, class What, class R, class Op, class Start, class Total>
void scan_states(const device& where, const What& what, const Op& op, const Start& start,
                 const Total& total, const scan_target<R>& target) {
  using Source = typename What::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  if constexpr (has_exact_scan<Op, T, R> && std::is_same_v<Total, no_total> &&
                !requires { what.count; })
    if (!target.in_place && !target.backwards)
      return launch_exact_scan<Exclusive, Start::given>(where, what, init_of<S>(start),
                                                        target.first);
  constexpr int N = Source::pack_size;
  const scan_output<Op, T, R, N> to(target.first, target.backwards);
  const auto go = [&](const auto& count) {
    using Count = std::remove_cvref_t<decltype(count)>;
    const scan_work<Source, Op, Count, Start, std::remove_const_t<decltype(to)>, Total> work{
        what.source, op, count, start, to, total};
    constexpr std::int64_t row = warp_size * N;
    launch_scan<scan_kind<Exclusive, Start::given>>(
        where, what, work, target.in_place,
        tune::plan_scan((what.size + row - 1) / row, scan_packs<Source, S>));
  };
  if constexpr (requires { what.count; }) go(count_on_device{what.count});
  else go(count_given{what.size});
}
template <bool Exclusive, class What, class R, class Op, class Start, class Total>
void scan(const device& where, const What& what, const view<R>& out, const Op& op,
          const Start& start, const Total& total) {
  using Source = typename What::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  constexpr bool of_doubles = has_exact_scan_of_doubles<Op, T, R>;
  static_assert(sizeof(S) <= 64 || of_doubles,
                "rung: a scan on the device takes states of 64 bytes at most");
  static_assert(!of_doubles || (std::is_same_v<Total, no_total> && !requires { what.count; }),
                "rung: exact prefix sums of doubles take no total, and no number of values in "
                "device memory");
  static_assert(!Exclusive || Start::given || has_empty<Op, S>,
                "rung: the first entry of an exclusive scan is the fold of nothing, and this "
                "operator has no identity and no empty result: give an init");
  const scan_target<R> target = check_scan(what, out);
  if constexpr (of_doubles) {
    launch_exact_scan_of_doubles<Exclusive>(where, what, start, target.first, target.backwards,
                                            target.in_place);
  } else {
    scan_states<Exclusive>(where, what, op, start, total, target);
  }
}

template <class Op, class T, class R>
total_into_memory<Op, T, R> into_memory(const total_into<R>& total) {
  return {{total.place}};
}

/// What follows the operator: an init, or init_at; total_into. Each may be left out.
template <bool Exclusive, class What, class Out, class Op, class Init, class Total>
void scan_after(const device& where, const What& what, Out&& output, const Op& op, const Init& init,
                const Total& total) {
  const auto source = device_source(what);
  using Source = typename std::remove_cvref_t<decltype(source)>::type;
  using T = typename Source::value_type;
  const auto out = view(output);
  check_operator<Op, T>();
  const auto go = [&](const auto& use, const auto& start, const auto& end) {
    scan<Exclusive>(where, source, out, use, start, end);
  };
  using R = std::remove_cvref_t<decltype(*out.data())>;
  if constexpr (requires { init.place; }) {
    const auto start = start_of_scan<state_t<Op, T>>(init);
    if constexpr (std::is_same_v<Total, no_total>) {
      go(op, start, no_total{});
    } else {
      check_device_pointer(total.place, "the total's place");
      go(op, start, into_memory<Op, T>(total));
    }
  } else if constexpr (std::is_same_v<Total, no_total>) {
    const auto use = cheapest<Op, T, R>(op);
    using Use = std::remove_cvref_t<decltype(use)>;
    go(use, start_of_device<Use, Source>(init), no_total{});
  } else {
    check_device_pointer(total.place, "the total's place");
    const auto use = cheapest<Op, T, R, std::remove_pointer_t<decltype(total.place)>>(op);
    using Use = std::remove_cvref_t<decltype(use)>;
    go(use, start_of_device<Use, Source>(init), into_memory<Use, T>(total));
  }
}

}  // namespace detail

/// out[i] = the fold of what[0 .. i], after init if given, in device memory, after what is already
/// on the stream. Returns at once. `what`: as for reduce; `out`: an array of as many values, which
/// may be the input itself. Either may run backwards (view::reversed): both, for a suffix scan, in
/// which out[i] is the fold of x[n-1], x[n-2], ..., x[i]. init: a state of the operator, or
/// init_at{pointer to one in device memory}; total_into{pointer} also gives the fold of everything.
/// Throws rung::error before anything is started: host pointers, arrays with gaps, another size, a
/// partial overlap.
template <class What, class Out, class Op>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op) {
  detail::scan_after<false>(where, what, out, op, std::nullopt, detail::no_total{});
}
template <class What, class Out, class Op, class Init>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const Init& init) {
  detail::scan_after<false>(where, what, out, op, init, detail::no_total{});
}
template <class What, class Out, class Op, class R>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const total_into<R>& total) {
  detail::scan_after<false>(where, what, out, op, std::nullopt, total);
}
template <class What, class Out, class Op, class Init, class R>
void inclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const Init& init, const total_into<R>& total) {
  detail::scan_after<false>(where, what, out, op, init, total);
}

/// out[i] = the fold of what[0 .. i - 1], after init if given; without init, out[0] is the
/// operator's empty result.
template <class What, class Out, class Op>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op) {
  detail::scan_after<true>(where, what, out, op, std::nullopt, detail::no_total{});
}
template <class What, class Out, class Op, class Init>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const Init& init) {
  detail::scan_after<true>(where, what, out, op, init, detail::no_total{});
}
template <class What, class Out, class Op, class R>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const total_into<R>& total) {
  detail::scan_after<true>(where, what, out, op, std::nullopt, total);
}
template <class What, class Out, class Op, class Init, class R>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op,
                    const Init& init, const total_into<R>& total) {
  detail::scan_after<true>(where, what, out, op, init, total);
}

}  // namespace rung
