// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Codes and arrays in, plans and kernels out: reduce and scan for types and operators known at run
// time.
#include "in_gpu_memory.hpp"
#include "on_gpu.hpp"

namespace rung::runtime {
namespace {

/// What ran last in this thread; the text of a kernel is made when somebody asks, since a call on a
/// few values would take notably longer with it.
struct run_note {
  std::string text;
  bool is_kernel = false, is_resident = false;
  kernel_op kernel{};
  packed held{};
  int threads = 0;
};
thread_local run_note last_run;

/// Whether all axes are folded that have a length.
bool is_whole(const layout& shape, const std::array<bool, max_rank>& folded) {
  for (int d = 0; d < shape.rank; d++)
    if (!folded[std::size_t(d)] && shape.shape[std::size_t(d)] != 1) return false;
  return true;
}

}  // namespace

void expect_output(const result_form& want, const rung_array& out) {
  const extents shape(out.shape, std::size_t(std::max(out.rank, 0))),
      wanted(want.shape.data(), std::size_t(want.rank));
  if (out.type != want.type)
    fail(error_code::bad_argument, std::string("rung: the result is ") + rung_type_name(want.type) +
                                       ", the output " + rung_type_name(out.type));
  if (!std::ranges::equal(shape, wanted))
    fail(error_code::bad_argument, "rung: the result has shape " + detail::shape_text(wanted) +
                                       ", the output " + detail::shape_text(shape));
  if (out.swapped)
    fail(error_code::bad_argument, "rung: outputs are written in this machine's byte order only");
}

void turn_round(host::array_ref& array, const std::array<bool, max_rank>& axes) {
  for (int d = 0; d < array.shape.rank; d++) {
    const std::size_t axis = std::size_t(d);
    if (!axes[axis] || array.shape.shape[axis] == 0) continue;
    array.data += (array.shape.shape[axis] - 1) * array.shape.strides[axis];
    array.shape.strides[axis] = -array.shape.strides[axis];
  }
}

/// The part of an output that one plane of results goes to (minmax has two).
host::array_ref plane_of(const host::array_ref& out, int plane, int planes) {
  if (planes == 1) return out;
  host::array_ref p = out;
  p.data += plane * out.shape.strides[0];
  p.shape.rank--;
  for (int d = 0; d < p.shape.rank; d++)
    p.shape.shape[d] = out.shape.shape[d + 1], p.shape.strides[d] = out.shape.strides[d + 1];
  return p;
}

/// An input and an output may be one array only in a scan, and only if elements are the same size.
void check_memory(const array_refs& in, const host::array_ref& out, bool same_is_fine) {
  host::check_distinct(out);
  for (const auto& i : in.all()) host::check_overlap(i, out, same_is_fine);
}

host::array_ref to_ref(const rung_array& a, const char* name) {
  if (a.rank < 0 || a.rank > max_rank + 1)
    fail(error_code::bad_argument, std::string("rung: ") + name + " has rank " +
                                       std::to_string(a.rank) + "; 0 to 16 are possible");
  const std::size_t size = rung_type_size(a.type);
  if (size == 0)
    fail(error_code::bad_type, std::string("rung: ") + name + " has an unknown element type");
  if (a.rank > 0 && !a.shape)
    fail(error_code::bad_argument, std::string("rung: ") + name + " has no shape");
  const extents shape(a.shape, std::size_t(a.rank));
  host::array_ref r{static_cast<std::byte*>(a.data), layout(shape, size), size};
  for (int d = 0; a.strides && d < a.rank; d++) r.shape.strides[std::size_t(d)] = a.strides[d];
  if (!a.data && r.shape.size() > 0)
    fail(error_code::bad_argument, std::string("rung: ") + name + " has no data");
  return r;
}

std::array<bool, max_rank> folded_axes(const rung_options& o, const layout& shape) {
  if (o.axis_count < 0) return axes().marked(shape.lengths());
  if (o.axis_count > 0 && !o.axes) fail(error_code::bad_argument, "rung: axis_count without axes");
  if (o.axis_count > max_rank)
    fail(error_code::bad_argument,
         "rung: " + std::to_string(o.axis_count) + " axes given, at most 16 are supported");
  std::array<std::int64_t, max_rank> list{};
  for (int i = 0; i < o.axis_count; i++) list[std::size_t(i)] = o.axes[i];
  return axes(std::span<const std::int64_t>(list.data(), std::size_t(o.axis_count)))
      .marked(shape.lengths());
}

cpu_rung where(const rung_options& o) {
  return {.threads = o.threads, .progress = o.progress, .progress_context = o.progress_context};
}

const void* initial_state(const recipe& r, const rung_options& o, std::span<std::byte> memory) {
  if (!o.init) return nullptr;
  if (!r.takes_init)
    fail(error_code::bad_argument,
         std::string("rung: ") + rung_op_name(r.op) + " takes no initial value");
  packed_value v;
  if (r.read == meaning::nonzero && r.kernel != kernel_op::plus) {  // any, all
    const bool set = visit(o.init_type, [&](auto t) {
      return is_nonzero(*static_cast<const typename decltype(t)::type*>(o.init));
    });
    v = packed_value(std::int64_t(set));
  } else v = to_packed(o.init_type, o.init, r.held);
  lift_value(r.kernel, r.held, v, memory.data());
  return memory.data();
}

void note_kernel(const recipe& r, const rung_options& o) {
  last_run.is_kernel = true, last_run.is_resident = false;
  last_run.kernel = r.kernel, last_run.held = r.held, last_run.threads = o.threads;
}
void note_resident(const recipe& r) {
  last_run.is_kernel = last_run.is_resident = true, last_run.held = r.held;
}
void note_run(std::string text) { last_run.is_kernel = false, last_run.text = std::move(text); }
const char* last_kernel() {
  if (last_run.is_kernel && last_run.is_resident)
    note_run(std::string("cuda, ") + rung_type_name(code_of(last_run.held)) +
             " states, arrays in GPU memory");
  if (last_run.is_kernel)
    note_run(std::string("cpu, ") + rung_type_name(code_of(last_run.held)) + " states, " +
             simd_target(last_run.kernel, last_run.held) + ", " +
             std::to_string(host::worker_count(cpu.with_threads(last_run.threads))) + " threads");
  return last_run.text.c_str();
}

result_form find_result(rung_op op, const rung_array& a, const rung_array* b,
                        const rung_options& o) {
  const array_refs in(a, b);
  const recipe r = find_recipe(op, a.type, b ? &b->type : nullptr, o);
  if (rung_op_is_scan(op) && o.axis_count >= 0 && o.axis_count != 1)
    fail(error_code::bad_argument, std::string("rung: ") + rung_op_name(op) +
                                       " works along one axis, or without one over all values");
  const auto folded = folded_axes(o, in.shape());
  result_form form{.type = r.result};
  if (rung_op_is_scan(op)) {
    if (o.axis_count < 0) form.rank = 1, form.shape[0] = in.shape().size();
    else
      for (const std::int64_t n : in.shape().lengths()) form.shape[std::size_t(form.rank++)] = n;
    return form;
  }
  if (o.exclusive || o.reverse)
    fail(error_code::bad_argument, std::string("rung: ") + rung_op_name(op) +
                                       " is no scan and cannot be " +
                                       (o.exclusive ? "exclusive" : "reversed"));
  if (r.planes > 1) form.shape[std::size_t(form.rank++)] = r.planes;
  const layout reduced = host::reduced_shape(in.shape(), folded, o.keepdims != 0);
  for (const std::int64_t n : reduced.lengths()) form.shape[std::size_t(form.rank++)] = n;
  if (r.needs_values && reduced.size() > 0 && in.shape().size() == 0 && !(o.init && r.takes_init))
    host::fail_empty(in.shape(), folded, rung_op_name(op));
  return form;
}

void reduce(rung_op op, const rung_array& a, const rung_array* b, const rung_options& o,
            const rung_array& out) {
  if (rung_op_is_scan(op))
    fail(error_code::bad_argument, std::string("rung: ") + rung_op_name(op) + " is a scan");
  expect_output(find_result(op, a, b, o), out);
  const array_refs in(a, b);
  const recipe r = find_recipe(op, a.type, b ? &b->type : nullptr, o);
  const auto folded = folded_axes(o, in.shape());
  const host::array_ref target = to_ref(out, "the output");
  check_memory(in, target, false);
  std::array<host::array_ref, 2> spread;
  for (int p = 0; p < r.planes; p++)
    spread[std::size_t(p)] = host::spread_output(plane_of(target, p, r.planes), in.shape(), folded);

  if (is_in_gpu_memory(o))
    return reduce_in_gpu_memory(r, o, in, folded, {spread.data(), std::size_t(r.planes)});
  job_parts parts(r, o, in);
  if (runs_on_gpu(r, o, in)) {
    std::array<place, 2> results;
    for (int p = 0; p < r.planes; p++)
      results[std::size_t(p)] = {plane_of(target, p, r.planes).data, 0, 0};
    try {
      if (is_whole(in.shape(), folded))
        return reduce_on_gpu(parts, o, in, {results.data(), std::size_t(r.planes)});
      return reduce_axes_on_gpu(parts, o, in, folded, {spread.data(), std::size_t(r.planes)});
    } catch (const error& e) {
      if (!has_another_way(o, e)) throw;
    }
  }
  host::reduction job;
  parts.fill(job);
  parts.take_stored(job, in);
  job.p = host::make_plan(in.shape(), folded, in.all(), {spread.data(), std::size_t(r.planes)},
                          job.fold->any_order && !job.fold->positional);
  host::run_reduce(where(o), job);
}

void scan(rung_op op, const rung_array& a, const rung_options& o, const rung_array& out) {
  if (!rung_op_is_scan(op))
    fail(error_code::bad_argument, std::string("rung: ") + rung_op_name(op) + " is no scan");
  expect_output(find_result(op, a, nullptr, o), out);
  array_refs in(a, nullptr);
  const recipe r = find_recipe(op, a.type, nullptr, o);
  host::array_ref target = to_ref(out, "the output");
  check_memory(in, target, true);
  const bool in_place = in.refs[0].data == target.data;
  if (in_place && a.swapped)
    fail(error_code::overlap, "rung: an array in another byte order cannot be scanned in place");
  if (o.axis_count < 0) target.shape = host::flat_strides(in.shape(), target.shape.strides[0]);

  const auto folded = folded_axes(o, in.shape());
  if (o.reverse)
    for (host::array_ref* array : {&in.refs[0], &target}) turn_round(*array, folded);

  if (is_in_gpu_memory(o)) return scan_in_gpu_memory(r, o, in, folded, target);
  job_parts parts(r, o, in);
  if (runs_on_gpu(r, o, in)) {
    bool written = false;
    try {
      if (is_whole(in.shape(), folded)) return scan_on_gpu(parts, o, in, target, written);
      return scan_axis_on_gpu(parts, o, in, folded, target, written);
    } catch (const error& e) {  // what was overwritten cannot be scanned again
      if ((in_place && written) || !has_another_way(o, e)) throw;
    }
  }
  host::scanning job;
  parts.fill(job);
  job.scan = find_scan(r.kernel, r.held), job.entry_size = job.fold->state_size;
  parts.take_stored(job, in);
  job.exclusive = o.exclusive != 0, job.in_place = in_place;
  job.p = host::make_plan(in.shape(), folded, in.all(), {&target, 1}, false);
  host::run_scan(where(o), job);
}

}  // namespace rung::runtime
