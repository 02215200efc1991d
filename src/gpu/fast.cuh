// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// From a call of the runtime to one of the device rung, and the operators whose results are those
// of the runtime.
#pragma once
#include <rung/device/axis.cuh>
#include <rung/device/axis_scan.cuh>

#include "fast.hpp"

namespace rung::runtime {

/// The sum, or divided by a number.
struct sum_or_mean : plus {
  std::int64_t count = 0;  ///< 0: the sum
  template <class A>
  RUNG_HD constexpr A finish(A sum) const {
    if constexpr (integer<A>) return sum;
    else return count == 0 ? sum : sum / A(count);
  }
};
/// Where the extreme stands.
template <class Place>
struct place_alone : Place {
  template <class V>
  RUNG_HD constexpr std::int64_t finish(indexed<V> s) const {
    return s.index;
  }
};
struct spread : moments {
  double ddof = 0;
  bool root = false;
  RUNG_HD double finish(moments_state<double> s) const {
    const double variance = s.variance(ddof);
    return root ? std::sqrt(variance) : variance;
  }
};

/// The kept axes of an output that has strides for all of the input's.
inline layout kept_layout(const resident_call& call) {
  const layout& all = call.out[0].shape;
  layout kept;
  for (int d = 0; d < all.rank; ++d) {
    if (call.folded[std::size_t(d)]) continue;
    kept.shape[std::size_t(kept.rank)] = all.shape[std::size_t(d)];
    kept.strides[std::size_t(kept.rank++)] = all.strides[std::size_t(d)];
  }
  return kept;
}
inline axes axes_of(const resident_call& call) {
  axes over;
  over.all = false;
  for (int d = 0; d < call.in[0].shape.rank; ++d)
    if (call.folded[std::size_t(d)]) over.list[std::size_t(over.count++)] = d;
  return over;
}
template <class T>
view<const T> input_of(const resident_call& call) {
  return {reinterpret_cast<const T*>(call.in[0].data), call.in[0].shape};
}
/// Results of type R from values of type T.
template <class T, class R, class Op>
void fast_reduce(const device& where, const resident_call& call, const Op& op) {
  reduce(where, input_of<T>(call), op, axes_of(call),
         into(view<R>(reinterpret_cast<R*>(call.out[0].data), kept_layout(call))));
}
template <class T, class R>
void fast_sum(const device& where, const resident_call& call) {
  sum_or_mean op;
  if (call.how.what == outcome::mean) {
    op.count = 1;
    for (int d = 0; d < call.in[0].shape.rank; ++d)
      if (call.folded[std::size_t(d)]) op.count *= call.in[0].shape.shape[std::size_t(d)];
  }
  fast_reduce<T, R>(where, call, op);
}

/// The sum or the mean as if with infinite precision, rounded once.
template <class T>
void fast_exact(const device& where, const resident_call& call) {
  if (call.how.kernel == kernel_op::exact_mean) fast_reduce<T, T>(where, call, exact_mean{});
  else fast_reduce<T, T>(where, call, exact_plus{});
}

/// One array after the other in memory: whole; otherwise along the axis, or along all of them.
template <class T, class R>
void fast_cumsum(const device& where, const resident_call& call) {
  const layout &shape = call.in[0].shape, &target = call.out[0].shape;
  R* const results = reinterpret_cast<R*>(call.out[0].data);
  int along = -1, folded = 0;
  for (int d = 0; d < shape.rank; ++d)
    if (call.folded[std::size_t(d)]) along = d, ++folded;
  if (folded == 1) {
    const bool whole =
        shape.rank == 1 && shape.strides[0] == sizeof(T) && target.strides[0] == sizeof(R);
    const view<R> out(results, target);
    if (whole) inclusive_scan(where, input_of<T>(call), out, plus{});
    else inclusive_scan(where, input_of<T>(call), out, plus{}, axis{along});
    return;
  }
  const std::int64_t n = shape.size();
  layout line(extents(&n, 1), sizeof(R));
  for (int d = shape.rank;
       d-- > 0;)  // the last axis that has a step says how far apart entries are
    if (shape.shape[std::size_t(d)] > 1) {
      line.strides[0] = target.strides[std::size_t(d)];
      break;
    }
  rung::detail::scan_axis<false>(where, input_of<T>(call), view<R>(results, line), plus{},
                                 std::nullopt, std::nullopt);
}

}  // namespace rung::runtime
