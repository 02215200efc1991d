// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See options.hpp.
#include "options.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace rung::python {
namespace {

std::int32_t read_axis(nb::handle axis) {
  const Py_ssize_t n = PyNumber_AsSsize_t(axis.ptr(), nullptr);  // out of range: clipped, refused
  if (n == -1 && PyErr_Occurred()) throw nb::python_error();
  constexpr Py_ssize_t most = std::numeric_limits<std::int32_t>::max();
  return std::int32_t(std::clamp(n, -most, most));
}

}  // namespace

void call_options::set_axis(nb::handle axis) {
  if (axis.is_none()) return;
  raw.axes = axes_.data();
  if (!PySequence_Check(axis.ptr()) || PyIndex_Check(axis.ptr())) {
    axes_[0] = read_axis(axis), raw.axis_count = 1;
    return;
  }
  const Py_ssize_t count = PySequence_Size(axis.ptr());
  if (count < 0) throw nb::python_error();
  if (std::size_t(count) >= axes_.size())
    raise(PyExc_ValueError, "rung: " + std::to_string(count) +
                                " axes given, at most 16 are "
                                "supported");
  for (Py_ssize_t i = 0; i < count; i++)
    axes_[std::size_t(i)] = read_axis(nb::steal(PySequence_GetItem(axis.ptr(), i)));
  raw.axis_count = std::int32_t(count);
}

void call_options::set_accumulate(nb::handle type) {
  if (type.is_none()) return;
  raw.accumulate = nb::cast<int>(names::get().general.attr("type_code")(type));
}

void call_options::set_initial(nb::handle value) {
  if (value.is_none()) return;
  raw.init = initial_.data();
  const auto put = [&](rung_type type, const auto& x) {
    std::memcpy(initial_.data(), &x, sizeof x), raw.init_type = type;
  };
  if (PyLong_Check(value.ptr())) {
    int overflow = 0;
    const long long n = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow == 0) return put(RUNG_I64, std::int64_t(n));
    const unsigned long long u = PyLong_AsUnsignedLongLong(value.ptr());
    if (PyErr_Occurred()) {
      PyErr_Clear();
      raise(PyExc_ValueError, "rung: the initial value does not fit 64 bits");
    }
    return put(RUNG_U64, std::uint64_t(u));
  }
  if (PyFloat_Check(value.ptr())) return put(RUNG_F64, PyFloat_AsDouble(value.ptr()));
  if (PyComplex_Check(value.ptr()))
    return put(RUNG_C128, std::array<double, 2>{PyComplex_RealAsDouble(value.ptr()),
                                                PyComplex_ImagAsDouble(value.ptr())});
  borrowed array;
  const nb::object held = names::get().general.attr("initial_array")(value);
  if (!array.take(held) || array.rank() != 0)
    raise(PyExc_TypeError, "rung: the initial value must be one number");
  raw.init_type = array.type();
  std::memcpy(initial_.data(), array.get()->data, rung_type_size(array.type()));
}

void call_options::expect_initial_fits(rung_type result) const {
  if (!raw.init) return;
  const bool whole = result <= RUNG_U64, real = result < RUNG_C64;
  if (whole && raw.init_type > RUNG_U64 && result != RUNG_BOOL)
    raise(PyExc_TypeError,
          std::string("rung: the initial value is no integer, but the result is ") +
              rung_type_name(result) + "; give dtype=float");
  if (real && raw.init_type >= RUNG_C64)
    raise(PyExc_TypeError, std::string("rung: the initial value is complex, but the result is ") +
                               rung_type_name(result));
}

}  // namespace rung::python
