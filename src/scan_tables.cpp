// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan kernels by code: SIMD where there are some, otherwise generic.
#include <rung/cpu/generic_scan.hpp>

#include "exact.hpp"
#include "generic_ops.hpp"
#include "tables.hpp"

namespace rung::runtime {

template <class Op, class P>
constexpr host::scan_kernels generic_table = host::generic::make_scan<Op, P>();

const host::scan_kernels* find_scan(kernel_op op, packed type) {
  if (is_exact(op)) return exact_scan(op, type);
  if (const auto* kernels = simd_scan(op, type)) return kernels;
  return visit(op, [&](auto o) -> const host::scan_kernels* {
    using Op = decltype(o);  // outside the inner lambda: a captured o is const there
    return visit(type, [&](auto t) -> const host::scan_kernels* {
      using P = typename decltype(t)::type;
      if constexpr (is_used<Op, P>() && is_scanned<Op>) return &generic_table<Op, P>;
      else return nullptr;
    });
  });
}

}  // namespace rung::runtime

namespace rung::host {
const scan_kernels* compiled_scan(kernel_op op, packed type) {
  return runtime::find_scan(op, type);
}
}  // namespace rung::host
