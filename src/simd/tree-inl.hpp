// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Perfect trees over contiguous values. Level by level, two neighbouring vectors exchange their
// units so that left operands stand in one and right operands in the other, and are joined into
// one; after log2(units) levels the units are in their natural order again. Data flow: 16 KiB block
// -> batches of 2^K vectors -> one vector each -> ... -> one vector; those of blocks in a counter
// to base 2^K -> one state. Cost: under two shuffles and one join per vector read. Included once
// per instruction set, after algebra-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

/// Sums in any order: from this size on the next 16 KiB are fetched ahead.
inline constexpr size_t far_bytes = 128 << 10;

/// Vectors lifted from values as they lie in memory.
template <class A>
struct from_values {
  static constexpr size_t step = vector_bytes / A::unit;
  const typename A::value* values;
  HWY_INLINE typename A::vectors one(size_t i) const { return A::load(values + i * step); }
  /// Vectors i and i + 1, joined.
  HWY_INLINE typename A::vectors pairs(size_t i) const {
    if constexpr (requires { A::load_pairs(values); }) {
      return A::load_pairs(values + i * step);
    } else {
      auto a = one(i), b = one(i + 1);
      split<A::unit, A::unit>(a, b);
      return A::join(a, b, 0);
    }
  }
};

/// Vectors that an earlier pass left in L1.
template <class A>
struct from_scratch {
  static constexpr size_t lanes = vector_bytes / sizeof(typename A::lane);
  const typename A::lane* scratch;
  HWY_INLINE typename A::vectors one(size_t i) const {
    typename A::vectors v;
    for (int p = 0; p < A::parts; p++)
      v.part[p] = hn::Load(full<typename A::lane>(), scratch + (i * A::parts + p) * lanes);
    return v;
  }
};
template <class A>
HWY_INLINE void to_scratch(const typename A::vectors& v, typename A::lane* scratch, size_t i) {
  constexpr size_t lanes = vector_bytes / sizeof(typename A::lane);
  for (int p = 0; p < A::parts; p++)
    hn::Store(v.part[p], full<typename A::lane>(), scratch + (i * A::parts + p) * lanes);
}

/// Trees over units of U bytes: the states themselves, or (U a multiple) rows of U / unit columns.
template <class A, size_t U = A::unit>
struct tree_of {
  using value = typename A::value;
  using state = typename A::state;
  using lane = typename A::lane;
  using vectors = typename A::vectors;
  static constexpr size_t columns = U / A::unit;
  static constexpr size_t units = vector_bytes / U;       // in a vector
  static constexpr size_t step = vector_bytes / A::unit;  // values in a vector
  static constexpr int cycle = std::countr_zero(units);   // levels until natural order is back
  static_assert(cycle >= 1);
  static constexpr int wide_batch = cycle == 1 ? 3 : cycle == 2 ? 4 : cycle;
  static constexpr int K = A::is_bulky ? std::max(cycle, 2) : wide_batch;  // levels of a batch
  static constexpr size_t block_vectors = 16384 / (step * sizeof(value));
  static constexpr size_t lanes = vector_bytes / sizeof(lane) * A::parts;  // of one state vector
  static constexpr size_t scratch_lanes = (block_vectors >> K) * lanes;

  /// Joins 2^k vectors, which hold 2^level values per unit, into one.
  template <int k, class Get>
  static HWY_INLINE vectors rows(const Get& get, size_t first, int level) {
    if constexpr (k == 0) {
      return get.one(first);
    } else if constexpr (k == 1 && U == A::unit && std::is_same_v<Get, from_values<A>>) {
      return get.pairs(first);
    } else {
      vectors a = rows<k - 1>(get, first, level);
      vectors b = rows<k - 1>(get, first + (size_t(1) << (k - 1)), level);
      split<U, (U << ((k - 1) % cycle))>(a, b);
      return A::join(a, b, level + k - 1);
    }
  }

  /// Joins the units of one vector that is `phase` levels into the cycle. Every unit gets the
  /// result.
  template <int phase, int done = 0>
  static HWY_INLINE vectors across(const vectors& v, int level) {
    if constexpr (done == cycle) {
      return v;
    } else {
      vectors a = v, b = v;
      split<U, (U << ((phase + done) % cycle))>(a, b);
      return across<phase, done + 1>(A::join(a, b, level), level + 1);
    }
  }

