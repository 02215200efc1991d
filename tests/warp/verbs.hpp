// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One kernel that calls every verb on a group of lanes, and the check of its answers against fold.
#pragma once
#include "rung/warp/scan.cuh"
#include "warp/values.hpp"

namespace rung::tests {

/// The answers of one group, 32 lanes each.
enum answer {
  to_all,
  one,
  held_here,
  inclusive,
  inclusive_init,
  exclusive,
  exclusive_init,
  both_ex,
  both_in,
  total,
  answers
};

template <class S, class Op, class G>
RUNG_DEVICE void call_verbs(G group, const S& v, const S& init, const Op& op, global<S> out,
                            global<int> here) {
  auto put = [&](answer a, const S& s) { out[a * 32 + lane()] = s; };
  put(to_all, reduce(group, v, op));
  const auto sum = reduce_to_one(group, v, op);
  here[lane()] = bool(sum);
  if (sum) put(one, *sum);
  put(inclusive, inclusive_scan(group, v, op));
  S t = v;
  put(inclusive_init, inclusive_scan(group, v, op, init, total_to(t)));
  put(total, t);
  put(exclusive_init, exclusive_scan(group, v, op, init));
  const auto both = both_scans(group, v, op, init);
  put(both_ex, both.exclusive);
  put(both_in, both.inclusive);
  if constexpr (has_empty<Op, S>) put(exclusive, exclusive_scan(group, v, op));
}

/// Which lanes work together: a mask per group, in order; the lanes of no group are silent.
template <class S, class Op>
void check_verbs(const std::vector<lane_mask>& groups, const list<S>& x, const S& init,
                 const Op& op, const list<S>& out, const std::vector<int>& here,
                 const std::string& what, bool all_lanes_call = false) {
  for (const lane_mask mask : groups) {
    list<S> values;
    std::vector<int> members;
    for (int l = 0; l < 32; ++l)
      if ((mask >> l & 1) != 0) values.push_back(x[l]), members.push_back(l);
    const std::span<const S> all_values(values);
    for (std::size_t r = 0; r < members.size(); ++r) {
      const int l = members[r];
      auto check = [&](answer a, std::size_t n, std::optional<S> start, const char* verb) {
        auto want = oracle<S>(op, all_values.first(n), start);
        if constexpr (has_empty<Op, S>)
          if (!want) want = empty_state<S>(op);
        if (!want) return;
        ASSERT_TRUE(same(out[a * 32 + l], *want))
            << what << ": " << verb << ", lane " << l << " of mask " << std::hex << mask;
      };
      check(to_all, values.size(), {}, "reduce");
      const bool last = r + 1 == members.size();
      ASSERT_EQ(here[l] != 0, last) << what << ": who holds the result, lane " << l;
      if (last) check(one, values.size(), {}, "reduce_to_one");
      check(inclusive, r + 1, {}, "inclusive_scan");
      check(inclusive_init, r + 1, init, "inclusive_scan with init");
      if constexpr (has_empty<Op, S>) check(exclusive, r, {}, "exclusive_scan");
      check(exclusive_init, r, init, "exclusive_scan with init");
      check(both_ex, r, init, "both_scans, exclusive");
      check(both_in, r + 1, init, "both_scans, inclusive");
      check(total, values.size(), init, "total");
    }
    if (all_lanes_call)
      for (int l = 0; l < 32; ++l) {
        const auto want = oracle<S>(op, all_values);
        if (!want) continue;
        ASSERT_TRUE(same(out[to_all * 32 + l], *want)) << what << ": reduce, for lane " << l;
      }
  }
}

inline std::vector<lane_mask> aligned(int width) {
  std::vector<lane_mask> groups;
  for (int l = 0; l < 32; l += width)
    groups.push_back((width == 32 ? ~0u : (1u << width) - 1) << l);
  return groups;
}

}  // namespace rung::tests
