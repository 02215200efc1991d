// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums of doubles, and of products, which are one double or two. Data flow: a thread cuts its
// values into levels of 52 bits by adding and subtracting one large number per level; the bits of
// these sums are integers and are added up in registers. The window of levels is the warp's own and
// moves when its data does. A thread whose values do not fit, above or below, adds them to the
// block's limbs one by one. Cost per double and level: three additions in f64, one of integers.
#pragma once
#include "exact_total.cuh"

namespace rung::detail {

/// The doubles whose exact sum a value is, and whether that is so.
template <class V>
struct doubles_of;
template <>
struct doubles_of<double> {
  static constexpr int count = 1, levels = 4, headroom = 16;
  static RUNG_DEVICE bool split(double x, double* to) { return to[0] = x, true; }
  static RUNG_DEVICE double nothing() { return -0.0; }
};
template <class T>
struct doubles_of<exact_product<T>> {
  static constexpr int count = 1, levels = 2, headroom = 3;
  static RUNG_DEVICE bool split(const exact_product<T>& x, double* to) {
    return to[0] = convert<double>(x.a) * convert<double>(x.b), true;
  }
  static RUNG_DEVICE exact_product<T> nothing() { return {T(-0.0f), T(0.0f)}; }
};
template <>
struct doubles_of<exact_product<double>> {
  static constexpr int count = 2, levels = 4, headroom = 16;
  static RUNG_DEVICE bool split(const exact_product<double>& x, double* to) {
    const double p = mul(x.a, x.b), magnitude = p < 0 ? -p : p;
    to[0] = p, to[1] = fused(x.a, x.b, -p);
    return p == 0 ? x.a == 0 || x.b == 0 : magnitude >= 0x1p-960 && magnitude <= 0x1p1000;
  }
  static RUNG_DEVICE double fused(double a, double b, double c) {
#if defined(__CUDACC__)
    return __fma_rn(a, b, c);
#else
    return __builtin_fma(a, b, c);
#endif
  }
  static RUNG_DEVICE exact_product<double> nothing() { return {-0.0, 0.0}; }
};

/// A window of levels, and what a thread has in them. Numbers below 2^top go in.
template <int Levels, int Unit>
struct level_window {
  static constexpr int level_bits = 52, lowest = -1074 + 51 + level_bits * (Levels - 1),
                       highest = 1022, trips_between_carries = 128;
  double magic[Levels];
  std::int64_t low[Levels] = {}, high[Levels] = {};
  int top = 0, trips = 0;

  RUNG_DEVICE void set(int asked) {
    top = asked < lowest ? lowest : asked > highest ? highest : asked;
    RUNG_UNROLL
    for (int k = 0; k < Levels; ++k)  // 3 * 2^(top - 52 k): the unit of level k is 2^-51 of that
      magic[k] = bit_cast<double>(std::uint64_t(top - level_bits * k + 1024) << 52 |
                                  std::uint64_t(1) << 51);
  }
  /// All N values, if they fit.
  template <int N>
  RUNG_DEVICE bool add(const double (&x)[N]) {
    std::uint64_t sum[Levels] = {}, rest = 0;
    std::uint32_t moved = 0;
    const auto first = std::uint32_t(bits_as<std::uint64_t>(magic[0]) >> 32);
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) {
      double r = x[j];
      RUNG_UNROLL
      for (int k = 0; k < Levels; ++k) {
        const double t = magic[k] + r, level = t - magic[k];
        const auto bits = bits_as<std::uint64_t>(t);
        sum[k] += bits;
        if (k == 0) moved |= std::uint32_t(bits >> 32) ^ first;
        if (k == Levels - 1) rest |= bits_as<std::uint64_t>(level) ^ bits_as<std::uint64_t>(r);
        else r -= level;
      }
    }
    if (moved >> 20 != 0 || rest << 1 != 0) return false;
    RUNG_UNROLL
    for (int k = 0; k < Levels; ++k)
      low[k] += std::int64_t(sum[k] - std::uint64_t(N) * bits_as<std::uint64_t>(magic[k]));
    return true;
  }
  RUNG_DEVICE void carry() {
    RUNG_UNROLL
    for (int k = 0; k < Levels; ++k) {
      high[k] += low[k] >> 32;
      low[k] &= std::int64_t(limb_mask);
    }
  }
  /// What all lanes have, to the block's limbs.
  template <int Limbs>
  RUNG_DEVICE void move_to(block_limbs<Limbs>& to) {
    carry();
    RUNG_UNROLL
    for (int k = 0; k < Levels; ++k) {
      std::int64_t h = high[k], l = low[k];
      for (int step = warp_size / 2; step > 0; step /= 2)
        h += shuffle_xor(h, step), l += shuffle_xor(l, step);
      if (lane() == 0 && (h != 0 || l != 0)) to.add(h, l, top - 51 - level_bits * k - Unit);
      low[k] = high[k] = 0;
    }
    trips = 0;
  }
};

