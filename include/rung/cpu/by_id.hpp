// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Values that say which group they belong to, on the CPU rung: number i to group ids[i], 0 or more,
// sorted or not. group_by_id puts positions in an order in which groups stand together, each
// group's in ascending order. A fold of sorted ids is a fold of segments. Where ids fall, every
// value goes to its group's counter of trees: one join per value. Threads have groups of their own.
// Cost: ids are read once, and if they ever fall once more by every thread.
#pragma once
#include <bit>
#include <memory>
#include <numeric>
#include <optional>

#include "segmented.hpp"

namespace rung {

/// Positions grouped by id: group g is order[offsets[g]] .. order[offsets[g + 1] - 1]. An order of
/// no positions: groups stand together as they are.
struct id_groups {
  std::vector<std::int64_t> offsets, order;
  bool sorted = true;
};

/// The number of groups that ids name: one more than the largest, 0 of none.
template <class Ids>
std::int64_t count_ids(const Ids& ids) {
  std::int64_t count = 0;
  for (const auto id : std::span(std::as_const(ids))) count = std::max(count, std::int64_t(id) + 1);
  return count;
}

/// The positions of each of `groups` groups, or only how many. Throws rung::error for an id outside
/// them, with its index.
template <class Ids>
id_groups group_by_id(const Ids& ids, std::int64_t groups, bool with_order = true) {
  const std::span id(std::as_const(ids));
  id_groups found{std::vector<std::int64_t>(std::size_t(groups) + 1, 0), {}, true};
  bool sorted = true;
  for (std::size_t i = 0; i < id.size(); i++) {
    const auto g = std::int64_t(id[i]);
    if (g < 0 || g >= groups)
      fail(error_code::bad_argument, "rung: id " + std::to_string(g) + " at index " +
                                         std::to_string(i) + " names none of the " +
                                         std::to_string(groups) + " groups");
    sorted = sorted && (i == 0 || !(id[i] < id[i - 1]));
    found.offsets[std::size_t(g) + 1]++;
  }
  std::partial_sum(found.offsets.begin(), found.offsets.end(), found.offsets.begin());
  found.sorted = sorted;
  if (sorted || !with_order) return found;
  found.order.resize(id.size());
  std::vector<std::int64_t> next(found.offsets.begin(), found.offsets.end() - 1);
  for (std::size_t i = 0; i < id.size(); i++)
    found.order[std::size_t(next[std::size_t(id[i])]++)] = std::int64_t(i);
  return found;
}

namespace detail {

/// Every group's last values, fewer than 16, and the trees of the 16s before them as in a binary
/// counter: a jump that cannot be foreseen costs more than 16 joins, so there is one per 16 values.
template <class S>
class group_trees {
  static_assert(std::is_trivially_copyable_v<S>);
  static constexpr int log_piece = 4;
  static constexpr std::int64_t piece = 1 << log_piece;

 public:
  explicit group_trees(const std::vector<std::int64_t>& offsets) : groups_(offsets.size() - 1) {
    std::int64_t states = 0;
    for (std::size_t g = 0; g < groups_.size(); g++) {
      const std::int64_t count = offsets[g + 1] - offsets[g];
      groups_[g] = {states, 0};
      states += std::min(count, piece) + levels(count);
    }
    states_.reset(std::allocator<S>().allocate(std::size_t(states)));
    states_.get_deleter().count = std::size_t(states);
  }
  /// The next value of a group: lift(how many it has had).
  template <class Op, class Lift>
  void push(std::size_t group, const Op& op, const Lift& lift) {
    auto& [first, pushed] = groups_[group];
    const std::int64_t had = pushed++, place = had % piece;
    S* const values = states_.get() + first;
    std::construct_at(values + place, lift(had));
    if (place + 1 < piece) return;
    S s = tree<0, piece>(op, values);
    S* level = values + piece;
    for (auto bits = std::uint64_t(had >> log_piece); (bits & 1) != 0; bits >>= 1)
      s = op(*level++, s);
    std::construct_at(level, s);
  }
  /// The fold of what a group has after `left`, if there is either.
  template <class Op>
  std::optional<S> fold(std::size_t group, const Op& op, std::optional<S> left) const {
    const auto put = [&](const S& s) { left = left ? op(*left, s) : s; };
    const S* values = states_.get() + groups_[group].first;
    const std::int64_t count = groups_[group].pushed, pieces = count >> log_piece;
    for (int k = levels(count); k-- > 0;)
      if ((pieces >> k & 1) != 0) put(values[piece + k]);
    const auto rest = [&]<int N>(std::integral_constant<int, N>) {
      if ((count & N) != 0) put(tree<0, N>(op, values)), values += N;
    };
    rest(std::integral_constant<int, 8>()), rest(std::integral_constant<int, 4>());
    rest(std::integral_constant<int, 2>()), rest(std::integral_constant<int, 1>());
    return left;
  }

