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
  requires(std::is_same_v<T, float> || is_half<T>)
struct doubles_of<T> {
  static constexpr int count = 1, levels = 2, headroom = 3;
  static RUNG_DEVICE bool split(T x, double* to) { return to[0] = convert<double>(x), true; }
  static RUNG_DEVICE T nothing() { return T(-0.0f); }
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

/// A window of levels, and what a thread has in them. Numbers below 2^top go in, N at a time.
template <int Levels, int Unit, int N>
struct level_window {
  static constexpr int log_n = floor_log2(2 * N - 1), level_bits = 52 - log_n;
  static constexpr int lowest = -1074 + 51 - log_n + level_bits * (Levels - 1),
                       highest = 1022 - log_n, most_trips = 4000;
  double magic[Levels];
  std::int64_t units[Levels] = {};  ///< that the thread has in each level
  int top = 0, trips = 0;

  RUNG_DEVICE void set(int asked) {
    top = asked < lowest ? lowest : asked > highest ? highest : asked;
    RUNG_UNROLL
    for (int k = 0; k < Levels; ++k)  // 3 * 2^(top + log N - k level_bits)
      magic[k] = bit_cast<double>(std::uint64_t(top + log_n - level_bits * k + 1024) << 52 |
                                  std::uint64_t(1) << 51);
  }
  /// The exponent of a level's unit, to which its numbers are rounded.
  RUNG_DEVICE int unit_of(int k) const { return top + log_n - 51 - level_bits * k; }

  /// Some values, N at most, if they fit. Each sum stays between 2^52 and 2^53 of its units, or it
  /// is seen: so the additions are exact, and the bits of a sum count its units.
  template <int M>
  RUNG_DEVICE bool add(const double (&x)[M]) {
    static_assert(M <= N);
    double sum[Levels];
    RUNG_UNROLL
    for (int k = 0; k < Levels; ++k) sum[k] = magic[k];
    std::uint64_t rest = 0;
    std::uint32_t moved = 0;
    const auto first = std::uint32_t(bits_as<std::uint64_t>(magic[0]) >> 32);
    RUNG_UNROLL
    for (int j = 0; j < M; ++j) {
      double r = x[j];
      RUNG_UNROLL
      for (int k = 0; k < Levels; ++k) {
        const double t = sum[k] + r, level = t - sum[k];
        sum[k] = t;
        if (k == 0) moved |= std::uint32_t(bits_as<std::uint64_t>(t) >> 32) ^ first;
        if (k == Levels - 1) rest |= bits_as<std::uint64_t>(level) ^ bits_as<std::uint64_t>(r);
        else r -= level;
      }
    }
    if (moved >> 20 != 0 || rest << 1 != 0) return false;
    RUNG_UNROLL
    for (int k = 0; k < Levels; ++k)
      units[k] += bits_as<std::int64_t>(sum[k]) - bits_as<std::int64_t>(magic[k]);
    return true;
  }
  /// What all lanes have, to the block's limbs.
  template <int Limbs>
  RUNG_DEVICE void move_to(block_limbs<Limbs>& to) {
    RUNG_UNROLL
    for (int k = 0; k < Levels; ++k) {
      std::int64_t h = units[k] >> 32, l = std::int64_t(std::uint64_t(units[k]) & limb_mask);
      for (int step = warp_size / 2; step > 0; step /= 2)
        h += shuffle_xor(h, step), l += shuffle_xor(l, step);
      if (lane() == 0 && (h != 0 || l != 0)) to.add(h, l, unit_of(k) - Unit);
      units[k] = 0;
    }
    trips = 0;
  }
};

/// Bins for doubles of any size, where no window holds them: [row][column] of a warp, four lanes
/// to a column. Row r takes pieces of 27 bits of exponent fields 16 r to 16 r + 15, scaled by
/// 2^-12; from row 128 on stand those that are scaled by 2^128 first, since their pieces would be
/// subnormal.
template <int Unit>
struct wild_bins {
  static constexpr int rows = 136, columns = 16, capacity = 1000;
  static constexpr std::size_t of_warp = rows * columns, bytes = of_warp * sizeof(double);
  shared_view<double> bins;

