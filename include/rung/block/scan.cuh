// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of the values of a block, in the one order of their positions: (thread, item). Data flow:
// each thread folds its items; one up-sweep per warp; the tree of each warp goes to shared memory;
// one barrier; each warp folds the blocks of warps that stand left of it, each lane those of lanes,
// each thread scans its items after that. Cost for T threads: 1 barrier, 5 to 7 shuffles per 4
// bytes, one state written per warp and at most T / 32 - 1 read by each thread; about 2 calls per
// value and 10 per thread. Arrays are scanned in place. After the operator: an init, total_to(t),
// or both; in a block that is not whole the total takes one barrier more.
#pragma once
#include "warp_places.cuh"

namespace rung {

namespace detail {

/// How the inclusive entry of a thread's last value is found. of_own: its own blocks; of_next: the
/// exclusive entry of the next lane, which costs an exchange, but no folding beside the one for the
/// exclusive entry. That pays where the other values need it, or many warps share a scheduler.
enum class last_entry { none, of_own, of_next };
template <class B, int K>
inline constexpr last_entry last_entry_of = B::all_whole && (K > 1 || B::known_threads > 512)
                                                ? last_entry::of_next
                                                : last_entry::of_own;

/// Everything that stands left of a thread.
template <class S, last_entry Last>
struct thread_place {
  left_blocks<S, 5> lanes;
  warp_place<S> warp;
  bool active;  ///< it has values

