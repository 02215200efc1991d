// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Many lines of packed values in device memory, one after the other, to a state each or to the
// entries of their scans, for an operator and a packed type known by code: axes, segments and
// groups of the runtime are all lines. One kernel per pair and verb, the segmented ones of the
// device rung, which are balanced for any mix of lengths. Cost: one read of values and offsets, one
// write of states or entries.
#pragma once
#include <rung/device/segmented.cuh>

#include "../tables.hpp"
#include "scan.cuh"

namespace rung::runtime {

/// What stands before every line; without that, the state of no values for one that has none.
template <class S>
struct line_start {
  S state;
  bool some;
  static constexpr bool given = true;
  template <class Op>
  RUNG_DEVICE before<S> operator()(const Op&) const {
    return {state, some};
  }
};
template <class S>
struct line_states {
  global<S> states;
  template <class Op>
  RUNG_DEVICE void operator()(const Op&, std::int64_t line, std::int64_t, const S& s) const {
    states[line] = s;
  }
};

/// Lines in device memory, and states in host memory.
struct values_in_lines {
  void* values;
  std::int64_t count;
  const std::int64_t* offsets;  ///< lines + 1
  std::int64_t lines;
  const void* init;  ///< or null
  const void* nothing;
};
/// out: states, or entries of which 0 is that of the first value.
using lines_function = void (*)(const device& where, const values_in_lines& lines, void* out);
struct gpu_lines {
  std::size_t state_size = 0;
  lines_function fold = nullptr, scan = nullptr;  ///< scan may be null
  /// The first entry of an exclusive scan of packed values.
  packed_value (*first)(const void* init) = nullptr;
};

/// What a line with values starts with where there is no init is not looked at by folds, and must
/// be an exact no-op, if there is one, for scans.
template <class S>
line_start<S> start_of_lines(const void* init, const S& without) {
  line_start<S> start{without, init != nullptr};
  if (start.some) std::memcpy(static_cast<void*>(&start.state), init, sizeof(S));
  return start;
}
template <class P>
auto source_of_lines(const values_in_lines& l) {
  return rung::detail::device_source(view<const P>(static_cast<const P*>(l.values), {l.count}));
}
template <class Op, class P>
void fold_lines(const device& where, const values_in_lines& l, void* out) {
  using S = state_t<Op, P>;
  constexpr int log_size = tune::log_segment_tile(sizeof(P), sizeof(S));
  S none;
  std::memcpy(static_cast<void*>(&none), l.nothing, sizeof none);
  rung::detail::launch_segmented_reduce<log_size>(
      where, source_of_lines<P>(l), Op{}, start_of_lines(l.init, none),
      line_states<S>{static_cast<S*>(out)},
      rung::detail::device_offsets<std::int64_t>{l.offsets, l.lines});
}
template <class Named, class P>
void scan_lines(const device& where, const values_in_lines& l, void* out) {
  using Op = entries_of<Named>;
  using S = state_t<Op, P>;
  using kind = rung::detail::scan_kind<false, true>;
  const S no_op = nothing(Op{}, S{}).state;
  rung::detail::launch_segmented_scan<rung::detail::segment_scan_size<Op, P, P>, kind>(
      where, source_of_lines<P>(l), Op{}, start_of_lines(l.init, no_op), static_cast<P*>(out),
      rung::detail::device_offsets<std::int64_t>{l.offsets, l.lines});
}
template <class Named, class P>
packed_value first_entry(const void* init) {
  using Op = entries_of<Named>;
  using S = state_t<Op, P>;
  S left = empty_state<S>(Op{});
  if (init != nullptr) std::memcpy(&left, init, sizeof left);
  return packed_value(P(result_of<Op, P>(Op{}, left)));
}

/// The kernels of a pair if the operator is one of Ops.
template <class... Ops>
gpu_lines find_lines_among(kernel_op op, packed type) {
  return visit(op, [&](auto o) -> gpu_lines {
    using Op = decltype(o);
    if constexpr ((std::is_same_v<Op, Ops> || ...))
      return visit(type, [](auto t) -> gpu_lines {
        using P = typename decltype(t)::type;
        if constexpr (!is_asked_for<Op, P>()) return {};
        else if constexpr (is_scanned<Op>)
          return {sizeof(state_t<Op, P>), fold_lines<Op, P>, scan_lines<Op, P>, first_entry<Op, P>};
        else return {sizeof(state_t<Op, P>), fold_lines<Op, P>};
      });
    else return {};
  });
}

// One translation unit each, so that none takes long to compile.
gpu_lines find_sum_lines(kernel_op op, packed type);
gpu_lines find_product_lines(kernel_op op, packed type);
gpu_lines find_minimum_lines(kernel_op op, packed type);
gpu_lines find_maximum_lines(kernel_op op, packed type);
gpu_lines find_place_lines(kernel_op op, packed type);
gpu_lines find_moments_lines(kernel_op op, packed type);
gpu_lines find_both_lines(kernel_op op, packed type);
gpu_lines find_norm_lines(kernel_op op, packed type);
/// The one among all of these; throws where there is none.
gpu_lines find_gpu_lines(kernel_op op, packed type);
/// The scan of maps x -> a x + b whose parts are of this type (u64: as i64, the same bits).
lines_function find_affine_scan(packed part);

}  // namespace rung::runtime