  RUNG_DEVICE void clear() {
    for (int i = lane(); i < int(of_warp); i += warp_size) bins[i] = -0.0;
    warp_barrier();
  }
  /// One value of every lane; all lanes call. What is not finite goes into `seen`.
  RUNG_DEVICE void add(double x, std::uint32_t& seen) {
    const auto bits = bits_as<std::uint64_t>(x);
    const int field = int(bits >> 52 & 2047);
    if (field == 2047) seen |= parts_of(x).seen;
    const double y = field == 2047 ? 0.0 : field < 64 ? x * 0x1p128 : x;
    const double upper = bits_as<double>(bits_as<std::uint64_t>(y) & ~std::uint64_t(0x3ffffff)),
                 lower = y - upper;
    const int from = field < 64 ? 124 * columns : 0, column = lane() % columns;
    const int of_upper = from + int(bits_as<std::uint64_t>(upper) >> 52 & 0x7f0) + column,
              of_lower = from + int(bits_as<std::uint64_t>(lower) >> 52 & 0x7f0) + column;
    RUNG_UNROLL
    for (int turn = 0; turn < warp_size; turn += columns) {
      if (lane() / columns * columns == turn) {
        const double a = bins[of_upper], b = bins[of_lower];
        const double more = exact_product_plus(upper, 0x1p-12, a);
        bins[of_upper] = more;
        bins[of_lower] = exact_product_plus(lower, 0x1p-12, of_lower == of_upper ? more : b);
      }
      warp_barrier();
    }
  }
  /// All bins to the block's limbs; they are empty then.
  template <int Limbs>
  RUNG_DEVICE void move_to(block_limbs<Limbs>& to) {
    warp_barrier();
    for (int row = lane(); row < rows; row += warp_size) {
      const int scaled = row < 128 ? row : row - 124;
      const int exponent = 1061 - 16 * scaled, half = exponent / 2;
      std::int64_t sum = 0;
      for (int j = 0; j < columns; ++j) {
        const double bin = bins[row * columns + ((j + lane()) & (columns - 1))];
        sum += std::int64_t(bin * power(half) * power(exponent - half));
      }
      const int position = 16 * scaled + (row < 128 ? 25 : 25 - 128) + (-1074 - Unit);
      if (sum != 0) to.add(0, sum, position);
    }
    warp_barrier();
    clear();
  }

