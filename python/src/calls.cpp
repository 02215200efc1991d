// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans of NumPy arrays: borrow, ask for the result's form, allocate, compute
// without the interpreter lock. Whatever else there is (another array library, a type to convert
// to) goes through rung._general, which comes back here with NumPy arrays. A call on a few values
// takes about as long as NumPy's own, so nothing is looked up by name on the way.
#include "calls.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "options.hpp"

namespace rung::python {
namespace {

/// Short calls keep the lock: giving it up and getting it back may cost more than they take. Calls
/// on arrays in GPU memory are short.
constexpr std::int64_t few_values = 4096;
std::int64_t work_of(const borrowed& a) { return a.is_on_gpu() ? 0 : a.size(); }

template <class F>
int run(std::int64_t values, const F& f) {
  if (values < few_values) return f();
  const nb::gil_scoped_release released;
  return f();
}

struct result_form {
  rung_type type;
  std::int32_t rank;
  std::array<std::int64_t, 17> shape;
};

/// A NumPy array, or an array in GPU memory.
bool take_any(borrowed& array, nb::handle object) {
  return array.take(object) || array.take_gpu(object);
}
/// Where the results of a call on `in` go.
bool take_output(borrowed& out, nb::handle object, const borrowed& in) {
  if (in.is_on_gpu()) {
    if (!out.take_gpu(object)) return false;
    out.expect_beside(in);
    return true;
  }
  if (out.take(object, true)) return true;
  if (borrowed readable; readable.take(object))
    raise(PyExc_ValueError, "rung: the output array is read-only");
  return false;
}

/// A new array for the results of a call on x, which `to` borrows.
nb::object new_gpu_array(nb::handle x, const borrowed& a, const result_form& form, borrowed& to) {
  if (!a.has_library()) raise(PyExc_TypeError, "rung: results of a GpuArray need an output");
  nb::object result = new_array_like(x, a, form.type, form.rank, form.shape.data());
  if (!to.take_new(result, a)) raise(PyExc_TypeError, "rung: no new array in GPU memory");
  return result;
}

/// The general way with this call's arguments.
template <class... Args>
nb::object generally(const char* name, const Args&... args) {
  return names::get().general.attr(name)(args...);
}

}  // namespace

nb::object reduce(int code, nb::handle x, nb::handle second, nb::handle axis, bool keepdims,
                  nb::handle dtype, nb::handle accumulate, nb::handle out, nb::handle initial,
                  bool skipna, double ddof, int threads, bool exact) {
  const rung_op op = rung_op(code);
  const auto otherwise = [&] {
    return generally("reduce", code, x, second, axis, keepdims, dtype, accumulate, out, initial,
                     skipna, ddof, threads, exact);
  };
  borrowed a, b, to;
  const bool two = !second.is_none();
  if (!dtype.is_none() || !take_any(a, x) || (two && !b.take_like(a, second))) return otherwise();
  if (two) b.expect_beside(a);
  call_options o;
  a.put_place(o.raw);
  o.set_axis(axis), o.set_accumulate(accumulate), o.set_initial(initial), o.set_threads(threads);
  o.raw.keepdims = keepdims, o.raw.skip_nan = skipna, o.raw.ddof = ddof, o.raw.exact = exact;

  result_form form;
  const rung_array* beside = two ? b.get() : nullptr;
  check(rung_result(op, a.get(), beside, &o.raw, &form.type, &form.rank, form.shape.data()), &o.raw,
        a.rank());
  o.expect_initial_fits(form.type);
  const auto compute = [&](const rung_array* target) {
    check(run(work_of(a), [&] { return rung_reduce(op, a.get(), beside, &o.raw, target); }), &o.raw,
          a.rank());
  };
  if (!out.is_none()) {
    if (!take_output(to, out, a) || to.type() != form.type) return otherwise();
    compute(to.get());
    return nb::borrow(out);
  }
  if (a.is_on_gpu()) {
    nb::object result = new_gpu_array(x, a, form, to);
    compute(to.get());
    return result;
  }
  if (form.rank == 0) {
    alignas(16) std::byte value[16];
    const rung_array target{value, form.type, 0, 0, nullptr, nullptr};
    compute(&target);
    return scalar(form.type, value);
  }
  nb::object result = new_array(form.type, form.rank, form.shape.data());
  to.take(result, true);
  compute(to.get());
  return result;
}

nb::object scan(int code, nb::handle x, nb::handle axis, nb::handle dtype, nb::handle accumulate,
                nb::handle out, nb::handle initial, bool skipna, bool exclusive, bool reverse,
                int threads, bool exact) {
  const rung_op op = rung_op(code);
  const auto otherwise = [&] {
    return generally("scan", code, x, axis, dtype, accumulate, out, initial, skipna, exclusive,
                     reverse, threads, exact);
  };
  borrowed a, to;
  if (!dtype.is_none() || !take_any(a, x)) return otherwise();
  call_options o;
  a.put_place(o.raw);
  o.set_axis(axis), o.set_accumulate(accumulate), o.set_initial(initial), o.set_threads(threads);
  o.raw.skip_nan = skipna, o.raw.exclusive = exclusive, o.raw.reverse = reverse;
  o.raw.exact = exact;

  result_form form;
  check(rung_result(op, a.get(), nullptr, &o.raw, &form.type, &form.rank, form.shape.data()),
        &o.raw, a.rank());
  o.expect_initial_fits(form.type);
  nb::object result = nb::borrow(out);
  if (out.is_none() && a.is_on_gpu()) {
    result = new_gpu_array(x, a, form, to);
  } else if (out.is_none()) {
    result = new_array(form.type, form.rank, form.shape.data());
    to.take(result, true);
  } else if (!take_output(to, out, a) || to.type() != form.type) return otherwise();
  check(run(work_of(a), [&] { return rung_scan(op, a.get(), &o.raw, to.get()); }), &o.raw,
        a.rank());
  return result;
}

nb::object result_of(int code, nb::handle x, nb::handle second, nb::handle axis, bool keepdims,
                     nb::handle accumulate, nb::handle initial, bool skipna, bool exact) {
  borrowed a, b;
  const bool two = !second.is_none();
  if (!take_any(a, x) || (two && !b.take_like(a, second)))
    raise(PyExc_TypeError, "rung: no array that this module can read");
  call_options o;
  o.set_axis(axis), o.set_accumulate(accumulate), o.set_initial(initial);
  o.raw.keepdims = keepdims, o.raw.skip_nan = skipna, o.raw.exact = exact;
  result_form form;
  check(rung_result(rung_op(code), a.get(), two ? b.get() : nullptr, &o.raw, &form.type, &form.rank,
                    form.shape.data()),
        &o.raw, a.rank());
  const nb::object shape = nb::steal(PyTuple_New(form.rank));
  for (int d = 0; d < form.rank; d++)
    PyTuple_SetItem(shape.ptr(), d, PyLong_FromLongLong(form.shape[std::size_t(d)]));
  return nb::make_tuple(int(form.type), shape);
}

void segmented(int code, nb::handle x, nb::handle offsets, nb::handle order, nb::handle accumulate,
               nb::handle out, nb::handle initial, bool skipna, double ddof, bool exclusive,
               int threads, bool exact) {
  const rung_op op = rung_op(code);
  borrowed a, cuts, positions, to;
  const bool ordered = !order.is_none();
  if (!take_any(a, x) || !cuts.take_like(a, offsets) || (ordered && !positions.take_like(a, order)))
    raise(PyExc_TypeError, "rung: no array that this module can read");
  cuts.expect_beside(a);
  if (ordered) positions.expect_beside(a);
  call_options o;
  a.put_place(o.raw);
  o.set_accumulate(accumulate), o.set_initial(initial), o.set_threads(threads);
  o.raw.skip_nan = skipna, o.raw.ddof = ddof, o.raw.exclusive = exclusive;
  o.raw.exact = exact;
  if (!take_output(to, out, a)) raise(PyExc_TypeError, "rung: the output is no array of its kind");
  o.expect_initial_fits(to.type());
  const std::int64_t count = work_of(a) + work_of(cuts);
  const rung_array* places = ordered ? positions.get() : nullptr;
  check(run(count, [&] {
    return rung_op_is_scan(op)
               ? rung_segmented_scan(op, a.get(), cuts.get(), places, &o.raw, to.get())
               : rung_segmented_reduce(op, a.get(), cuts.get(), places, &o.raw, to.get());
  }));
}

int recurrence_type(nb::handle a, nb::handle b, nb::handle accumulate) {
  borrowed left, right;
  if (!take_any(left, a) || !right.take_like(left, b))
    raise(PyExc_TypeError, "rung: no array that this module can read");
  call_options o;
  o.set_accumulate(accumulate);
  rung_type type;
  check(rung_recurrence_type(left.type(), right.type(), &o.raw, &type));
  return int(type);
}

void recurrence(nb::handle a, nb::handle b, nb::handle axis, nb::handle accumulate, nb::handle out,
                nb::handle initial, bool reverse, int threads) {
  borrowed left, right, to;
  if (!take_any(left, a) || !right.take_like(left, b))
    raise(PyExc_TypeError, "rung: no array that this module can read");
  right.expect_beside(left);
  if (!take_output(to, out, left))
    raise(PyExc_TypeError, "rung: the output is no array of its kind");
  call_options o;
  left.put_place(o.raw);
  o.set_axis(axis), o.set_accumulate(accumulate), o.set_initial(initial), o.set_threads(threads);
  o.raw.reverse = reverse;
  o.expect_initial_fits(to.type());
  check(run(work_of(left),
            [&] { return rung_linear_recurrence(left.get(), right.get(), &o.raw, to.get()); }),
        &o.raw, left.rank());
}

nb::object group(nb::handle keys, bool everywhere, int threads) {
  borrowed k;
  if (!k.take(keys)) raise(PyExc_TypeError, "rung: no keys that this module can read");
  call_options o;
  o.set_threads(threads);
  rung_groups* made = nullptr;
  check(run(k.size(), [&] { return rung_group(k.get(), everywhere, &o.raw, &made); }));
  const std::unique_ptr<rung_groups, void (*)(rung_groups*)> groups(made, rung_groups_free);
  const auto copied = [](const std::int64_t* from, std::int64_t n) {
    nb::object array = new_array(RUNG_I64, 1, &n);
    borrowed to;
    to.take(array, true);
    if (n > 0) std::memcpy(to.get()->data, from, std::size_t(n) * sizeof *from);
    return array;
  };
  const std::int64_t count = rung_groups_count(made);
  nb::object of_each = new_array(k.type(), 1, &count), order = nb::none();
  borrowed to;
  to.take(of_each, true);
  check(rung_groups_keys(made, to.get()));
  if (const std::int64_t* p = rung_groups_order(made)) order = copied(p, k.size());
  return nb::make_tuple(of_each, copied(rung_groups_offsets(made), count + 1), order);
}

}  // namespace rung::python