 private:
  struct freed {
    std::size_t count = 0;
    void operator()(S* p) const { std::allocator<S>().deallocate(p, count); }
  };
  static int levels(std::int64_t count) {
    return std::bit_width(std::uint64_t(count >> log_piece));
  }
  template <int First, int N, class Op>
  static S tree(const Op& op, const S* x) {
    if constexpr (N == 1) return x[First];
    else return op(tree<First, N / 2>(op, x), tree<First + N / 2, N / 2>(op, x));
  }
  struct group {
    std::int64_t first, pushed;  // where its states begin, how many values it has had
  };
  std::vector<group> groups_;
  std::unique_ptr<S[], freed> states_;
};

/// Ids that fall.
template <class Ids, class What, class Op, class R, class Init>
void reduce_by_unsorted_id(const cpu_rung& where, const Ids& ids, const What& what, const Op& op,
                           const into<R>& out, const Init& init, const id_groups& groups) {
  using T = value_t<What>;
  using S = state_t<Op, T>;
  check_operator<Op, T>();
  static_assert(has_empty<Op, S> || !std::is_same_v<Init, std::nullopt_t>,
                "rung: a group may be empty, and this operator has no identity and no empty "
                "result: give an init");
  const auto& source = as_source(what);
  const host::array_ref target{reinterpret_cast<std::byte*>(out.out.data()), out.out.bytes(),
                               sizeof(R)};
  for (const auto& s : line_sources(source)) host::check_overlap(s, target, false);
  host::check_distinct(target);
  std::optional<S> left;
  if constexpr (!std::is_same_v<Init, std::nullopt_t>) left = host::as_state<Op, T>(init);

  const std::span id(std::as_const(ids));
  const auto& offsets = groups.offsets;
  const std::int64_t n = offsets.back();
  group_trees<S> trees(offsets);
  constexpr std::int64_t worth_a_thread = 1 << 15, most_parts = 16;
  const std::int64_t parts = std::clamp<std::int64_t>(
      std::min(n / worth_a_thread, std::int64_t(host::worker_count(where))), 1, most_parts);
  const auto group_at = [&](std::int64_t part) {  // groups with the same share of values
    const auto at = std::lower_bound(offsets.begin(), offsets.end() - 1, part * n / parts);
    return part == parts ? std::int64_t(offsets.size()) - 1 : at - offsets.begin();
  };
  host::for_each_task(where, std::size_t(parts), [&](std::size_t part) {
    const host::default_float_mode mode;
    const std::int64_t begin = part == 0 ? 0 : group_at(std::int64_t(part)),
                       end = group_at(std::int64_t(part) + 1);
    for (std::int64_t i = 0; i < n; i++) {
      const auto g = std::int64_t(id[std::size_t(i)]);
      if (g < begin || g >= end) continue;
      trees.push(std::size_t(g), op, [&](std::int64_t position) {
        return S(
            std::apply([&](const auto&... x) { return lift(op, T(source.f(x(i)...)), position); },
                       source.arrays));
      });
    }
    for (std::int64_t g = begin; g < end; g++) {
      std::optional<S> all = trees.fold(std::size_t(g), op, left);
      if constexpr (has_empty<Op, S>)
        if (!all) all = empty_state<S>(op);
      const host::place to{target.data + g * target.shape.strides[0], 0, 0};
      host::typed_store<Op, T, R>::store(&op, &*all, 0, 1, 1, &to, 0);
    }
  });
}

}  // namespace detail

/// out[g] = the fold of the values whose id is g, in the order of their positions; of a group
/// without values the operator's empty result, or init. There are as many groups as out has places.
/// Throws rung::error for an id that names no group, with its index, and for other numbers of ids
/// than values.
template <class Ids, class What, class Op, class R, class Init = std::nullopt_t>
void reduce_by_id(const cpu_rung& where, const Ids& ids, const What& what, const Op& op,
                  const into<R>& out, const Init& init = std::nullopt) {
  const auto& source = detail::as_source(what);
  const std::int64_t n = detail::line_sources(source)[0].shape.shape[0];
  if (std::int64_t(std::span(std::as_const(ids)).size()) != n)
    fail(error_code::bad_argument, "rung: " + std::to_string(n) + " values need as many ids, not " +
                                       std::to_string(std::span(std::as_const(ids)).size()));
  const id_groups groups = group_by_id(ids, out.out.size(), false);
  if (groups.sorted) return segmented_reduce(where, what, groups.offsets, op, out, init);
  detail::reduce_by_unsorted_id(where, ids, what, op, out, init, groups);
}

}  // namespace rung
