// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a scan puts its entries: results of states, in packs or words of 16 bytes where y is
// aligned to them; where it is not, a row's words are put together from two lanes', so that they
// are. Data flow of a row: 32 lanes, neighbouring packs or words; one store per lane, and unit by
// unit the edges of a row that is not aligned, or not whole. Where y runs backwards, lanes change
// places and each turns its entries round; then rows lie forwards.
#pragma once
#include "reduce_kernels.cuh"
#include "stage.cuh"

namespace rung::detail {

template <class Op, class T, class R, int N>
struct scan_output {
  using S = state_t<Op, T>;
  using packed = pack<R, N>;
  using unit = unit_of<R>;
  global<R> y;
  unsigned ahead;  ///< bytes from where rows begin to the next place that is aligned to 16 bytes
  bool backwards;  ///< result i goes to y[-i]

  scan_output(R* out, bool backwards = false)
      : y(out),
        ahead(unsigned(-reinterpret_cast<std::uintptr_t>(out + backwards) % 16)),
        backwards(backwards) {}

  static RUNG_DEVICE packed results(const Op& op, const S (&entries)[N]) {
    packed all;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) all[j] = result_as<R, Op, T>(op, entries[j]);
    return all;
  }
  /// Whole rows of words, one behind the other, not aligned: the first begins at byte `at` of y.
  /// Each lane's word is put together with the next one's, the last lane's with the next row's.
  template <class Word, int Rows>
  RUNG_DEVICE void put_shifted(std::int64_t at, const Word (&words)[Rows]) const {
    static_assert(sizeof(Word) == 16);
    const auto place = as<unsigned char>(y) + (at + lane() * 16);
    const int next_lane = (lane() + 1) % warp_size;
    const bool is_first = lane() == 0, is_last = lane() == warp_size - 1;
    RUNG_UNROLL
    for (int i = 0; i < Rows; ++i) {
      std::uint32_t all[8], behind[4];
      __builtin_memcpy(all, &words[i], 16);
      __builtin_memcpy(behind, &words[i + 1 < Rows ? i + 1 : i], 16);
      RUNG_UNROLL
      for (int j = 0; j < 4; ++j)
        all[4 + j] = shuffle(choose(is_first, behind[j], all[j]), next_lane);
      shift_words(all, ahead);
      Word shifted;
      __builtin_memcpy(static_cast<void*>(&shifted), all, 16);
      const auto row = place + (i * warp_size * 16 + std::int64_t(ahead));
      if (i + 1 < Rows || !is_last) store_wide(as<Word>(row)[0], shifted);
    }
    // The edges: in the first lane what stands before, in the last what stands behind.
    const auto edge_at = place + (is_last ? (Rows - 1) * warp_size * 16 : 0);
    unit first[16 / sizeof(unit)], last[16 / sizeof(unit)];
    __builtin_memcpy(first, &words[0], 16);
    __builtin_memcpy(last, &words[Rows - 1], 16);
    RUNG_UNROLL
    for (int j = 0; j < int(16 / sizeof(unit)); ++j) {
      const bool before = unsigned(j) * sizeof(unit) < ahead;
      if (before ? is_first : is_last) as<unit>(edge_at)[j] = before ? first[j] : last[j];
    }
  }
  /// What of a word at byte `at` of y belongs to the first n results.
  template <class Word>
  RUNG_DEVICE void put_units(std::int64_t at, const Word& word, std::int64_t n) const {
    const auto place = as<unit>(as<unsigned char>(y) + at);
    const std::int64_t size = sizeof(R), begin = backwards ? (1 - n) * size : 0,
                       end = backwards ? size : n * size;
    if (ahead == 0 && at >= begin && at + 16 <= end) return store_wide(as<Word>(place)[0], word);
    unit all[16 / sizeof(unit)];
    __builtin_memcpy(all, &word, 16);
    RUNG_UNROLL
    for (int j = 0; j < int(16 / sizeof(unit)); ++j)
      if (at + j * int(sizeof(unit)) >= begin && at + j * int(sizeof(unit)) < end)
        place[j] = all[j];
  }
};