  template <int j>
  static HWY_INLINE vectors across_from(int phase, const vectors& v, int level) {
    if (phase == j) return across<j>(v, level);
    if constexpr (j + 1 < cycle) return across_from<j + 1>(phase, v, level);
    __builtin_unreachable();
  }

  /// out[i] = vectors i * 2^k ... of `get` joined, for count i; 0 <= k <= K.
  template <class Get, int k = 0>
  static HWY_NOINLINE void pass(const Get& get, int levels, size_t count, int level, lane* out) {
    if (levels == k) {
      for (size_t i = 0; i < count; i++) to_scratch<A>(rows<k>(get, i << k, level), out, i);
    } else if constexpr (k < K) {
      pass<Get, k + 1>(get, levels, count, level, out);
    }
  }

  /// The same for k = K and one block, in the order that keeps memory busiest: the prefetcher
  /// follows streams page by page, so four pages are read in turn and the next four fetched ahead.
  static HWY_INLINE void block_pass(const value* values, bool ahead, lane* out) {
    constexpr size_t batches = block_vectors >> K, per_page = batches / 4;
    for (size_t i = 0; i < per_page; i++)
#pragma GCC unroll 4
      for (size_t page = 0; page < 4; page++) {
        const size_t batch = page * per_page + i;
        const value* x = values + batch * (step << K);
        if (ahead) {
#pragma GCC unroll 16
          for (size_t line = 0; line < (step << K) * sizeof(value); line += 64)
            hwy::Prefetch(reinterpret_cast<const char*>(x) + 16384 + line);
        }
        to_scratch<A>(rows<K>(from_values<A>{x}, 0, 0), out, batch);
      }
  }

  /// Every unit of the result: the tree over `count` vectors of values, at most a block.
  static HWY_NOINLINE vectors block(const value* values, size_t count) {
    HWY_ALIGN lane scratch[scratch_lanes];
    int level = std::min(K, std::countr_zero(count)), phase = level;
    if (count == block_vectors) block_pass(values, false, scratch);
    else pass(from_values<A>{values}, level, count >> level, 0, scratch);
    for (count >>= level; count > 1; level += phase) {
      phase = std::min(K, std::countr_zero(count));
      count >>= phase;
      pass(from_scratch<A>{scratch}, phase, count, level, scratch);
    }
    return across_from<0>(phase % cycle, from_scratch<A>{scratch}.one(0), level);
  }

  /// Fewer values than a vector holds: n rows of `columns`.
  template <int done = 0>
  static HWY_INLINE vectors small(const vectors& v, int levels) {
    if constexpr (done == cycle) {
      return v;
    } else {
      if (done == levels) return v;
      vectors a = v, b = v;
      split<U, (U << done)>(a, b);
      return small<done + 1>(A::join(a, b, done), levels);
    }
  }

  /// A whole block as far as natural order comes back: block_rest vectors, block_levels up.
  static constexpr int block_levels = std::countr_zero(block_vectors) / K * K;
  static constexpr size_t block_rest = block_vectors >> block_levels;
  static HWY_NOINLINE void whole_block(const value* values, bool ahead, lane* out) {
    HWY_ALIGN lane scratch[scratch_lanes];
    block_pass(values, ahead, scratch);
    size_t count = block_vectors >> K;
    for (int level = K; level < block_levels; level += K) {
      count >>= K;
      lane* to = level + K == block_levels ? out : scratch;
      for (size_t i = 0; i < count; i++)
        to_scratch<A>(rows<K>(from_scratch<A>{scratch}, i << K, level), to, i);
    }
  }

  /// More than a block: a counter to base 2^K of what blocks leave, so that the units of a vector
  /// meet only once, at the end.
  static void blocks(const value* values, size_t n, state* states) {
    static constexpr int depths = (60 - block_levels) / K + 1;
    HWY_ALIGN lane digits[depths][lanes << K];
    size_t filled[depths] = {};
    const size_t count = n / (block_vectors * units);
    int top = 0;
    for (size_t i = 0; i < count; i++, values += block_vectors * step) {
      whole_block(values, i + 1 < count, digits[0] + filled[0] * lanes);
      filled[0] += block_rest;
      for (int d = 0; filled[d] == size_t(1) << K; d++) {
        const auto v = rows<K>(from_scratch<A>{digits[d]}, 0, block_levels + d * K);
        to_scratch<A>(v, digits[d + 1], filled[d + 1]++);
        filled[d] = 0, top = std::max(top, d + 1);
      }
    }
    const int rest = std::countr_zero(filled[top]), level = block_levels + top * K;
    pass(from_scratch<A>{digits[top]}, rest, 1, level, digits[top]);
    A::store_first(across_from<0>(rest % cycle, from_scratch<A>{digits[top]}.one(0), level + rest),
                   std::countr_zero(n), states, columns);
  }

