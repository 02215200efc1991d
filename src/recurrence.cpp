// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear recurrences behind the C functions: the scan of the maps x -> a x + b. Data flow: elements
// of a and b --converted, put side by side--> maps --scan--> composed maps --their b--> results.
// The maps of a block stay in L1.
#include <rung/cpu/generic_scan.hpp>

#include "gpu/resident.hpp"
#include "guarded.hpp"
#include "in_gpu_memory.hpp"
#include "on_gpu.hpp"

namespace rung::runtime {
namespace {

struct recurrence_type {
  packed held;
  rung_type result;
};

recurrence_type find_type(rung_type a, rung_type b, const rung_options& o) {
  rung_type t = promote(a, b);
  const bool accumulate = o.accumulate >= 0;
  if (accumulate) {
    const rung_type wide = rung_type(o.accumulate);
    if (rung_type_size(wide) == 0 || wide == RUNG_BOOL || (is_integer(wide) && !is_integer(t)) ||
        (is_complex_type(t) && !is_complex_type(wide)))
      fail(error_code::bad_type, std::string("rung: a linear recurrence of ") + rung_type_name(t) +
                                     " values cannot be accumulated in that type");
    t = wide;
  }
  const packed held = accumulator_of(t);
  return {held, is_integer(t) && !accumulate ? code_of(held) : t};
}

/// f(tag<P>) for the types that maps are made of; signed and unsigned integers are the same bits.
template <class F>
void visit_parts(packed held, const F& f) {
  switch (held) {
    case packed::f32:
      return f(tag<float>{});
    case packed::f64:
      return f(tag<double>{});
    case packed::i64:
    case packed::u64:
      return f(tag<std::int64_t>{});
    case packed::c64:
      return f(tag<complex<float>>{});
    case packed::c128:
      return f(tag<complex<double>>{});
  }
}

constexpr std::size_t batch = 256;  // values converted at a time

struct map_load {
  loader parts[2];

