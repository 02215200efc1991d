// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// rung._core.Partial: a rung_partial with its life and its lock. rung.Partial derives from it.
#include <memory>

#include "calls.hpp"
#include "options.hpp"

namespace rung::python {
namespace {

struct partial {
  std::unique_ptr<rung_partial, void (*)(rung_partial*)> held{nullptr, rung_partial_free};

  const rung_partial* get() const { return held.get(); }
};

void create(partial* self, int op, int type, std::int64_t begin, nb::handle accumulate, bool skipna,
            double ddof, bool exact) {
  call_options o;
  o.set_accumulate(accumulate);
  o.raw.skip_nan = skipna, o.raw.ddof = ddof, o.raw.exact = exact;
  rung_partial* made = nullptr;
  check(rung_partial_create(rung_op(op), rung_type(type), &o.raw, begin, &made));
  new (self) partial;
  self->held.reset(made);
}

void append(partial& self, nb::handle values) {
  borrowed a;
  if (!a.take(values)) raise(PyExc_TypeError, "rung: no values that this module can read");
  int code;
  {
    const nb::gil_scoped_release released;
    code = rung_partial_append(self.held.get(), a.get());
  }
  check(code);
}

void merge(partial& self, const partial& right) {
  check(rung_partial_merge(self.held.get(), right.get()));
}

nb::object value(const partial& self) {
  alignas(16) std::array<std::byte, 32> bytes;
  rung_type type;
  std::int32_t count;
  check(rung_partial_value(self.get(), bytes.data(), &type, &count));
  if (count == 1) return scalar(type, bytes.data());
  return nb::make_tuple(scalar(type, bytes.data()),
                        scalar(type, bytes.data() + rung_type_size(type)));
}

nb::bytes save(const partial& self) {
  std::size_t size = 0;
  check(rung_partial_save(self.get(), nullptr, &size));
  std::string bytes(size, '\0');
  check(rung_partial_save(self.get(), bytes.data(), &size));
  return nb::bytes(bytes.data(), size);
}

void load(partial& self, nb::bytes saved) {
  rung_partial* made = nullptr;
  check(rung_partial_load(saved.c_str(), saved.size(), &made));
  self.held.reset(made);
}

nb::object range(const partial& self) {
  std::int64_t begin, end;
  check(rung_partial_range(self.get(), &begin, &end));
  return nb::make_tuple(begin, end);
}

}  // namespace

void add_partial(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<partial>(m, "Partial")
      .def("__init__", create, "op"_a, "type"_a, "begin"_a, "accumulate"_a.none(), "skipna"_a,
           "ddof"_a, "exact"_a)
      .def("_append", append, "values"_a)
      .def("_merge", merge, "right"_a)
      .def("_value", value)
      .def("_save", save)
      .def("_load", load, "saved"_a)
      .def("_range", range)
      .def("_op", [](const partial& p) { return rung_op_name(rung_partial_op(p.get())); });
}

}  // namespace rung::python
