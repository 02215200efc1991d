// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans down columns. Neighbouring columns lie in the lanes of a vector; 8 rows at a time are swept
// up and down in registers, and a binary counter of rows of states holds what came before. Data
// flow: a tile of columns, as wide as its counter fits in L1 and L2; rows are read and written
// once. Cost: 2 joins for an entry.
// Included once per instruction set, after scan-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

/// 2^g rows of one vector of columns: a heap whose node 1 is the root and whose leaves are the
/// rows.
template <class A, int g>
struct row_group {
  using vectors = typename A::vectors;
  static constexpr size_t rows = size_t(1) << g;
  vectors tree[2 * rows], entry[rows];

  HWY_INLINE const vectors& up() {
    for (size_t i = rows - 1; i > 0; i--) tree[i] = A::join(tree[2 * i], tree[2 * i + 1], 0);
    return tree[1];
  }
  /// The folds before and through a node become those of its children, and in the end the entries.
  template <bool exclusive, size_t node = 1>
  HWY_INLINE void down(const vectors& before, const vectors& through) {
    if constexpr (node >= rows) {
      entry[node - rows] = exclusive ? before : through;
    } else {
      const vectors middle = A::join(before, tree[2 * node], 0);
      down<exclusive, 2 * node>(before, middle);
      down<exclusive, 2 * node + 1>(middle, through);
    }
  }
};

template <class A>
struct scan_rows_of {
  using value = typename A::value;
  using state = typename A::state;
  using result = typename A::result;
  using lane = typename A::lane;
  using vectors = typename A::vectors;
  static constexpr size_t step = vector_bytes / A::unit;
  static constexpr size_t entry_bytes = step * sizeof(result);             // of a stored vector
  static constexpr size_t lanes = vector_bytes / sizeof(lane) * A::parts;  // of one state vector
  static constexpr size_t scratch_vectors = 65536 / vector_bytes / A::parts;
  std::ptrdiff_t stride, out_stride;
  bool stream;           // stores go past the cache; all rows are aligned
  size_t full;           // full vectors of this tile
  size_t partial;        // columns of the one behind them, or 0
  size_t count;          // all vectors
  lane *blocks, *folds;  // the counter: rows of `count` vectors
  size_t pushed = 0, top = 0;

  /// 2^g rows x, x + stride, ... of vector v. The counter joins their tree with `merges` equal
  /// blocks before it; `end`: smaller groups follow, so this one is no block.
  template <int g, bool exclusive, bool whole>
  HWY_INLINE void one_vector(const value* x, result* out, size_t v, int merges, bool end) const {
    constexpr size_t rows = size_t(1) << g;
    row_group<A, g> r;
    for (size_t i = 0; i < rows; i++) {
      const value* p = x + std::ptrdiff_t(i) * stride;
      if constexpr (whole) r.tree[rows + i] = A::load(p);
      else r.tree[rows + i] = A::load_first(p, partial);
    }
    const from_scratch<A> block{blocks}, fold{folds};
    const vectors before = fold.one(top * count + v), tree = r.up();
    vectors joined = tree;
    for (int m = 1; m <= merges; m++)
      joined = A::join(block.one((top - size_t(m)) * count + v), joined, 0);
    const size_t to = top - size_t(merges);
    const vectors through = A::join(fold.one(to * count + v), joined, 0);
    r.template down<exclusive>(before, through);
    if (!A::has_check || HWY_UNLIKELY(may_have_nan(before, tree)))
      for (auto& e : r.entry) e = A::canonical(e);
    for (size_t i = 0; i < rows; i++) {
      result* p = out + std::ptrdiff_t(i) * out_stride;
      if constexpr (!whole) A::put_first(r.entry[i], p, partial);
      else if (stream) A::put_past_cache(r.entry[i], p);
      else A::put(r.entry[i], p);
    }
    to_scratch<A>(joined, blocks, to * count + v);
    to_scratch<A>(through, folds, (end ? to : to + 1) * count + v);
  }
  static HWY_INLINE bool may_have_nan(const vectors& before, const vectors& tree) {
    if constexpr (A::has_check) return A::may_have_nan(before, tree);
    else return false;
  }

  template <int g, bool exclusive>
  void one_group(const value* x, result* out, bool end) {
    const int merges = end ? 0 : std::countr_one(pushed);
    for (size_t v = 0; v < full; v++)
      one_vector<g, exclusive, true>(x + v * step, out + v * step, v, merges, end);
    if (partial)
      one_vector<g, exclusive, false>(x + full * step, out + full * step, full, merges, end);
    if (end) return;
    pushed++;
    top = top - size_t(merges) + 1;
  }