  template <class Op>
  RUNG_DEVICE before<S> exclusive(const Op& op) const {
    return lanes.exclusive(op, warp.left);
  }
  /// Of a thread whose values are all there; of_next needs its exclusive entry. The last lane ends
  /// with a block of whole warps.
  template <class Op>
  RUNG_DEVICE S inclusive(const Op& op, const before<S>& exclusive) const {
    S entry;
    if constexpr (Last == last_entry::of_own) entry = lanes.inclusive(op, warp.left);
    else entry = by_halves(exclusive.state, [](auto w) { return shuffle_down(w, 1); });
    return choose(lanes.rank == warp_size - 1, warp.through, entry);
  }
};

template <last_entry Last, bool Total, class B, class S, int K, class Op>
RUNG_DEVICE thread_place<S, Last> place_threads(const B& block, const S (&x)[K], const Op& op,
                                                const before<S>& start) {
  const int n = block.template values<K>(), rank = block.rank();
  const int warp = block.warp(), threads = (n + K - 1) / K;
  thread_place<S, Last> p{{}, {start, x[0]}, B::all_whole || rank < threads};
  if (B::all_whole || (warp + 1) * warp_size <= n / K) {
    constexpr int rounds = rounds_for<B, S>;
    constexpr warp_lanes<warp_size, rounds == 5 && sizeof(S) <= 4 ? 4 : rounds> group;
    p.lanes = up_sweep<Last == last_entry::of_own>(group, reduce(this_thread, x, op), op);
  } else if (p.active) {  // the last one may lack values; nobody reads what it brings
    S v = x[0];
    if ((rank + 1) * K <= n) v = reduce(this_thread, x, op);
    p.lanes = up_sweep(low_lanes(threads - warp * warp_size), v, op);
  }
  const int warps = B::all_whole ? block.warps() : (threads + warp_size - 1) / warp_size;
  p.warp =
      place_warps<Last != last_entry::none, Total>(block, p.lanes.own, p.active, warps, op, start);
  return p;
}

/// The fold of everything, for all. The last active thread knows it, or the warps' trees do.
template <bool HasInit, class B, class S, class P, int K, class Op>
RUNG_DEVICE S total_of_block(const B& block, const P& p, const S (&x)[K], const Op& op,
                             const before<S>& start) {
  if constexpr (one_warp_scans<B>) {
    return sums_of(block).warps[block.warps() - 1];
  } else if constexpr (B::all_whole) {
    return fold_published<K, true>(block, op, start);
  } else {
    auto& place = sums_of(block).blocks[0];
    const int n = block.template values<K>(), rank = block.rank();
    if (n == 0) return HasInit ? start.state : result_of_nothing(op, start.state);
    if (rank == (n - 1) / K)
      place = n % K == 0 ? p.inclusive(op, start)
                         : reduce_at_most<K>(this_thread, x, n % K, op, p.exclusive(op));
    block_barrier();
    return place;
  }
}

enum class entries { inclusive, exclusive };

/// Nobody can tell the order that these are folded in.
template <class Op, class S>
inline constexpr bool has_no_order = any_order<Op, S> &&
                                     (has_identity<Op, S> || has_instance_identity<Op, S>);

/// The same of whole warps when the order does not matter: Kogge-Stone in the warps, the hardware's
/// reduction of the warps before, where it exists, and the values of a thread one after the other.
template <entries E, class B, class S, int K, class Op, class... More>
RUNG_DEVICE void scan_in_any_order(const B& block, S (&x)[K], const Op& op, const More&... more) {
  const S mine = reduce(this_thread, x, op);
  const S entry = kogge_stone(this_warp, mine, op);
  const before<S> start = start_of<S>(op, x[0], more...);
  S before_warp = start.state;
  if constexpr (hardware<Op, S>::exists && B::known_threads > 128) {
    auto& trees = sums_of(block).warps;
    const int lane = this_warp.rank(), warp = block.warp();
    if (lane == warp_size - 1) trees[warp] = entry;
    block_barrier();
    S v = identity<S>(op);
    if (lane < warp) v = trees[lane];
    before_warp = op(before_warp, reduce(this_warp, v, op));
    if constexpr (has_total<More...>) put_total(fold_published<K, true>(block, op, start), more...);
  } else {
    const auto p =
        place_warps<false, has_total<More...>>(block, entry, true, block.warps(), op, start);
    before_warp = p.left.state;
    if constexpr (has_total<More...>)
      put_total(total_of_block<has_init<More...>>(block, p, x, op, start), more...);
  }
  if constexpr (E == entries::inclusive && K == 1) {
    x[0] = op(before_warp, entry);
    return;
  }
  S left;
  if constexpr (std::is_same_v<Op, plus> && redux_integer<S>) {
    using U = std::make_unsigned_t<S>;
    left = op(before_warp, S(U(entry) - U(mine)));  // exact: integers wrap
  } else {
    left = choose(this_warp.rank() > 0, shuffle_up(entry, 1), identity<S>(op));
    left = op(before_warp, left);
  }
  const S first = exclusive_entry_of < has_init<More...> ||
                  E == entries::inclusive > (before<S>{left, true}, block.rank() == 0, op);
  RUNG_UNROLL
  for (int j = 0; j < K; ++j) {
    const S next = op(left, x[j]);
    x[j] = E == entries::inclusive ? next : j == 0 ? first : left;
    left = next;
  }
}

/// The scan of K = 2^j neighbours per thread, in place.
template <entries E, class B, class S, int K, class Op, class... More>
RUNG_DEVICE void scan_block(const B& block, S (&x)[K], const Op& op, const More&... more) {
  check_states<Op, S>();
  check_scratch<B, S>();
  static_assert(K <= 32, "rung: a thread brings at most 32 values at a time");
  if constexpr (B::all_whole && has_no_order<Op, S>) {
    scan_in_any_order<E>(block, x, op, more...);
    return;
  } else {
    const auto start = start_of<S>(op, x[0], more...);
    constexpr auto last_by = E == entries::inclusive ? last_entry_of<B, K>
                             : B::all_whole          ? last_entry::none
                                                     : last_entry::of_own;
    const auto p = place_threads<last_by, has_total<More...>>(block, x, op, start);
    if constexpr (has_total<More...>)
      put_total(total_of_block<has_init<More...>>(block, p, x, op, start), more...);
    if (!p.active) return;
    const int rank = block.rank(), n = block.template values<K>();
    const bool whole = B::all_whole || (rank + 1) * K <= n;
    if constexpr (E == entries::inclusive) {
      // The last item's block may reach far to the left of this thread.
      before<S> left = start;
      if constexpr (K > 1 || last_by == last_entry::of_next) left = p.exclusive(op);
      S last = x[K - 1];
      if (whole) last = p.inclusive(op, left);
      if constexpr (K > 1) inclusive_in_place<K>(x, whole ? K - 1 : n % K, op, left);
      x[K - 1] = last;
    } else {
      const auto left = p.exclusive(op);
      const S first = exclusive_entry_of<has_init<More...>>(left, rank == 0, op);
      if constexpr (K > 1) exclusive_in_place<K>(x, whole ? K : n % K, op, left, first);
      else x[0] = first;
    }
  }
}

template <entries E, bool Striped, class B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void scan_items(const B& block, S (&x)[K], const Op& op, const More&... more) {
  if constexpr (!Striped && is_power_of_two(K)) {
    by_shape(block, [&](const auto& b) { scan_block<E>(b, x, op, more...); });
  } else {
    S y[whole_items<K>];
    bring_together<Striped>(block, x, y);
    scan_block<E>(gathered<int(K)>(block), y, op, more...);
    send_back<Striped>(block, y, x);
  }
}

}  // namespace detail

/// x[item] = the fold of the positions up to its own.
template <thread_block B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void inclusive_scan(const B& block, S (&x)[K], const Op& op, const More&... more) {
  detail::scan_items<detail::entries::inclusive, false>(block, x, op, more...);
}
template <thread_block B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void inclusive_scan(const B& block, const striped_values<S, K>& x, const Op& op,
                                const More&... more) {
  detail::scan_items<detail::entries::inclusive, true>(block, x.items, op, more...);
}
/// One value per thread; its entry comes back.
template <thread_block B, class S, class Op, class... More>
RUNG_DEVICE S inclusive_scan(const B& block, const S& v, const Op& op, const More&... more) {
  S x[1] = {v};
  inclusive_scan(block, x, op, more...);
  return x[0];
}

/// x[item] = the fold of the positions before its own; the first one gets the init, or the
/// operator's empty state.
template <thread_block B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void exclusive_scan(const B& block, S (&x)[K], const Op& op, const More&... more) {
  detail::scan_items<detail::entries::exclusive, false>(block, x, op, more...);
}
template <thread_block B, class S, std::size_t K, class Op, class... More>
RUNG_DEVICE void exclusive_scan(const B& block, const striped_values<S, K>& x, const Op& op,
                                const More&... more) {
  detail::scan_items<detail::entries::exclusive, true>(block, x.items, op, more...);
}
template <thread_block B, class S, class Op, class... More>
RUNG_DEVICE S exclusive_scan(const B& block, const S& v, const Op& op, const More&... more) {
  S x[1] = {v};
  exclusive_scan(block, x, op, more...);
  return x[0];
}

/// Both entries, of one value per thread.
template <thread_block B, class S, class Op, class... More>
RUNG_DEVICE scan_entries<S> both_scans(const B& block, const S& v, const Op& op,
                                       const More&... more) {
  detail::check_states<Op, S>();
  detail::check_scratch<B, S>();
  const S x[1] = {v};
  return detail::by_shape(block, [&](const auto& b) {
    constexpr bool init = detail::has_init<More...>;
    const auto start = detail::start_of<S>(op, v, more...);
    using block_type = std::remove_cvref_t<decltype(b)>;
    const auto p =
        detail::place_threads<detail::last_entry_of<block_type, 1>, detail::has_total<More...>>(
            b, x, op, start);
    if constexpr (detail::has_total<More...>)
      detail::put_total(detail::total_of_block<init>(b, p, x, op, start), more...);
    if (!p.active) return scan_entries<S>{v, v};
    const auto left = p.exclusive(op);
    return scan_entries<S>{detail::exclusive_entry_of<init>(left, b.rank() == 0, op),
                           p.inclusive(op, left)};
  });
}

}  // namespace rung
