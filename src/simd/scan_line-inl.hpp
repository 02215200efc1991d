// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of contiguous values: Blelloch's up-sweep and down-sweep over batches of 2^K vectors, all
// in registers. The exchanges of the up-sweep put left beside right; since an exchange is its own
// inverse, the same ones take the folds back down.
//   up    left operands are kept; the last K levels end in one vector, one unit per row
//   top   the folds before (E) and through (I) every row, from those before and through the batch
//   down  node E with left operand L -> children E and E L
// Cost: values are read twice, the second time from L1; about 4 shuffles per vector.
// Source: Blelloch, "Prefix sums and their applications" (1990).
// Included once per instruction set, after tree-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class A, size_t U = A::unit>
struct scan_batch {
  using T = tree_of<A, U>;
  using value = typename A::value;
  using result = typename A::result;
  using vectors = typename A::vectors;
  static constexpr int cycle = T::cycle;
  static constexpr int K = A::is_bulky ? 3 : cycle < 4 ? 4 : 5;  // measured: others are slower
  static constexpr size_t step = T::step, size = step << K;      // values

  vectors left[1 << (K - 1)];  // of level l, l >= 1, from 2^(K - 1 - l) on
  vectors top_left[cycle];     // of the levels within one vector
  vectors row[1 << K];         // short rows of 2^l vectors: their trees, from 2^(K - l) - 1 on

  template <int l>
  static constexpr size_t at(size_t first) {
    return (size_t(1) << (K - 1 - l)) + (first >> (l + 1));
  }

  /// The joined nodes of 2^k vectors from `first` on. Short rows are nodes of level row_level.
  template <int k, size_t first, bool short_rows>
  HWY_INLINE vectors up(const value* x, int row_level) {
    vectors v;
    if constexpr (k == 1) {
      v = load_pairs(x + first * step);
    } else {
      vectors a = up<k - 1, first, short_rows>(x, row_level);
      vectors b = up<k - 1, first + (size_t(1) << (k - 1)), short_rows>(x, row_level);
      exchange<(U << ((k - 1) % cycle))>(a, b);
      left[at<k - 1>(first)] = a;
      v = A::join(a, b, k - 1);
    }
    if constexpr (short_rows)
      if (k == row_level) row[(size_t(1) << (K - k)) - 1 + (first >> k)] = v;
    return v;
  }
  static HWY_INLINE vectors load_pairs(const value* x) {
    if constexpr (U == A::unit && requires { A::load_pairs(x); }) return A::load_pairs(x);
    vectors a = A::load(x), b = A::load(x + step);
    exchange<U>(a, b);
    return A::join(a, b, 0);
  }
  static HWY_INLINE vectors load_left(const value* x) {
    if constexpr (U == A::unit && requires { A::load_left(x); }) return A::load_left(x);
    vectors a = A::load(x), b = A::load(x + step);
    exchange<U>(a, b);
    return a;
  }

  /// Joins the units of one vector, `levels` levels of them. After `cycle` the result is
  /// everywhere.
  template <int l = 0>
  HWY_INLINE vectors up_across(const vectors& v, int levels) {
    if constexpr (l == cycle) {
      return v;
    } else {
      if (l == levels) return v;
      vectors a = v, b = v;
      exchange<(U << ((K + l) % cycle))>(a, b);
      top_left[l] = a;
      return up_across<l + 1>(A::join(a, b, K + l), levels);
    }
  }
  template <int l = cycle - 1>
  HWY_INLINE void down_across(vectors& before, vectors& through, int levels) const {
    if constexpr (l >= 0) {
      if (l < levels) {
        const vectors middle = A::join(before, top_left[l], K + l);
        before = odd_even<(U << ((K + l) % cycle))>(middle, before);
        through = odd_even<(U << ((K + l) % cycle))>(through, middle);
      }
      down_across<l - 1>(before, through, levels);
    }
  }

  /// Writes the entries of 2^k vectors from `first` on, whose nodes have these folds before them.
  /// An inclusive entry of an odd place is the fold before the next pair, so pairs of vectors are
  /// written when that is known; `pending` holds the folds before the last pairs.
  template <int k, size_t first, bool exclusive>
  HWY_INLINE void down(const value* x, result* out, vectors before, vectors& pending) const {
    constexpr size_t half = first + (size_t(1) << (k - 1));
    if constexpr (k > 1) {
      vectors middle = A::join(before, left[at<k - 1>(first)], k - 1);
      exchange<(U << ((k - 1) % cycle))>(before, middle);
      down<k - 1, first, exclusive>(x, out, before, pending);
      down<k - 1, half, exclusive>(x, out, middle, pending);
    } else if constexpr (exclusive) {
      vectors middle = A::join(before, load_left(x + first * step), 0);
      exchange<U>(before, middle);
      put(before, out + first * step);
      put(middle, out + half * step);
    } else {
      if constexpr (first > 0) write_pair(x, out, first - 2, pending, before);
      pending = before;
    }
  }
  /// Rows `first` and first + 1, whose folds before pairs are pending: even places get the value
  /// added, odd ones the fold before the next pair. `next`: the folds before the following two
  /// rows.
  HWY_INLINE void write_pair(const value* x, result* out, size_t first, const vectors& pending,
                             const vectors& next) const {
    static constexpr size_t units = vector_bytes / U;
    struct of_upper {  // unit 2q of pending is pair q of the upper row
      static constexpr size_t from(size_t o) { return o + 1 == units ? 1 : (o + 1) / 2 * 2; }
    };
    struct of_lower {  // unit 2q + 1 of pending is pair q of the lower row
      static constexpr size_t from(size_t o) {
        return o + 1 == units ? units : (o + 1) / 2 * 2 + 1;
      }
    };
    vectors upper, lower;
    for (int p = 0; p < A::parts; p++) {
      upper.part[p] = look_up<U>(pending.part[p], lane_table<U, of_upper>());
      lower.part[p] = look_up_two<U>(pending.part[p], next.part[p], lane_table<U, of_lower>());
    }
    const value* from = x + first * step;
    const vectors a = A::join(upper, A::load(from), 0), b = A::join(lower, A::load(from + step), 0);
    put(odd_even<U>(upper, a), out + first * step);
    put(odd_even<U>(lower, b), out + (first + 1) * step);
  }

