// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Fold kernels by code: SIMD where there are some, otherwise generic.
#include <rung/cpu/generic.hpp>

#include "exact.hpp"
#include "generic_ops.hpp"
#include "tables.hpp"

namespace rung::runtime {

template <class Op, class P>
constexpr host::fold_kernels generic_table = host::generic::make_fold<Op, P>();

const host::fold_kernels* find_fold(kernel_op op, packed type) {
  if (is_exact(op)) return exact_fold(op, type);
  if (const auto* kernels = simd_fold(op, type)) return kernels;
  return visit(op, [&](auto o) -> const host::fold_kernels* {
    using Op = decltype(o);  // outside the inner lambda: a captured o is const there
    return visit(type, [&](auto t) -> const host::fold_kernels* {
      using P = typename decltype(t)::type;
      if constexpr (is_used<Op, P>()) return &generic_table<Op, P>;
      else return nullptr;
    });
  });
}

const void* operator_object(kernel_op op) {
  static constexpr std::byte nothing{};  // stateless operators: any address will do
  (void)op;
  return &nothing;
}

const char* simd_target(kernel_op op, packed type) {
  return is_exact(op) || simd_fold(op, type) ? simd_name() : "plain loops";
}

packed_value to_packed(rung_type type, const void* element, packed to) {
  loader l;
  const source_type source{type, false};
  make_load(l, {&source, 1}, to, meaning::value);
  const host::place from{const_cast<void*>(element), 0, 0};
  packed_value v;
  l.kernel.load(l.facts, &from, 1, 1, v.bytes, 1);
  return v;
}

void lift_value(kernel_op op, packed type, const packed_value& value, void* state) {
  if (is_exact(op)) return exact_lift(op, type, value, state);
  visit(op, [&](auto o) {
    using Op = decltype(o);  // outside the inner lambda: a captured o is const there
    visit(type, [&](auto t) {
      using P = typename decltype(t)::type;
      if constexpr (is_used<Op, P>()) {
        const auto s = lift(o, value.as<P>(), std::int64_t(0));
        std::memcpy(state, &s, sizeof s);
      }
    });
  });
}

}  // namespace rung::runtime

namespace rung::host {

const fold_kernels* compiled_fold(kernel_op op, packed type) {
  return runtime::find_fold(op, type);
}

load_kernel compiled_load(element_type from, packed to, load_facts& facts) {
  runtime::loader l;
  const runtime::source_type source{rung_type(from), false};
  runtime::make_load(l, {&source, 1}, to, runtime::meaning::value);
  std::memcpy(facts.bytes, l.facts, sizeof facts.bytes);
  return l.kernel;
}

stored_kernels compiled_stored(kernel_op op, element_type from, packed held, load_facts& facts) {
  runtime::loader l;
  const stored_kernels k = runtime::simd_stored(l, op, {rung_type(from), false}, held);
  if (k.fold) std::memcpy(facts.bytes, l.facts, sizeof facts.bytes);
  return k;
}

}  // namespace rung::host
