// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Axes and segments of arrays in host memory on the GPU (gpu/lines_run.cuh). Both are lines there:
// the positions of one result of a reduction, or of one independent scan, side by side. The states
// of reductions come back here, where the CPU's own kernels make results of them.
#include "gpu_feed.hpp"
#include "on_gpu.hpp"

namespace rung::runtime {
namespace {

using axis_marks = std::array<bool, max_rank>;

/// Lines along the folded axes, kept axes and folded ones each in C order.
line_places places_along(const layout& shape, const axis_marks& folded) {
  std::int64_t length = 1;
  for (int d = 0; d < shape.rank; d++)
    if (folded[std::size_t(d)]) length *= shape.shape[std::size_t(d)];
  line_places p;
  std::int64_t in_line = 1, between = length;
  for (std::size_t d = std::size_t(shape.rank); d-- > 0;) {
    const std::int64_t n = shape.shape[d];
    std::int64_t& step = folded[d] ? in_line : between;
    if (n == 1) continue;
    auto& last = p.loops[std::size_t(std::max(p.count - 1, 0))];
    if (p.count > 0 && last.step * last.length == step) last.length *= n;
    else p.loops[std::size_t(p.count++)] = {n, step};
    step *= n;
  }
  if (p.count == 1 && p.loops[0].step == 1) p.count = 0;
  return p;
}

/// Where results go: those of lines first .. first + n - 1, n of them along the plan's kept loops.
class line_results {
 public:
  /// counts[s]: how many values line s has; none given: all of them p.length.
  line_results(const job_parts& parts, const rung_options& o, const host::plan& p,
               std::span<const std::int64_t> offsets)
      : parts_(parts), cores_(cpu_rung{}.with_threads(o.threads)), p_(p), offsets_(offsets) {}

  void operator()(std::int64_t first, std::int64_t n, const void* states) const {
    constexpr std::int64_t piece = 1 << 14;
    host::for_each_task(cores_, std::size_t((n + piece - 1) / piece), [&](std::size_t i) {
      const std::int64_t begin = std::int64_t(i) * piece, end = std::min(n, begin + piece);
      put(first + begin, end - begin, static_cast<const std::byte*>(states) + bytes(begin));
    });
  }

 private:
  std::int64_t bytes(std::int64_t lines) const {
    return lines * std::int64_t(find_fold(parts_.how.kernel, parts_.how.held)->state_size);
  }
  /// Along rows of the innermost loop; where the result depends on a segment's length, one by one.
  void put(std::int64_t line, std::int64_t n, const std::byte* states) const {
    const host::loop& inner = p_.inner_kept();
    const bool counts = parts_.store.kernel.counts && !offsets_.empty();
    while (n > 0) {
      const std::int64_t row = line / inner.length, column = line % inner.length,
                         m = counts ? 1 : std::min(n, inner.length - column);
      const host::offsets at = host::outer_offsets(p_, row);
      std::array<place, host::max_arrays> to;
      for (std::size_t t = 0; t < std::size_t(p_.targets); t++)
        to[t] = {p_.target[t] + at.target[t] + column * inner.target[t], 0, inner.target[t]};
      const auto s = std::size_t(line);
      const std::int64_t count = counts ? offsets_[s + 1] - offsets_[s] : p_.length;
      parts_.store.kernel.store(parts_.store.facts, states, m, 1, std::size_t(m), to.data(), count);
      line += m, n -= m, states += bytes(m);
    }
  }