 private:
  static RUNG_DEVICE double power(int exponent) {
    return bits_as<double>(std::uint64_t(exponent + 1023) << 52);
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

/// The values of a warp's rows, a trip of 64 bytes per lane at a time.
template <class S, class Source>
struct window_collector {
  using T = typename Source::value_type;
  using split = doubles_of<T>;
  using values = pack<T, Source::pack_size>;
  static constexpr int pack_size = Source::pack_size, row = warp_size * pack_size;
  static constexpr int by_bytes = sizeof(values) >= 64 ? 1 : 64 / int(sizeof(values)),
                       by_count = 16 / (pack_size * split::count),
                       packs = by_count < 1          ? 1
                               : by_count < by_bytes ? by_count
                                                     : by_bytes;
  static constexpr int ahead = 3 * packs, doubles = packs * pack_size * split::count;
  static constexpr int limbs = S::digits + 4;

  block_limbs<limbs>& to;
  level_window<split::levels, S::unit, doubles> window;
  std::uint32_t seen = 0;
  int strikes = 0;
  /// No window holds such values: those of trip `wild_trip` and of the ones behind it of which a
  /// bit of `pending` is set, the lowest for that trip, and of all others are still to be added.
  bool is_wild = false;
  int wild_trip = 0;
  std::uint32_t pending = 0;

  /// Whether a trip's values were added.
  RUNG_DEVICE bool add(const values (&v)[packs]) {
    double d[doubles];
    const bool valid = split_all(v, d);
    if (seen == 0) RUNG_UNROLL
    for (int p = 0; p < packs; ++p) RUNG_UNROLL
    for (int j = 0; j < pack_size; ++j) seen |= parts_of(v[p][j]).seen & seen_value;
    return valid && window.add(d);
  }
  /// The first window, for values like these.
  RUNG_DEVICE void start(const values (&v)[packs]) {
    double d[doubles];
    const bool valid = split_all(v, d);
    window.set(needed_for(d, valid) + split::headroom);
  }
  /// What trips 0, 1 and 2 of a round left behind in some lanes, where a bit of `open` is set.
  /// read(trip, v): the values of a trip again.
  template <class Read>
  RUNG_DEVICE void add_open(std::uint32_t open, const Read& read) {
    for (int trip = 0; trip < 3 && !is_wild; ++trip) {
      const bool mine = (open >> trip & 1) != 0;
      if (!any_lane(mine)) continue;
      values v[packs];
      read(trip, v);
      const bool done = add_again(mine, v);
      const bool many = bit_count(lanes_where(!done)) >= 8;
      strikes = many ? strikes + 1 : 0;
      if (split::count == 1 && many && (window.trips == 0 || strikes >= 4)) {
        is_wild = true, wild_trip = trip, pending = open >> trip;
        if (done) pending &= ~std::uint32_t(1);
      } else if (!done) {
        add_each(v);
      }
    }
  }
  /// The values of one trip, which add() has left behind in lanes that say so.
  RUNG_DEVICE void add_rest(bool mine, const values (&v)[packs]) {
    if (!add_again(mine, v)) add_each(v);
  }

 private:
  /// With a window that is high enough; false where values lie too far apart for that.
  RUNG_DEVICE bool add_again(bool mine, const values (&v)[packs]) {
    double d[doubles];
    const bool valid = split_all(v, d);
    const int needed = needed_for(d, mine && valid);
    if (needed > window.top) {
      window.move_to(to);
      window.set(needed);
    }
    return !mine || (valid && window.add(d));
  }
  RUNG_DEVICE void add_each(const values (&v)[packs]) {
    RUNG_UNROLL
    for (int p = 0; p < packs; ++p) RUNG_UNROLL
    for (int j = 0; j < pack_size; ++j) add_one(v[p][j]);
  }
  static RUNG_DEVICE bool split_all(const values (&v)[packs], double (&d)[doubles]) {
    bool valid = true;
    RUNG_UNROLL
    for (int p = 0; p < packs; ++p) RUNG_UNROLL
    for (int j = 0; j < pack_size; ++j)
      valid = split::split(v[p][j], d + (p * pack_size + j) * split::count) && valid;
    return valid;
  }
  /// The least top for the lanes that ask.
  static RUNG_DEVICE int needed_for(const double (&d)[doubles], bool asks) {
    int most = 0;
    RUNG_UNROLL
    for (int j = 0; j < doubles; ++j) {
      const int field = int(bits_as<std::uint64_t>(d[j]) >> 52 & 2047);
      if (field < 2047 && asks && field > most) most = field;
    }
    return redux_max(most) - 1021;
  }
  RUNG_DEVICE void add_one(const T& x) {
    double one[split::count];
    if (split::split(x, one) && window.add(one)) return;
    const exact_parts p = parts_of(x);
    seen |= p.seen;
    if (p.magnitude != 0) add_slowly(to, p, S::unit);
  }
};

/// The rows of one warp, which come `warps` rows apart, read one after the other.
template <bool Aligned, class Source>
struct row_reader {
  static constexpr int pack_size = Source::pack_size, row = warp_size * pack_size;
  using T = typename Source::value_type;
  const Source& x;
  std::int64_t at, step;  ///< where the lane reads next
  int left;               ///< rows to be read
  RUNG_DEVICE row_reader(const Source& x, std::int64_t rows, std::int64_t first, std::int64_t warps)
      : x(x),
        at(first * row + lane() * pack_size),
        step(warps * row),
        left(rows > first ? int((rows - first + warps - 1) / warps) : 0) {}
  RUNG_DEVICE void read(pack<T, pack_size>& to) {
    if (left > 0) {
      if constexpr (Aligned) to = pack_at<reading::once>(x, at);
      else to = whole_at(x, at);
    } else {
      RUNG_UNROLL
      for (int j = 0; j < pack_size; ++j) to[j] = doubles_of<T>::nothing();
    }
    at += step, --left;
  }
};

/// The warp's rows, from its number `r` on; the first that is left, if the values turn out wild.
/// What does not fit waits for the end of a round of three trips, so that the loop is short.
template <bool Aligned, class Collector, class Source>
RUNG_DEVICE std::int64_t collect_window(Collector& c, const Source& x, std::int64_t rows,
                                        std::int64_t r, std::int64_t warps) {
  constexpr int ahead = Collector::ahead, packs = Collector::packs;
  row_reader<Aligned, Source> reader(x, rows, r, warps);
  typename Collector::values next[ahead];
  RUNG_UNROLL
  for (int a = 0; a < ahead; ++a) reader.read(next[a]);
  typename Collector::values now[packs];
  RUNG_UNROLL
  for (int p = 0; p < packs; ++p) now[p] = next[p];
  c.start(now);
  for (; r < rows; r += ahead * warps) {
    std::uint32_t open = 0;
    RUNG_UNROLL
    for (int g = 0; g < ahead; g += packs) {
      RUNG_UNROLL
      for (int p = 0; p < packs; ++p) {
        now[p] = next[g + p];
        reader.read(next[g + p]);
      }
      if (!c.add(now)) open |= 1u << (g / packs);
    }
    if (any_lane(open != 0)) [[unlikely]] {
      c.add_open(open, [&](int trip, auto& v) {
        row_reader<Aligned, Source> again(x, rows, r + trip * packs * warps, warps);
        RUNG_UNROLL
        for (int p = 0; p < packs; ++p) again.read(v[p]);
      });
      if (c.is_wild) return r + c.wild_trip * packs * warps;
    }
    if ((c.window.trips += 3) >= c.window.most_trips) [[unlikely]]
      c.window.move_to(c.to);
  }
  return rows;
}

/// The same rows into bins, four packs ahead. Of trips that have begun, as `pending`
/// says.
template <bool Aligned, class S, int Limbs, class Source>
RUNG_DEVICE void collect_wild(block_limbs<Limbs>& to, wild_bins<S::unit> bins, const Source& x,
                              std::int64_t rows, std::int64_t r, std::int64_t warps, int packs,
                              int begun, std::uint32_t pending, std::uint32_t& seen) {
  constexpr int ahead = 4, pack_size = Source::pack_size;
  using T = typename Source::value_type;
  row_reader<Aligned, Source> reader(x, rows, r, warps);
  int mine = reader.left;
  pack<T, pack_size> next[ahead];
  RUNG_UNROLL
  for (int a = 0; a < ahead; ++a) reader.read(next[a]);
  bins.clear();
  int room = bins.capacity;
  seen |= seen_value;
  for (int taken = 0; mine > 0; mine -= ahead, taken += ahead) {
    RUNG_UNROLL
    for (int a = 0; a < ahead; ++a) {
      const pack<T, pack_size> now = next[a];
      reader.read(next[a]);
      const bool is_there = taken + a >= begun || (pending >> ((taken + a) / packs) & 1) != 0;
      RUNG_UNROLL
      for (int j = 0; j < pack_size; ++j) {
        double one[1];
        doubles_of<T>::split(now[j], one);
        bins.add(is_there ? one[0] : 0.0, seen);
      }
    }
    if ((room -= ahead * pack_size) < ahead * pack_size) bins.move_to(to), room = bins.capacity;
  }
  bins.move_to(to);
}

inline constexpr int window_warps = 12;
inline constexpr std::size_t window_bins_at = 1280;
/// The scratch: limbs, then the bins of each warp for values that fit no window.
template <class S, class Source>
constexpr std::size_t window_scratch(int warps) {
  static_assert(sizeof(block_limbs<window_collector<S, Source>::limbs>) <= window_bins_at);
  const bool may_be_wild = doubles_of<typename Source::value_type>::count == 1;
  return window_bins_at + (may_be_wild ? std::size_t(warps) * wild_bins<S::unit>::bytes : 0);
}

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
  collector_type c{s, {}};
  const std::int64_t rows = n / row, warps = std::int64_t(grid_shape().x) * warps_of_block(),
                     first = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
  const auto collect = [&](auto aligned) {
    constexpr bool is_aligned = decltype(aligned)::value;
    const std::int64_t r = collect_window<is_aligned>(c, x, rows, first, warps);
    if constexpr (collector_type::split::count == 1) {
      using bins = wild_bins<S::unit>;
      if (r < rows)
        collect_wild<is_aligned, S>(
            s,
            bins{scratch_array<double>(
                bins::of_warp, window_bins_at + std::size_t(warp_in_block()) * bins::bytes)},
            x, rows, r, warps, collector_type::packs,
            collector_type::ahead - c.wild_trip * collector_type::packs, c.pending, c.seen);
    }
  };
  if (x.aligned) collect(std::true_type{});
  else collect(std::false_type{});
  const std::int64_t threads = std::int64_t(grid_shape().x) * block_shape().x;
  for (std::int64_t i =
           rows * row + std::int64_t(block_index().x) * block_shape().x + rank_in_block();
       i < n; i += threads) {
    const exact_parts p = parts_of(x.template some_at<1>(i, 1)[0]);
    c.seen |= p.seen;
    if (p.magnitude != 0) add_slowly(s, p, S::unit);
  }
  warp_barrier();
  c.window.move_to(s);
  const unsigned saw = redux_or(c.seen);
  if (lane() == 0 && saw != 0) atomic_or<order::relaxed, scope::block>(s.seen, saw);
  block_barrier();
  if (warp_in_block() != 0) return;
  finish_exact<S, 0>(
      s.limb, [&](int i) { return std::uint64_t(s.limb[i]); }, std::uint32_t(s.seen), words, n,
      make);
}

}  // namespace rung::detail
