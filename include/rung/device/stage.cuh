// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What a warp will need of a source, brought to shared memory while the warp does something else.
// Data flow: each lane owns K neighbours of every array; the warp's 32 K of them are copied in
// words of 16 bytes (copy_async), neighbouring lanes neighbouring words; then every lane reads its
// own run, and puts it through the source's function. Runs lie so that neither way meets a bank
// twice (lane_words). Arrays that are not aligned are copied in the aligned words that they lie in,
// and shifted when they are read; the begin and the end of such an array, unit by unit. Cost: one
// write and one read of shared memory.
#pragma once
#include "source.cuh"

namespace rung::detail {

/// Where the words of 16 bytes lie in shared memory that a warp has `Bytes` bytes per lane of. A
/// lane's words stand behind each other; where lanes' runs begin at the same few banks, each lane's
/// order is turned. A run that does not fill words: everything as in global memory.
template <int Bytes>
struct lane_words {
  using word = pack<std::uint32_t, 4>;
  static constexpr int of_lane = Bytes % 16 == 0 ? Bytes / 16 : 0;
  static constexpr int count = 2 * Bytes;  ///< of the warp
  /// Parts begin at multiples of 128 bytes: copies that straddle such places take twice as long.
  static constexpr std::size_t bytes = std::size_t(count + 7) / 8 * 128;

