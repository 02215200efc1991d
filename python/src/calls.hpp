// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of rung._core. Arguments come in the order of these declarations; what they mean,
// the Python functions say. Arrays are NumPy arrays, or pairs as array.hpp has them.
#pragma once
#include "array.hpp"

namespace rung::python {

nb::object reduce(int op, nb::handle x, nb::handle second, nb::handle axis, bool keepdims,
                  nb::handle dtype, nb::handle accumulate, nb::handle out, nb::handle initial,
                  bool skipna, double ddof, int threads, bool exact);
nb::object scan(int op, nb::handle x, nb::handle axis, nb::handle dtype, nb::handle accumulate,
                nb::handle out, nb::handle initial, bool skipna, bool exclusive, bool reverse,
                int threads, bool exact);
/// (type code, shape) of a result.
nb::object result_of(int op, nb::handle x, nb::handle second, nb::handle axis, bool keepdims,
                     nb::handle accumulate, nb::handle initial, bool skipna, bool exact);
/// A reduction writes one result per segment, a scan one entry per value, to out.
void segmented(int op, nb::handle x, nb::handle offsets, nb::handle order, nb::handle accumulate,
               nb::handle out, nb::handle initial, bool skipna, double ddof, bool exclusive,
               int threads, bool exact);
/// Writes x[t] = a[t] x[t - 1] + b[t] to out, whose type is that of recurrence_type.
void recurrence(nb::handle a, nb::handle b, nb::handle axis, nb::handle accumulate, nb::handle out,
                nb::handle initial, bool reverse, int threads);
int recurrence_type(nb::handle a, nb::handle b, nb::handle accumulate);
/// (key of every group, offsets, order or None).
nb::object group(nb::handle keys, bool everywhere, int threads);

/// Adds rung._core.Partial.
void add_partial(nb::module_& m);

}  // namespace rung::python
