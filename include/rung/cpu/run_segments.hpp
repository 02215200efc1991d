// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments of one long line: each is folded or scanned as if it stood alone, from its own position
// 0. Segment s is positions [begin(s), end(s)); two may share values. Short segments are shared out
// in groups of about equal work, a long one is worked on by all threads, so no mix of lengths
// leaves threads idle. Cost: every value is read once (a long scan reads a chunk again from L2),
// each offset twice.
#pragma once
#include <vector>

#include "run_scan.hpp"

namespace rung::host {

/// Where segments begin and end: two lists of integers of any type, read one at a time.
struct segment_list {
  using reader = std::int64_t (*)(const void* list, std::int64_t i);
  const void *begins = nullptr, *ends = nullptr;
  reader read_begin = nullptr, read_end = nullptr;
  std::int64_t count = 0;
  bool are_offsets = true;  ///< one list: a segment ends where the next one begins

  std::int64_t begin(std::int64_t s) const { return read_begin(begins, s); }
  std::int64_t end(std::int64_t s) const { return read_end(ends, s); }
};

namespace detail {
template <class Integer>
std::int64_t read_integer(const void* list, std::int64_t i) {
  return std::int64_t(static_cast<const Integer*>(list)[i]);
}
}  // namespace detail
/// Segment s: offset s to offset s + 1.
template <class Offset>
segment_list make_segments(std::span<const Offset> offsets) {
  const auto read = detail::read_integer<Offset>;
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
          detail::read_integer<Begin>,
          detail::read_integer<End>,
          std::int64_t(begins.size()),
          false};
}

/// Throws for a segment that ends before it begins or leaves [0, n); names the index.
inline void check_segments(const segment_list& s, std::int64_t n) {
  const std::string what = s.are_offsets ? "offset" : "bound";
  auto check_inside = [&](std::int64_t at, std::int64_t i) {
    if (at < 0 || at > n)
      fail(error_code::bad_argument, "rung: segment " + what + " " + std::to_string(at) +
                                         " at index " + std::to_string(i) + " lies outside the " +
                                         std::to_string(n) + " values");
  };
  for (std::int64_t i = 0; i < s.count; i++) {
    const std::int64_t begin = s.begin(i), end = s.end(i);
    if (!s.are_offsets || i == 0) check_inside(begin, i);
    if (end < begin)
      fail(error_code::bad_argument, "rung: segment " + what + "s fall from " +
                                         std::to_string(begin) + " to " + std::to_string(end) +
                                         " at index " + std::to_string(i + s.are_offsets));
    check_inside(end, i + s.are_offsets);
  }
}

namespace detail {
inline constexpr std::int64_t long_segment = 1 << 18;  ///< values: all threads work on one of these
inline constexpr std::int64_t group_work = 1 << 15;    ///< values per task
inline constexpr std::int64_t segment_price =
    16;  ///< what a segment costs beyond its values, in values

/// Ranges of segments with about equal work; long ones stand alone.
inline std::vector<std::int64_t> group_segments(const segment_list& s) {
  std::vector<std::int64_t> first{0};
  std::int64_t work = 0;
  for (std::int64_t i = 0; i < s.count; i++) {
    const std::int64_t n = s.end(i) - s.begin(i);
    if (work > 0 && (n >= long_segment || work + n > group_work)) first.push_back(i), work = 0;
    work += n + segment_price;
  }
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

/// one(job, s, alone) for every segment; alone: this thread has it for itself.
template <class Job, class One>
void for_each_segment(const cpu_rung& where, const Job& whole, const segment_list& s,
                      const One& one) {
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
      one(job, first[g], false);
    }
  for_each_task(groups > 1 ? where : quiet.with_threads(1), groups, [&](std::size_t g) {
    if (s.count == 0 || is_long(g)) return;
    Job job = whole;
    for (std::int64_t i = first[g]; i < first[g + 1]; i++) one(job, i, true);
  });
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
  detail::for_each_segment(where, whole, segments, [&](reduction& job, std::int64_t s, bool alone) {
    const std::int64_t begin = segments.begin(s), n = segments.end(s) - begin;
    detail::move_to_segment(job, whole, begin, n, 0);
    for (int a = 0; a < whole.p.targets; a++)
      job.p.target[a] = whole.p.target[a] + s * target_step[a];
    if (n == 0) {
      tile t{};
      t.columns = 1;
      return store_tile(job, t, static_cast<const std::byte*>(job.init ? job.init : nothing));
    }
    if (!alone) return run_reduce(where, job);
    tile t{};
    t.columns = 1;
    state_rows rows(job, thread_buffer<2>(state_rows::bytes(job, 1)), 1);
    fold_rest(job, t, 0, n, rows);
    store_tile(job, t, rows.value(job.init));
  });
}

/// Every segment scanned for itself; positions outside all segments are not written.
inline void run_segmented_scan(const cpu_rung& where, const scanning& whole,
                               const segment_list& segments) {
  detail::for_each_segment(where, whole, segments, [&](scanning& job, std::int64_t s, bool alone) {
    const std::int64_t begin = segments.begin(s), n = segments.end(s) - begin;
    if (n == 0) return;
    detail::move_to_segment(job, whole, begin, n, 0);
    for (int a = 0; a < whole.p.targets; a++)
      job.p.target[a] = whole.p.target[a] + begin * whole.p.folded[0].target[a];
    if (!alone) return run_scan(where, job);
    tile t{};
    t.columns = 1;
    scan_range(job, t, 0, n, static_cast<const std::byte*>(job.init), nullptr);
  });
}

}  // namespace rung::host
