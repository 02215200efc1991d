// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What blocks that fold segments leave for each other: the tree of each part of a long segment, and
// the trees of 32 parts, of 32 of these, and so on, as words that say that they are there
// (../grid/stamped.cuh); plan_segments clears them. Cost: 8 bytes per share, 12 with counters.
#pragma once
#include "../grid/stamped.cuh"
#include "reduce_kernels.cuh"
#include "segment_plan.cuh"

namespace rung {

namespace detail {

template <class S>
struct part_words {
  static constexpr int log_group = 5, group = 1 << log_group, levels = 6;  // 2^30 parts at most
  global<share_work> work;                                                 ///< of each share
  global<std::uint32_t> turn;      ///< of scans: [0] shares taken, [1] offsets are wrong
  global<std::uint32_t> finished;  ///< of reduces: which parts of a group have posted
  global<stamped_word<S>> trees;   ///< of level k behind each other: one per 32^k shares
  std::int64_t shares;
  /// 1, which the compiler must not know: it would see that no stamp is 0, look at parts of words
  /// alone, and take those of a state that fills its last word in part with narrow loads, of which
  /// one may be older than the stamp (../grid/stamped.cuh).
  std::uint32_t stamp;

  static constexpr std::size_t head = 16, word_bytes = stamped_words<S> * sizeof(stamped_word<S>);
  static RUNG_HD constexpr std::int64_t first_of(std::int64_t shares, int level) {
    std::int64_t first = 0;
    for (int k = 0; k < level; ++k) first += (shares >> log_group * k) + 1;
    return first;
  }
  static std::size_t plan_bytes(std::int64_t shares) {
    return (std::size_t(shares) * sizeof(share_work) + 255) / 256 * 256;
  }
  static std::size_t cleared_bytes(std::int64_t shares) {
    return head + std::size_t(first_of(shares, levels)) * word_bytes +
           (std::size_t(shares) + 1) * 4;
  }
  static part_words in(void* memory, std::int64_t shares) {
    auto* const turn = static_cast<unsigned char*>(memory) + plan_bytes(shares);
    auto* const trees = turn + head;
    auto* const finished = trees + std::size_t(first_of(shares, levels)) * word_bytes;
    return {static_cast<share_work*>(memory),
            reinterpret_cast<std::uint32_t*>(turn),
            reinterpret_cast<std::uint32_t*>(finished),
            reinterpret_cast<stamped_word<S>*>(trees),
            shares,
            1};
  }
  /// The word of the group of 32^level parts of one segment that ends at a share: groups of one
  /// size that end in the same stretch of so many shares are the same.
  RUNG_DEVICE std::int64_t index(int level, std::int64_t last_share) const {
    return first_of(shares, level) + (last_share >> log_group * level);
  }
  RUNG_DEVICE void put(int level, std::int64_t last_share, const S& tree) const {
    post(trees, index(level, last_share), stamp, tree);
  }
  /// The last share of element i of a level: of 32^level parts of the segment whose first part
  /// begins in share `first`.
  static RUNG_DEVICE std::int64_t last_of(int level, std::int64_t first, std::int64_t i) {
    return first + ((i + 1) << log_group * level) - 1;
  }
  /// Asks for elements i, i + 1, ... of a level, `count` of them, one per lane.
  RUNG_DEVICE asked_for<S> ask(int level, std::int64_t first, std::int64_t i, int count) const {
    const int mine = lane() < count ? lane() : 0;
    return {trees, index(level, last_of(level, first, i + mine)), lane() < count ? 1 : 0};
  }
  /// Waits for them; `stop` says when not to wait any longer. In the other lanes: some state. One
  /// warp calls.
  template <class Stop>
  RUNG_DEVICE S take(asked_for<S> word, const Stop& stop) const {
    for (unsigned looks = 1; !all_lanes(word.look(stamp)); ++looks)
      if (stop(looks)) break;
    S states[1];
    word.get(states);
    return states[0];
  }
  /// What the first `parts` parts of a segment are made of, up to level K. All are asked for before
  /// one is waited for; then(k) is called when level k has come, before the next is waited for.
  template <int K, class Stop, class Then>
  RUNG_DEVICE void take_levels(std::int64_t first, std::int64_t parts, S (&x)[levels],
                               const Stop& stop, const Then& then) const {
    const std::int64_t all = parts >> log_group * K;
    const auto word = ask(K, first, all >> log_group << log_group, int(all & (group - 1)));
    if constexpr (K > 0) take_levels<K - 1>(first, parts, x, stop, then);
    if (all == 0) return;
    x[K] = take(word, stop);
    then(K);
  }
};

}  // namespace detail
}  // namespace rung
