// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments and groups behind the C functions. Values that stand in another order are gathered
// first, a scan's results are scattered back, so one driver serves offsets, runs and groups.
#include <rung/cpu/by_key.hpp>

#include "exact.hpp"
#include "guarded.hpp"
#include "in_gpu_memory.hpp"
#include "on_gpu.hpp"

namespace rung::runtime {
namespace {

void expect_line(const rung_array& a, const char* name) {
  if (to_ref(a, name).shape.rank != 1)
    fail(error_code::bad_argument,
         std::string("rung: with segments, ") + name + " must be one-dimensional");
}

/// The offsets as int64, whatever integers they are.
std::vector<std::int64_t> read_integers(const rung_array& a, const char* name) {
  expect_line(a, name);
  if (!is_integer(a.type) || a.type == RUNG_BOOL || a.type == RUNG_U64)
    fail(error_code::bad_type, std::string("rung: ") + name +
                                   " must be signed integers, or unsigned ones up to u32, not " +
                                   rung_type_name(a.type));
  const host::array_ref ref = to_ref(a, name);
  std::vector<std::int64_t> v(std::size_t(ref.shape.shape[0]));
  loader l;
  const source_type source{a.type, a.swapped != 0};
  make_load(l, {&source, 1}, packed::i64, meaning::value);
  const place from{ref.data, 0, ref.shape.strides[0]};
  if (!v.empty()) l.kernel.load(l.facts, &from, 1, v.size(), v.data(), std::ptrdiff_t(v.size()));
  return v;
}

/// Elements in another order: to[k] = from[order[k]], or with scatter to[order[k]] = from[k].
struct reordered {
  std::vector<std::byte> bytes;
  std::int64_t length = 0;
  rung_array array{};

  reordered(const rung_array& like, std::int64_t n)
      : bytes(std::size_t(n) * rung_type_size(like.type)), length(n), array(like) {
    array.data = bytes.data(), array.shape = &length, array.strides = nullptr, array.rank = 1;
  }
};
std::byte* element_at(const host::array_ref& a, std::int64_t i) {
  return a.data + i * a.shape.strides[0];
}

void check_order(std::span<const std::int64_t> order, std::int64_t n) {
  for (std::size_t k = 0; k < order.size(); k++)
    if (order[k] < 0 || order[k] >= n)
      fail(error_code::bad_argument, "rung: position " + std::to_string(order[k]) + " at index " +
                                         std::to_string(k) + " of the order lies outside the " +
                                         std::to_string(n) + " values");
}

result_form segmented_form(rung_op op, const rung_array& a, const rung_options& o,
                           std::int64_t count) {
  const recipe r = find_recipe(op, a.type, nullptr, o);
  result_form form{.type = r.result};
  if (rung_op_is_scan(op)) form.rank = 1, form.shape[0] = a.shape[0];
  else {
    if (r.planes > 1) form.shape[std::size_t(form.rank++)] = r.planes;
    form.shape[std::size_t(form.rank++)] = count;
  }
  return form;
}

/// Where the planes of a segmented call's result go.
std::array<host::array_ref, 2> planes_of(const recipe& r, const rung_array& out) {
  const host::array_ref target = to_ref(out, "the output");
  std::array<host::array_ref, 2> planes;
  for (int p = 0; p < r.planes; p++) planes[std::size_t(p)] = plane_of(target, p, r.planes);
  return planes;
}

/// Arrays in GPU memory, whose numbers nobody here can look at.
void segmented_in_gpu_memory(rung_op op, const rung_array& a, const rung_array& offsets,
                             const rung_array* order, const rung_options& o,
                             const rung_array& out) {
  expect_line(a, "the input");
  expect_line(offsets, "the offsets");
  const recipe r = find_recipe(op, a.type, nullptr, o);
  const std::int64_t count = std::max<std::int64_t>(offsets.shape[0] - 1, 0);
  expect_output(segmented_form(op, a, o, count), out);
  const array_refs in(a, nullptr);
  check_memory(in, to_ref(out, "the output"), rung_op_is_scan(op));
  const auto planes = planes_of(r, out);
  segments_in_gpu_memory(r, o, in, offsets, order, {planes.data(), std::size_t(r.planes)});
}

/// What a segmented call works on: the values in the order of the segments, and the segments.
struct line {
  std::vector<std::int64_t> offsets, order;
  std::unique_ptr<reordered> gathered;
  rung_array values;
  host::segment_list segments;