  /// Lanes whose runs begin at the same bank, of 8 that read at once.
  static constexpr int meeting = of_lane == 0       ? 1
                                 : of_lane % 8 == 0 ? 8
                                                    : int(access_alignment(of_lane));
  static RUNG_DEVICE int turn(int lane) { return lane * meeting / 8 % meeting; }
  /// Word w of a lane.
  static RUNG_DEVICE int place(int lane, int w) { return lane * of_lane + (w ^ turn(lane)); }
  /// Number j of the warp's words.
  static RUNG_DEVICE int place_of(int j) {
    return of_lane == 0 ? j : j ^ turn(j / (of_lane + (of_lane == 0)));
  }
  /// Number i * 32 + lane() of them.
  static RUNG_DEVICE int place_in_row(int i) {
    if constexpr (of_lane > 0 && warp_size % (of_lane + (of_lane == 0)) == 0) {
      constexpr int lanes = warp_size / of_lane;  // that own a row
      return i * warp_size + (lane() ^ turn(lane() / of_lane) ^ turn(i * lanes));
    } else {
      return place_of(i * warp_size + lane());
    }
  }
};

/// The room for a warp's K neighbours per lane of every array, which lie behind each other.
template <int K, class... Ts>
inline constexpr std::size_t staged_bytes = (lane_words<K* int(sizeof(Ts))>::bytes + ... + 0);
/// A warp's part of the stage: where its values lie, and where the word behind them, for every
/// array, where that is not aligned.
struct stage_place {
  std::uint32_t values, ends;
};

/// Where values lie behind 16 bytes' alignment, if they are staged in words that have it.
template <int K, class T>
RUNG_DEVICE unsigned shift_of(const array_line<T>& x) {
  if (lane_words<K* int(sizeof(T))>::of_lane == 0) return 0;
  return (address_bits(x.first) + (x.backwards ? unsigned(sizeof(T)) : 0)) % 16;
}
/// The largest unit, of 4 bytes at most, that a value of this type can be moved in wherever it
/// lies.
template <class T>
using unit_of =
    std::conditional_t<alignof(T) % 4 == 0, std::uint32_t,
                       std::conditional_t<alignof(T) == 2, std::uint16_t, std::uint8_t>>;

/// Copies all words of a warp.
template <class Layout>
RUNG_DEVICE void stage_words(std::uint32_t at, global<const typename Layout::word> from) {
  constexpr int count = Layout::count, whole = count / warp_size * warp_size;
  const auto to = scratch_array<typename Layout::word>(count, at);
  RUNG_UNROLL
  for (int i = 0; i < whole / warp_size; ++i)
    copy_async(to[Layout::place_in_row(i)], from[i * warp_size + lane()]);
  if constexpr (whole < count)
    if (lane() < count - whole)
      copy_async(to[Layout::place_of(whole + lane())], from[whole + lane()]);
}
/// Bytes from some place on that exist, and may be read.
struct byte_range {
  int begin, end;
};
/// The 16 bytes from byte `at` of x on, as far as they exist; zeros around.
template <class T>
RUNG_DEVICE pack<std::uint32_t, 4> some_word(global<const T> x, int at, const byte_range& there) {
  using unit = unit_of<T>;
  constexpr int size = int(sizeof(unit));
  unit units[16 / size];
  RUNG_UNROLL
  for (int j = 0; j < 16 / size; ++j) {
    const int b = at + j * size;
    units[j] = 0;
    if (b >= there.begin && b < there.end) units[j] = as<const unit>(x)[b / size];
  }
  pack<std::uint32_t, 4> word;
  __builtin_memcpy(&word, units, 16);
  return word;
}
/// Copies what exists of a warp's words, x `shift` bytes behind the begin: whole words, and unit by
/// unit what does not fill one.
template <class Layout, class T>
RUNG_DEVICE void stage_some(const stage_place& at, global<const T> x, const byte_range& there,
                            int shift) {
  using word = typename Layout::word;
  const auto to = scratch_array<word>(Layout::count, at.values);
  const auto behind = scratch_array<word>(1, at.ends);
  const bool aligned = (address_bits(x) - unsigned(shift)) % 16 == 0;
  for (int j = lane(); j <= Layout::count; j += warp_size) {
    auto& place = j < Layout::count ? to[Layout::place_of(j)] : behind[0];
    const int b = j * 16 - shift;
    if (aligned && b >= there.begin && b + 16 <= there.end)
      copy_async(place, as<const word>(as<const unsigned char>(x) + std::ptrdiff_t(b))[0]);
    else place = some_word(x, b, there);
  }
}

template <int K>
RUNG_DEVICE void stage_arrays(const array_list<>&, const stage_place&, std::int64_t, std::int64_t,
                              bool) {}
/// Starts to bring values first, first + 1, ... of every array to the stage, as they lie, K per
/// lane or as many as there are up to n, at least one. The caller commits, waits, and lets the warp
/// meet. Values that are not aligned are brought with what lies around them, in aligned words.
template <int K, class T, class... Rest>
RUNG_DEVICE void stage_arrays(const array_list<T, Rest...>& arrays, const stage_place& at,
                              std::int64_t first, std::int64_t n, bool around) {
  constexpr int size = K * warp_size;
  using layout = lane_words<K* int(sizeof(T))>;
  using word = typename layout::word;
  const auto& line = arrays.first;
  const auto x = line.lowest(first, size);
  const unsigned off = address_bits(x) % 16, shift = shift_of<K>(line);
  const std::int64_t there = n - first;
  if (off == 0 && there >= size) [[likely]] {
    stage_words<layout>(at.values, as<const word>(x));
  } else if (around && shift != 0 && first > 0 &&
             there >= size + std::int64_t(16 / sizeof(T) + 1)) {
    const auto from = as<const word>(as<const unsigned char>(x) - std::ptrdiff_t(shift));
    stage_words<layout>(at.values, from);
    if (lane() == 0) copy_async(scratch_array<word>(1, at.ends)[0], from[layout::count]);
  } else {  // of what lies beside, values of the array may be read
    const int before = around && first > 0 ? 16 : 0, most = around ? size + 16 : size;
    const int count = int(there < most ? there : most), bytes = int(sizeof(T));
    const byte_range range =
        line.backwards ? byte_range{size - count, size + before} : byte_range{-before, count};
    stage_some<layout>(at, x, {range.begin * bytes, range.end * bytes}, int(shift));
  }
  stage_arrays<K>(arrays.rest, {at.values + std::uint32_t(layout::bytes), at.ends + 16}, first, n,
                  around);
}

/// A lane's run of `Bytes` bytes, in registers.
template <int Bytes>
struct lane_run {
  std::uint32_t words[(Bytes + 3) / 4];
  /// What lies `at` bytes behind the begin, as a V.
  template <class V>
  RUNG_DEVICE V get(int at) const {
    V v;
    __builtin_memcpy(static_cast<void*>(&v), reinterpret_cast<const char*>(words) + at, sizeof(V));
    return v;
  }
  template <class V>
  RUNG_DEVICE void put(int at, const V& v) {
    __builtin_memcpy(reinterpret_cast<char*>(words) + at, &v, sizeof(V));
  }
  /// The last of its values, of type T, first.
  template <class T>
  RUNG_DEVICE void turn_round() {
    const lane_run from = *this;
    RUNG_UNROLL
    for (int at = 0; at < Bytes; at += int(sizeof(T)))
      put(at, from.template get<T>(Bytes - int(sizeof(T)) - at));
  }
};
/// The lane whose run lies where this lane's would, if all of it ran the other way.
RUNG_DEVICE int opposite_lane() { return warp_size - 1 - lane(); }
/// Reads the run of a lane, from which `shift` bytes are dropped.
template <bool Shifted, int Bytes>
RUNG_DEVICE void read_run(const stage_place& at, int owner, unsigned shift, lane_run<Bytes>& run) {
  using layout = lane_words<Bytes>;
  using word = typename layout::word;
  if constexpr (layout::of_lane == 0) {
    using piece = pack<std::uint8_t, int(access_alignment(Bytes))>;
    constexpr int pieces = Bytes / int(sizeof(piece));
    const auto from = scratch_array<piece>(warp_size * pieces, at.values);
    RUNG_UNROLL
    for (int j = 0; j < pieces; ++j)
      run.put(j * int(sizeof(piece)), piece(from[owner * pieces + j]));
  } else {
    const int behind = int(at.ends - at.values) / 16;  // all lanes of the warp
    const auto from = scratch_array<word>(behind + 1, at.values);
    std::uint32_t all[Bytes / 4 + 4];
    RUNG_UNROLL
    for (int j = 0; j < layout::of_lane + Shifted; ++j) {
      int place = layout::place(owner, j);
      if (j == layout::of_lane)
        place = owner < warp_size - 1 ? layout::place(owner + 1, 0) : behind;
      const word w = from[place];
      RUNG_UNROLL
      for (int k = 0; k < 4; ++k) all[j * 4 + k] = w[k];
    }
    if constexpr (Shifted) shift_words(all, shift);
    RUNG_UNROLL
    for (int j = 0; j < Bytes / 4; ++j) run.words[j] = all[j];
  }
}

/// A lane's runs of every array.
template <int K, class... Ts>
struct lane_runs {
  static constexpr bool are_words = true;
  RUNG_DEVICE void read(const array_list<>&, const stage_place&) {}
  template <bool>
  RUNG_DEVICE void read_words(const array_list<>&, std::int64_t, std::int64_t) {}
};
template <int K, class T, class... Rest>
struct lane_runs<K, T, Rest...> {
  lane_run<K* int(sizeof(T))> first;
  lane_runs<K, Rest...> rest;
  static constexpr bool are_words = K * sizeof(T) == 16 && lane_runs<K, Rest...>::are_words;