  template <class P>
  static void load(const void* context, const host::place* from, std::size_t rows,
                   std::size_t columns, void* values, std::ptrdiff_t stride) {
    const auto& self = *static_cast<const map_load*>(context);
    P part[2][batch];
    for (std::size_t r = 0; r < rows; r++)
      for (std::size_t begin = 0; begin < columns; begin += batch) {
        const std::size_t n = std::min(batch, columns - begin);
        for (int k = 0; k < 2; k++) {
          host::place at = from[k];
          at.data = static_cast<std::byte*>(at.data) + std::ptrdiff_t(r) * at.row +
                    std::ptrdiff_t(begin) * at.column;
          self.parts[k].kernel.load(self.parts[k].facts, &at, 1, n, part[k], std::ptrdiff_t(n));
        }
        auto* to = static_cast<affine_map<P>*>(values) + std::ptrdiff_t(r) * stride + begin;
        for (std::size_t i = 0; i < n; i++) to[i] = {part[0][i], part[1][i]};
      }
  }
};

template <class P>
void store_values(const void* context, const void* states, std::ptrdiff_t stride, std::size_t rows,
                  std::size_t columns, const host::place* to, std::int64_t count) {
  const auto& inner = *static_cast<const storer*>(context);
  P value[batch];
  for (std::size_t r = 0; r < rows; r++)
    for (std::size_t begin = 0; begin < columns; begin += batch) {
      const std::size_t n = std::min(batch, columns - begin);
      const auto* from =
          static_cast<const affine_map<P>*>(states) + std::ptrdiff_t(r) * stride + begin;
      for (std::size_t i = 0; i < n; i++) value[i] = canonical(from[i].b);
      const host::place at{static_cast<std::byte*>(to->data) + std::ptrdiff_t(r) * to->row +
                               std::ptrdiff_t(begin) * to->column,
                           to->row, to->column};
      inner.kernel.store(inner.facts, value, std::ptrdiff_t(n), 1, n, &at, count);
    }
}

void recurrence_in_gpu_memory(const array_refs& in, const std::array<bool, max_rank>& folded,
                              const host::array_ref& target, const recurrence_type& type,
                              const rung_options& o) {
  recipe how{};
  how.held = type.held, how.result = type.result;
  recurrence_call call{.common = {.how = how}, .held = type.held, .result = type.result};
  alignas(64) std::byte start[64];
  visit_parts(type.held, [&](auto part) {
    using P = typename decltype(part)::type;
    if (!o.init) return;
    new (start) affine_map<P>{P(0), to_packed(o.init_type, o.init, type.held).template as<P>()};
    call.common.init = start;
  });
  call.common.gpu = o.gpu, call.common.stream = o.stream;
  call.common.arrays = 2, call.common.in = in.refs, call.common.types = in.types;
  call.common.folded = folded, call.common.out[0] = target;
  recurrence_resident(call);
  note_resident(how);
}

void recurrence(const rung_array& a, const rung_array& b, const rung_options& o,
                const rung_array& out) {
  array_refs in(a, &b);
  const recurrence_type type = find_type(a.type, b.type, o);
  if (o.exclusive || o.skip_nan)
    fail(error_code::bad_argument, "rung: a linear recurrence is neither exclusive nor skips NaN");
  if (o.axis_count >= 0 && o.axis_count != 1)
    fail(error_code::bad_argument, "rung: a linear recurrence runs along one axis");
  if (!is_in_gpu_memory(o)) expect_cpu(o, "a linear recurrence");
  const auto folded = folded_axes(o, in.shape());
  result_form form{.type = type.result};
  if (o.axis_count < 0) form.rank = 1, form.shape[0] = in.shape().size();
  else
    for (const std::int64_t n : in.shape().lengths()) form.shape[std::size_t(form.rank++)] = n;
  expect_output(form, out);
  host::array_ref target = to_ref(out, "the output");
  check_memory(in, target, true);
  bool in_place = false;
  for (const rung_array* i : {&a, &b}) {
    in_place = in_place || i->data == out.data;
    if (i->data == out.data && i->swapped)
      fail(error_code::overlap, "rung: an array in another byte order cannot be scanned in place");
  }
  if (o.axis_count < 0) target.shape = host::flat_strides(in.shape(), target.shape.strides[0]);
  if (o.reverse)
    for (host::array_ref* array : {&in.refs[0], &in.refs[1], &target}) turn_round(*array, folded);

  if (is_in_gpu_memory(o)) return recurrence_in_gpu_memory(in, folded, target, type, o);
  map_load load;
  for (std::size_t k = 0; k < 2; k++)
    make_load(load.parts[k], {&in.types[k], 1}, type.held, meaning::value);
  storer store;
  make_store(store, RUNG_CUMSUM, kernel_op::plus, type.held, outcome::state, type.result, 0);
  visit_parts(type.held, [&](auto part) {
    using P = typename decltype(part)::type;
    using map = affine_map<P>;
    static constexpr host::fold_kernels fold = host::generic::make_fold<affine, map>();
    static constexpr host::scan_kernels kernels = host::generic::make_scan<affine, map>();
    static constexpr affine op{};
    const map start{P(0),
                    o.init ? to_packed(o.init_type, o.init, type.held).template as<P>() : P(0)};
    host::scanning job;
    job.op = &op, job.fold = &fold, job.scan = &kernels, job.entry_size = sizeof(map);
    job.load = {.arrays = 2,
                .element_size = {in.refs[0].element_size, in.refs[1].element_size},
                .direct = false,
                .load = map_load::load<P>};
    job.load_context = &load;
    job.store = {.arrays = 1,
                 .element_size = {target.element_size},
                 .direct = false,
                 .store = store_values<P>};
    job.store_context = &store;
    job.init = o.init ? &start : nullptr, job.in_place = in_place;
    job.p = host::make_plan(in.shape(), folded, in.all(), {&target, 1}, false);
    host::run_scan(where(o), job);
  });
  note_run("cpu, linear recurrence in " + std::string(rung_type_name(code_of(type.held))));
}

}  // namespace
}  // namespace rung::runtime

using namespace rung::runtime;

extern "C" {

int rung_recurrence_type(rung_type a, rung_type b, const rung_options* options, rung_type* type) {
  return guarded([&] {
    if (rung_type_size(a) == 0 || rung_type_size(b) == 0)
      rung::fail(rung::error_code::bad_type, "rung: there is no such element type");
    *type = find_type(a, b, checked_options(options)).result;
  });
}

int rung_linear_recurrence(const rung_array* a, const rung_array* b, const rung_options* options,
                           const rung_array* out) {
  return guarded([&] {
    recurrence(required(a, "the first input"), required(b, "the second input"),
               checked_options(options), required(out, "the output"));
  });
}

}  // extern "C"
