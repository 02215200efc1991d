// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A range of values in a block's shared memory, as the source's arrays hold them; the source's
// function is applied when a value is read. Data flow: copies of 16 bytes that take no registers
// (copy_async) where all arrays are aligned to that, otherwise value by value. Nothing outside the
// range is read. Cost: one write and one read of shared memory per value.
#pragma once
#include "../tune/segmented.hpp"
#include "source.cuh"

namespace rung::detail {

/// A source from another position on.
template <class Source>
struct moved_source {
  const Source& x;
  std::int64_t first;
  bool aligned;
  using value_type = typename Source::value_type;
  static constexpr int pack_size = Source::pack_size;
  RUNG_DEVICE moved_source(const Source& from, std::int64_t to)
      : x(from), first(to), aligned(from.aligned && to % pack_size == 0) {}
  template <reading How>
  RUNG_DEVICE auto pack_at(std::int64_t i) const {
    return detail::pack_at<How>(x, first + i);
  }
  template <int N>
  RUNG_DEVICE auto some_at(std::int64_t i, std::int64_t count) const {
    return x.template some_at<N>(first + i, count);
  }
};

/// Entry i: value i behind position `base`, a multiple of the source's pack. `room` values fit.
template <class Source>
struct staged_values;
template <class F, class... Ts>
struct staged_values<array_source<F, Ts...>> {
  using source = array_source<F, Ts...>;
  using T = typename source::value_type;
  static constexpr int N = source::pack_size;
  static RUNG_HD constexpr std::size_t round(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  static RUNG_HD constexpr std::size_t bytes(int room) {
    return (round(std::size_t(room) * sizeof(Ts)) + ... + 0);
  }
  const source& x;
  std::size_t at;  ///< in the block's scratch
  int room;

  /// Begins to bring entries first .. count - 1; they are there after copy_async_wait and a
  /// barrier.
  RUNG_DEVICE void load(std::int64_t base, int first, int count) const {
    load_arrays(x.arrays, at, base, first, count);
    copy_async_commit();
  }
  RUNG_DEVICE T operator[](int i) const { return get(x.arrays, at, i); }

 private:
  RUNG_DEVICE void load_arrays(const array_list<>&, std::size_t, std::int64_t, int, int) const {}
  template <class V, class... Rest>
  RUNG_DEVICE void load_arrays(const array_list<V, Rest...>& arrays, std::size_t place,
                               std::int64_t base, int first, int count) const {
    constexpr std::size_t word = access_alignment(N * sizeof(V));
    constexpr int threads = tune::segment_threads;
    const int me = int(thread_index().x);
    int head = count, tail = count;  // what is not in whole packs
    if constexpr (word >= 4) {
      const int begin = (first + N - 1) / N, packs = count / N;
      if (x.aligned && begin < packs) {
        using words = pack<std::uint32_t, int(word / 4)>;
        constexpr int each = int(N * sizeof(V) / word);
        const auto to_words = scratch_array<words>(std::size_t(room) * sizeof(V) / word, place);
        const auto from_words = as<const words>(arrays.first.first + std::ptrdiff_t(base));
        for (int i = begin * each + me; i < packs * each; i += threads * 4) {
          RUNG_UNROLL
          for (int j = 0; j < 4; ++j)
            if (i + j * threads < packs * each)
              copy_async(to_words[i + j * threads], from_words[i + j * threads]);
        }
        head = begin * N, tail = packs * N;
      }
    }
    const auto to = scratch_array<V>(std::size_t(room), place);
    for (int i = first + me; i < head; i += threads)
      load_one(to, i, arrays.first.lowest(base + i, 1));
    for (int i = tail + me; i < count; i += threads)
      load_one(to, i, arrays.first.lowest(base + i, 1));
    load_arrays(arrays.rest, place + round(std::size_t(room) * sizeof(V)), base, first, count);
  }
  template <class V>
  RUNG_DEVICE static void load_one(const shared_view<V>& to, int i, const global<const V>& from) {
    if constexpr ((sizeof(V) == 4 || sizeof(V) == 8) && alignof(V) == sizeof(V)) {
      copy_async(to[i], from[0]);
    } else {
      const V v = from[0];
      to[i] = v;
    }
  }
  template <class... Got>
  RUNG_DEVICE T get(const array_list<>&, std::size_t, int, const Got&... got) const {
    return x.f(got...);
  }
  template <class V, class... Rest, class... Got>
  RUNG_DEVICE T get(const array_list<V, Rest...>& arrays, std::size_t place, int i,
                    const Got&... got) const {
    const V v = scratch_array<V>(std::size_t(room), place)[i];
    return get(arrays.rest, place + round(std::size_t(room) * sizeof(V)), i, got..., v);
  }
};
/// Nothing to bring.
template <class F>
struct staged_values<counting_source<F>> {
  using source = counting_source<F>;
  using T = typename source::value_type;
  static RUNG_HD constexpr std::size_t bytes(int) { return 0; }
  const source& x;
  std::size_t at;
  int room;
  std::int64_t base = 0;
  RUNG_DEVICE void load(std::int64_t first, int, int) { base = first; }
  RUNG_DEVICE T operator[](int i) const { return x.template some_at<1>(base + i, 1)[0]; }
};

}  // namespace rung::detail