/// One value to the block's limbs.
template <int Limbs>
RUNG_DEVICE_CALL void add_slowly(block_limbs<Limbs>& to, const exact_parts p, int unit) {
  const int position = p.exponent - unit;
  RUNG_UNROLL
  for (int part = 0; part < 2; ++part) {
    const int at = position + 64 * part, first = at >> 5;
    const uint128 shifted = uint128(std::uint64_t(p.magnitude >> (64 * part))) << (at & 31);
    for (int i = 0; i < 3; ++i) {
      const auto digit = std::int64_t(std::uint64_t(shifted >> (32 * i)) & limb_mask);
      if (digit != 0) to.add(first + i, p.negative ? -digit : digit);
    }
  }
}

/// The values of a warp's rows, a trip of a few packs at a time.
template <class S, class Source>
struct window_collector {
  using T = typename Source::value_type;
  using split = doubles_of<T>;
  static constexpr int pack_size = Source::pack_size, row = warp_size * pack_size;
  static constexpr int packs = pack_size * split::count >= 8 ? 1 : 8 / (pack_size * split::count);
  static constexpr int ahead = 3 * packs, doubles = packs * pack_size * split::count;
  static constexpr int limbs = S::digits + 4;
  using values = pack<T, pack_size>;

  const Source& x;
  block_limbs<limbs>& to;
  level_window<split::levels, S::unit> window;
  std::uint32_t seen = 0;
  int skip = 0, strikes = 0;
  bool is_set = false;

  /// again(j): value j of the trip, read again.
  template <class Again>
  RUNG_DEVICE void add(const values (&v)[packs], const Again& again) {
    double d[doubles];
    bool valid = true;
    RUNG_UNROLL
    for (int p = 0; p < packs; ++p) RUNG_UNROLL
    for (int j = 0; j < pack_size; ++j)
      valid = split::split(v[p][j], d + (p * pack_size + j) * split::count) && valid;
    if (seen == 0) RUNG_UNROLL
    for (int p = 0; p < packs; ++p) RUNG_UNROLL
    for (int j = 0; j < pack_size; ++j) seen |= parts_of(v[p][j]).seen & seen_value;
    bool done = false;
    if (is_set && skip == 0) done = valid && window.add(d);
    if (!all_lanes(done)) [[unlikely]]
      add_rest(d, done, valid, again);
    if (++window.trips == window.trips_between_carries) window.trips = 0, window.carry();
  }

