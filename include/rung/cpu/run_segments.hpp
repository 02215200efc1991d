// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments of one long line: each is folded or scanned as if it stood alone, from its own position
// 0. Segment s is positions [begin(s), end(s)); two may share values. Short segments are shared out
// in groups of about equal work, a long one is worked on by all threads, so no mix of lengths
// leaves threads idle. Cost: every value is read once (a long scan reads a chunk again from L2),
// each offset twice: to be checked, and to be used.
#pragma once
#include <atomic>
#include <vector>

#include "run_scan.hpp"

namespace rung::host {

/// Where segments begin and end: two lists of integers of any type, copied some at a time.
struct segment_list {
  using reader = void (*)(const void* list, std::int64_t first, std::int64_t count,
                          std::int64_t* to);
  const void *begins = nullptr, *ends = nullptr;
  reader read_begins = nullptr, read_ends = nullptr;
  std::int64_t count = 0;
  bool are_offsets = true;  ///< one list: a segment ends where the next one begins

  std::int64_t begin(std::int64_t s) const {
    std::int64_t at;
    return read_begins(begins, s, 1, &at), at;
  }
  std::int64_t end(std::int64_t s) const {
    std::int64_t at;
    return read_ends(ends, s, 1, &at), at;
  }
};

namespace detail {
template <class Integer>
void read_integers(const void* list, std::int64_t first, std::int64_t count, std::int64_t* to) {
  const Integer* from = static_cast<const Integer*>(list) + first;
  for (std::int64_t i = 0; i < count; i++) to[i] = std::int64_t(from[i]);
}
/// f(s, begin, end) for segments from..from + count - 1.
template <class F>
void for_each_bound(const segment_list& s, std::int64_t from, std::int64_t count, const F& f) {
  constexpr std::int64_t some = 1024;
  std::int64_t begins[some + 1], ends[some];
  for (std::int64_t first = from; first < from + count; first += some) {
    const std::int64_t n = std::min(some, from + count - first);
    const std::int64_t* b = begins;
    if (s.read_begins == read_integers<std::int64_t>)
      b = static_cast<const std::int64_t*>(s.begins) + first;
    else s.read_begins(s.begins, first, n + s.are_offsets, begins);
    if (!s.are_offsets) s.read_ends(s.ends, first, n, ends);
    const std::int64_t* const e = s.are_offsets ? b + 1 : ends;
    for (std::int64_t i = 0; i < n; i++) f(first + i, b[i], e[i]);
  }
}
}  // namespace detail
/// Segment s: offset s to offset s + 1.
template <class Offset>
segment_list make_segments(std::span<const Offset> offsets) {
  const auto read = detail::read_integers<Offset>;
  const std::int64_t count = std::max<std::int64_t>(0, std::int64_t(offsets.size()) - 1);
  return {offsets.data(), offsets.data() + (count > 0), read, read, count, true};
}
/// Segment s: begin s to end s.
template <class Begin, class End>
segment_list make_segments(std::span<const Begin> begins, std::span<const End> ends) {
  if (begins.size() != ends.size())
    fail(error_code::bad_argument, "rung: " + std::to_string(begins.size()) +
                                       " segments begin and " + std::to_string(ends.size()) +
                                       " end");
  return {begins.data(),
          ends.data(),
          detail::read_integers<Begin>,
          detail::read_integers<End>,
          std::int64_t(begins.size()),
          false};
}

namespace detail {
/// The error of the first wrong segment among n values.
[[noreturn]] inline void fail_segments(const segment_list& s, std::int64_t n) {
  const std::string what = s.are_offsets ? "offset" : "bound";
  auto fail_outside = [&](std::int64_t at, std::int64_t i) {
    fail(error_code::bad_argument, "rung: segment " + what + " " + std::to_string(at) +
                                       " at index " + std::to_string(i) + " lies outside the " +
                                       std::to_string(n) + " values");
  };
  for_each_bound(s, 0, s.count, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
    if (begin < 0 || begin > n) fail_outside(begin, i);
    if (end < begin)
      fail(error_code::bad_argument, "rung: segment " + what + "s fall from " +
                                         std::to_string(begin) + " to " + std::to_string(end) +
                                         " at index " + std::to_string(i + s.are_offsets));
    if (end > n) fail_outside(end, i + s.are_offsets);
  });
  fail(error_code::internal, "rung: no wrong segment");
}
}  // namespace detail

