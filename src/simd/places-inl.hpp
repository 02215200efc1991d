// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the extreme stands. A line: block by block the extreme is found with no thought of places,
// and only if it beats what was found before, the block, still in L1, is searched for its first
// place. Columns: the best values and their rows are kept in lanes. A NaN is the extreme and the
// first one ends the search, or with Numbers it is passed over; zeros of either sign are equal.
// Cost: 1.5 cycles a vector; each block that beats the best is read twice. Included once per
// instruction set, after columns-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class T, bool Least, bool Numbers>
struct places_of {
  using state = rung::indexed<T>;
  using V = vec<T>;
  using mask = hn::Mask<full<T>>;
  using row_lane = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using op = rung::extreme_place<Least, Numbers>;
  static constexpr bool has_nan = std::is_floating_point_v<T>;
  static constexpr size_t step = vector_bytes / sizeof(T), block = 16384 / sizeof(T);
  static constexpr T worst =
      has_nan ? (Least ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity())
              : (Least ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest());

  static bool beats(T a, T b) { return Least ? a < b : b < a; }
  static HWY_INLINE mask beats(V a, V b) { return Least ? hn::Lt(a, b) : hn::Lt(b, a); }
  static HWY_INLINE V better(V a, V b) {
    if constexpr (!has_nan) return Least ? hn::Min(a, b) : hn::Max(a, b);
    else return better_number<Least>(a, b);
  }

  /// The extreme of the numbers among n values (a multiple of 4 vectors), and whether there is a
  /// NaN.
  static HWY_INLINE T extreme(const T* x, size_t n, bool& any_nan) {
    const full<T> d;
    V best[4];
    mask nan = hn::Ne(hn::Zero(d), hn::Zero(d));  // none yet
    for (auto& b : best) b = hn::Set(d, worst);
    for (size_t i = 0; i < n; i += 4 * step)
#pragma GCC unroll 4
      for (size_t k = 0; k < 4; k++) {
        const V v = hn::LoadU(d, x + i + k * step);
        best[k] = better(v, best[k]);
        if constexpr (has_nan && !Numbers) nan = hn::Or(nan, hn::IsNaN(v));
      }
    any_nan = !hn::AllFalse(d, nan);
    const V v = better(better(best[0], best[1]), better(best[2], best[3]));
    HWY_ALIGN T lanes[step];
    hn::Store(v, d, lanes);
    T e = lanes[0];
    for (size_t i = 1; i < step; i++) e = beats(lanes[i], e) ? lanes[i] : e;
    return e;
  }

  /// The first of n values that is e, or that is NaN; n if there is none.
  template <bool nan>
  static HWY_INLINE size_t first(const T* x, size_t n, T e) {
    const full<T> d;
    const V want = hn::Set(d, e);
    size_t i = 0;
    for (; i + step <= n; i += step) {
      const V v = hn::LoadU(d, x + i);
      const mask found = is_wanted<nan>(v, want);
      const auto at = hn::FindFirstTrue(d, found);
      if (at >= 0) return i + size_t(at);
    }
    for (; i < n; i++)
      if (nan ? x[i] != x[i] : x[i] == e) return i;
    return n;
  }
  template <bool nan>
  static HWY_INLINE mask is_wanted(V v, V want) {
    if constexpr (nan) return hn::IsNaN(v);
    else return hn::Eq(v, want);
  }

  static state line(const T* x, size_t n, std::int64_t position) {
    const op o;
    state best = rung::lift(o, x[0], position);
    if (n < 4 * step) {
      for (size_t i = 1; i < n; i++)
        best = o(best, rung::lift(o, x[i], position + std::int64_t(i)));
      return best;
    }
    if (!Numbers && is_nan(best.value)) return best;
    for (size_t done = 0; done < n; done += block) {
      const size_t m = std::min(block, n - done);
      const T* from = x + done;
      bool any_nan = false;
      const T e = extreme(from, m, any_nan);
      if (has_nan && !Numbers && HWY_UNLIKELY(any_nan)) {
        const size_t at = first<has_nan>(from, m, e);
        return {from[at], position + std::int64_t(done + at)};
      }
      if (best.index >= 0 && !beats(e, best.value)) continue;
      const size_t at = first<false>(from, m, e);  // none: all are NaN
      if (at < m) best = {from[at], position + std::int64_t(done + at)};
    }
    return best;
  }

  /// Columns of one vector: values at x + r * stride, `partial` of them or all.
  template <bool whole>
  static void column_vector(const T* x, std::ptrdiff_t stride, size_t n, size_t partial,
                            std::int64_t position, state* out) {
    const full<T> d;
    const full<row_lane> di;
    using VI = vec<row_lane>;
    const auto load = [&](const T* p) HWY_ATTR {
      if constexpr (whole) return hn::LoadU(d, p);
      else return load_first(p, partial);
    };
    constexpr size_t most = size_t(1) << 30;  // rows whose numbers fit in a lane
    for (size_t begin = 0; begin < n; begin += most) {
      V best = load(x + std::ptrdiff_t(begin) * stride);
      VI row = hn::Zero(di);
      if constexpr (has_nan && Numbers)
        row = hn::IfThenElse(hn::RebindMask(di, hn::IsNaN(best)), hn::Set(di, row_lane(-1)), row);
      const size_t m = std::min(most, n - begin);
      for (size_t r = 1; r < m; r++) {
        const V v = load(x + std::ptrdiff_t(begin + r) * stride);
        mask wins = beats(v, best);
        if constexpr (has_nan) {
          const mask not_worse = Least ? hn::Ge(v, best) : hn::Le(v, best);
          wins = hn::Not(hn::Or(not_worse, hn::IsNaN(Numbers ? v : best)));
        }
        best = hn::IfThenElse(wins, v, best);
        row = hn::IfThenElse(hn::RebindMask(di, wins), hn::Set(di, row_lane(r)), row);
      }
      HWY_ALIGN T values[step];
      HWY_ALIGN row_lane rows[step];
      hn::Store(best, d, values);
      hn::Store(row, di, rows);
      for (size_t i = 0; i < (whole ? step : partial); i++) {
        const state s{values[i], rows[i] < 0 ? -1 : position + std::int64_t(begin) + rows[i]};
        out[i] = begin == 0 ? s : op()(out[i], s);
      }
    }
  }

  static void columns(const T* x, std::ptrdiff_t stride, size_t n, size_t width,
                      std::int64_t position, state* out) {
    size_t c = 0;
    for (; c + step <= width; c += step)
      column_vector<true>(x + c, stride, n, step, position, out + c);
    if (c < width) column_vector<false>(x + c, stride, n, width - c, position, out + c);
  }
};

template <bool Least, bool Numbers, class T>
struct fold_functions<rung::extreme_place<Least, Numbers>, T> {
  using of = places_of<T, Least, Numbers>;
  using state = typename of::state;
  static void tree(const void*, const void* values, size_t n, std::int64_t position, void* to) {
    *static_cast<state*>(to) = of::line(static_cast<const T*>(values), n, position);
  }
  static void trees(const void*, const void* values, size_t n, size_t count, void* to) {
    const T* x = static_cast<const T*>(values);
    for (size_t i = 0; i < count; i++) static_cast<state*>(to)[i] = of::line(x + i * n, n, 0);
  }
  static void tree_rows(const void*, const void* values, std::ptrdiff_t stride, size_t n,
                        size_t width, std::int64_t position, void* to) {
    of::columns(static_cast<const T*>(values), stride, n, width, position, static_cast<state*>(to));
  }
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