  line(const rung_array& a, const rung_array& offsets_in, const rung_array* order_in,
       const rung_options& o)
      : values(a) {
    expect_line(a, "the input");
    offsets = read_integers(offsets_in, "the offsets");
    if (order_in) {
      order = read_integers(*order_in, "the order");
      check_order(order, a.shape[0]);
      gathered = std::make_unique<reordered>(a, std::int64_t(order.size()));
      const host::array_ref from = to_ref(a, "the input");
      const std::size_t size = from.element_size;
      for (std::size_t k = 0; k < order.size(); k++)
        std::memcpy(gathered->bytes.data() + k * size, element_at(from, order[k]), size);
      values = gathered->array;
    }
    segments = host::make_segments(std::span<const std::int64_t>(offsets));
    host::check_segments(where(o), segments, values.shape[0]);
  }
};

}  // namespace

void segmented_reduce(rung_op op, const rung_array& a, const rung_array& offsets,
                      const rung_array* order, const rung_options& o, const rung_array& out) {
  if (rung_op_is_scan(op))
    fail(error_code::bad_argument, std::string("rung: ") + rung_op_name(op) + " is a scan");
  if (is_in_gpu_memory(o)) return segmented_in_gpu_memory(op, a, offsets, order, o, out);
  const line l(a, offsets, order, o);
  const recipe r = find_recipe(op, a.type, nullptr, o);
  expect_output(segmented_form(op, a, o, l.segments.count), out);
  const host::array_ref target = to_ref(out, "the output");
  const array_refs in(a, nullptr);
  check_memory(in, target, false);
  const auto planes = planes_of(r, out);
  std::array<std::int64_t, 2> steps{};
  for (int p = 0; p < r.planes; p++)
    steps[std::size_t(p)] = planes[std::size_t(p)].shape.strides[0];
  const array_refs values(l.values, nullptr);
  job_parts parts(r, o, values);
  host::reduction job;
  parts.fill(job);
  alignas(64) std::byte nothing[most_state]{};
  if (job.fold->has_empty) job.fold->empty(job.op, nothing);
  const std::span<const host::array_ref> to(planes.data(), std::size_t(r.planes));
  if (l.segments.count > 0 && runs_on_gpu(r, o, values)) {
    try {
      return reduce_segments_on_gpu(parts, o, values, l.offsets, nothing, to);
    } catch (const error& e) {
      if (!has_another_way(o, e)) throw;
    }
  }
  job.p = host::make_line_plan(l.values.shape[0], values.all(), to, false);
  host::run_segmented_reduce(where(o), job, l.segments, {steps.data(), std::size_t(r.planes)},
                             nothing);
}

void segmented_scan(rung_op op, const rung_array& a, const rung_array& offsets,
                    const rung_array* order, const rung_options& o, const rung_array& out) {
  if (!rung_op_is_scan(op))
    fail(error_code::bad_argument, std::string("rung: ") + rung_op_name(op) + " is no scan");
  if (o.reverse) fail(error_code::bad_argument, "rung: segments are scanned forwards");
  if (is_in_gpu_memory(o)) return segmented_in_gpu_memory(op, a, offsets, order, o, out);
  const line l(a, offsets, order, o);
  const recipe r = find_recipe(op, a.type, nullptr, o);
  expect_output(segmented_form(op, a, o, l.segments.count), out);
  const host::array_ref target = to_ref(out, "the output");
  const array_refs in(a, nullptr);
  check_memory(in, target, true);
  std::unique_ptr<reordered> results;
  host::array_ref to = target;
  if (order) {
    results = std::make_unique<reordered>(out, l.values.shape[0]);
    to = to_ref(results->array, "the output");
  }
  const array_refs values(l.values, nullptr);
  job_parts parts(r, o, values);
  host::scanning job;
  parts.fill(job);
  job.scan = find_scan(r.kernel, r.held), job.entry_size = job.fold->state_size;
  job.exclusive = o.exclusive != 0, job.in_place = values.refs[0].data == to.data;
  job.p = host::make_line_plan(l.values.shape[0], values.all(), {&to, 1}, true);
  bool done = false, written = false;
  if (l.segments.count > 0 && runs_on_gpu(r, o, values)) {
    try {
      scan_segments_on_gpu(parts, o, values, l.offsets, to, written), done = true;
    } catch (const error& e) {  // what was overwritten cannot be scanned again
      if ((job.in_place && written) || !has_another_way(o, e)) throw;
    }
  }
  if (!done) host::run_segmented_scan(where(o), job, l.segments);
  // Positions outside all segments: the empty result.
  const std::int64_t n = l.values.shape[0], first = l.offsets.empty() ? n : l.offsets.front(),
                     last = l.offsets.empty() ? n : l.offsets.back();
  alignas(64) std::byte nothing[most_state]{};
  job.fold->empty(job.op, nothing);
  for (std::int64_t i = 0; i < n; i++) {
    if (i == first) i = last;
    if (i >= n) break;
    const place at{element_at(to, i), 0, 0};
    parts.store.kernel.store(parts.store.facts, nothing, 1, 1, 1, &at, 0);
  }
  if (!order) return;
  for (std::size_t k = 0; k < l.order.size(); k++)
    std::memcpy(element_at(target, l.order[k]), results->bytes.data() + k * target.element_size,
                target.element_size);
}

}  // namespace rung::runtime

using namespace rung;
using namespace rung::runtime;

struct rung_groups {
  rung_type type;
  bool swapped;
  std::vector<std::byte> keys;  // one per group, native byte order
  std::vector<std::int64_t> offsets, order;
};

