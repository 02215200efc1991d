// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans on the ranks rung. Each rank folds the aligned blocks of its positions and gathers those of
// the ranks before it. Then it scans block by block: within an aligned block an entry is the fold
// of what stands before the block, continued; only the block's last entry can be the end of a
// larger block, so it is the value of all blocks so far. Cost: local values are read twice, entries
// written once; two collectives; at most 2 log2(n) local scans.
#pragma once
#include "../cpu/run_scan.hpp"
#include "reduce.hpp"

namespace rung {

namespace host {

/// Scans the blocks of `part`, whose values and entries lie at the places of sources and target;
/// before: the blocks of all earlier positions.
inline void scan_blocks(const cpu_rung& where, scanning& s, std::span<const place> sources,
                        const place& target, const partial_blocks& part, partial_blocks before,
                        const void* init) {
  alignas(64) std::byte start[1024];
  const position_range range = part.range();
  const std::byte* block = part.states().data();
  for (std::int64_t at = range.begin; at < range.end; block += s.fold->state_size) {
    const std::int64_t length = aligned_block(at, range.end - at), done = at - range.begin;
    const auto stretch = [&](const place& p) {
      return array_ref{static_cast<std::byte*>(p.data) + done * p.column,
                       layout(extents(&length, 1), extents(&p.column, 1)), 0};
    };
    std::array<array_ref, max_arrays> from;
    for (std::size_t a = 0; a < sources.size(); a++) from[a] = stretch(sources[a]);
    const array_ref to = stretch(target);
    s.first = at, s.init = init;
    if (at > 0) before.value(start, init), s.init = start;
    s.p = make_plan(to.shape, {true}, std::span(from).first(sources.size()), {&to, 1}, false);
    run_scan(where, s);
    before.append_state(block, length);
    at += length;
    if (s.exclusive) continue;
    before.value(start, init);
    const place last{to.data + (length - 1) * target.column, 0, 0};
    s.store.store(s.store_context, start, 1, 1, 1, &last, at);
  }
}

}  // namespace host

namespace detail {

template <bool Exclusive>
struct scan_call {};

template <bool Exclusive, class C, class What, class R, class Op, class Init>
void rank_scan(const ranks<C>& where, const What& what, const view<R>& out, const Op& op,
               const Init& init) {
  using T = value_t<What>;
  using S = state_t<Op, T>;
  check_operator<Op, T>();
  constexpr bool has_init = !std::is_same_v<Init, std::nullopt_t>;
  static_assert(!Exclusive || has_init || has_empty<Op, S>,
                "rung: the first entry of an exclusive scan is the fold of nothing, and this "
                "operator has no identity and no empty result: give an init");
  const auto& source = as_source(what);
  const auto k = host::kernels_for<Op, std::remove_cvref_t<decltype(source)>>(source.f);
  const host::array_ref target{reinterpret_cast<std::byte*>(out.data()), out.bytes(), sizeof(R)};
  host::scanning s;
  s.op = &op, s.fold = k.fold, s.scan = k.scan, s.entry_size = k.entry_size;
  s.load = k.load, s.load_context = k.load_context();
  s.store = host::typed_store<Op, T, R>::kernel(), s.store_context = &op;
  s.exclusive = Exclusive;

  host::rank_call call(where.comm, host::call_text<scan_call<Exclusive>, Op, T>());
  std::int64_t count = 0;
  host::place entries{target.data, 0, 0};
  call.attempt([&] {
    const auto refs = rank_sources(source);
    count = refs[0].shape.shape[0];
    if (!std::ranges::equal(target.shape.lengths(), refs[0].shape.lengths()))
      fail(error_code::bad_argument, "rung: a scan has as many entries as values, " +
                                         shape_text(refs[0].shape.lengths()) + ", not " +
                                         shape_text(target.shape.lengths()));
    host::check_distinct(target);
    entries.column = target.shape.strides[0];
    for (const auto& r : refs) {
      host::check_overlap(r, target, true);
      s.in_place = s.in_place || r.data == target.data;
    }
  });
  call.agree(count);
  const auto from = places_of(rank_sources(source));
  cpu_rung local = where.local;
  local.progress = nullptr;
  host::partial_blocks part(*k.fold, &op, call.mine().begin), before(*k.fold, &op);
  call.attempt([&] { part.append(local, k.load, k.load_context(), from, count); });
  call.gather(part, sizeof(S), where.comm.rank(), before);
  if constexpr (has_init) {
    const S start = host::as_state<Op, T>(init);
    host::scan_blocks(local, s, from, entries, part, std::move(before), &start);
  } else {
    host::scan_blocks(local, s, from, entries, part, std::move(before), nullptr);
  }
}

}  // namespace detail

/// out[i] = the fold of all values of the ranks before this one and of what[0 .. i], after init if
/// given: to the bit the entries of one CPU's scan of the whole array. out: as long as what, or
/// what itself. Errors as for reduce.
template <communicator C, class What, class Out, class Op, class Init = std::nullopt_t>
void inclusive_scan(const ranks<C>& where, const What& what, Out&& out, const Op& op,
                    const Init& init = std::nullopt) {
  detail::rank_scan<false>(where, what, view(out), op, init);
}
/// The same of what[0 .. i - 1]; without init the very first entry is the operator's empty result.
template <communicator C, class What, class Out, class Op, class Init = std::nullopt_t>
void exclusive_scan(const ranks<C>& where, const What& what, Out&& out, const Op& op,
                    const Init& init = std::nullopt) {
  detail::rank_scan<true>(where, what, view(out), op, init);
}

}  // namespace rung
