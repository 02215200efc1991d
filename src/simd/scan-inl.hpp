// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of one line, and of many short lines that lie back to back, out of batches (scan_line-inl).
// Data flow: batch -> tree -> counter -> folds before and through -> entries. A rest that fills no
// batch goes through a padded copy.
// Included once per instruction set, after scan_line-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

/// What a scan writes for a state, and for no values at all.
template <class A>
typename A::result entry_of(const typename A::state& s) {
  return rung::convert<typename A::result>(rung::canonical(s));
}
template <class A>
typename A::result empty_entry() {
  return entry_of<A>(rung::empty_state<typename A::state>(typename A::op()));
}

/// Units of U bytes: values, or (U a multiple) rows of `columns` values, scanned side by side.
template <class A, size_t U = A::unit>
struct scan_lines_of {
  using batch = scan_batch<A, U>;
  using value = typename A::value;
  using state = typename A::state;
  using result = typename A::result;
  using vectors = typename A::vectors;
  static constexpr int K = batch::K, cycle = batch::cycle;
  static constexpr size_t size = batch::size, columns = U / A::unit;

  static HWY_INLINE vectors start_of(const void* before) {
    if (!before) return A::nothing();
    HWY_ALIGN state all[batch::step];
    for (size_t i = 0; i < batch::step; i++)
      all[i] = static_cast<const state*>(before)[i % columns];
    const vectors start = A::load_states(all);
    if constexpr (A::has_check) return A::canonical(start);
    return start;
  }

  /// A batch's share of the 16 KiB that it lies in, from their four pages in turn, to L2.
  static HWY_INLINE void fetch(const value* x, size_t index) {
    constexpr size_t bytes = size * sizeof(value), batches = 16384 / bytes, lines = bytes / 64;
    const size_t b = index % batches;
    const char* p = reinterpret_cast<const char*>(x - b * size) + b * (4096 / batches);
#pragma GCC unroll 16
    for (size_t l = 0; l < lines; l++) __builtin_prefetch(p + l % 4 * 4096 + l / 4 * 64, 0, 2);
  }

  /// n values.
  template <bool exclusive>
  static void line(const value* x, size_t n, result* out, const host::carry& c) {
    fold_counter<A> counter(start_of(c.before));
    const bool stream = c.stream && static_cast<const void*>(x) != out;
    // What comes next: the caller's, or the next 16 KiB of a long line.
    constexpr size_t block = 16384 / sizeof(value);
    const size_t fetched = c.ahead ? n : stream && n > block ? n - block : 0;
    const value* ahead = c.ahead ? static_cast<const value*>(c.ahead) : x + block;
    scan_target<result, size> target(out, stream);
    const value* from = x;
    // The way down waits for the top of the tree, so the next batch goes up meanwhile.
    batch first, second;
    vectors tree = A::nothing();
    if (n >= size) tree = up(first, x);
    const auto one = [&](size_t i, const batch& now, batch& next) HWY_ATTR {
      if (i * size < fetched) fetch(ahead + i * size, i);
      const vectors before = counter.fold(), through = counter.push(tree, K + cycle);
      const vectors this_tree = tree;
      if ((i + 2) * size <= n) tree = up(next, from + size);
      down<exclusive>(now, from, target.next(), before, this_tree, through);
      target.advance();
      from += size;
    };
    for (size_t i = 0; i < n / size; i += 2) {
      one(i, first, second);
      if (i + 1 < n / size) one(i + 1, second, first);
    }
    target.finish();
    if (const size_t rest = n % size) {
      HWY_ALIGN value in[size] = {};
      HWY_ALIGN result entries[size];
      std::memcpy(static_cast<void*>(in), from, rest * sizeof(value));
      const vectors before = counter.fold();
      tree = up(first, in);
      down<exclusive>(first, in, entries, before, tree, A::join(before, tree, K + cycle));
      std::memcpy(static_cast<void*>(out + (n - rest)), entries, rest * sizeof(result));
    }
    for (size_t i = 0; i < std::min(columns, n); i++) {
      if (exclusive && !c.before) out[i] = empty_entry<A>();
      if (!exclusive && c.after)
        out[n - columns + i] = entry_of<A>(static_cast<const state*>(c.after)[i]);
    }
  }

