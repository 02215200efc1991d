// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States that are sums of integers, as 64-bit words whose sums over the ranks are the words of the
// joined state: exact sums, means and moments. They travel in one all-reduce, which engines do in
// log2(ranks) steps and switches do on the way. At most 2^31 ranks.
#pragma once
#include "../exact/moments.hpp"

namespace rung::detail {

template <class S>
struct rank_words {
  static constexpr bool exist = false;
};
template <class V>
struct rank_words<exact_state<V>> {
  using state = exact_state<V>;
  static constexpr bool exist = true;
  static constexpr int count = state::words;
  static RUNG_HD void write(const state& s, std::int64_t* to) {
    std::int64_t word[count];
    s.to_words(word);
    for (int i = 0; i < count; ++i) to[i] = word[i];
  }
  static RUNG_HD state read(const std::int64_t* from) {
    std::int64_t word[count];
    for (int i = 0; i < count; ++i) word[i] = from[i];
    return state::from_words(word);
  }
};
template <class V>
struct rank_words<exact_mean_state<V>> {
  using sum = rank_words<exact_state<V>>;
  static constexpr bool exist = true;
  static constexpr int count = sum::count + 1;
  static RUNG_HD void write(const exact_mean_state<V>& s, std::int64_t* to) {
    sum::write(s.sum, to), to[sum::count] = s.count;
  }
  static RUNG_HD exact_mean_state<V> read(const std::int64_t* from) {
    return {sum::read(from), from[sum::count]};
  }
};
template <class V>
struct rank_words<exact_moments_state<V>> {
  using sum = rank_words<exact_state<V>>;
  using squares = rank_words<exact_state<exact_product<V>>>;
  static constexpr bool exist = true;
  static constexpr int count = sum::count + squares::count + 1;
  static RUNG_HD void write(const exact_moments_state<V>& s, std::int64_t* to) {
    sum::write(s.sum, to), squares::write(s.squares, to + sum::count), to[count - 1] = s.count;
  }
  static RUNG_HD exact_moments_state<V> read(const std::int64_t* from) {
    return {sum::read(from), squares::read(from + sum::count), from[count - 1]};
  }
};

}  // namespace rung::detail