/// Throws for a segment that ends before it begins or leaves [0, n); names the index.
inline void check_segments(const cpu_rung& where, const segment_list& s, std::int64_t n) {
  constexpr std::int64_t piece = 1 << 16;
  const std::int64_t pieces = (s.count + piece - 1) / piece;
  std::atomic<bool> wrong = false;
  cpu_rung quiet = where;
  quiet.progress = nullptr;
  for_each_task(pieces > 1 ? quiet : quiet.with_threads(1), std::size_t(pieces),
                [&](std::size_t p) {
                  const std::int64_t first = std::int64_t(p) * piece;
                  bool found = false;
                  detail::for_each_bound(s, first, std::min(piece, s.count - first),
                                         [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                                           found |= (begin < 0) | (end < begin) | (end > n);
                                         });
                  if (found) wrong = true;
                });
  if (wrong) detail::fail_segments(s, n);
}

namespace detail {
inline constexpr std::int64_t long_segment = 1 << 18;  ///< values: all threads work on one of these
inline constexpr std::int64_t group_work = 1 << 15;    ///< values per task
inline constexpr std::int64_t segment_price =
    16;  ///< what a segment costs beyond its values, in values
inline constexpr std::int64_t short_segment = 512;  ///< from here on trees are folded one by one

/// Where the group of segments from `first` on ends that is no more work than a task should have,
/// or has one segment. By offsets: the work grows with the segments, so few of them are read.
inline std::int64_t end_of_group(const segment_list& s, std::int64_t first) {
  const std::int64_t begin = s.begin(first);
  std::int64_t low = first + 1, high = std::min(s.count, first + group_work / segment_price);
  while (low < high) {
    const std::int64_t half = low + (high - low) / 2;
    if (s.end(half) - begin + (half - first) * segment_price > group_work) high = half;
    else low = half + 1;
  }
  return low;
}
/// Ranges of segments with about equal work; long ones stand alone.
inline std::vector<std::int64_t> group_segments(const segment_list& s) {
  std::vector<std::int64_t> first{0};
  if (s.are_offsets) {
    while (first.back() < s.count) first.push_back(end_of_group(s, first.back()));
    if (s.count == 0) first.push_back(0);
    return first;
  }
  std::int64_t work = 0;
  for_each_bound(s, 0, s.count, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
    const std::int64_t n = end - begin;
    if (work > 0 && (n >= long_segment || work + n > group_work)) first.push_back(i), work = 0;
    work += n + segment_price;
  });
  first.push_back(s.count);
  return first;
}

/// The part of a line that is one segment: positions count from its own begin. Targets move
/// `target_steps` elements.
template <class Job>
void move_to_segment(Job& job, const Job& whole, std::int64_t begin, std::int64_t n,
                     std::int64_t target_steps) {
  job.p.length = n;
  job.p.folded[0].length = n;
  for (int a = 0; a < whole.p.sources; a++)
    job.p.source[a] = whole.p.source[a] + begin * whole.p.folded[0].source[a];
  for (int a = 0; a < whole.p.targets; a++) job.p.target[a] = whole.p.target[a] + target_steps;
}

/// one(job, s) for every long segment, all threads together; then many(job, first, last) for every
/// group of short ones, each by one thread.
template <class Job, class One, class Many>
void for_each_segment(const cpu_rung& where, const Job& whole, const segment_list& s,
                      const One& one, const Many& many) {
  const std::vector<std::int64_t> first = group_segments(s);
  auto is_long = [&](std::size_t g) {
    return first[g + 1] == first[g] + 1 && s.end(first[g]) - s.begin(first[g]) >= long_segment;
  };
  const std::size_t groups = first.size() - 1;
  cpu_rung quiet = where;
  quiet.progress = nullptr;
  for (std::size_t g = 0; g < groups; g++)
    if (s.count > 0 && is_long(g)) {
      Job job = whole;
      one(job, first[g]);
    }
  for_each_task(groups > 1 ? where : quiet.with_threads(1), groups, [&](std::size_t g) {
    if (s.count == 0 || is_long(g)) return;
    Job job = whole;
    many(job, first[g], first[g + 1]);
  });
}

