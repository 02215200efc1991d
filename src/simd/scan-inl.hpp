// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of one line, and of many short lines that lie back to back, out of batches (scan_line-inl).
// Data flow: batch -> tree -> counter -> folds before and through -> entries. A rest that fills no
// batch goes through a padded copy.
// Included once per instruction set, after scan_line-inl.hpp.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class A>
struct scan_lines_of {
  using batch = scan_batch<A>;
  using value = typename A::value;
  using state = typename A::state;
  using vectors = typename A::vectors;
  static constexpr int K = batch::K, cycle = batch::cycle;
  static constexpr size_t size = batch::size;
  static_assert(sizeof(value) == sizeof(state));

  static HWY_INLINE vectors start_of(const void* before) {
    return before ? A::everywhere(*static_cast<const state*>(before)) : A::nothing();
  }

  /// The next 16 KiB of values, a batch's share of them, from their four pages in turn.
  static HWY_INLINE void fetch_ahead(const value* x, size_t index) {
    constexpr size_t bytes = size * sizeof(value), batches = 16384 / bytes, lines = bytes / 64;
    const size_t b = index % batches;
    const char* p = reinterpret_cast<const char*>(x + (batches - b) * size) + b * (4096 / batches);
#pragma GCC unroll 16
    for (size_t l = 0; l < lines; l++) hwy::Prefetch(p + l % 4 * 4096 + l / 4 * 64);
  }

  template <bool exclusive>
  static void line(const value* x, size_t n, state* out, const host::carry& c) {
    batch b;
    fold_counter<A> counter(start_of(c.before));
    const bool stream = c.stream && static_cast<const void*>(x) != out;
    const size_t ahead = stream && n * sizeof(value) >= far_bytes ? 16384 / sizeof(value) : n;
    scan_target<A> target(out, stream);
    const value* from = x;
    for (size_t i = 0; i < n / size; i++, from += size) {
      if (i * size + ahead < n) fetch_ahead(from, i);
      const vectors before = counter.fold();
      const vectors tree = up(b, from);
      down<exclusive>(b, from, target.next(), before, tree, counter.push(tree, K + cycle));
      target.advance();
    }
    target.finish();
    if (const size_t rest = n % size) {
      HWY_ALIGN value in[size] = {};
      HWY_ALIGN state entries[size];
      std::memcpy(static_cast<void*>(in), from, rest * sizeof(value));
      const vectors before = counter.fold(), tree = up(b, in);
      down<exclusive>(b, in, entries, before, tree, A::join(before, tree, K + cycle));
      std::memcpy(static_cast<void*>(out + (n - rest)), entries, rest * sizeof(state));
    }
    if (exclusive && !c.before && n > 0) host::generic::empty<typename A::op, state>(nullptr, out);
    if (!exclusive && c.after)
      out[n - 1] = host::generic::canonical_state(*static_cast<const state*>(c.after));
  }

  static HWY_INLINE vectors up(batch& b, const value* x) {
    return b.template up_across<0>(b.template up<K, 0, false>(x, 0), cycle);
  }
  template <bool exclusive>
  static HWY_INLINE void down(batch& b, const value* x, state* out, vectors before,
                              const vectors& tree, vectors through) {
    const vectors start = before, last = through;
    b.down_across(before, through, cycle);
    b.template down<K, 0, exclusive>(x, out, before);
    if constexpr (!exclusive) b.write_pair(x, out, (size_t(1) << K) - 2, last);
    if constexpr (A::has_check)
      if (HWY_UNLIKELY(A::may_have_nan(start, tree))) make_canonical(out);
  }
  static void make_canonical(state* out) {
    for (size_t i = 0; i < size; i += batch::step)
      A::store(A::canonical(A::load(out + i)), 0, out + i);
  }

  /// count lines of n = 2^k values each, 2 <= n <= a batch; `start` before each.
  template <bool exclusive>
  static void short_lines(const value* x, size_t n, size_t count, state* out,
                          const vectors& start) {
    batch b;
    const int k = std::countr_zero(n), row_level = std::min(k, K), across = k - row_level;
    const auto one = [&](const value* from, state* to) HWY_ATTR {
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
    };
    const size_t total = n * count;
    for (size_t i = 0; i < total / size; i++) one(x + i * size, out + i * size);
    if (const size_t rest = total % size) {
      HWY_ALIGN value in[size] = {};
      HWY_ALIGN state entries[size];
      std::memcpy(static_cast<void*>(in), x + (total - rest), rest * sizeof(value));
      one(in, entries);
      std::memcpy(static_cast<void*>(out + (total - rest)), entries, rest * sizeof(state));
    }
  }

  template <bool exclusive>
  static void lines(const value* x, size_t n, size_t count, state* out, const void* first) {
    if (n == 1 || n > size) {
      for (size_t i = 0; i < count; i++)
        line<exclusive>(x + i * n, n, out + i * n, {.before = first, .exclusive = exclusive});
      return;
    }
    short_lines<exclusive>(x, n, count, out, start_of(first));
    if (exclusive && !first)
      for (size_t i = 0; i < count; i++)
        host::generic::empty<typename A::op, state>(nullptr, out + i * n);
  }
};

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
