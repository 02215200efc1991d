// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What a warp will need of a source, brought to shared memory while the warp does something else.
// Data flow: Count neighbours of every array are copied as they lie, 16 bytes per lane and copy
// (copy_async); lanes read their packs from there and put them through the source's function. A
// warp uses its own part of the stage only. Arrays that are not aligned are copied in the aligned
// words that they lie in, and shifted when they are read; the begin and the end of such an array,
// value by value. Cost: one write and one read of shared memory.
#pragma once
#include "source.cuh"

namespace rung::detail {

/// The room for Count neighbours of every array, which lie behind each other.
template <int Count, class... Ts>
inline constexpr std::size_t staged_bytes = ((Count * sizeof(Ts) + 16) + ... + 0);

template <class Array>
RUNG_DEVICE unsigned address_bits(const Array& x) {
  if constexpr (std::is_pointer_v<Array>) return unsigned(reinterpret_cast<std::uintptr_t>(x));
  else return unsigned(reinterpret_cast<std::uintptr_t>(x.data()));
}
/// Where packs lie behind 16 bytes' alignment, if they are staged in words that have it.
template <int N, class T>
RUNG_DEVICE unsigned shift_of(const array_line<T>& x) {
  if (N * sizeof(T) % 16 != 0) return 0;
  return (address_bits(x.first) + (x.backwards ? unsigned(sizeof(T)) : 0)) % 16;
}
/// Drops the first `bytes` bytes, up to 15; behind the last words: anything.
template <int N>
RUNG_DEVICE void shift_words(std::uint32_t (&w)[N], unsigned bytes) {
  RUNG_UNROLL
  for (int j = 0; j + 2 < N; ++j) w[j] = (bytes & 8) != 0 ? w[j + 2] : w[j];
  RUNG_UNROLL
  for (int j = 0; j + 1 < N; ++j) w[j] = (bytes & 4) != 0 ? w[j + 1] : w[j];
  RUNG_UNROLL
  for (int j = 0; j + 1 < N; ++j)
    w[j] = std::uint32_t((std::uint64_t(w[j + 1]) << 32 | w[j]) >> 8 * (bytes & 3));
}

/// Copies `Pieces` pieces.
template <class Piece, int Pieces>
RUNG_DEVICE void stage_pieces(std::size_t at, global<const Piece> from) {
  const auto to = scratch_array<Piece>(Pieces, at);
  RUNG_UNROLL
  for (int i = 0; i < Pieces / warp_size; ++i)
    copy_async(to[lane() + i * warp_size], from[lane() + i * warp_size]);
  if constexpr (Pieces % warp_size != 0) {
    constexpr int done = Pieces / warp_size * warp_size;
    if (lane() < Pieces - done) copy_async(to[lane() + done], from[lane() + done]);
  }
}
/// Values begin .. end - 1 of Count values, at least one; copies of some in place of the others.
template <int Count, class T>
RUNG_DEVICE void stage_values(std::size_t at, global<const T> x, int begin, int end,
                              unsigned shift) {
  const auto to = scratch_array<T>(Count, at + shift);
  for (int i = lane(); i < Count; i += warp_size) {
    const T v = x[i >= begin && i < end ? i : begin];
    to[i] = v;
  }
  const auto edge = scratch_array<unsigned char>(Count * sizeof(T) + 16, at);
  if (shift != 0 && lane() < 16)
    edge[lane() < int(shift) ? lane() : int(Count * sizeof(T)) + lane()] = 0;
}

template <int Count, int N>
RUNG_DEVICE void stage_arrays(const array_list<>&, std::size_t, std::int64_t, std::int64_t, bool) {}
/// Starts to bring values first, first + 1, ... of every array to byte `at` of the scratch, as they
/// lie, Count of them or as many as there are up to n, at least one. The caller commits, waits, and
/// lets the warp meet. Values that are not aligned are brought with what lies around them, in
/// aligned words.
template <int Count, int N, class T, class... Rest>
RUNG_DEVICE void stage_arrays(const array_list<T, Rest...>& arrays, std::size_t at,
                              std::int64_t first, std::int64_t n, bool around) {
  constexpr int bytes = Count * int(sizeof(T));
  static_assert(bytes % 32 == 0);
  using word = pack<std::uint32_t, 4>;
  const auto x = arrays.first.lowest(first, Count);
  const unsigned off = address_bits(x) % 16, shift = shift_of<N>(arrays.first);
  const std::int64_t there = n - first;
  if (off == 0 && there >= Count) [[likely]] {
    stage_pieces<word, bytes / 16>(at, as<const word>(x));
  } else if (around && shift != 0 && first > 0 &&
             there >= Count + std::int64_t(16 / sizeof(T) + 1)) {
    const auto from = as<const unsigned char>(x) - std::ptrdiff_t(shift);
    stage_pieces<word, bytes / 16 + 1>(at, as<const word>(from));
  } else {
    const int count = there < Count ? int(there) : Count;
    const int begin = arrays.first.backwards ? Count - count : 0;
    stage_values<Count>(at, x, begin, begin + count, shift);
  }
  stage_arrays<Count, N>(arrays.rest, at + bytes + 16, first, n, around);
}

/// How the staged packs of a source lie: in aligned words, forwards or some of them backwards; or
/// not in aligned words, likewise. Each has code of its own, and a single array that is turned asks
/// no more: a branch at each pack would keep rows apart.
enum class staged { in_packs, turned, shifted, shifted_turned };

/// The lane's pack number i of an array.
template <int Count, int N, staged How, bool Alone, class T>
RUNG_DEVICE pack<T, N> staged_pack(const array_line<T>& x, std::size_t at, int i) {
  using packed = pack<T, N>;
  constexpr int bytes = N * int(sizeof(T));
  constexpr bool some = How == staged::turned || How == staged::shifted_turned;
  const bool turned = some && (Alone || x.backwards);
  packed values;
  if (turned) i = Count / N - 1 - i;
  if constexpr (How == staged::in_packs || How == staged::turned || bytes % 16 != 0) {
    values = scratch_array<packed>(Count / N, at)[i];
  } else {
    const auto words = scratch_array<pack<std::uint32_t, 4>>(Count * sizeof(T) / 16 + 1, at);
    std::uint32_t all[bytes / 4 + 4];
    RUNG_UNROLL
    for (int j = 0; j < bytes / 16 + 1; ++j) {
      pack<std::uint32_t, 4> word{};
      if (j < bytes / 16 || shift_of<N>(x) != 0) word = words[i * (bytes / 16) + j];
      RUNG_UNROLL
      for (int k = 0; k < 4; ++k) all[j * 4 + k] = word[k];
    }
    shift_words(all, shift_of<N>(x));
    __builtin_memcpy(static_cast<void*>(&values), all, sizeof(packed));
  }
  if (turned) turn_round(values);
  return values;
}
template <int N>
RUNG_DEVICE bool none_shifted(const array_list<>&) {
  return true;
}
template <int N, class T, class... Rest>
RUNG_DEVICE bool none_shifted(const array_list<T, Rest...>& arrays) {
  return shift_of<N>(arrays.first) == 0 && none_shifted<N>(arrays.rest);
}

/// g(pack of every array...), each the lane's pack number i.
template <int Count, int N, staged How, bool Alone, class G, class... Got>
RUNG_DEVICE auto with_staged(const array_list<>&, std::size_t, int, const G& g, const Got&... got) {
  return g(got...);
}
template <int Count, int N, staged How, bool Alone, class T, class... Rest, class G, class... Got>
RUNG_DEVICE auto with_staged(const array_list<T, Rest...>& arrays, std::size_t at, int i,
                             const G& g, const Got&... got) {
  return with_staged<Count, N, How, Alone>(arrays.rest, at + Count * sizeof(T) + 16, i, g, got...,
                                           staged_pack<Count, N, How, Alone>(arrays.first, at, i));
}

/// A source that the same kernel may write to, at places that have been read: without the loads for
/// memory that nobody writes, and without reading anything in place of values that are not there.
template <class Source>
struct coherent {
  const Source& x;
  using value_type = typename Source::value_type;
  static constexpr int pack_size = Source::pack_size;
  static constexpr bool aligned = Source::aligned;
  RUNG_DEVICE explicit coherent(const Source& from) : x(from) {}
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