namespace {

/// Keys side by side in native byte order, with comparisons in which NaN is the largest and equals
/// itself.
template <class T>
struct key_line {
  std::vector<T> keys;

  explicit key_line(const rung_array& a) : keys(std::size_t(a.shape[0])) {
    const host::array_ref ref = to_ref(a, "the keys");
    const std::size_t unit = is_complex<T> ? sizeof(T) / 2 : sizeof(T);
    for (std::size_t i = 0; i < keys.size(); i++) {
      std::byte e[sizeof(T)];
      std::memcpy(e, element_at(ref, std::int64_t(i)), sizeof(T));
      if (a.swapped)
        for (std::size_t u = 0; u < sizeof(T); u += unit) std::reverse(e + u, e + u + unit);
      std::memcpy(&keys[i], e, sizeof(T));
    }
  }
  static bool less_key(T a, T b) {
    if constexpr (is_complex<T>)
      return less_key(a.re, b.re) || (!less_key(b.re, a.re) && less_key(a.im, b.im));
    else if constexpr (is_half<T>) return less_key(float(a), float(b));
    else return is_nan(b) ? !is_nan(a) : a < b;
  }
  template <class U>
  static bool less_key(U a, U b) {
    return is_nan(b) ? !is_nan(a) : a < b;
  }
  bool less(std::int64_t i, std::int64_t j) const {
    return less_key(keys[std::size_t(i)], keys[std::size_t(j)]);
  }
  bool equal(std::int64_t i, std::int64_t j) const { return !less(i, j) && !less(j, i); }
};

}  // namespace

extern "C" {

int rung_segmented_reduce(rung_op op, const rung_array* a, const rung_array* offsets,
                          const rung_array* order, const rung_options* options,
                          const rung_array* out) {
  return guarded([&] {
    segmented_reduce(op, required(a, "the input"), required(offsets, "the offsets"), order,
                     checked_options(options), required(out, "the output"));
  });
}

int rung_segmented_scan(rung_op op, const rung_array* a, const rung_array* offsets,
                        const rung_array* order, const rung_options* options,
                        const rung_array* out) {
  return guarded([&] {
    segmented_scan(op, required(a, "the input"), required(offsets, "the offsets"), order,
                   checked_options(options), required(out, "the output"));
  });
}

int rung_group(const rung_array* keys, int32_t everywhere, const rung_options* options,
               rung_groups** groups) {
  return guarded([&] {
    const rung_array& k = required(keys, "the keys");
    if (to_ref(k, "the keys").shape.rank != 1)
      fail(error_code::bad_argument, "rung: keys must be one-dimensional");
    const rung_options asked = checked_options(options);
    expect_host_memory(asked, "the search for groups");
    if (asked.device == RUNG_CUDA) expect_gpu();  // where the groups' values will be folded
    const cpu_rung who = where(asked);
    auto g = std::make_unique<rung_groups>();
    g->type = k.type;
    rung::runtime::visit(k.type, [&](auto t) {
      using T = std::conditional_t<std::is_same_v<typename decltype(t)::type, bool>, unsigned char,
                                   typename decltype(t)::type>;
      const key_line<T> line(k);
      const std::int64_t n = std::int64_t(line.keys.size());
      if (everywhere)
        g->order =
            position_order(n, [&](std::int64_t i, std::int64_t j) { return line.less(i, j); });
      auto at = [&](std::int64_t i) { return everywhere ? g->order[std::size_t(i)] : i; };
      g->offsets =
          run_offsets(who, n, [&](std::int64_t i) { return !line.equal(at(i - 1), at(i)); });
      g->keys.resize((g->offsets.size() - 1) * sizeof(T));
      for (std::size_t r = 0; r + 1 < g->offsets.size(); r++)
        std::memcpy(g->keys.data() + r * sizeof(T), &line.keys[std::size_t(at(g->offsets[r]))],
                    sizeof(T));
    });
    *groups = g.release();
  });
}

int64_t rung_groups_count(const rung_groups* g) { return std::int64_t(g->offsets.size()) - 1; }
const int64_t* rung_groups_offsets(const rung_groups* g) { return g->offsets.data(); }
const int64_t* rung_groups_order(const rung_groups* g) {
  return g->order.empty() ? nullptr : g->order.data();
}

int rung_groups_keys(const rung_groups* g, const rung_array* out) {
  return guarded([&] {
    const host::array_ref to = to_ref(required(out, "the output"), "the output");
    if (out->type != g->type || to.shape.rank != 1 || to.shape.shape[0] != rung_groups_count(g))
      fail(error_code::bad_argument, "rung: the keys are " + std::to_string(rung_groups_count(g)) +
                                         " " + rung_type_name(g->type) + " values");
    for (std::int64_t r = 0; r < to.shape.shape[0]; r++)
      std::memcpy(element_at(to, r), g->keys.data() + std::size_t(r) * to.element_size,
                  to.element_size);
  });
}

void rung_groups_free(rung_groups* groups) { delete groups; }

}  // extern "C"
