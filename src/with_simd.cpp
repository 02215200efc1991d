// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// With Highway: the SIMD tables (simd/) under the codes of the runtime.
#include "exact.hpp"
#include "simd/kernels.hpp"
#include "tables.hpp"

namespace rung::runtime {
namespace {

static_assert(int(simd::kernel_op::bit_and) == int(kernel_op::bit_and) &&
              int(simd::packed::c128) == int(packed::c128) &&
              int(simd::element::c128) == int(RUNG_C128));
simd::packed to_simd(packed p) { return simd::packed(p); }
simd::element to_simd(rung_type t) { return simd::element(t); }
bool is_known(kernel_op op) { return op <= kernel_op::bit_and; }

simd::load_how to_simd(meaning how, const packed_value& nan) {
  switch (how) {
    case meaning::value:
      return simd::load_how::value;
    case meaning::nan_as:
      return simd::load_how::nan_as;
    case meaning::nonzero:
      return nan.as<std::int64_t>() ? simd::load_how::nonzero : simd::load_how::nonzero_number;
    case meaning::product:
      return simd::load_how::product;
    case meaning::product_conjugated:
      return simd::load_how::product_conjugated;
    case meaning::pair:
      break;
  }
  return simd::load_how::value;
}

}  // namespace

const host::fold_kernels* simd_fold(kernel_op op, packed type) {
  return is_known(op) ? simd::find_fold(simd::kernel_op(op), to_simd(type)) : nullptr;
}
const host::scan_kernels* simd_scan(kernel_op op, packed type) {
  return is_known(op) ? simd::find_scan(simd::kernel_op(op), to_simd(type)) : nullptr;
}
host::stored_kernels simd_stored(loader& l, kernel_op op, source_type from, packed held) {
  simd::packed stored{};
  if (op == kernel_op::plus && held == packed::f32 && from.type == RUNG_F16)
    stored = simd::packed::f16;
  else if (op == kernel_op::plus && held == packed::f32 && from.type == RUNG_BF16)
    stored = simd::packed::bf16;
  else if (op == kernel_op::plus && held == packed::i64 && from.type == RUNG_I32)
    stored = simd::packed::i32;
  else return {};
  host::stored_kernels k{.fold = simd::find_fold(simd::kernel_op::plus, stored),
                         .scan = simd::find_scan(simd::kernel_op::plus, stored),
                         .entry = host::element_type(held == packed::i64 ? RUNG_I64 : from.type)};
  const simd::load_plan& plan = l.put(simd::find_load({to_simd(from.type), from.swapped}, stored));
  k.load = l.kernel = plan.kernel;
  return k;
}
const char* simd_name() { return simd::target_name(); }

void make_load(loader& l, std::span<const source_type> sources, packed to, meaning how,
               packed_value nan) {
  if (how == meaning::pair) return make_pair_load(l, sources, to);
  const source_type a = sources.front(), b = sources.back();
  simd::load_plan& plan = l.put(simd::find_load({to_simd(a.type), a.swapped}, to_simd(to),
                                                to_simd(how, nan), {to_simd(b.type), b.swapped}));
  if (!plan.kernel.load) refuse_load(a.type, to);
  std::memcpy(plan.instead, nan.bytes, sizeof plan.instead);
  l.kernel = plan.kernel;
}

bool simd_store(storer& s, packed type, rung_type to) {
  const simd::store_plan& plan = s.put(simd::find_store(to_simd(type), {to_simd(to), false}));
  s.kernel = plan.kernel;
  return s.kernel.store != nullptr;
}

}  // namespace rung::runtime