  template <reading>
  RUNG_DEVICE auto pack_at(std::int64_t i) const {
    return x.template pack_at<reading::coherent>(i);
  }
  RUNG_DEVICE auto whole_at(std::int64_t i) const {
    return x.template whole_at<reading::coherent>(i);
  }
  template <int N>
  RUNG_DEVICE auto some_at(std::int64_t i, std::int64_t count) const {
    return x.template some_at<N, reading::coherent>(i, count);
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
  static constexpr std::size_t bytes = staged_bytes<Count, Ts...>;
  /// Values from `first` on, Count of them or up to n. Around: nobody writes what lies beside them.
  static RUNG_DEVICE void load(const source& x, std::size_t at, std::int64_t first, std::int64_t n,
                               bool around) {
    stage_arrays<Count, N>(x.arrays, at, first, n, around);
  }
  /// The lane's packs of rows that were loaded: numbers lane(), lane() + 32, ...
  template <int Rows>
  static RUNG_DEVICE void get(const source& x, std::size_t at, std::int64_t,
                              pack<T, N> (&packs)[Rows]) {
    const bool in_words = none_shifted<N>(x.arrays);
    if (in_words && !x.backwards) [[likely]]
      get_rows<staged::in_packs>(x, at, packs);
    else if (!x.backwards) get_rows<staged::shifted>(x, at, packs);
    else if (in_words) get_rows<staged::turned>(x, at, packs);
    else get_rows<staged::shifted_turned>(x, at, packs);
  }

 private:
  template <staged How, int Rows>
  static RUNG_DEVICE void get_rows(const source& x, std::size_t at, pack<T, N> (&packs)[Rows]) {
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r)
      packs[r] = with_staged<Count, N, How, sizeof...(Ts) == 1>(
          x.arrays, at, r * warp_size + lane(), [&](const auto&... of_arrays) {
            pack<T, N> values;
            RUNG_UNROLL
            for (int j = 0; j < N; ++j) values[j] = x.f(of_arrays[j]...);
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
  static RUNG_DEVICE void load(const source&, std::size_t, std::int64_t, std::int64_t, bool) {}
  template <int Rows>
  static RUNG_DEVICE void get(const source& x, std::size_t, std::int64_t first,
                              pack<T, N> (&packs)[Rows]) {
    RUNG_UNROLL
    for (int r = 0; r < Rows; ++r)
      packs[r] = x.template some_at<N>(first + (r * warp_size + lane()) * N, N);
  }
};

}  // namespace rung::detail