 private:
  template <class Again>
  RUNG_DEVICE void add_rest(const double (&d)[doubles], bool done, bool valid, const Again& again) {
    int most = 0;
    RUNG_UNROLL
    for (int j = 0; j < doubles; ++j) {
      const int field = int(bits_as<std::uint64_t>(d[j]) >> 52 & 2047);
      if (field < 2047 && !done && valid && field > most) most = field;
    }
    const int needed = redux_max(most) - 1021;
    if (skip > 0) {
      --skip;
    } else {
      if (!is_set || needed > window.top) {
        if (is_set) window.move_to(to);
        window.set(needed + split::headroom);
        is_set = true;
        if (!done) done = valid && window.add(d);
      }
      const int left = bit_count(lanes_where(!done));
      strikes = left >= 8 ? strikes + 1 : 0;
      if (strikes >= 2) skip = 63, strikes = 0, is_set = false, window.move_to(to);
    }
    if (done) return;
    for (int j = 0; j < packs * pack_size; ++j) {
      const exact_parts p = parts_of(again(j));
      seen |= p.seen;
      if (p.magnitude != 0) add_slowly(to, p, S::unit);
    }
  }
};

template <bool Aligned, class Collector, class Source>
RUNG_DEVICE void collect_window(Collector& c, const Source& x, std::int64_t rows) {
  constexpr int ahead = Collector::ahead, packs = Collector::packs, row = Collector::row;
  using T = typename Source::value_type;
  const std::int64_t warps = std::int64_t(grid_shape().x) * warps_of_block(),
                     first = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
  typename Collector::values next[ahead];
  const auto read = [&](std::int64_t r, auto& to) {
    if (r < rows) {
      const std::int64_t i = r * row + lane() * Source::pack_size;
      if constexpr (Aligned) to = pack_at<reading::once>(x, i);
      else to = whole_at(x, i);
    } else {
      RUNG_UNROLL
      for (int j = 0; j < Source::pack_size; ++j) to[j] = doubles_of<T>::nothing();
    }
  };
  RUNG_UNROLL
  for (int a = 0; a < ahead; ++a) read(first + a * warps, next[a]);
  for (std::int64_t r = first; r < rows; r += ahead * warps) {
    RUNG_UNROLL
    for (int g = 0; g < ahead; g += packs) {
      typename Collector::values now[packs];
      RUNG_UNROLL
      for (int p = 0; p < packs; ++p) {
        now[p] = next[g + p];
        read(r + (ahead + g + p) * warps, next[g + p]);
      }
      c.add(now, [&](int j) {
        const std::int64_t at = r + (g + j / Source::pack_size) * warps;
        if (at >= rows) return T(doubles_of<T>::nothing());
        return T(x.template some_at<1>(
            at * row + lane() * Source::pack_size + j % Source::pack_size, 1)[0]);
      });
    }
  }
}

inline constexpr int window_warps = 12;

template <class S, class Source, class Make>
RUNG_KERNEL(window_warps * 32, 1)
void exact_window(Source x, counted_values how, exact_words words, Make make) {
  using collector_type = window_collector<S, Source>;
  constexpr int limbs = collector_type::limbs, row = collector_type::row;
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t n = how();
  auto& s = scratch<block_limbs<limbs>>();
  s.clear();
  block_barrier();
  collector_type c{x, s, {}};
  const std::int64_t rows = n / row;
  if (x.aligned) collect_window<true>(c, x, rows);
  else collect_window<false>(c, x, rows);
  const std::int64_t threads = std::int64_t(grid_shape().x) * block_shape().x;
  for (std::int64_t i =
           rows * row + std::int64_t(block_index().x) * block_shape().x + rank_in_block();
       i < n; i += threads) {
    const exact_parts p = parts_of(x.template some_at<1>(i, 1)[0]);
    c.seen |= p.seen;
    if (p.magnitude != 0) add_slowly(s, p, S::unit);
  }
  warp_barrier();
  if (c.is_set) c.window.move_to(s);
  const unsigned saw = redux_or(c.seen);
  if (lane() == 0 && saw != 0) atomic_or<order::relaxed, scope::block>(s.seen, saw);
  block_barrier();
  if (warp_in_block() != 0) return;
  finish_exact<S, 0>(
      s.limb, [&](int i) { return std::uint64_t(s.limb[i]); }, std::uint32_t(s.seen), words,
      [&](const S& sum) { make(sum, n); });
}

}  // namespace rung::detail
