// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What a warp will need of a source, brought to shared memory while the warp does something else.
// Data flow: Count neighbours of every array are copied as they lie, 16 bytes per lane and copy
// (copy_async); lanes read their packs from there and put them through the source's function. A
// warp uses its own part of the stage only. Arrays that are not aligned are copied in words of 4
// bytes, or value by value, as the end of an array is. Cost: one write and one read of shared
// memory.
#pragma once
#include "source.cuh"

namespace rung::detail {

/// The bytes of Count neighbours of every array, which lie behind each other.
template <int Count, class... Ts>
inline constexpr std::size_t staged_bytes = ((Count * sizeof(Ts)) + ... + 0);

/// Copies Count values in pieces of a size.
template <class Piece, int Count, class T>
RUNG_DEVICE void stage_in_pieces(std::size_t at, global<const T> x) {
  constexpr int pieces = Count * int(sizeof(T)) / int(sizeof(Piece));
  const auto to = scratch_array<Piece>(pieces, at);
  const auto from = as<const Piece>(x);
  RUNG_UNROLL
  for (int i = 0; i < pieces / warp_size; ++i)
    copy_async(to[lane() + i * warp_size], from[lane() + i * warp_size]);
  if constexpr (pieces % warp_size != 0) {
    constexpr int done = pieces / warp_size * warp_size;
    if (lane() < pieces - done) copy_async(to[lane() + done], from[lane() + done]);
  }
}
/// The first `count` of Count values, at least one; copies of some in place of the others.
template <int Count, class T>
RUNG_DEVICE void stage_values(std::size_t at, global<const T> x, int count) {
  const auto to = scratch_array<T>(Count, at);
  for (int i = lane(); i < Count; i += warp_size) {
    const T v = x[i < count ? i : 0];
    to[i] = v;
  }
}
template <class T>
RUNG_DEVICE unsigned address_bits(global<const T> x) {
  if constexpr (requires { x.data(); }) return unsigned(reinterpret_cast<std::uintptr_t>(x.data()));
  else return unsigned(reinterpret_cast<std::uintptr_t>(x));
}

template <int Count>
RUNG_DEVICE void stage_arrays(const array_list<>&, std::size_t, std::int64_t, int) {}
/// Starts to bring values first, first + 1, ... of every array to byte `at` of the scratch: `count`
/// of them, 1 to Count. The caller commits, waits, and lets the warp meet.
template <int Count, class T, class... Rest>
RUNG_DEVICE void stage_arrays(const array_list<T, Rest...>& arrays, std::size_t at,
                              std::int64_t first, int count) {
  constexpr int bytes = Count * int(sizeof(T));
  static_assert(bytes % 32 == 0);
  const auto x = arrays.first + first;
  const unsigned bits = address_bits<T>(x);
  if (count == Count && bits % 16 == 0) [[likely]]
    stage_in_pieces<pack<std::uint32_t, 4>, Count>(at, x);
  else if (count == Count && bits % 4 == 0) stage_in_pieces<std::uint32_t, Count>(at, x);
  else stage_values<Count>(at, x, count);
  stage_arrays<Count>(arrays.rest, at + bytes, first, count);
}

/// g(pack of every array...), each the lane's pack number i.
template <int Count, int N, class G, class... Got>
RUNG_DEVICE auto with_staged(const array_list<>&, std::size_t, int, const G& g, const Got&... got) {
  return g(got...);
}
template <int Count, int N, class T, class... Rest, class G, class... Got>
RUNG_DEVICE auto with_staged(const array_list<T, Rest...>& arrays, std::size_t at, int i,
                             const G& g, const Got&... got) {
  using packed = pack<T, N>;
  const packed values = scratch_array<packed>(Count / N, at)[i];
  return with_staged<Count, N>(arrays.rest, at + Count * sizeof(T), i, g, got..., values);
}

/// A source that the same kernel may write to, at places that have been read: without the loads for
/// memory that nobody writes.
template <class Source>
struct coherent {
  const Source& x;
  using value_type = typename Source::value_type;
  static constexpr int pack_size = Source::pack_size;
  static constexpr bool aligned = Source::aligned;
  template <bool>
  RUNG_DEVICE auto pack_at(std::int64_t i) const {
    return x.template pack_at<false>(i);
  }
  template <int N>
  RUNG_DEVICE auto some_at(std::int64_t i, std::int64_t count) const {
    return x.template some_at<N>(i, count);
  }
};
template <class F, class... Ts>
struct coherent<array_source<F, Ts...>> {
  using source = array_source<F, Ts...>;
  using value_type = typename source::value_type;
  static constexpr int pack_size = source::pack_size;
  const source& x;
  bool aligned;
  RUNG_DEVICE explicit coherent(const source& from) : x(from), aligned(from.aligned) {}

  template <bool>
  RUNG_DEVICE pack<value_type, pack_size> pack_at(std::int64_t i) const {
    return with_each(
        x.arrays, [&](auto array) { return pack_of_array(array, i); },
        [&](const auto&... packs) {
          pack<value_type, pack_size> values;
          RUNG_UNROLL
          for (int j = 0; j < pack_size; ++j) values[j] = x.f(packs[j]...);
          return values;
        });
  }
  template <int N>
  RUNG_DEVICE pack<value_type, N> some_at(std::int64_t i, std::int64_t count) const {
    pack<value_type, N> values;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) {
      const std::int64_t at = j < count ? i + j : count > 0 ? i : 0;
      values[j] = with_each(
          x.arrays, [&](auto array) { return value_of_array(array, at); },
          [&](const auto&... v) { return x.f(v...); });
    }
    return values;
  }

 private:
  template <class T>
  static RUNG_DEVICE pack<T, pack_size> pack_of_array(global<const T> array, std::int64_t i) {
    return as<const pack<T, pack_size>>(array + i)[0];
  }
  template <class T>
  static RUNG_DEVICE T value_of_array(global<const T> array, std::int64_t i) {
    return array[i];
  }
};

/// A source's values as the stage holds them.
template <int Count, class Source>
struct stage;
template <int Count, class F, class... Ts>
struct stage<Count, array_source<F, Ts...>> {
  using source = array_source<F, Ts...>;
  using T = typename source::value_type;
  static constexpr int N = source::pack_size;
  static constexpr std::size_t bytes = (staged_bytes<Count, Ts...> + 15) / 16 * 16;
  static RUNG_DEVICE void load(const source& x, std::size_t at, std::int64_t first, int count) {
    stage_arrays<Count>(x.arrays, at, first, count);
  }
  /// Pack i of those that were loaded.
  static RUNG_DEVICE pack<T, N> get(const source& x, std::size_t at, std::int64_t, int i) {
    return with_staged<Count, N>(x.arrays, at, i, [&](const auto&... packs) {
      pack<T, N> values;
      RUNG_UNROLL
      for (int j = 0; j < N; ++j) values[j] = x.f(packs[j]...);
      return values;
    });
  }
};
/// Nothing to bring.
template <int Count, class F>
struct stage<Count, counting_source<F>> {
  using source = counting_source<F>;
  using T = typename source::value_type;
  static constexpr int N = source::pack_size;
  static constexpr std::size_t bytes = 0;
  static RUNG_DEVICE void load(const source&, std::size_t, std::int64_t, int) {}
  static RUNG_DEVICE pack<T, N> get(const source& x, std::size_t, std::int64_t first, int i) {
    return x.template some_at<N>(first + i * N, N);
  }
};

}  // namespace rung::detail
