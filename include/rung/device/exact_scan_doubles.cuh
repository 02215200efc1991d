// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact prefix sums of doubles: as exact_scan.cuh has them of narrower floats, with pairs of
// doubles in the place of doubles, and with what stands left of the tiles as words of 64 bits,
// which one scan of integers adds up. Data flow: values --> a state per tile --> its words, word by
// word --> their scan; then each tile again, from its exact prefix on, in pairs, with a bound on
// the error. Cost: the values are read twice, the entries written once; some hundred additions per
// row.
#pragma once
#include "exact_scan.cuh"

namespace rung {
template <class What, class Out, class Op>
void exclusive_scan(const device& where, const What& what, Out&& out, const Op& op);  // scan.cuh
}

namespace rung::detail {

/// high + low, where high is their sum rounded.
struct double_pair {
  double high, low;
};
RUNG_DEVICE double_pair renormalised(double high, double low) {
  const double sum = high + low;
  return {sum, low - (sum - high)};
}
RUNG_DEVICE double_pair pair_of(double a, double b) {
  const double sum = a + b, b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}
/// Off by less than 2^-104 of the larger operand.
RUNG_DEVICE double_pair operator+(const double_pair& a, const double_pair& b) {
  const double_pair high = pair_of(a.high, b.high), low = pair_of(a.low, b.low);
  const double_pair sum = renormalised(high.high, high.low + low.high);
  return renormalised(sum.high, sum.low + low.low);
}
inline constexpr double pair_error = 0x1p-100;

/// words[w * tiles + t] = word w of the sum of tile t: entries of one scan.
template <class S>
RUNG_KERNEL(256)
void exact_words_of_tiles(global<const S> states, std::int64_t tiles, global<std::int64_t> words) {
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t t = std::int64_t(block_index().x) * 256 + thread_index().x;
  if (t >= tiles) return;
  const S state = states[t];
  std::int64_t mine[S::words];
  state.to_words(mine);
  for (int w = 0; w < S::words; ++w) words[w * tiles + t] = mine[w];
}

/// A tile's exact prefix, for one lane: words as their scan has left them.
template <class S>
RUNG_DEVICE S state_before(global<const std::int64_t> words, std::int64_t tiles, std::int64_t t,
                           shared_view<std::int64_t> room) {
  warp_barrier();
  for (int w = lane(); w < S::words; w += warp_size)
    room[w] = std::int64_t(std::uint64_t(words[w * tiles + t]) - std::uint64_t(words[w * tiles]));
  warp_barrier();
  S state{};
  if (lane() != 0) return state;
  std::int64_t mine[S::words];
  for (int w = 0; w < S::words; ++w) mine[w] = room[w];
  return S::from_words(mine);
}

/// The entries of every tile, from its exact prefix on.
template <bool Exclusive, class Start, class S, class Source>
RUNG_KERNEL(exact_scan_warps * 32, 1)
void exact_scan_doubles(Source x, std::int64_t n, std::int64_t tiles, Start start,
                        global<const std::int64_t> words, global<double> out, bool backwards) {
  constexpr int N = Source::pack_size, row = exact_row<Source>;
  wait_for_previous_launch();
  allow_next_launch();
  const auto room = scratch_array<std::int64_t>(
      S::words, std::size_t(warp_in_block()) * S::words * sizeof(std::int64_t));
  const auto run = [&](auto aligned) {
    for (std::int64_t t = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
         t < tiles; t += std::int64_t(grid_shape().x) * warps_of_block()) {
      S before = state_before<S>(words, tiles, t, room);
      if constexpr (Start::given) before.merge(start(exact_plus{}).state);
      double_pair carry{before.round(), 0};
      S rest = before;
      rest.add(-carry.high);
      carry.low = rest.round();
      carry = shuffle(carry, 0);
      // Whether a value has come that is not -0: a zero is +0 from there on.
      bool some = shuffle(before.seen, 0) != 0;
      double error = magnitude_of(carry.high) * pair_error;
      const std::int64_t first = t * exact_tile<Source> + lane() * N;
      constexpr int ahead = 2;
      const auto read = [&](int r) {
        return read_scan_pack<decltype(aligned)::value>(x, first + r * row, n);
      };
      pack<double, N> next[ahead];
      RUNG_UNROLL
      for (int a = 0; a < ahead; ++a) next[a] = read(a);
      for (int r = 0; r < exact_tile_rows && t * exact_tile<Source> + r * row < n; ++r) {
        const auto v = next[0];
        RUNG_UNROLL
        for (int a = 0; a + 1 < ahead; ++a) next[a] = next[a + 1];
        if (r + ahead < exact_tile_rows) next[ahead - 1] = read(r + ahead);
        double_pair prefix[N];
        bool mine[N];
        RUNG_UNROLL
        for (int j = 0; j < N; ++j) {
          const double_pair one{v[j], 0};
          prefix[j] = j == 0 ? one : prefix[j > 0 ? j - 1 : 0] + one;
          mine[j] = bits_as<std::uint64_t>(double(v[j])) != std::uint64_t(1) << 63 ||
                    (j > 0 && mine[j > 0 ? j - 1 : 0]);
        }
        const lane_mask there = lanes_where(mine[N - 1]);
        const bool some_left = some || (there & lanes_below()) != 0;
        some = some || there != 0;
        double_pair through = prefix[N - 1];
        RUNG_UNROLL
        for (int step = 1; step < warp_size; step *= 2) {
          const double_pair left = shuffle_up(through, step);
          if (lane() >= step) through = left + through;
        }
        double most = magnitude_of(through.high);
        RUNG_UNROLL
        for (int j = 0; j < N; ++j)
          most = most < magnitude_of(prefix[j].high) ? magnitude_of(prefix[j].high) : most;
        const unsigned high = redux_max(unsigned(bits_as<std::uint64_t>(most) >> 32));
        const double row_error =
            high == 0 ? 0.0 : bits_as<double>(std::uint64_t(high + 1) << 32) * 24 * pair_error;
        const double bound = error + row_error + magnitude_of(carry.high) * 4 * pair_error;
        const double_pair left = shuffle_up(through, 1);
        const double_pair base = lane() == 0 ? carry : carry + left;
        carry = carry + shuffle(through, warp_size - 1);
        error += row_error + magnitude_of(carry.high) * pair_error;
        pack<double, N> entries;
        std::uint32_t open = 0;
        RUNG_UNROLL
        for (int j = 0; j < N; ++j) {
          const double_pair entry = !Exclusive ? base + prefix[j]
                                    : j == 0   ? base
                                               : base + prefix[j > 0 ? j - 1 : 0];
          const bool none =
              !(Exclusive ? some_left || (j > 0 && mine[j > 0 ? j - 1 : 0]) : some_left || mine[j]);
          const double lower = entry.high + (entry.low - bound),
                       upper = entry.high + (entry.low + bound);
          entries[j] = bound != 0 ? upper : entry.high != 0 ? entry.high : none ? -0.0 : 0.0;
          if (bound != 0 && (bits_of(lower) != bits_of(upper) || lower - lower != 0))
            open |= 1u << j;
          if (entry.high - entry.high != 0 || bound - bound != 0) open |= 1u << j;
        }
        const std::int64_t i = first + r * row;
        if (any_lane(open != 0)) [[unlikely]] {
          const S left_of_tile = shuffle(before, 0);
          for (int from = 0; from < warp_size; ++from)
            for (std::uint32_t rest_of = shuffle(open, from); rest_of != 0;
                 rest_of &= rest_of - 1) {
              const int j = bit_count((rest_of & (0 - rest_of)) - 1);
              const std::int64_t asked = t * exact_tile<Source> + r * row + from * N + j;
              const std::int64_t last = asked < n ? asked : n - 1;
              const double entry = exact_entry<double>(x, left_of_tile, t * exact_tile<Source>,
                                                       Exclusive ? last : last + 1);
              RUNG_UNROLL
              for (int k = 0; k < N; ++k)
                if (lane() == from && k == j) entries[k] = entry;
            }
        }
        if (Exclusive && !Start::given && i == 0) entries[0] = 0.0;
        RUNG_UNROLL
        for (int j = 0; j < N; ++j)
          if (i + j < n) out[backwards ? -(i + j) : i + j] = entries[j];
      }
    }
  };
  if (x.aligned) run(std::true_type{});
  else run(std::false_type{});
}

/// Values side by side.
template <class Source>
RUNG_KERNEL(256)
void put_values(Source x, std::int64_t n, global<typename Source::value_type> to) {
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t i = std::int64_t(block_index().x) * 256 + thread_index().x;
  if (i < n) to[i] = x.template some_at<1>(i, 1)[0];
}

/// out[i] = the exact sum of values 0 .. i (exclusive: 0 .. i - 1), after start if given. In place:
/// the values are copied first, since some are read again.
template <bool Exclusive, class What, class Start>
void launch_exact_scan_of_doubles(const device& where, const What& what, const Start& start,
                                  double* out, bool backwards, bool in_place) {
  using Source = typename What::type;
  using S = exact_state<double>;
  const std::int64_t n = what.size, tiles = (n + exact_tile<Source> - 1) / exact_tile<Source>;
  if (n == 0) return;
  const launch_options options{.early = where.overlaps()};
  if (in_place) {
    auto* const copy = static_cast<double*>(where.workspace(exact_copy_kind, std::size_t(n) * 8));
    launch_with(options, put_values<Source>, (n + 255) / 256, 256, 0, where.stream(), what.source,
                n, copy);
    return launch_exact_scan_of_doubles<Exclusive>(
        where, device_source(view<const double>(copy, {n})), start, out, backwards, false);
  }
  const std::size_t states_bytes = (std::size_t(tiles) * sizeof(S) + 127) / 128 * 128;
  auto* const memory = static_cast<unsigned char*>(
      where.workspace(exact_scan_kind, states_bytes + std::size_t(tiles) * S::words * 8));
  auto* const states = reinterpret_cast<S*>(memory);
  auto* const words = reinterpret_cast<std::int64_t*>(memory + states_bytes);
  const auto go = [&](auto kernel, std::size_t scratch, auto... arguments) {
    const std::int64_t most = most_resident_blocks(kernel, exact_scan_warps * warp_size, 0);
    const std::int64_t wanted = (tiles + exact_scan_warps - 1) / exact_scan_warps;
    launch_with(options, kernel, std::clamp<std::int64_t>(wanted, 1, most),
                exact_scan_warps * warp_size, scratch, where.stream(), what.source, n, tiles,
                arguments...);
  };
  go(exact_tile_sums<S, Source>, 0, states);
  launch_with(options, exact_words_of_tiles<S>, (tiles + 255) / 256, 256, 0, where.stream(),
              static_cast<const S*>(states), tiles, words);
  const view<std::int64_t> all(words, {tiles * S::words});
  exclusive_scan(where, all, all, plus{});
  go(exact_scan_doubles<Exclusive, Start, S, Source>, exact_scan_warps * S::words * 8, start,
     static_cast<const std::int64_t*>(words), out, backwards);
}

}  // namespace rung::detail
