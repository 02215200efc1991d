// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// How blocks hand states to each other: in words of global memory that say themselves that they are
// there. A state is cut into pieces; each travels beside a stamp, in one word that is written and
// read whole. No fence, no flag, no reset: who waits knows the stamp of this round. Cost: one
// store, and a poll of the second-level cache; 8 bytes for states up to 4 bytes, otherwise 16
// per 12.
#pragma once
#include "../base/gpu.cuh"

namespace rung {

namespace detail {
template <class S>
inline constexpr int stamped_payload = sizeof(S) <= 4 ? 1 : 3;  // in units of 4 bytes
}  // namespace detail

/// Part of a state of type S, and the round that it belongs to. Memory full of zeros is stamped 0,
/// which no round is.
template <class S>
struct alignas(4 + 4 * detail::stamped_payload<S>) stamped_word {
  std::uint32_t data[detail::stamped_payload<S>];
  std::uint32_t stamp;
};
/// How many words carry a state.
template <class S>
inline constexpr int stamped_words = int((sizeof(S) + 4 * detail::stamped_payload<S> - 1) /
                                         (4 * detail::stamped_payload<S>));

/// Hands a state over as number i of the array of words.
template <class S>
RUNG_DEVICE void post(global<stamped_word<S>> words, std::int64_t i, std::uint32_t stamp,
                      const S& state) {
  constexpr int pieces = stamped_words<S>, payload = detail::stamped_payload<S>;
  std::uint32_t data[pieces * payload] = {};
  __builtin_memcpy(data, &state, sizeof(S));
  RUNG_UNROLL
  for (int p = 0; p < pieces; ++p) {
    stamped_word<S> word;
    RUNG_UNROLL
    for (int d = 0; d < payload; ++d) word.data[d] = data[p * payload + d];
    word.stamp = stamp;
    store_relaxed(words[i * pieces + p], word);
  }
}

/// Numbers i, i + 1, ... of a round, as many as N and `count` allow: asked for now, waited for in
/// take().
template <class S, int N = 1>
struct asked_for {
  static constexpr int pieces = stamped_words<S>, payload = detail::stamped_payload<S>;
  global<stamped_word<S>> words;
  std::int64_t count;
  stamped_word<S> got[N * pieces];

  RUNG_DEVICE asked_for(global<stamped_word<S>> from, std::int64_t i, std::int64_t count = N)
      : words(from + std::ptrdiff_t(i * pieces)), count(count) {
    RUNG_UNROLL
    for (int p = 0; p < N * pieces; ++p) {
      got[p] = {};
      if (p / pieces < count) got[p] = load_relaxed(words[p]);
    }
  }
  /// Number n of them has come; those from `count` on count as such.
  RUNG_DEVICE bool is_here(int n, std::uint32_t stamp) const {
    bool here = true;
    RUNG_UNROLL
    for (int p = n * pieces; p < (n + 1) * pieces; ++p)
      here = here && (n >= count || got[p].stamp == stamp);
    return here;
  }
  /// All have come; asks again for those that have not.
  RUNG_DEVICE bool look(std::uint32_t stamp) {
    bool here = true;
    RUNG_UNROLL
    for (int n = 0; n < N; ++n) here = here && is_here(n, stamp);
    if (here) return true;
    RUNG_UNROLL
    for (int p = 0; p < N * pieces; ++p)
      if (p / pieces < count && got[p].stamp != stamp) got[p] = load_relaxed(words[p]);
    return false;
  }
  /// What has come. In place of those from `count` on: some state.
  RUNG_DEVICE void get(S (&states)[N]) const {
    RUNG_UNROLL
    for (int n = 0; n < N; ++n) {
      std::uint32_t data[pieces * payload];
      RUNG_UNROLL
      for (int d = 0; d < pieces * payload; ++d)
        data[d] = got[n * pieces + d / payload].data[d % payload];
      __builtin_memcpy(static_cast<void*>(&states[n]), data, sizeof(S));
    }
  }
  RUNG_DEVICE void take(std::uint32_t stamp, S (&states)[N]) {
    while (!look(stamp)) {
    }
    get(states);
  }
};

/// Waits for number i of this round.
template <class S>
RUNG_DEVICE S wait_for(global<stamped_word<S>> words, std::int64_t i, std::uint32_t stamp) {
  union holder {  // S need not be default constructible
    S states[1];
    RUNG_DEVICE holder() {}
  } result;
  asked_for<S>(words, i).take(stamp, result.states);
  return result.states[0];
}

}  // namespace rung