  /// The same for short rows, with the folds through the nodes too: nothing is shifted, so that
  /// rows do not touch.
  template <int k, size_t first, bool exclusive>
  HWY_INLINE void down_rows(const value* x, result* out, vectors before, vectors through,
                            int row_level, const vectors& start) {
    if (k == row_level) {
      before = start;
      through = A::join(start, row[(size_t(1) << (K - k)) - 1 + (first >> k)], k);
    }
    constexpr size_t half = first + (size_t(1) << (k - 1));
    if constexpr (k > 1) {
      vectors middle = A::join(before, left[at<k - 1>(first)], k - 1), upper = middle;
      exchange<(U << ((k - 1) % cycle))>(before, middle);
      exchange<(U << ((k - 1) % cycle))>(upper, through);
      down_rows<k - 1, first, exclusive>(x, out, before, upper, row_level, start);
      down_rows<k - 1, half, exclusive>(x, out, middle, through, row_level, start);
    } else {
      vectors middle = A::join(before, load_left(x + first * step), 0);
      if constexpr (exclusive) {
        exchange<U>(before, middle);
        put(before, out + first * step);
        put(middle, out + half * step);
      } else {
        exchange<U>(middle, through);
        put(middle, out + first * step);
        put(through, out + half * step);
      }
    }
  }

  static HWY_INLINE void put(const vectors& v, result* out) {
    A::put(A::has_check ? v : A::canonical(v), out);
  }
};

/// A binary counter of equal blocks: the fold before each of them. One state stands in every unit.
template <class A>
struct fold_counter {
  using vectors = typename A::vectors;
  vectors blocks[64], folds[64];
  size_t count = 0, top = 0;

  HWY_INLINE explicit fold_counter(const vectors& start) { folds[0] = start; }
  HWY_INLINE vectors fold() const { return folds[top]; }
  /// One more block; returns the fold through it.
  HWY_INLINE vectors push(vectors block, int level) {
    for (size_t k = count++; k & 1; k >>= 1) block = A::join(blocks[--top], block, level++);
    const vectors through = A::join(folds[top], block, level);
    blocks[top++] = block;
    return folds[top] = through;
  }
};

/// Where the entries go: where they belong, or, if stores are to go past the cache, to L1 first, at
/// the same distance from a boundary, and from there in whole aligned vectors.
template <class result, size_t batch_size>
class scan_target {
 public:
  static constexpr size_t bytes = sizeof(result) * batch_size;

  scan_target(result* out, bool stream)
      : out_(reinterpret_cast<std::byte*>(out)),
        offset_(reinterpret_cast<std::uintptr_t>(out) % vector_bytes),
        staged_(stream && offset_ % sizeof(result) == 0) {}
  /// Where the next batch is to be written.
  HWY_INLINE result* next() {
    return reinterpret_cast<result*>(staged_ ? staging_ + offset_ : out_);
  }
  /// It is written.
  HWY_INLINE void advance() {
    if (staged_) {
      const hn::ScalableTag<std::uint8_t> d;
      auto* from = reinterpret_cast<std::uint8_t*>(staging_);
      auto* to = reinterpret_cast<std::uint8_t*>(out_ - offset_);
      size_t i = 0;
      if (first_ && offset_ != 0) {
        std::memcpy(to + offset_, from + offset_, vector_bytes - offset_);
        i = vector_bytes;
      }
      first_ = false;
      for (; i < bytes; i += vector_bytes) hn::Stream(hn::Load(d, from + i), d, to + i);
      if (offset_ != 0) hn::Store(hn::Load(d, from + bytes), d, from);
    }
    out_ += bytes;
  }
  /// The rest of the last batch.
  void finish() {
    if (!staged_) return;
    if (!first_) std::memcpy(out_ - offset_, staging_, offset_);
    hwy::FlushStream();
  }

 private:
  HWY_ALIGN std::byte staging_[bytes + vector_bytes];
  std::byte* out_;
  size_t offset_;
  bool staged_, first_ = true;
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