/// Entries that lanes have runs of, K values per lane, on their way out through a warp's part of
/// shared memory: a slice of each run at a time, 128 bytes where values allow.
template <int K, class Output>
struct lane_output;
template <int K, class Op, class T, class R, int N>
struct lane_output<K, scan_output<Op, T, R, N>> {
  static constexpr int size = int(sizeof(R)), run = K * size;
  static constexpr int values_of_slice() {
    int v = K;
    while (v > N && v * size > 128 && v / 2 * size % 16 == 0) v /= 2;
    return v;
  }
  static constexpr int values = values_of_slice(), slices = K / values, packs = values / N;
  using layout = lane_words<values * size>;
  using word = typename layout::word;
  using slice_type = lane_run<values * size>;

  /// Takes slice number s of every lane to y, where the warp's entries begin with number `first`
  /// and end before n, through the warp's part of shared memory, from byte `at` on. Nobody reads
  /// there any more.
  static RUNG_DEVICE void put(const scan_output<Op, T, R, N>& out, std::uint32_t at,
                              std::int64_t first, int s, std::int64_t n, slice_type slice) {
    constexpr int count = layout::count, rows = (count + warp_size - 1) / warp_size;
    int owner = lane();  // of the run in which the slice lies
    std::int64_t begin = first * size + s * (values * size);
    if (out.backwards) [[unlikely]] {
      slice.template turn_round<R>();
      owner = opposite_lane();
      begin = (1 - first - warp_size * K) * size + (slices - 1 - s) * (values * size);
    }
    const auto there = [](int i) {
      return count % warp_size == 0 || i * warp_size + lane() < count;
    };
    word words[rows];  // all of them first: stores would hold up what is read behind them
    if constexpr (layout::of_lane == 1) {
      words[0] = slice.template get<word>(0);
      if (out.backwards) [[unlikely]] {
        RUNG_UNROLL
        for (int k = 0; k < 4; ++k) words[0][k] = shuffle(words[0][k], owner);
      }
    } else {
      if (s > 0) warp_barrier();
      stage(at, owner, slice);
      warp_barrier();
      const auto from = scratch_array<word>(count, at);
      RUNG_UNROLL
      for (int i = 0; i < rows; ++i)
        if (there(i)) words[i] = from[layout::place_in_row(i)];
    }
    const auto each = [&](const auto& put_word) {
      RUNG_UNROLL
      for (int i = 0; i < rows; ++i) {
        const int j = i * warp_size + lane();
        const int b = slices == 1 ? j * 16 : j / of_lane * run + j % of_lane * 16;
        if (there(i)) put_word(begin + b, words[i]);
      }
    };
    if (n - first >= warp_size * K && out.ahead == 0) [[likely]]
      each([&](std::int64_t b, const word& w) {
        store_wide(as<word>(as<unsigned char>(out.y) + b)[0], w);
      });
    else if (n - first >= warp_size * K && slices == 1 && count % warp_size == 0)
      out.put_shifted(begin, words);
    else each([&](std::int64_t b, const word& w) { out.put_units(b, w, n); });
  }

 private:
  static RUNG_DEVICE void stage(std::uint32_t at, int owner, const slice_type& slice) {
    if constexpr (layout::of_lane == 0) {
      using piece = pack<std::uint8_t, int(access_alignment(values * size))>;
      constexpr int pieces = values * size / int(sizeof(piece));
      const auto to = scratch_array<piece>(warp_size * pieces, at);
      RUNG_UNROLL
      for (int j = 0; j < pieces; ++j)
        to[owner * pieces + j] = slice.template get<piece>(j * int(sizeof(piece)));
    } else {
      const auto to = scratch_array<word>(layout::count, at);
      RUNG_UNROLL
      for (int j = 0; j < layout::of_lane; ++j)
        to[layout::place(owner, j)] = slice.template get<word>(j * 16);
    }
  }
  static constexpr int of_lane = layout::of_lane > 0 ? layout::of_lane : 1;
};

}  // namespace rung::detail
