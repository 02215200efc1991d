// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans down columns. Neighbouring columns lie in the lanes of a vector; 8 rows at a time are swept up
// and down in registers, and a binary counter of rows of states holds what came before.
// Data flow: a tile of columns, as wide as its counter fits in L1 and L2; rows are read and written
// once. Cost: 2 joins for an entry.
// Included once per instruction set, after scan-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

/// 2^g rows of one vector of columns: a heap whose node 1 is the root and whose leaves are the rows.
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
  using lane = typename A::lane;
  using vectors = typename A::vectors;
  static constexpr size_t step = vector_bytes / A::unit;
  static constexpr size_t lanes = vector_bytes / sizeof(lane) * A::parts;  // of one state vector
  static constexpr size_t scratch_vectors = 65536 / vector_bytes / A::parts;
  static constexpr int group = 3;

  std::ptrdiff_t stride, out_stride;
  size_t partial;     // columns of the only vector if it is not full, else 0
  bool stream;        // stores go past the cache; all rows are aligned
  size_t count;       // vectors of this tile
  lane *blocks, *folds;  // the counter: rows of `count` vectors
  size_t pushed = 0, top = 0;

  /// Rows x, x + stride, ... of one vector. The fold through them depends on `merges`, how many equal
  /// blocks the counter joins them with; none with only == true (they are the end).
  template <int g, bool exclusive>
  HWY_INLINE void one_vector(const value* x, state* out, size_t v, int merges, bool end) const {
    constexpr size_t rows = size_t(1) << g;
    row_group<A, g> r;
    for (size_t i = 0; i < rows; i++) {
      const value* p = x + std::ptrdiff_t(i) * stride;
      r.tree[rows + i] = HWY_UNLIKELY(partial) ? A::load_first(p, partial) : A::load(p);
    }
    const from_scratch<A> block{blocks}, fold{folds};
    const vectors before = fold.one(top * count + v), tree = r.up();
    vectors whole = tree;
    for (int m = 1; m <= merges; m++) whole = A::join(block.one((top - size_t(m)) * count + v), whole, 0);
    const size_t to = top - size_t(merges);
    const vectors through = A::join(fold.one(to * count + v), whole, 0);
    r.template down<exclusive>(before, through);
    if (!A::has_check || HWY_UNLIKELY(may_have_nan(before, tree)))
      for (auto& e : r.entry) e = A::canonical(e);
    for (size_t i = 0; i < rows; i++) {
      state* p = out + std::ptrdiff_t(i) * out_stride;
      if (HWY_UNLIKELY(partial)) A::store_first(r.entry[i], 0, p, partial);
      else if (stream) A::stream(r.entry[i], p);
      else A::store(r.entry[i], 0, p);
    }
    to_scratch<A>(whole, blocks, to * count + v);
    to_scratch<A>(through, folds, (end ? to : to + 1) * count + v);
  }
  static HWY_INLINE bool may_have_nan(const vectors& before, const vectors& tree) {
    if constexpr (A::has_check) return A::may_have_nan(before, tree);
    else return false;
  }

  template <int g, bool exclusive>
  void one_group(const value* x, state* out, bool end) {
    const int merges = end ? 0 : std::countr_one(pushed);
    for (size_t v = 0; v < count; v++)
      one_vector<g, exclusive>(x + v * step, out + v * step, v, merges, end);
    if (end) return;
    pushed++;
    top = top - size_t(merges) + 1;
  }

  template <bool exclusive>
  void tile(const value* x, state* out, size_t n, const state* before) {
    for (size_t v = 0; v < count; v++) {
      vectors start = A::nothing();
      if (before) start = partial ? A::load_first(before, partial) : A::load(before + v * step);
      to_scratch<A>(start, folds, v);
    }
    for (; n >= 8; n -= 8, x += 8 * stride, out += 8 * out_stride)
      one_group<3, exclusive>(x, out, false);
    if (n & 4) one_group<2, exclusive>(x, out, true), x += 4 * stride, out += 4 * out_stride;
    if (n & 2) one_group<1, exclusive>(x, out, true), x += 2 * stride, out += 2 * out_stride;
    if (n & 1) one_group<0, exclusive>(x, out, true);
  }

  template <bool exclusive>
  static void scan(const value* x, std::ptrdiff_t stride, size_t n, size_t width, state* out,
                   std::ptrdiff_t out_stride, const host::carry& c) {
    const auto* before = static_cast<const state*>(c.before);
    const size_t levels = size_t(std::bit_width(n / 8)) + 1;
    HWY_ALIGN lane scratch[scratch_vectors * lanes];
    const size_t most = std::max<size_t>(1, scratch_vectors / (2 * levels));
    const bool stream =
        c.stream && reinterpret_cast<std::uintptr_t>(out) % vector_bytes == 0 &&
        out_stride * std::ptrdiff_t(sizeof(state)) % std::ptrdiff_t(vector_bytes) == 0;
    for (size_t begin = 0; begin < width;) {
      const size_t count = std::min(most, (width - begin) / step);
      const size_t partial = count == 0 ? width - begin : 0, vectors = std::max<size_t>(count, 1);
      scan_rows_of s{stride, out_stride, partial, stream, vectors, scratch,
                     scratch + vectors * levels * lanes};
      s.template tile<exclusive>(x + begin, out + begin, n, before ? before + begin : nullptr);
      begin += partial ? partial : count * step;
    }
    if (stream) hwy::FlushStream();
    if (n == 0) return;
    if (exclusive && !c.before)
      for (size_t i = 0; i < width; i++) host::generic::empty<typename A::op, state>(nullptr, out + i);
    if (!exclusive && c.after) {
      state* last = out + std::ptrdiff_t(n - 1) * out_stride;
      for (size_t i = 0; i < width; i++)
        last[i] = host::generic::canonical_state(static_cast<const state*>(c.after)[i]);
    }
  }
};

template <class Op, class V>
  requires(!std::is_void_v<algebra_of<Op, V>> && algebra_of<Op, V>::has_no_op)
struct scan_functions<Op, V> {
  using A = algebra_of<Op, V>;
  using state = typename A::state;
  static void line(const void*, const void* values, size_t n, void* states, const host::carry& c) {
    const V* x = static_cast<const V*>(values);
    state* out = static_cast<state*>(states);
    if (c.exclusive) scan_lines_of<A>::template line<true>(x, n, out, c);
    else scan_lines_of<A>::template line<false>(x, n, out, c);
  }
  static void lines(const void*, const void* values, size_t n, size_t count, void* states,
                    bool exclusive, const void* first) {
    const V* x = static_cast<const V*>(values);
    state* out = static_cast<state*>(states);
    if (exclusive) scan_lines_of<A>::template lines<true>(x, n, count, out, first);
    else scan_lines_of<A>::template lines<false>(x, n, count, out, first);
  }
  static void rows(const void*, const void* values, std::ptrdiff_t stride, size_t n, size_t width,
                   void* states, std::ptrdiff_t state_stride, const host::carry& c) {
    const V* x = static_cast<const V*>(values);
    state* out = static_cast<state*>(states);
    if (c.exclusive) scan_rows_of<A>::template scan<true>(x, stride, n, width, out, state_stride, c);
    else scan_rows_of<A>::template scan<false>(x, stride, n, width, out, state_stride, c);
  }
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
