// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The extension module rung._core; the package around it (python/rung) is what users call.
#include "calls.hpp"

NB_MODULE(_core, m) {
  using namespace rung::python;
  namespace nb = nanobind;
  using namespace nb::literals;
  m.def("reduce", reduce, "op"_a, "x"_a, "second"_a.none(), "axis"_a.none(), "keepdims"_a,
        "dtype"_a.none(), "accumulate"_a.none(), "out"_a.none(), "initial"_a.none(), "skipna"_a,
        "ddof"_a, "threads"_a, "exact"_a);
  m.def("scan", scan, "op"_a, "x"_a, "axis"_a.none(), "dtype"_a.none(), "accumulate"_a.none(),
        "out"_a.none(), "initial"_a.none(), "skipna"_a, "exclusive"_a, "reverse"_a, "threads"_a,
        "exact"_a);
  m.def("result_of", result_of, "op"_a, "x"_a, "second"_a.none(), "axis"_a.none(), "keepdims"_a,
        "accumulate"_a.none(), "initial"_a.none(), "skipna"_a, "exact"_a);
  m.def("segmented", segmented, "op"_a, "x"_a, "offsets"_a, "order"_a.none(), "accumulate"_a.none(),
        "out"_a, "initial"_a.none(), "skipna"_a, "ddof"_a, "exclusive"_a, "threads"_a, "exact"_a);
  m.def("group", group, "keys"_a, "everywhere"_a, "threads"_a);
  m.def("recurrence", recurrence, "a"_a, "b"_a, "axis"_a, "accumulate"_a.none(), "out"_a,
        "initial"_a.none(), "reverse"_a, "threads"_a);
  m.def("recurrence_type", recurrence_type, "a"_a, "b"_a, "accumulate"_a.none());
  add_partial(m);
  add_gpu_array(m);
  m.def("machine", [] { return rung_machine(); });
  m.def("last_kernel", [] { return rung_last_kernel(); });
  m.def(
      "type_name", [](int type) { return rung_type_name(rung_type(type)); }, "type"_a);
  m.def(
      "type_from_name",
      [](const char* name) {
        rung_type type;
        return rung_type_from_name(name, &type) == RUNG_OK ? int(type) : -1;
      },
      "name"_a);
  m.def(
      "op_from_name",
      [](const char* name) {
        rung_op op;
        return rung_op_from_name(name, &op) == RUNG_OK ? int(op) : -1;
      },
      "name"_a);
  m.def(
      "is_scan", [](int op) { return rung_op_is_scan(rung_op(op)) != 0; }, "op"_a);
  m.def("prepare", [] { names::get(); });
  m.attr("version") = rung_version();
}