  static HWY_INLINE vectors up(batch& b, const value* x) {
    return b.template up_across<0>(b.template up<K, 0, false>(x, 0), cycle);
  }
  template <bool exclusive>
  static HWY_INLINE void down(const batch& b, const value* x, result* out, vectors before,
                              const vectors& tree, vectors through) {
    const vectors start = before, last = through;
    b.down_across(before, through, cycle);
    vectors pending;
    b.template down<K, 0, exclusive>(x, out, before, pending);
    if constexpr (!exclusive) b.write_pair(x, out, (size_t(1) << K) - 2, pending, last);
    if constexpr (A::has_check)
      if (HWY_UNLIKELY(A::may_have_nan(start, tree))) make_canonical(out);
  }
  static void make_canonical(result* out) {
    for (size_t i = 0; i < size; i += batch::step) A::put(A::canonical(A::load(out + i)), out + i);
  }

  /// count lines of n = 2^k values each, 2 <= n <= a batch; the same start before each.
  template <bool exclusive>
  static void short_lines(const value* x, size_t n, size_t count, result* out,
                          const host::carry& c) {
    batch b;
    const vectors start = start_of(c.before);
    const int k = std::countr_zero(n), row_level = std::min(k, K), across = k - row_level;
    const auto one = [&](const value* from, result* to) HWY_ATTR {
      vectors top = b.template up<K, 0, true>(from, row_level);
      vectors before = start, through = start;
      if (k >= K) {
        top = b.template up_across<0>(top, across);
        through = A::join(start, top, k);
        b.down_across(before, through, across);
      }
      b.template down_rows<K, 0, exclusive>(from, to, before, through, k >= K ? K + 1 : k, start);
      if constexpr (A::has_check)
        if (HWY_UNLIKELY(A::may_have_nan(start, top))) make_canonical(to);
      if (exclusive && !c.before)
        for (size_t i = 0; i < size; i += n) to[i] = empty_entry<A>();
    };
    const size_t total = n * count;
    scan_target<result, size> target(out, c.stream && static_cast<const void*>(x) != out);
    for (size_t i = 0; i < total / size; i++, target.advance()) one(x + i * size, target.next());
    target.finish();
    if (const size_t rest = total % size) {
      HWY_ALIGN value in[size] = {};
      HWY_ALIGN result entries[size];
      std::memcpy(static_cast<void*>(in), x + (total - rest), rest * sizeof(value));
      one(in, entries);
      std::memcpy(static_cast<void*>(out + (total - rest)), entries, rest * sizeof(result));
    }
  }

  /// Lines of one value.
  template <bool exclusive>
  static void single(const value* x, size_t count, result* out, const host::carry& c) {
    if (exclusive && !c.before) return void(std::fill_n(out, count, empty_entry<A>()));
    const vectors start = start_of(c.before);
    size_t i = 0;
    for (; i + batch::step <= count; i += batch::step)
      A::put(A::canonical(exclusive ? start : A::join(start, A::load(x + i), 0)), out + i);
    if (const size_t rest = count - i; rest > 0) {
      const vectors v = exclusive ? start : A::join(start, A::load_first(x + i, rest), 0);
      A::put_first(A::canonical(v), out + i, rest);
    }
  }

  template <bool exclusive>
  static void lines(const value* x, size_t n, size_t count, result* out, const host::carry& c) {
    if (n > size)
      for (size_t i = 0; i < count; i++) line<exclusive>(x + i * n, n, out + i * n, c);
    else if (n > 1) short_lines<exclusive>(x, n, count, out, c);
    else single<exclusive>(x, count, out, c);
  }
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
