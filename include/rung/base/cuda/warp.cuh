// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the vocabulary for nvcc: exchange inside a warp. Each is the plain instruction; a value
// of more than 4 bytes takes one shuffle per 4 bytes.
#pragma once
#include <utility>

#include "../gpu_types.hpp"

namespace rung {

namespace detail {

/// f on each 4 bytes of the value. Constant indices: a loop over them would keep the words in
/// memory.
template <class T, class F, std::size_t... Word>
RUNG_DEVICE T by_words(const T& value, F&& f, std::index_sequence<Word...>) {
  static_assert(std::is_trivially_copyable_v<T>, "lanes exchange trivially copyable values");
  static_assert(sizeof(T) <= 1024, "lanes exchange values of at most 1024 bytes");
  std::uint32_t words[sizeof...(Word)] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  ((words[Word] = f(words[Word])), ...);
  T result = value;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}
template <class T, class F>
RUNG_DEVICE T by_words(const T& value, F&& f) {
  return by_words(value, f, std::make_index_sequence<(sizeof(T) + 3) / 4>{});
}

}  // namespace detail

/// The value that lane `source` brought; in groups of `width` lanes, lane `source` of the group.
template <class T>
RUNG_DEVICE T shuffle(const T& value, int source, lane_mask mask = whole_warp,
                      int width = warp_size) {
  return detail::by_words(value,
                          [=](std::uint32_t w) { return __shfl_sync(mask, w, source, width); });
}
/// From `delta` lanes below; lanes without such a neighbour in their group keep their own.
template <class T>
RUNG_DEVICE T shuffle_up(const T& value, unsigned delta, lane_mask mask = whole_warp,
                         int width = warp_size) {
  return detail::by_words(value,
                          [=](std::uint32_t w) { return __shfl_up_sync(mask, w, delta, width); });
}
/// From `delta` lanes above; lanes without such a neighbour in their group keep their own.
template <class T>
RUNG_DEVICE T shuffle_down(const T& value, unsigned delta, lane_mask mask = whole_warp,
                           int width = warp_size) {
  return detail::by_words(value,
                          [=](std::uint32_t w) { return __shfl_down_sync(mask, w, delta, width); });
}
/// From the lane whose number differs in the bits of `bits`.
template <class T>
RUNG_DEVICE T shuffle_xor(const T& value, int bits, lane_mask mask = whole_warp,
                          int width = warp_size) {
  return detail::by_words(value,
                          [=](std::uint32_t w) { return __shfl_xor_sync(mask, w, bits, width); });
}

/// The ballot: the lanes of the mask whose predicate holds.
RUNG_DEVICE lane_mask lanes_where(bool predicate, lane_mask mask = whole_warp) {
  return __ballot_sync(mask, predicate);
}
RUNG_DEVICE bool any_lane(bool predicate, lane_mask mask = whole_warp) {
  return __any_sync(mask, predicate);
}
RUNG_DEVICE bool all_lanes(bool predicate, lane_mask mask = whole_warp) {
  return __all_sync(mask, predicate);
}
/// The lanes of the mask that brought the same bits; padding inside a struct counts.
template <class T>
RUNG_DEVICE lane_mask match_any(const T& value, lane_mask mask = whole_warp) {
  lane_mask same = mask;
  detail::by_words(value, [&](std::uint32_t w) {
    same &= __match_any_sync(mask, w);
    return w;
  });
  return same;
}
/// Some lanes that run together with this one, itself included; no promise which.
RUNG_DEVICE lane_mask active_lanes() { return __activemask(); }

RUNG_DEVICE int redux_add(int v, lane_mask mask = whole_warp) { return __reduce_add_sync(mask, v); }
RUNG_DEVICE int redux_min(int v, lane_mask mask = whole_warp) { return __reduce_min_sync(mask, v); }
RUNG_DEVICE int redux_max(int v, lane_mask mask = whole_warp) { return __reduce_max_sync(mask, v); }
RUNG_DEVICE unsigned redux_add(unsigned v, lane_mask mask = whole_warp) {
  return __reduce_add_sync(mask, v);
}
RUNG_DEVICE unsigned redux_min(unsigned v, lane_mask mask = whole_warp) {
  return __reduce_min_sync(mask, v);
}
RUNG_DEVICE unsigned redux_max(unsigned v, lane_mask mask = whole_warp) {
  return __reduce_max_sync(mask, v);
}
RUNG_DEVICE unsigned redux_and(unsigned v, lane_mask mask = whole_warp) {
  return __reduce_and_sync(mask, v);
}
RUNG_DEVICE unsigned redux_or(unsigned v, lane_mask mask = whole_warp) {
  return __reduce_or_sync(mask, v);
}
RUNG_DEVICE unsigned redux_xor(unsigned v, lane_mask mask = whole_warp) {
  return __reduce_xor_sync(mask, v);
}

}  // namespace rung