  RUNG_DEVICE void read(const array_list<T, Rest...>& arrays, const stage_place& at) {
    const unsigned shift = shift_of<K>(arrays.first);
    if (arrays.first.backwards) [[unlikely]] {
      if (shift == 0) read_run<false>(at, opposite_lane(), 0, first);
      else read_run<true>(at, opposite_lane(), shift, first);
      first.template turn_round<T>();
    } else if (shift == 0) [[likely]] {
      read_run<false>(at, lane(), 0, first);
    } else {
      read_run<true>(at, lane(), shift, first);
    }
    rest.read(arrays.rest,
              {at.values + std::uint32_t(lane_words<K* int(sizeof(T))>::bytes), at.ends + 16});
  }
  /// Words of 16 bytes that begin with value i, from where they are, as far as they lie before n.
  template <bool Whole>
  RUNG_DEVICE void read_words(const array_list<T, Rest...>& arrays, std::int64_t i,
                              std::int64_t n) {
    using word = pack<std::uint32_t, 4>;
    const auto from = arrays.first.first + i;
    if constexpr (Whole) first.put(0, word(as<const word>(from)[0]));
    else first.put(0, some_word<T>(from, 0, {0, int(n - i < K ? n - i : K) * int(sizeof(T))}));
    rest.template read_words<Whole>(arrays.rest, i, n);
  }
};

/// g(pack p of every array...), of N values each.
template <int N, int K, class G, class... Got>
RUNG_DEVICE auto with_packs(const lane_runs<K>&, int, const G& g, const Got&... got) {
  return g(got...);
}
template <int N, int K, class T, class... Rest, class G, class... Got>
RUNG_DEVICE auto with_packs(const lane_runs<K, T, Rest...>& runs, int p, const G& g,
                            const Got&... got) {
  using packed = pack<T, N>;
  return with_packs<N>(runs.rest, p, g, got...,
                       runs.first.template get<packed>(p * int(sizeof(packed))));
}

template <int K>
RUNG_DEVICE bool all_aligned(const array_list<>&) {
  return true;
}
template <int K, class T, class... Rest>
RUNG_DEVICE bool all_aligned(const array_list<T, Rest...>& arrays) {
  return shift_of<K>(arrays.first) == 0 && all_aligned<K>(arrays.rest);
}

/// A source's values as the stage holds them: K neighbours per lane. Runs of one word stay where
/// they are, if they are aligned.
template <int K, class Source>
struct stage;
template <int K, class F, class... Ts>
struct stage<K, array_source<F, Ts...>> {
  using source = array_source<F, Ts...>;
  using runs_type = lane_runs<K, Ts...>;
  static constexpr int N = source::pack_size;
  static constexpr std::size_t bytes = staged_bytes<K, Ts...>, ends = 16 * sizeof...(Ts);