  /// Any order will do: four pages, four accumulators, no shuffles until the end.
  static void vertical(const value* values, size_t n, state* states) {
    constexpr size_t page = block_vectors / 4;
    vectors acc[4] = {A::nothing(), A::nothing(), A::nothing(), A::nothing()};
    size_t count = n / units;
    const bool far = n * U >= far_bytes;
    for (; count >= block_vectors; count -= block_vectors, values += block_vectors * step)
      for (size_t i = 0; i < page; i++)
#pragma GCC unroll 4
        for (size_t p = 0; p < 4; p++) {
          const value* x = values + (p * page + i) * step;
          if (far) hwy::Prefetch(x + block_vectors * step);
          acc[p] = A::join(acc[p], A::load(x), 0);
        }
    for (; count >= 4; count -= 4, values += 4 * step)
#pragma GCC unroll 4
      for (size_t p = 0; p < 4; p++) acc[p] = A::join(acc[p], A::load(values + p * step), 0);
    for (; count > 0; count--, values += step) acc[0] = A::join(acc[0], A::load(values), 0);
    acc[0] = A::join(A::join(acc[0], acc[1], 0), A::join(acc[2], acc[3], 0), 0);
    A::store_first(across<0>(acc[0], 0), 0, states, columns);
  }

  /// n rows of `columns` values, back to back.
  static void fold(const value* values, size_t n, state* states) {
    const int level = std::countr_zero(n);
    if (n < units)
      return A::store_first(small(A::load_first(values, n * columns), level), level, states,
                            columns);
    if constexpr (A::any_order) return vertical(values, n, states);
    if (n > block_vectors * units) return blocks(values, n, states);
    A::store_first(block(values, n / units), level, states, columns);
  }
};

/// The units of a vector that is k levels into its cycle, in natural order: unit (v, q), row q of
/// vector v, stands at q * 2^k + v, unless the last split put the two halves of the v after
/// another.
template <class A, int k>
HWY_INLINE typename A::vectors natural_order(typename A::vectors v) {
  constexpr size_t units = vector_bytes / A::unit, rows = units >> k;
  if constexpr (k > 0 && rows > 1) {
    struct rule {
      static constexpr size_t from(size_t o) {
        const size_t v = o / rows, q = o % rows, low = v % (size_t(1) << (k - 1));
        if (split_concatenates<(A::unit << (k - 1))>)
          return (v >> (k - 1)) * units / 2 + (q << (k - 1)) + low;
        return (q << k) + v;
      }
    };
    for (auto& part : v.part) part = look_up<A::unit>(part, lane_table<A::unit, rule>());
  }
  return v;
}

/// count trees over n = 2^k values each, back to back. k <= 2 K.
template <class A>
struct short_trees {
  using T = tree_of<A>;
  using lane = typename A::lane;
  using state = typename A::state;

  template <int k>
  static HWY_INLINE void store(int phase, const lane* scratch, size_t count, int level, state* to) {
    if (phase == k) {
      for (size_t i = 0; i < count; i++)
        A::store(natural_order<A, k>(from_scratch<A>{scratch}.one(i)), level, to + i * T::units);
    } else if constexpr (k + 1 < T::cycle) {
      store<k + 1>(phase, scratch, count, level, to);
    }
  }
  static void run(const typename A::value* values, int k, size_t count, state* states) {
    // As many whole vectors of trees at a time as leave at most a block of vectors behind.
    const int first = std::min(k, T::K), rest = k - first;
    HWY_ALIGN lane scratch[T::scratch_lanes];
    const size_t room = std::max<size_t>(1, (T::block_vectors >> T::K) >> rest);
    size_t i = 0;
    while (count - i >= T::units) {
      const size_t vectors = std::min(room, (count - i) / T::units);
      T::pass(from_values<A>{values + (i << k)}, first, vectors << rest, 0, scratch);
      if (rest > 0) T::pass(from_scratch<A>{scratch}, rest, vectors, first, scratch);
      store<0>((rest > 0 ? rest : first) % T::cycle, scratch, vectors, k, states + i);
      i += vectors * T::units;
    }
    for (; i < count; i++) T::fold(values + (i << k), size_t(1) << k, states + i);
  }
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
