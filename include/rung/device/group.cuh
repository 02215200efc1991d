// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments from ids on one GPU. Sorted ids are a list of segments (sorted_ids); unsorted ones
// (reduce_by_id, reduce_by_any_key) are put in a stable order of positions first
// (radix_order.cuh), so a group's result is the fold of its values in the order in which they
// stand, the same on every run and every GPU.
#pragma once
#include "by_key.cuh"
#include "radix_order.cuh"

namespace rung {

namespace detail {

/// Offset s: the first position whose id is s or more, by halves.
template <class Id>
RUNG_KERNEL(256)
void find_offsets(global<const Id> ids, std::int64_t n, std::int64_t count,
                  global<std::int64_t> offsets) {
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t s = std::int64_t(block_index().x) * 256 + thread_index().x;
  if (s > count) return;
  std::int64_t low = 0, high = n;
  while (low < high) {
    const std::int64_t half = low + (high - low) / 2;
    const Id id = load_read_only(ids[half]);
    if (std::int64_t(id) < s) low = half + 1;
    else high = half;
  }
  offsets[s] = low;
}
template <class Id>
device_offsets<std::int64_t> offsets_of_ids(const device& where, const Id* ids, std::int64_t n,
                                            std::int64_t count) {
  auto* const offsets =
      static_cast<std::int64_t*>(where.workspace(offsets_kind, std::size_t(count + 1) * 8));
  launch_with({.early = where.overlaps()}, find_offsets<Id>, count / 256 + 1, 256, 0,
              where.stream(), ids, n, count, offsets);
  return {offsets, count};
}
/// Value i: the source's value at order[i].
template <class Source>
struct gathered_value {
  Source x;
  global<const std::int64_t> order;
  RUNG_DEVICE typename Source::value_type operator()(std::int64_t i) const {
    const std::int64_t at = load_read_only(order[i]);
    return x.template some_at<1>(at, 1)[0];
  }
};
template <class Source>
auto gathered_source(const Source& x, const std::int64_t* order, std::int64_t n) {
  using source = counting_source<gathered_value<Source>>;
  return sized_source<source>{{{x, order}, 0}, n};
}
inline int bits_of(std::uint64_t most) {
  int bits = 1;
  while (bits < 64 && most >> bits != 0) ++bits;
  return bits;
}
/// Keys that were sorted as bits.
template <class K>
struct keys_from_bits {
  using bits = typename keys_as_given<K>::bits;
  global<const bits> sorted;
  RUNG_DEVICE K operator[](std::int64_t i) const {
    const bits b = load_read_only(sorted[i]);
    return K(bits(b ^ keys_as_given<K>::sign));
  }
};

}  // namespace detail

/// Segment s: the positions whose id is s, for s from 0 to count - 1, of ids that never fall;
/// positions with other ids belong to none. In the place of offsets.
template <class Ids>
struct sorted_ids {
  const Ids& ids;
  std::int64_t count;

  /// As offsets in the device's workspace. Throws rung::error for another number of ids, and for
  /// host pointers.
  detail::device_offsets<std::int64_t> on_device(const device& where, std::int64_t n) const {
    const auto all = detail::array_view(ids);
    using Id = std::remove_cvref_t<decltype(*all.data())>;
    static_assert(integer<Id>, "rung: segment ids are integers");
    if (all.size() != n)
      fail(error_code::bad_argument, "rung: " + std::to_string(all.size()) + " segment ids for " +
                                         std::to_string(n) + " values");
    const Id* const first = detail::contiguous_data(all);
    check_device_pointer(first, "the segment ids");
    return detail::offsets_of_ids(where, first, n, count);
  }
};
template <class Ids>
sorted_ids(const Ids&, std::int64_t) -> sorted_ids<Ids>;

/// out[g] = the fold of the values whose id is g, wherever they stand, in the order in which they
/// stand; positions count within the group. As many groups as out has entries; values with other
/// ids belong to none; for an empty group the operator's empty result, or init. Returns at once.
/// Throws rung::error before anything is started: host pointers, another number of ids.
template <class Ids, class What, class Op, class R, class Init = std::nullopt_t>
void reduce_by_id(const device& where, const Ids& ids, const What& what, const Op& op,
                  const into<R>& out, const Init& init = std::nullopt) {
  const auto source = detail::device_source(what);
  const auto* const first = detail::check_keys(detail::array_view(ids), source);
  using Id = std::remove_cvref_t<decltype(*first)>;
  static_assert(integer<Id> && !std::is_same_v<Id, bool>, "rung: group ids are integers");
  check_device_pointer(out.out.data(), "the output");
  const std::int64_t n = source.size, groups = out.out.size();
  const auto sorted =
      detail::order_of(where, detail::group_numbers<Id>{first, std::uint64_t(groups)}, n,
                       detail::bits_of(std::uint64_t(groups)),
                       where.workspace(detail::order_kind, detail::order_bytes<std::uint64_t>(n)));
  const auto list = detail::offsets_of_ids(where, detail::pointer_of(sorted.keys), n, groups);
  detail::segmented_reduce(
      where, detail::gathered_source(source.source, detail::pointer_of(sorted.order), n), list, op,
      out, init);
}

/// Folds the values of equal keys, wherever they stand, in the order in which they stand:
/// group_keys in ascending order, out, and the number of different keys to groups.place. Keys are
/// integers. Otherwise as reduce_by_key.
template <class Keys, class What, class Op, class K, class R>
void reduce_by_any_key(const device& where, const Keys& keys, const What& what, const Op& op,
                       const into<K>& group_keys, const into<R>& out, const runs_into& groups) {
  const auto source = detail::device_source(what);
  const auto* const first = detail::check_keys(detail::array_view(keys), source);
  using Key = std::remove_cvref_t<decltype(*first)>;
  static_assert(integer<Key> && !std::is_same_v<Key, bool>, "rung: keys to sort are integers");
  check_device_pointer(group_keys.out.data(), "the groups' keys");
  check_device_pointer(out.out.data(), "the output");
  check_device_pointer(groups.place, "the number of groups");
  using given = detail::keys_as_given<Key>;
  const std::int64_t n = source.size;
  const auto sorted = detail::order_of(
      where, given{first}, n, given::used,
      where.workspace(detail::order_kind, detail::order_bytes<typename given::bits>(n)));
  const auto* const bits = detail::pointer_of(sorted.keys);
  detail::reduce_runs(where, bits, detail::keys_from_bits<Key>{bits},
                      detail::gathered_source(source.source, detail::pointer_of(sorted.order), n),
                      op, group_keys.out, out.out, groups.place, equal_keys{});
}

}  // namespace rung