  HWY_INLINE vectors start_row(const state* before, bool whole) const {
    const vectors v = whole ? A::load_states(before) : A::load_states_first(before, partial);
    if constexpr (A::has_check) return A::canonical(v);
    return v;
  }
  template <bool exclusive>
  void tile(const value* x, result* out, size_t n, const state* before) {
    for (size_t v = 0; v < count; v++) {
      vectors start = A::nothing();
      if (before) start = start_row(before + v * step, v < full);
      to_scratch<A>(start, folds, v);
    }
    for (; n >= 8; n -= 8, x += 8 * stride, out += 8 * out_stride)
      one_group<3, exclusive>(x, out, false);
    if (n & 4) one_group<2, exclusive>(x, out, true), x += 4 * stride, out += 4 * out_stride;
    if (n & 2) one_group<1, exclusive>(x, out, true), x += 2 * stride, out += 2 * out_stride;
    if (n & 1) one_group<0, exclusive>(x, out, true);
  }

  template <bool exclusive>
  static void scan(const value* x, std::ptrdiff_t stride, size_t n, size_t width, result* out,
                   std::ptrdiff_t out_stride, const host::carry& c) {
    const auto* before = static_cast<const state*>(c.before);
    const size_t levels = size_t(std::bit_width(n / 8)) + 1;
    HWY_ALIGN lane scratch[scratch_vectors * lanes];
    const size_t most = std::max<size_t>(1, scratch_vectors / (2 * levels));
    const bool stream =
        c.stream && reinterpret_cast<std::uintptr_t>(out) % entry_bytes == 0 &&
        out_stride * std::ptrdiff_t(sizeof(result)) % std::ptrdiff_t(entry_bytes) == 0;
    for (size_t begin = 0; begin < width;) {
      const size_t wide = std::min(most * step, width - begin), partial = wide % step;
      const size_t full = wide / step, count = full + (partial > 0);
      scan_rows_of s{stride,  out_stride, stream,  full,
                     partial, count,      scratch, scratch + count * levels * lanes};
      s.template tile<exclusive>(x + begin, out + begin, n, before ? before + begin : nullptr);
      begin += wide;
    }
    if (stream) hwy::FlushStream();
    if (n == 0) return;
    if (exclusive && !c.before)
      for (size_t i = 0; i < width; i++) out[i] = empty_entry<A>();
    if (!exclusive && c.after) {
      result* last = out + std::ptrdiff_t(n - 1) * out_stride;
      for (size_t i = 0; i < width; i++)
        last[i] = entry_of<A>(static_cast<const state*>(c.after)[i]);
    }
  }
};

/// Rows of 1, 2, 4, ... values back to back, less than a vector: one line of wide units.
template <class A, bool exclusive, size_t columns = 1>
bool scan_narrow_rows(const typename A::value* x, size_t n, size_t width, typename A::result* out,
                      const host::carry& c) {
  if constexpr (columns * A::unit < vector_bytes && (columns == 1 || A::has_wide_units)) {
    if (width != columns) return scan_narrow_rows<A, exclusive, columns * 2>(x, n, width, out, c);
    scan_lines_of<A, columns * A::unit>::template line<exclusive>(x, n * columns, out, c);
    return true;
  }
  return false;
}

template <class Op, class V>
  requires(!std::is_void_v<algebra_of<Op, V>> && algebra_of<Op, V>::has_no_op)
struct scan_functions<Op, V> {
  using A = algebra_of<Op, V>;
  using result = typename A::result;
  static void line(const void*, const void* values, size_t n, void* states, const host::carry& c) {
    const V* x = static_cast<const V*>(values);
    result* out = static_cast<result*>(states);
    if (c.exclusive) scan_lines_of<A>::template line<true>(x, n, out, c);
    else scan_lines_of<A>::template line<false>(x, n, out, c);
  }
  static void lines(const void*, const void* values, size_t n, size_t count, void* states,
                    const host::carry& c) {
    const V* x = static_cast<const V*>(values);
    result* out = static_cast<result*>(states);
    if (c.exclusive) scan_lines_of<A>::template lines<true>(x, n, count, out, c);
    else scan_lines_of<A>::template lines<false>(x, n, count, out, c);
  }
  static void rows(const void*, const void* values, std::ptrdiff_t stride, size_t n, size_t width,
                   void* states, std::ptrdiff_t state_stride, const host::carry& c) {
    const V* x = static_cast<const V*>(values);
    result* out = static_cast<result*>(states);
    if (stride == std::ptrdiff_t(width) && state_stride == stride &&
        (c.exclusive ? scan_narrow_rows<A, true>(x, n, width, out, c)
                     : scan_narrow_rows<A, false>(x, n, width, out, c)))
      return;
    if (c.exclusive)
      scan_rows_of<A>::template scan<true>(x, stride, n, width, out, state_stride, c);
    else scan_rows_of<A>::template scan<false>(x, stride, n, width, out, state_stride, c);
  }
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
