// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Perfect trees down columns. Neighbouring columns lie in the lanes of a vector, so a level of the
// tree is one join of two rows and needs no exchange.
// Data flow: a tile of columns; 8 rows at a time meet in registers; larger trees by halves, a row of
// states per level on the stack. Cost: every value is read once, one join each.
// Narrow rows (less than a vector) that lie back to back are one line of wide units: see tree_of.
// Included once per instruction set, after tree-inl.hpp.
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
  static constexpr int leaf = 3;  // log2 of the rows that meet in registers

  const value* values;
  std::ptrdiff_t stride;
  size_t count;    // vectors of this tile
  size_t lanes_of_last;  // values in the last one

  HWY_INLINE vectors load(const value* row, size_t v) const {
    return A::load(row + v * step);
  }

  template <int k, bool whole>
  HWY_INLINE vectors meet(const value* row, int level) const {
    if constexpr (k == 0) {
      if constexpr (whole) return A::load(row);
      else return A::load_first(row, lanes_of_last);
    } else {
      const vectors upper = meet<k - 1, whole>(row, level);
      const vectors lower = meet<k - 1, whole>(row + (stride << (k - 1)), level);
      return A::join(upper, lower, k - 1);
    }
  }
  template <int k>
  HWY_INLINE void leaf_rows(size_t first, lane* out) const {
    const value* row = values + std::ptrdiff_t(first) * stride;
    if (lanes_of_last < step) return to_scratch<A>(meet<k, false>(row, 0), out, 0);
    for (size_t v = 0; v < count; v++) to_scratch<A>(meet<k, true>(row + v * step, 0), out, v);
  }

  /// out[v] = the trees over rows [first, first + n) in the columns of vector v.
  void rows(size_t first, size_t n, lane* out) const {
    if (n == 1) return leaf_rows<0>(first, out);
    if (n == 2) return leaf_rows<1>(first, out);
    if (n == 4) return leaf_rows<2>(first, out);
    if (n == 8) return leaf_rows<3>(first, out);
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
      columns_of{values, stride, 1, width}.rows(0, n, out);
      return A::store_first(from_scratch<A>{out}.one(0), level, states, width);
    }
    // The last vector may overlap the one before: the same columns give the same bits again.
    const size_t vectors_needed = width / step;
    for (size_t begin = 0; begin < vectors_needed; begin += tile_vectors) {
      const size_t count = std::min(tile_vectors, vectors_needed - begin);
      columns_of{values + begin * step, stride, count, step}.rows(0, n, out);
      for (size_t v = 0; v < count; v++)
        A::store(from_scratch<A>{out}.one(v), level, states + (begin + v) * step);
    }
    if (width % step == 0) return;
    columns_of{values + (width - step), stride, 1, step}.rows(0, n, out);
    A::store(from_scratch<A>{out}.one(0), level, states + (width - step));
  }
};

/// Rows of 2, 4, ... values back to back, less than a vector.
template <class A, size_t columns = 2>
bool narrow_rows(const typename A::value* values, size_t n, size_t width, typename A::state* states) {
  if constexpr (columns * A::unit < vector_bytes) {
    if (width != columns) return narrow_rows<A, columns * 2>(values, n, width, states);
    tree_of<A, columns * A::unit>::fold(values, n, states);
    return true;
  }
  return false;
}

template <class Op, class V>
  requires(!std::is_void_v<algebra_of<Op, V>>)
struct fold_functions<Op, V> {
  using A = algebra_of<Op, V>;
  using state = typename A::state;

  static void tree(const void*, const void* values, size_t n, std::int64_t, void* to) {
    tree_of<A>::fold(static_cast<const V*>(values), n, static_cast<state*>(to));
  }
  static void trees(const void*, const void* values, size_t n, size_t count, void* to) {
    const V* x = static_cast<const V*>(values);
    state* states = static_cast<state*>(to);
    const int k = std::countr_zero(n);
    if (k <= 2 * tree_of<A>::K) return short_trees<A>::run(x, k, count, states);
    for (size_t i = 0; i < count; i++) tree_of<A>::fold(x + i * n, n, states + i);
  }
  static void tree_rows(const void*, const void* values, std::ptrdiff_t stride, size_t n,
                        size_t width, std::int64_t, void* to) {
    const V* x = static_cast<const V*>(values);
    state* states = static_cast<state*>(to);
    if (stride == std::ptrdiff_t(width)) {
      if (width == 1) return tree_of<A>::fold(x, n, states);
      if constexpr (A::has_wide_units)
        if (narrow_rows<A>(x, n, width, states)) return;
    }
    columns_of<A>::fold(x, stride, n, width, states);
  }
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
