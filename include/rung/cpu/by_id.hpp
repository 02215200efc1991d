// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Values that say which group they belong to, on the CPU rung: number i to group ids[i], 0 or more,
// sorted or not. group_by_id puts positions in an order in which groups stand together, each
// group's in ascending order; a fold of a group is then a fold of a segment, the same bits for any
// number of threads. Cost: ids are read once, and if they ever fall once more, to put values where
// their group stands; otherwise the values stay where they are.
#pragma once
#include <numeric>

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
  std::apply(
      [&](const auto&... arrays) {
        const auto gathered = [&](const auto& array) {
          using T = typename std::remove_cvref_t<decltype(array)>::value_type;
          std::unique_ptr<T[]> values(new T[std::size_t(n)]);  // T may be bool
          std::vector<std::int64_t> next(groups.offsets.begin(), groups.offsets.end() - 1);
          std::int64_t i = 0;
          for (const auto& id : std::span(std::as_const(ids)))
            values[std::size_t(next[std::size_t(id)]++)] = array(i++);
          return values;
        };
        const std::tuple values(gathered(arrays)...);
        std::apply(
            [&](const auto&... v) {
              segmented_reduce(where, transform(source.f, view(&v[0], {n})...), groups.offsets, op,
                               out, init);
            },
            values);
      },
      source.arrays);
}

}  // namespace rung