  static RUNG_DEVICE bool stays(const source& x) {
    return runs_type::are_words && !x.backwards && all_aligned<K>(x.arrays);
  }
  /// Values from `first` on, K per lane or up to n. Around: nobody writes what lies beside them.
  static RUNG_DEVICE void load(const source& x, const stage_place& at, std::int64_t first,
                               std::int64_t n, bool around) {
    if (!stays(x)) stage_arrays<K>(x.arrays, at, first, n, around);
  }
  /// The lane's values, in packs.
  struct values {
    const source& x;
    runs_type runs;
    RUNG_DEVICE explicit values(const source& from) : x(from) {}
    /// What stays where it is, as soon as it is known where; the rest, when it has come.
    RUNG_DEVICE void read_early(std::int64_t first, std::int64_t n) {
      if (!stays(x)) return;
      const std::int64_t mine = first + lane() * K;
      if (n - first >= warp_size * K) [[likely]]
        return runs.template read_words<true>(x.arrays, mine, n);
      runs.template read_words<false>(x.arrays, mine, n);
      warp_barrier();
    }
    RUNG_DEVICE void read(const stage_place& at, std::int64_t) {
      if (!stays(x)) runs.read(x.arrays, at);
    }
    RUNG_DEVICE pack<typename source::value_type, N> operator[](int p) const {
      return with_packs<N>(runs, p, [&](const auto&... of_arrays) {
        pack<typename source::value_type, N> packed;
        RUNG_UNROLL
        for (int j = 0; j < N; ++j) packed[j] = x.f(of_arrays[j]...);
        return packed;
      });
    }
  };
};
/// Nothing to bring.
template <int K, class F>
struct stage<K, counting_source<F>> {
  using source = counting_source<F>;
  static constexpr int N = source::pack_size;
  static constexpr std::size_t bytes = 0, ends = 0;
  static RUNG_DEVICE void load(const source&, const stage_place&, std::int64_t, std::int64_t,
                               bool) {}
  struct values {
    const source& x;
    std::int64_t mine = 0;
    RUNG_DEVICE explicit values(const source& from) : x(from) {}
    RUNG_DEVICE void read_early(std::int64_t, std::int64_t) {}
    RUNG_DEVICE void read(const stage_place&, std::int64_t first) { mine = first + lane() * K; }
    RUNG_DEVICE pack<typename source::value_type, N> operator[](int p) const {
      return x.template some_at<N>(mine + p * N, N);
    }
  };
};

}  // namespace rung::detail
