// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of each source that is compiled once per instruction set; find.cpp chooses among them.
#pragma once
#include "simd/kernels.hpp"

namespace rung::simd {

const host::fold_kernels* fold_plus(packed);
const host::fold_kernels* fold_extremes(kernel_op, packed);
const host::fold_kernels* fold_moments(kernel_op, packed);
const host::fold_kernels* fold_others(kernel_op, packed);
const host::scan_kernels* scan_plus(packed);
const host::scan_kernels* scan_extremes(kernel_op, packed);
const host::scan_kernels* scan_others(kernel_op, packed);

}  // namespace rung::simd
