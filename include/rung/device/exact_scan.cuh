// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact prefix sums of f32, f16 and bf16: every entry is its exact prefix, rounded once. Data flow:
// the exact sum of each tile, a warp per tile; their scan, as states; then each tile again, from
// its exact prefix on, in f64, with a bound on the error. An entry that rounds to the same value at
// both ends of the bound is right; the others, about one in a million, are summed up exactly. Cost:
// the values are read twice, the entries written once.
#pragma once
#include "exact_window.cuh"
#include "scan_output.cuh"

namespace rung::detail {

/// States joined as they are.
using join_sums = joining<exact_plus>;

/// A tile: rows of a pack per lane, for one warp.
inline constexpr int exact_tile_rows = 64, exact_scan_warps = 12;
template <class Source>
inline constexpr int exact_row = warp_size* Source::pack_size;
template <class Source>
inline constexpr int exact_tile = exact_tile_rows* exact_row<Source>;

/// The sum over all lanes, of something that merge joins.
template <class S>
RUNG_DEVICE S merged_in_warp(S s) {
  for (int step = warp_size / 2; step > 0; step /= 2) {
    const S other = shuffle_xor(s, step);
    s.merge(other);
  }
  return s;
}

template <bool Aligned, class Source>
RUNG_DEVICE auto read_scan_pack(const Source& x, std::int64_t i, std::int64_t n) {
  constexpr int N = Source::pack_size;
  using T = typename Source::value_type;
  if (i + N <= n) {
    if constexpr (Aligned) return pack<T, N>(pack_at<reading::unchanged>(x, i));
    else return pack<T, N>(whole_at(x, i));
  }
  pack<T, N> some;
  RUNG_UNROLL
  for (int j = 0; j < N; ++j)
    some[j] = i + j < n ? T(x.template some_at<1>(i + j, 1)[0]) : T(-0.0f);
  return some;
}

/// What a warp adds up of a tile: in a window, or, where values do not fit, in a state of each
/// lane.
template <class S, int N>
struct tile_sum {
  level_window<2, S::unit, N> window;
  S slow;
  bool is_set = false;

  RUNG_DEVICE void add(const double (&d)[N], std::uint32_t& seen) {
    const bool done = is_set && window.add(d);
    if (!all_lanes(done)) [[unlikely]] {
      int most = 0;
      RUNG_UNROLL
      for (int j = 0; j < N; ++j) {
        const int field = int(bits_as<std::uint64_t>(d[j]) >> 52 & 2047);
        if (field < 2047 && field > most) most = field;
      }
      const int needed = redux_max(done ? 0 : most) - 1021;
      bool now_done = done;
      if (!is_set || needed > window.top) {
        settle();
        window.set(needed + 3);
        is_set = true;
        if (!done) now_done = window.add(d);
      }
      if (!now_done)
        for (int j = 0; j < N; ++j) slow.add_parts(double_parts(d, j, seen));
    }
    if (++window.trips == window.most_trips) settle();
  }
  /// All lanes' sums, in every lane.
  RUNG_DEVICE S take() {
    settle();
    const S all = merged_in_warp(slow);
    slow = S{};
    return all;
  }