inline constexpr std::int64_t most_loaded = 256 << 10;  ///< bytes of values, in L2

/// A group of short segments that stand one behind the other.
struct segment_group {
  const std::byte* values = nullptr;  ///< side by side, where they lie or loaded; null: neither
  const std::int64_t* at = nullptr;   ///< segment i of the group: values at[i] .. at[i + 1] - 1
  std::int64_t begin = 0, count = 0;
  std::uint64_t lengths = 0;  ///< all of them, or'ed

  void set(const std::int64_t* offsets) {
    at = offsets;
    for (std::int64_t i = 0; i < count; i++) lengths |= std::uint64_t(at[i + 1] - at[i]);
  }
};
inline segment_group make_group(const folding& f, const segment_list& s, std::int64_t first,
                                std::int64_t last) {
  segment_group g;
  if (!s.are_offsets) return g;
  g.count = last - first;
  const std::int64_t begin = s.begin(first), n = s.end(last - 1) - begin,
                     size = std::int64_t(f.fold->value_size), step = f.p.folded[0].source[0];
  const bool ready = lies_ready(f, step);
  if (ready && s.read_begins == read_integers<std::int64_t>) {  // as they are
    g.set(static_cast<const std::int64_t*>(s.begins) + first);
    g.values = f.p.source[0];
    return g;
  }
  auto* const at = reinterpret_cast<std::int64_t*>(
      thread_buffer<1>(std::size_t(g.count + 1) * sizeof(std::int64_t)));
  s.read_begins(s.begins, first, g.count + 1, at);
  for (std::int64_t i = 0; i <= g.count; i++) at[i] -= begin;
  g.begin = begin, g.set(at);
  if (n == 0 || ready) {
    g.values = f.p.source[0] + begin * step;
  } else if (n * size <= most_loaded) {
    std::byte* loaded = thread_buffer<0>(std::size_t(n * size));
    load_block(f, tile{{}, 1}, begin, n, loaded);
    g.values = loaded;
  }
  return g;
}
/// Where the run of segments from `i` on ends that have fewer than `most` values each, a power of
/// two.
inline std::int64_t end_of_short(const segment_group& g, std::int64_t i, std::int64_t most) {
  if (g.lengths < std::uint64_t(most)) return g.count;
  while (i < g.count && g.at[i + 1] - g.at[i] < most) i++;
  return i;
}

/// The folds of a group of segments to `states`.
inline void fold_group(const reduction& r, const segment_group& g, const void* nothing,
                       std::byte* states) {
  const fold_kernels& fold = *r.fold;
  for (std::int64_t i = 0; i < g.count;) {
    std::byte* to = states + std::size_t(i) * fold.state_size;
    const std::int64_t next = end_of_short(g, i, short_segment);
    if (next > i) {
      fold.segments(r.op, g.values, g.at + i, std::size_t(next - i), r.init, nothing, to);
      i = next;
      continue;
    }
    state_rows rows(r, thread_buffer<3>(state_rows::bytes(r, 1)), 1);
    const std::int64_t n = g.at[i + 1] - g.at[i];
    for (std::int64_t done = 0; done < n;) {
      const std::int64_t m = floor_power(n - done);
      fold.tree(r.op, g.values + (g.at[i] + done) * std::int64_t(fold.value_size), std::size_t(m),
                done, rows.next());
      rows.push_smaller();
      done += m;
    }
    std::memcpy(to, rows.value(r.init), fold.state_size);
    i++;
  }
}
}  // namespace detail

/// The plan of a line of n values with one result per segment; sources and targets are 1-D.
inline plan make_line_plan(std::int64_t n, std::span<const array_ref> sources,
                           std::span<const array_ref> targets, bool scan) {
  plan p;
  p.sources = int(sources.size()), p.targets = int(targets.size());
  p.kept.count = p.folded.count = 1;
  p.kept[0] = p.folded[0] = {.length = 1, .source = {}, .target = {}};
  p.folded[0].length = p.length = n;
  for (int a = 0; a < p.sources; a++)
    p.source[a] = sources[a].data, p.folded[0].source[a] = sources[a].shape.strides[0];
  for (int a = 0; a < p.targets; a++) {
    p.target[a] = targets[a].data;
    if (scan) p.folded[0].target[a] = targets[a].shape.strides[0];
  }
  return p;
}

