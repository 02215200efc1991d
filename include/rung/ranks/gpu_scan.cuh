// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans on the ranks rung, of parts in the memory of GPUs. As a reduction each rank folds its
// blocks and gathers all messages; a small kernel then finds what stands left of its part, from
// where the device rung's scan goes on. An entry inside an aligned block is the fold of what stands
// left of the block, continued; only the block's last one can end with a larger block, and comes
// from the small kernel. So a part that begins at position b is scanned in one launch for each
// aligned block up to the roundest position in it, at most log2(n) of them, of 2^k values each, and
// one for all the rest: in one launch if it lies at a multiple of a power of two of values that it
// does not exceed, or any order gives the same bits. Cost: values are read twice, entries written
// once; the last rank, whose fold nobody waits for, reads them once where it goes on in one launch.
#pragma once
#include "../device/scan.cuh"
#include "gpu_reduce.cuh"

namespace rung {

namespace detail {

template <bool Exclusive>
struct gpu_scan_call {};

/// Entries of n values from number `first` on, after *start, or, at the very beginning and without
/// an init, after nothing.
template <bool Exclusive, class What, class R, class Op, class S>
void scan_stretch(const device& gpu, const What& what, const view<R>& out, const Op& op,
                  std::int64_t first, std::int64_t n, std::int64_t position, const S* start,
                  bool some) {
  using T = typename What::type::value_type;
  if (n == 0) return;
  const sized_source<typename What::type> part{shifted(what.source, first), n};
  const auto to = out.sliced(0, first, n);
  const auto use = placed<T>(op, position);
  if constexpr (Exclusive) {
    if (some) {
      scan<true>(gpu, part, to, use, start_on_device<S>{start}, no_total{});
    } else if constexpr (has_empty<Op, S>) {
      scan<true>(gpu, part, to, use, no_start<S>{}, no_total{});
    }
  } else if constexpr (has_exact_scan<Op, T, R> || has_exact_scan_of_doubles<Op, T, R>) {
    // Nothing is a sum, too.
    scan<false>(gpu, part, to, use, start_on_device<S>{start}, no_total{});
  } else {
    scan<false>(gpu, part, to, use, start_if_any_on_device<S>{start, some}, no_total{});
  }
}

template <bool Exclusive, class C, class What, class R, class Op, class Init>
void scan_gpu_parts(const ranks<C, gpu_part>& where, const What& what, const view<R>& out,
                    const Op& op, const Init& init) {
  using Sized = decltype(device_source(what));
  using Source = typename Sized::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  using plan_type = part_plan<Op, Source>;
  check_operator<Op, T>();
  const auto start = start_of_device<Op, Source>(init);
  using Start = std::remove_const_t<decltype(start)>;
  static_assert(!Exclusive || Start::given || has_empty<Op, S>,
                "rung: the first entry of an exclusive scan is the fold of nothing, and this "
                "operator has no identity and no empty result: give an init");
  const device& gpu = where.local.gpu();
  host::rank_call call(where.comm, host::call_text<gpu_scan_call<Exclusive>, Op, T>());
  std::optional<Sized> source;
  scan_target<R> target{};
  call.attempt([&] {
    if (out.rank() != 1)
      fail(error_code::bad_argument, "rung: a rank's part of a scan has one axis");
    source.emplace(part_source(what));
    target = check_scan(*source, out);
  });
  agree(call, where.comm, where.local, source ? source->size : 0);
  const position_range mine = call.mine();
  const int me = where.comm.rank(), size = where.comm.size();
  constexpr bool free_order = plan_type::free_order;

  constexpr std::size_t room = 64 * sizeof(S);
  const plan_type plan(mine);
  const rank_messages<plan_type> messages(gpu, call, size, room + plan.memory());
  S* const starts = reinterpret_cast<S*>(messages.rest);
  const bool in_one = runs_on(free_order, mine.begin, mine.end);
  if (me + 1 == size && in_one)  // nobody needs it
    stream_zero(messages.of(me), part_message<S>::head, gpu.stream());
  else plan.fold(gpu, *source, op, messages.of(me), messages.rest + room);
  const bool early = gather_on(where.comm, gpu.stream(), messages.first, messages.each);
  if (mine.begin == mine.end) return;
  using sink = scan_sink<free_order, Exclusive, Op, T, R>;
  launch_with({.early = early}, join_parts<free_order, Op, S, Start, sink>, 1, join_width,
              sizeof(join_scratch<S>), gpu.stream(), op, messages.all(), start,
              sink{op, me, mine.begin, mine.end, starts, target.first, target.backwards});
  int block = 0;
  for (std::int64_t at = mine.begin; at < mine.end; block++) {
    const bool run = runs_on(free_order, at, mine.end);
    const std::int64_t length = run ? mine.end - at : at & -at;
    scan_stretch<Exclusive>(gpu, *source, out, op, at - mine.begin,
                            length - (run || Exclusive ? 0 : 1), at, starts + block,
                            at > 0 || Start::given);
    at += length;
  }
}

}  // namespace detail

/// out[i] = the fold of all values of the ranks before this one and of what[0 .. i], after init if
/// given: to the bit the entries of one GPU's scan of the whole array. out: in device memory, as
/// long as what, or what itself. When it returns, and errors: as for reduce.
template <communicator C, class What, class Out, class Op, class Init = std::nullopt_t>
void inclusive_scan(const ranks<C, gpu_part>& where, const What& what, Out&& out, const Op& op,
                    const Init& init = std::nullopt) {
  detail::scan_gpu_parts<false>(where, what, view(out), op, init);
}
/// The same of what[0 .. i - 1]; without init the very first entry is the operator's empty result.
template <communicator C, class What, class Out, class Op, class Init = std::nullopt_t>
void exclusive_scan(const ranks<C, gpu_part>& where, const What& what, Out&& out, const Op& op,
                    const Init& init = std::nullopt) {
  detail::scan_gpu_parts<true>(where, what, view(out), op, init);
}

}  // namespace rung
