// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Packed values in device memory to one state, for an operator and a packed type known by code. One
// kernel per pair, with whatever start, position and number of values: that of many tiles, with one
// pack per lane, which is enough where values come over PCIe and is compiled in seconds. Cost: one
// read of the values.
#pragma once
#include <cstring>
#include <rung/device/reduce.cuh>
#include <rung/op/placed.hpp>

#include "../generic_ops.hpp"

namespace rung::runtime {

/// Where a fold or a scan starts: after a state, or with nothing.
template <class S>
struct start_if_any {
  S state;
  bool some;
  static constexpr bool given = true;
  template <class Op>
  RUNG_DEVICE before<S> operator()(const Op& op) const {
    if (some) return {state, true};
    return nothing(op, S{});
  }
};

/// *out (where the GPU writes) = the fold of count > 0 values that stand at `position` and behind
/// it, after *start (host memory) if there is one.
using fold_function = void (*)(const device& where, const void* values, std::int64_t count,
                               std::int64_t position, const void* start, void* out);
struct gpu_fold {
  std::size_t state_size = 0;
  fold_function fold = nullptr;
};

template <class Op, class P>
void fold_values(const device& where, const void* values, std::int64_t count, std::int64_t position,
                 const void* start, void* out) {
  using namespace rung::detail;
  using S = state_t<Op, P>;
  const auto op = placed<P>(Op{}, position);
  using Placed = std::remove_const_t<decltype(op)>;
  start_if_any<S> from{};
  if (start != nullptr) std::memcpy(&from.state, start, sizeof(S)), from.some = true;
  const auto what = device_source(view<const P>(static_cast<const P*>(values), {count}));
  using Source = std::remove_cvref_t<decltype(what.source)>;
  constexpr int warps = tune::warps_of_tiles(slow_joins<Placed, P>), log_groups = 3;
  constexpr int log_size = floor_log2(unsigned(warps * warp_size * Source::pack_size));
  const reduce_cut cut(count, log_size, log_groups);
  const auto words = words_of<S>(where, cut.tiles);
  launch(reduce_tiles<1, 1, Source, Placed, reduce_cut, start_if_any<S>, state_into<S>, S>,
         cut.blocks(), warps * warp_size, sizeof(reduce_scratch<S>), where.stream(), what.source,
         op, cut, words, from, state_into<S>{static_cast<S*>(out)});
}

/// Whether a recipe can ask for the pair: moments are held in f64 and c128 alone.
template <class Op, class P>
constexpr bool is_asked_for() {
  if constexpr (std::is_base_of_v<moments, Op>)
    return std::is_same_v<P, double> || std::is_same_v<P, complex<double>>;
  else return is_used<Op, P>();
}

/// The fold of a pair if the operator is one of Ops.
template <class... Ops>
gpu_fold find_among(kernel_op op, packed type) {
  return visit(op, [&](auto o) -> gpu_fold {
    using Op = decltype(o);
    if constexpr ((std::is_same_v<Op, Ops> || ...))
      return visit(type, [](auto t) -> gpu_fold {
        using P = typename decltype(t)::type;
        if constexpr (is_asked_for<Op, P>()) return {sizeof(state_t<Op, P>), fold_values<Op, P>};
        else return {};
      });
    else return {};
  });
}

// One translation unit each, so that none takes long to compile.
gpu_fold find_sum(kernel_op op, packed type);
gpu_fold find_product(kernel_op op, packed type);
gpu_fold find_extreme(kernel_op op, packed type);
gpu_fold find_both_extremes(kernel_op op, packed type);
gpu_fold find_place(kernel_op op, packed type);
gpu_fold find_moments(kernel_op op, packed type);
gpu_fold find_norm(kernel_op op, packed type);
/// The one among all of these; throws where there is none.
gpu_fold find_gpu_fold(kernel_op op, packed type);

}  // namespace rung::runtime