/// Result s = the fold of segment s, written target_step[t] bytes further per segment in target t.
/// An empty segment gives the state of nothing, `nothing` (the operator's identity), or init.
inline void run_segmented_reduce(const cpu_rung& where, const reduction& whole,
                                 const segment_list& segments,
                                 std::span<const std::int64_t> target_step, const void* nothing) {
  auto place_at = [&](std::int64_t s) {
    offsets o;
    for (int a = 0; a < whole.p.targets; a++) o.target[a] = s * target_step[a];
    return o;
  };
  auto store = [&](reduction& job, std::int64_t s, std::int64_t count, const std::byte* states) {
    for (int a = 0; a < whole.p.targets; a++) job.p.kept[0].target[a] = target_step[a];
    store_tile(job, tile{place_at(s), count}, states);
  };
  auto one = [&](reduction& job, std::int64_t s) {
    const std::int64_t begin = segments.begin(s), n = segments.end(s) - begin;
    detail::move_to_segment(job, whole, begin, n, 0);
    for (int a = 0; a < whole.p.targets; a++) job.p.target[a] += place_at(s).target[a];
    if (n == 0)
      return store_tile(job, tile{{}, 1},
                        static_cast<const std::byte*>(job.init ? job.init : nothing));
    run_reduce(where.with_threads(n < detail::long_segment ? 1 : where.threads), job);
  };
  auto many = [&](reduction& job, std::int64_t first, std::int64_t last) {
    const detail::segment_group g = detail::make_group(whole, segments, first, last);
    if (!g.values) {
      for (std::int64_t s = first; s < last; s++) job = whole, one(job, s);
      return;
    }
    const std::size_t size = whole.fold->state_size;
    std::byte* states = thread_buffer<2>(std::size_t(last - first) * size);
    detail::fold_group(whole, g, nothing, states);
    if (!whole.store.counts) return store(job, first, last - first, states);
    for (std::int64_t s = first; s < last; s++) {
      job.p.length = g.at[s - first + 1] - g.at[s - first];
      store(job, s, 1, states + std::size_t(s - first) * size);
    }
  };
  detail::for_each_segment(where, whole, segments, one, many);
}

/// Every segment scanned for itself; positions outside all segments are not written.
inline void run_segmented_scan(const cpu_rung& where, const scanning& whole,
                               const segment_list& segments) {
  auto one = [&](scanning& job, std::int64_t s) {
    const std::int64_t begin = segments.begin(s), n = segments.end(s) - begin;
    if (n == 0) return;
    detail::move_to_segment(job, whole, begin, n, 0);
    for (int a = 0; a < whole.p.targets; a++)
      job.p.target[a] = whole.p.target[a] + begin * whole.p.folded[0].target[a];
    if (n >= detail::long_segment) return run_scan(where, job);
    scan_range(job, tile{{}, 1}, 0, n, static_cast<const std::byte*>(job.init), nullptr);
  };
  const std::int64_t step = whole.p.folded[0].target[0];
  const bool in_place_of_results = lies_ready_to_write(whole, step) && whole.scan->segments;
  auto many = [&](scanning& job, std::int64_t first, std::int64_t last) {
    detail::segment_group g;
    if (in_place_of_results) g = detail::make_group(whole, segments, first, last);
    const carry c{.before = whole.init, .exclusive = whole.exclusive};
    for (std::int64_t s = first; s < last;) {
      const std::int64_t next =
          g.values ? first + detail::end_of_short(g, s - first, short_line) : s;
      if (next > s)
        whole.scan->segments(whole.op, g.values, g.at + (s - first), std::size_t(next - s),
                             whole.p.target[0] + g.begin * step, c);
      else one(job, s);
      s = std::max(next, s + 1);
    }
  };
  detail::for_each_segment(where, whole, segments, one, many);
}

}  // namespace rung::host