 private:
  static RUNG_DEVICE exact_parts double_parts(const double (&d)[N], int j, std::uint32_t& seen) {
    exact_parts p = parts_of(d[j]);
    seen |= p.seen;
    if (p.seen != seen_value) return exact_parts{};
    // A narrower value has only zeros there.
    if (p.magnitude != 0 && p.exponent < S::unit)
      p.magnitude >>= S::unit - p.exponent, p.exponent = S::unit;
    return p;
  }
  /// The window's numbers into the lane's state.
  RUNG_DEVICE void settle() {
    window.trips = 0;
    RUNG_UNROLL
    for (int k = 0; k < 2; ++k) {
      const std::int64_t units = window.units[k];
      std::uint64_t magnitude = units < 0 ? 0 - std::uint64_t(units) : std::uint64_t(units);
      int exponent = window.unit_of(k);
      if (exponent < S::unit)
        magnitude >>= S::unit - exponent < 64 ? S::unit - exponent : 63, exponent = S::unit;
      if (magnitude != 0) slow.add_parts({magnitude, exponent, units < 0, 0});
      window.units[k] = 0;
    }
  }
};

/// states[t] = the sum of tile t.
template <class S, class Source>
RUNG_KERNEL(exact_scan_warps * 32, 1)
void exact_tile_sums(Source x, std::int64_t n, std::int64_t tiles, global<S> states) {
  constexpr int N = Source::pack_size, packs = N >= 16 ? 1 : 16 / N, row = exact_row<Source>;
  wait_for_previous_launch();
  allow_next_launch();
  tile_sum<S, packs * N> sum{};
  const auto run = [&](auto aligned) {
    for (std::int64_t t = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
         t < tiles; t += std::int64_t(grid_shape().x) * warps_of_block()) {
      const std::int64_t first = t * exact_tile<Source> + lane() * N;
      std::uint32_t seen = 0;
      pack<typename Source::value_type, N> next[2 * packs];
      const auto read = [&](int r, int place) {
        RUNG_UNROLL
        for (int p = 0; p < packs; ++p)
          next[place + p] = read_scan_pack<decltype(aligned)::value>(x, first + (r + p) * row, n);
      };
      read(0, 0), read(packs, packs);
      for (int r = 0; r < exact_tile_rows; r += packs) {
        pack<typename Source::value_type, N> v[packs];
        RUNG_UNROLL
        for (int p = 0; p < packs; ++p) v[p] = next[p], next[p] = next[packs + p];
        if (r + 2 * packs < exact_tile_rows) read(r + 2 * packs, packs);
        double d[packs * N];
        RUNG_UNROLL
        for (int p = 0; p < packs; ++p) RUNG_UNROLL
        for (int j = 0; j < N; ++j) {
          const double one = convert<double>(v[p][j]);
          d[p * N + j] = one;
          if (bits_as<std::uint64_t>(one) != std::uint64_t(1) << 63) seen |= seen_value;
        }
        sum.add(d, seen);
      }
      S all = sum.take();
      all.see(redux_or(seen));
      if (lane() == 0) states[t] = all;
    }
  };
  if (x.aligned) run(std::true_type{});
  else run(std::false_type{});
}

RUNG_DEVICE double magnitude_of(double x) {
  return bits_as<double>(bits_as<std::uint64_t>(x) & (~std::uint64_t(0) >> 1));
}
/// Twice what an addition is off by, for a result of 1: the bounds are themselves rounded.
inline constexpr double unit_error = 0x1p-52;

/// The sum of values begin .. end - 1 after what is before them, rounded. For all lanes; a call,
/// since few entries need it.
template <class R, class S, class Source>
RUNG_DEVICE_CALL R exact_entry(const Source& x, const S& before, std::int64_t begin,
                               std::int64_t end) {
  constexpr int each = 8;
  tile_sum<S, each> sum{};
  std::uint32_t seen = 0;
  for (std::int64_t k = begin + lane(); k - lane() < end; k += each * warp_size) {
    double d[each];
    RUNG_UNROLL
    for (int j = 0; j < each; ++j) {
      const std::int64_t at = k + j * warp_size;
      d[j] = at < end ? convert<double>(x.template some_at<1>(at, 1)[0]) : -0.0;
      if (bits_as<std::uint64_t>(d[j]) != std::uint64_t(1) << 63) seen |= seen_value;
    }
    sum.add(d, seen);
  }
  S all = sum.take();
  all.see(redux_or(seen));
  all.merge(before);
  return all.template round<R>();
}

/// The entries of every tile, from its exact prefix on.
template <bool Exclusive, bool Given, class S, class Source, class R>
RUNG_KERNEL(exact_scan_warps * 32, 2)
void exact_scan_tiles(Source x, std::int64_t n, std::int64_t tiles, global<const S> states,
                      global<R> out, bool whole_stores) {
  constexpr int N = Source::pack_size, row = exact_row<Source>;
  wait_for_previous_launch();
  allow_next_launch();
  const auto run = [&](auto aligned) {
    for (std::int64_t t = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
         t < tiles; t += std::int64_t(grid_shape().x) * warps_of_block()) {
      double carry = S(states[t]).template round<double>();
      double error = magnitude_of(carry) * unit_error;
      const std::int64_t first = t * exact_tile<Source> + lane() * N;
      constexpr int ahead = 3;
      const auto read = [&](int r) {
        return read_scan_pack<decltype(aligned)::value>(x, first + r * row, n);
      };
      pack<typename Source::value_type, N> next[ahead];
      RUNG_UNROLL
      for (int a = 0; a < ahead; ++a) next[a] = read(a);
      for (int r = 0; r < exact_tile_rows && t * exact_tile<Source> + r * row < n; ++r) {
        const auto v = next[0];
        RUNG_UNROLL
        for (int a = 0; a + 1 < ahead; ++a) next[a] = next[a + 1];
        if (r + ahead < exact_tile_rows) next[ahead - 1] = read(r + ahead);
        double prefix[N];
        prefix[0] = convert<double>(v[0]);
        RUNG_UNROLL
        for (int j = 1; j < N; ++j) prefix[j] = prefix[j - 1] + convert<double>(v[j]);
        double through = prefix[N - 1];
        RUNG_UNROLL
        for (int step = 1; step < warp_size; step *= 2) {
          const double left = shuffle_up(through, step);
          if (lane() >= step) through = left + through;
        }
        // An addition is off by at most half a last place of its result; sums of part of a row are
        // differences of two prefixes, and eight additions lead to each.
        double most = magnitude_of(through);
        RUNG_UNROLL
        for (int j = 0; j < N; ++j)
          most = most < magnitude_of(prefix[j]) ? magnitude_of(prefix[j]) : most;
        const unsigned high = redux_max(unsigned(bits_as<std::uint64_t>(most) >> 32));
        const double row_error =
            high == 0 ? 0.0 : bits_as<double>(std::uint64_t(high + 1) << 32) * 24 * unit_error;
        const double bound = error + row_error + magnitude_of(carry) * 4 * unit_error;
        const double left = shuffle_up(through, 1);
        const double base = lane() == 0 ? carry : carry + left;
        carry += shuffle(through, warp_size - 1);
        error += row_error + magnitude_of(carry) * unit_error;
        pack<R, N> entries;
        std::uint32_t open = 0;
        RUNG_UNROLL
        for (int j = 0; j < N; ++j) {
          const double entry =
              Exclusive ? (j == 0 ? base : base + prefix[j > 0 ? j - 1 : 0]) : base + prefix[j];
          const R lower = convert<R>(entry - bound), upper = convert<R>(entry + bound);
          entries[j] = bound == 0 ? convert<R>(entry) : upper;
          if (entry - entry != 0) entries[j] = convert<R>(canonical(entry));
          else if (bound != 0 && (bits_of(lower) != bits_of(upper) || bound - bound != 0))
            open |= 1u << j;
        }
        const std::int64_t i = first + r * row;
        if (any_lane(open != 0)) [[unlikely]] {
          for (int from = 0; from < warp_size; ++from)
            for (std::uint32_t rest = shuffle(open, from); rest != 0; rest &= rest - 1) {
              const int j = bit_count((rest & (0 - rest)) - 1);
              const std::int64_t asked = t * exact_tile<Source> + r * row + from * N + j;
              const std::int64_t last = asked < n ? asked : n - 1;
              const R entry = exact_entry<R>(x, S(states[t]), t * exact_tile<Source>,
                                             Exclusive ? last : last + 1);
              RUNG_UNROLL
              for (int k = 0; k < N; ++k)
                if (lane() == from && k == j) entries[k] = entry;
            }
        }
        if (Exclusive && !Given && i == 0) entries[0] = R(0.0f);
        if (whole_stores && i + N <= n) {
          store_streaming(as<pack<R, N>>(out + std::ptrdiff_t(i))[0], entries);
        } else {
          RUNG_UNROLL
          for (int j = 0; j < N; ++j)
            if (i + j < n) out[i + j] = entries[j];
        }
      }
    }
  };
  if (x.aligned) run(std::true_type{});
  else run(std::false_type{});
}

/// Whether the kernels here serve a scan of these types.
template <class Op, class T, class R>
inline constexpr bool has_exact_scan = std::is_same_v<Op, exact_plus>&& std::is_same_v<T, R> &&
                                       (std::is_same_v<T, float> || is_half<T>);

/// Those of exact_scan_doubles.cuh.
template <class Op, class T, class R>
inline constexpr bool has_exact_scan_of_doubles =
    std::is_same_v<Op, exact_plus>&& std::is_same_v<T, double>&& std::is_same_v<R, double>;

/// out[i] = the exact sum of values 0 .. i (exclusive: 0 .. i - 1), after init, which is an exact
/// sum or an init_at, and counts if HasInit; not in place.
template <bool Exclusive, bool HasInit, class What, class Init, class R>
void launch_exact_scan(const device& where, const What& what, const Init& init, R* out) {
  using Source = typename What::type;
  using S = exact_state<typename Source::value_type>;
  const std::int64_t n = what.size, tiles = (n + exact_tile<Source> - 1) / exact_tile<Source>;
  if (n == 0) return;
  auto* const states =
      static_cast<S*>(where.workspace(exact_scan_kind, std::size_t(tiles) * sizeof(S)));
  const launch_options options{.early = where.overlaps()};
  const auto go = [&](auto kernel, auto... arguments) {
    const std::int64_t most = most_resident_blocks(kernel, exact_scan_warps * warp_size, 0);
    const std::int64_t wanted = (tiles + exact_scan_warps - 1) / exact_scan_warps;
    launch_with(options, kernel, std::clamp<std::int64_t>(wanted, 1, most),
                exact_scan_warps * warp_size, 0, where.stream(), what.source, n, tiles,
                arguments...);
  };
  go(exact_tile_sums<S, Source>, states);
  const view<const S> sums(states, {tiles});
  const view<S> prefixes(states, {tiles});
  exclusive_scan(where, sums, prefixes, join_sums{}, init);
  constexpr std::size_t alignment = access_alignment(sizeof(R) * Source::pack_size);
  go(exact_scan_tiles<Exclusive, HasInit, S, Source, R>, static_cast<const S*>(states), out,
     is_aligned(out, alignment));
}

}  // namespace rung::detail
