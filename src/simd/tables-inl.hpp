// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables that the drivers see: hand-written kernels where an algebra fills the vectors of this
// instruction set, otherwise the plain loops of cpu/generic.hpp, inlined here so that they are
// compiled for this set too.
// Included once per instruction set.
HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {

template <class Op, class V>
struct plain_loops {
  [[gnu::flatten]] static void tree(const void* op, const void* values, size_t n,
                                    std::int64_t position, void* state) {
    host::generic::tree<Op, V>(op, values, n, position, state);
  }
  [[gnu::flatten]] static void trees(const void* op, const void* values, size_t n, size_t count,
                                     void* states) {
    host::generic::trees<Op, V>(op, values, n, count, states);
  }
  [[gnu::flatten]] static void tree_rows(const void* op, const void* values, std::ptrdiff_t stride,
                                         size_t n, size_t width, std::int64_t position,
                                         void* states) {
    host::generic::tree_rows<Op, V>(op, values, stride, n, width, position, states);
  }
  [[gnu::flatten]] static void line(const void* op, const void* values, size_t n, void* states,
                                    const host::carry& c) {
    host::generic::scan_line<Op, V>(op, values, n, states, c);
  }
  [[gnu::flatten]] static void lines(const void* op, const void* values, size_t n, size_t count,
                                     void* states, const host::carry& c) {
    host::generic::scan_lines<Op, V>(op, values, n, count, states, c);
  }
  [[gnu::flatten]] static void rows(const void* op, const void* values, std::ptrdiff_t stride,
                                    size_t n, size_t width, void* states,
                                    std::ptrdiff_t state_stride, const host::carry& c) {
    host::generic::scan_rows<Op, V>(op, values, stride, n, width, states, state_stride, c);
  }
};

/// What the tables hold; specialised where there is something better than plain loops.
template <class Op, class V>
struct fold_functions : plain_loops<Op, V> {};
template <class Op, class V>
struct scan_functions : plain_loops<Op, V> {};

template <class Op, class V>
const host::fold_kernels* fold_table() {
  static constexpr host::fold_kernels table = [] {
    host::fold_kernels t = host::generic::make_fold<Op, V>();
    t.tree = fold_functions<Op, V>::tree;
    t.trees = fold_functions<Op, V>::trees;
    t.tree_rows = fold_functions<Op, V>::tree_rows;
    if constexpr (requires { fold_functions<Op, V>::segments; })
      t.segments = fold_functions<Op, V>::segments;
    return t;
  }();
  return &table;
}

/// GCC 12 makes fused multiply-add-subtract of a complex product even with -ffp-contract=off, so
/// these must not be compiled for a set that has it.
template <class V>
  requires is_complex<V>
struct scan_functions<rung::multiplies, V> {
  static constexpr auto line = host::generic::scan_line<rung::multiplies, V>;
  static constexpr auto lines = host::generic::scan_lines<rung::multiplies, V>;
  static constexpr auto rows = host::generic::scan_rows<rung::multiplies, V>;
};

template <class Op, class V>
const host::scan_kernels* scan_table() {
  using F = scan_functions<Op, V>;
  static constexpr host::scan_kernels table{.line = F::line,
                                            .lines = F::lines,
                                            .rows = F::rows,
                                            .segments = host::generic::scan_segments<Op, V>};
  return &table;
}

/// The table for a packed type: over f32 and f64; over complex too; over numbers that have an order
/// (integers have no NaN, so they take the plainer twin).
template <class Op>
const host::fold_kernels* fold_of_reals(packed type) {
  if (type == packed::f32) return fold_table<Op, float>();
  if (type == packed::f64) return fold_table<Op, double>();
  return nullptr;
}
template <class Op>
const host::fold_kernels* fold_of_floats(packed type) {
  if (type == packed::c64) return fold_table<Op, complex<float>>();
  if (type == packed::c128) return fold_table<Op, complex<double>>();
  return fold_of_reals<Op>(type);
}
template <class Op, class IntegerOp>
const host::fold_kernels* fold_of_ordered(packed type) {
  if (type == packed::i64) return fold_table<IntegerOp, std::int64_t>();
  if (type == packed::u64) return fold_table<IntegerOp, std::uint64_t>();
  return fold_of_reals<Op>(type);
}
template <class Op>
const host::scan_kernels* scan_of_reals(packed type) {
  if (type == packed::f32) return scan_table<Op, float>();
  if (type == packed::f64) return scan_table<Op, double>();
  return nullptr;
}
template <class Op, class IntegerOp>
const host::scan_kernels* scan_of_ordered(packed type) {
  if (type == packed::i64) return scan_table<IntegerOp, std::int64_t>();
  if (type == packed::u64) return scan_table<IntegerOp, std::uint64_t>();
  return scan_of_reals<Op>(type);
}
inline bool is_integer(packed type) { return type == packed::i64 || type == packed::u64; }

}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
