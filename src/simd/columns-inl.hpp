// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Perfect trees down columns. Neighbouring columns lie in the lanes of a vector, so a level of the
// tree is one join of two rows and needs no exchange.
// Data flow: a tile of columns; 8 rows at a time meet in registers; larger trees by halves, a row
// of states per level on the stack. Cost: every value is read once, one join each. Narrow rows
// (less than a vector) that lie back to back are one line of wide units: see tree_of. Included once
// per instruction set, after tree-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class A>
struct columns_of {
  using value = typename A::value;
  using state = typename A::state;
  using lane = typename A::lane;
  using vectors = typename A::vectors;
  static constexpr size_t step = vector_bytes / A::unit;
  static constexpr size_t tile_vectors = 4096 / vector_bytes / (A::parts == 3 ? 4 : A::parts);

  const value* values;
  std::ptrdiff_t stride;
  size_t count;    // vectors of this tile
  size_t last;     // column at which the last one starts; it may overlap the one before it
  size_t partial;  // columns of the only one if it is not full, else 0

  template <int k, bool whole>
  HWY_INLINE vectors meet(const value* row) const {
    if constexpr (k == 0) {
      if constexpr (whole) return A::load(row);
      else return A::load_first(row, partial);
    } else {
      const vectors upper = meet<k - 1, whole>(row);
      const vectors lower = meet<k - 1, whole>(row + (stride << (k - 1)));
      return A::join(upper, lower, k - 1);
    }
  }
  template <int k>
  HWY_INLINE void leaf(const value* row, lane* out) const {
    if (HWY_UNLIKELY(partial)) return to_scratch<A>(meet<k, false>(row), out, 0);
    for (size_t v = 0; v + 1 < count; v++) to_scratch<A>(meet<k, true>(row + v * step), out, v);
    to_scratch<A>(meet<k, true>(row + last), out, count - 1);
  }

  /// out[v] = the trees over rows [first, first + n) in the columns of vector v. 8 rows meet in
  /// registers, of a single vector 32.
  void rows(size_t first, size_t n, lane* out) const {
    const value* row = values + std::ptrdiff_t(first) * stride;
    if constexpr (A::parts == 1)
      if (n == 32 && count == 1) return leaf<5>(row, out);
    if (n == 8) return leaf<3>(row, out);
    if (n == 4) return leaf<2>(row, out);
    if (n == 2) return leaf<1>(row, out);
    if (n == 1) return leaf<0>(row, out);
    HWY_ALIGN lane lower[tile_vectors * A::parts * (vector_bytes / sizeof(lane))];
    rows(first, n / 2, out);
    rows(first + n / 2, n / 2, lower);
    const from_scratch<A> l{out}, r{lower};
    const int level = std::countr_zero(n) - 1;
    for (size_t v = 0; v < count; v++) to_scratch<A>(A::join(l.one(v), r.one(v), level), out, v);
  }

  static void fold(const value* values, std::ptrdiff_t stride, size_t n, size_t width,
                   state* states) {
    HWY_ALIGN lane out[tile_vectors * A::parts * (vector_bytes / sizeof(lane))];
    const int level = std::countr_zero(n);
    if (width < step) {
      columns_of{values, stride, 1, 0, width}.rows(0, n, out);
      return A::store_first(from_scratch<A>{out}.one(0), level, states, width);
    }
    // Where vectors overlap, the same columns give the same bits again.
    for (size_t begin = 0; begin < width; begin += tile_vectors * step) {
      const size_t wide = std::min(tile_vectors * step, width - begin);
      const size_t back = wide < step ? step - wide : 0, at = begin - back;
      const size_t count = (wide + step - 1) / step, last = wide + back - step;
      columns_of{values + at, stride, count, last, 0}.rows(0, n, out);
      for (size_t v = 0; v < count; v++)
        A::store(from_scratch<A>{out}.one(v), level,
                 states + at + (v + 1 < count ? v * step : last));
    }
  }
};

/// Rows of 2, 4, ... values back to back, less than a vector.
template <class A, size_t columns = 2>
bool narrow_rows(const typename A::value* values, size_t n, size_t width,
                 typename A::state* states) {
  if constexpr (columns * A::unit < vector_bytes) {
    if (width != columns) return narrow_rows<A, columns * 2>(values, n, width, states);
    tree_of<A, columns * A::unit>::fold(values, n, states);
    return true;
  }
  return false;
}

template <class A>
struct exact_of {
  using type = A;
};
template <class A>
  requires requires { typename A::exact; }
struct exact_of<A> {
  using type = typename A::exact;
};

/// The functions of an algebra. If it may leave a case out (holds), its exact twin does the call
/// again.
template <class A>
struct folds_of {
  using V = typename A::value;
  using state = typename A::state;
  using exact = typename exact_of<A>::type;
  static constexpr bool may_fail = !std::is_same_v<A, exact>;

  // Neighbouring values as one, where that is faster.
  using paired = typename paired_of<A>::type;

  static void tree(const V* x, size_t n, state* to) {
    if constexpr (!std::is_void_v<paired>)
      if (n >= 2)
        return folds_of<paired>::tree(reinterpret_cast<const typename paired::value*>(x), n / 2,
                                      to);
    tree_of<A>::fold(x, n, to);
    if constexpr (may_fail)
      if (!A::holds(to, 1)) folds_of<exact>::tree(x, n, to);
  }
  static void trees(const V* x, size_t n, size_t count, state* to) {
    if constexpr (!std::is_void_v<paired>)
      if (n >= 2)
        return folds_of<paired>::trees(reinterpret_cast<const typename paired::value*>(x), n / 2,
                                       count, to);
    const int k = std::countr_zero(n);
    if (k <= 2 * tree_of<A>::K) short_trees<A>::run(x, k, count, to);
    else
      for (size_t i = 0; i < count; i++) tree(x + i * n, n, to + i);
    if constexpr (may_fail)
      if (!A::holds(to, count)) folds_of<exact>::trees(x, n, count, to);
  }
  static void tree_rows(const V* x, std::ptrdiff_t stride, size_t n, size_t width, state* to) {
    if (stride == std::ptrdiff_t(width)) {
      if (width == 1) return tree(x, n, to);
      if constexpr (A::has_wide_units)
        if (narrow_rows<A>(x, n, width, to)) return;
    }
    columns_of<A>::fold(x, stride, n, width, to);
    if constexpr (may_fail)
      if (!A::holds(to, width)) folds_of<exact>::tree_rows(x, stride, n, width, to);
  }
};

template <class Op, class V>
  requires(!std::is_void_v<algebra_of<Op, V>>)
struct fold_functions<Op, V> {
  using A = algebra_of<Op, V>;
  using state = typename A::state;
  static void tree(const void*, const void* values, size_t n, std::int64_t, void* to) {
    folds_of<A>::tree(static_cast<const V*>(values), n, static_cast<state*>(to));
  }
  static void trees(const void*, const void* values, size_t n, size_t count, void* to) {
    folds_of<A>::trees(static_cast<const V*>(values), n, count, static_cast<state*>(to));
  }
  static void tree_rows(const void*, const void* values, std::ptrdiff_t stride, size_t n,
                        size_t width, std::int64_t, void* to) {
    folds_of<A>::tree_rows(static_cast<const V*>(values), stride, n, width,
                           static_cast<state*>(to));
  }
  static constexpr auto segments = [] {
    if constexpr (has_short_segments<A>) return &short_segments<A>::segments;
    else return &host::generic::segments<Op, V>;
  }();
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