  const job_parts& parts_;
  cpu_rung cores_;
  const host::plan& p_;
  std::span<const std::int64_t> offsets_;
};

/// What all lines have in common.
void describe_lines(gpu_lines_job& job, const job_parts& parts, const rung_options& o,
                    const array_refs& in) {
  expect_one_gpu(o, "what goes along axes or by segments");
  describe(job, parts, o, in);
  job.init = parts.init;
}
void describe_axes(gpu_lines_job& job, const job_parts& parts, const rung_options& o,
                   const array_refs& in, const axis_marks& folded) {
  describe_lines(job, parts, o, in);
  job.places = places_along(in.shape(), folded);
  job.length = 1;
  for (int d = 0; d < in.shape().rank; d++)
    if (folded[std::size_t(d)]) job.length *= in.shape().shape[std::size_t(d)];
  job.lines = job.count / job.length;
}
void describe_segments(gpu_lines_job& job, const job_parts& parts, const rung_options& o,
                       const array_refs& in, std::span<const std::int64_t> offsets) {
  describe_lines(job, parts, o, in);
  job.lines = std::int64_t(offsets.size()) - 1;
  job.fill_offsets = [offsets](std::int64_t first, std::int64_t n, std::int64_t* to) {
    std::memcpy(to, offsets.data() + first, std::size_t(n) * sizeof(std::int64_t));
  };
}
/// Of a scan to out, entries from `begin` to `end` as positions of the line, or all.
void describe_scan(gpu_lines_job& job, const job_parts& parts, const rung_options& o,
                   const host::array_ref& out, std::int64_t begin, std::int64_t end,
                   bool& written) {
  job.scan = true, job.exclusive = o.exclusive != 0, job.result = parts.how.result;
  job.drain = [&out, begin, end, &written, cores = cpu_rung{}.with_threads(o.threads)](
                  std::int64_t first, std::int64_t n, const void* from) {
    const std::int64_t b = std::max(begin, first), e = std::min(end, first + n);
    if (b >= e) return;
    written = true;
    const auto* const bytes = static_cast<const std::byte*>(from);
    copy<true>(cores, out, b, e - b, bytes + std::size_t(b - first) * out.element_size);
  };
}

void run(const gpu_lines_job& job) {
  try {
    run_lines_on_gpu(job);
  } catch (const error& e) {
    if (e.code() != error_code::no_memory) throw;
    fail(error_code::no_memory,
         "rung: cuda holds all " + std::to_string(job.count) +
             " values at a time where it works along axes or on segments, and the GPU has not "
             "enough memory for that, which the cpu does not need: " +
             e.what());
  }
  note_gpu_run(job);
}

}  // namespace

void reduce_axes_on_gpu(const job_parts& parts, const rung_options& o, const array_refs& in,
                        const axis_marks& folded, std::span<const host::array_ref> results) {
  gpu_lines_job job;
  describe_axes(job, parts, o, in, folded);
  // The input as the GPU has it: kept loops in C order.
  const host::array_ref dense{nullptr, layout(in.shape().lengths(), 1), 1};
  const host::plan p = host::make_plan(in.shape(), folded, {&dense, 1}, results, false);
  const line_results put(parts, o, p, {});
  job.take = [&](std::int64_t first, std::int64_t n, const void* states) { put(first, n, states); };
  alignas(64) std::byte nothing[64]{};  // every line has values
  job.nothing = nothing;
  run(job);
}

void scan_axis_on_gpu(const job_parts& parts, const rung_options& o, const array_refs& in,
                      const axis_marks& folded, const host::array_ref& out, bool& written) {
  gpu_lines_job job;
  describe_axes(job, parts, o, in, folded);
  describe_scan(job, parts, o, out, 0, job.count, written);
  alignas(64) std::byte nothing[64]{};
  job.nothing = nothing;
  run(job);
}

void reduce_segments_on_gpu(const job_parts& parts, const rung_options& o, const array_refs& in,
                            std::span<const std::int64_t> offsets, const void* nothing,
                            std::span<const host::array_ref> results) {
  gpu_lines_job job;
  describe_segments(job, parts, o, in, offsets);
  host::plan p;
  p.results = job.lines, p.targets = int(results.size()), p.kept.count = 1;
  p.kept[0] = {.length = job.lines, .source = {}, .target = {}};
  for (std::size_t t = 0; t < results.size(); t++)
    p.target[t] = results[t].data, p.kept[0].target[t] = results[t].shape.strides[0];
  const line_results put(parts, o, p, offsets);
  job.take = [&](std::int64_t first, std::int64_t n, const void* states) { put(first, n, states); };
  job.nothing = nothing;
  run(job);
}

void scan_segments_on_gpu(const job_parts& parts, const rung_options& o, const array_refs& in,
                          std::span<const std::int64_t> offsets, const host::array_ref& out,
                          bool& written) {
  gpu_lines_job job;
  describe_segments(job, parts, o, in, offsets);
  describe_scan(job, parts, o, out, offsets.front(), offsets.back(), written);
  alignas(64) std::byte nothing[64]{};  // an empty segment has no entries
  job.nothing = nothing;
  run(job);
}

}  // namespace rung::runtime
