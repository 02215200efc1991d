// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The checks of arrays that come before anything is written, on the CPU and for GPUs: shapes agree,
// outputs do not partly overlap inputs, extremes of nothing are errors.
#pragma once
#include <numeric>
#include <optional>

#include "../op.hpp"
#include "../transform.hpp"
#include "loops.hpp"

namespace rung::host {

template <class Op>
inline constexpr bool is_extreme = false;
template <bool L, bool N>
inline constexpr bool is_extreme<extreme_value<L, N>> = true;
template <bool L, bool N>
inline constexpr bool is_extreme<extreme_place<L, N>> = true;
template <bool N>
inline constexpr bool is_extreme<both_extremes<N>> = true;
template <class Op>
inline constexpr bool is_extreme<skip_nan<Op>> = is_extreme<Op>;
template <class A, class Op>
inline constexpr bool is_extreme<accumulate_in_operator<A, Op>> = is_extreme<Op>;
template <class... Ops>
inline constexpr bool is_extreme<fuse<Ops...>> = (is_extreme<Ops> || ...);

template <class F, class... Ts>
std::array<array_ref, sizeof...(Ts)> source_refs(const transformed<F, Ts...>& t) {
  return std::apply(
      [](const auto&... v) {
        return std::array<array_ref, sizeof...(Ts)>{array_ref{
            reinterpret_cast<std::byte*>(const_cast<Ts*>(v.data())), v.bytes(), sizeof(Ts)}...};
      },
      t.arrays);
}

inline void check_same_shape(std::span<const array_ref> arrays) {
  for (const array_ref& a : arrays)
    if (!std::ranges::equal(a.shape.lengths(), arrays[0].shape.lengths()))
      fail(error_code::bad_argument, "rung: arrays of shape " +
                                         rung::detail::shape_text(arrays[0].shape.lengths()) +
                                         " and " + rung::detail::shape_text(a.shape.lengths()) +
                                         " cannot be folded together");
}

/// True if two arrays whose ranges of memory meet are seen to share no byte: they take turns in it,
/// as the columns of one matrix do. With the strides from some length on as a common period, every
/// element lies in a fixed part of the period.
inline bool take_turns(const array_ref& a, const array_ref& b) {
  const auto distance = [](std::int64_t stride) { return stride < 0 ? -stride : stride; };
  for (const array_ref* chosen : {&a, &b})
    for (int c = 0; c < chosen->shape.rank; c++) {
      const std::int64_t shortest = distance(chosen->shape.strides[c]);
      if (chosen->shape.shape[c] == 1 || shortest == 0) continue;
      std::int64_t period = 0, begin[2], width[2];
      for (int i = 0; i < 2; i++) {
        const array_ref& r = i == 0 ? a : b;
        array_ref within = r;
        for (int d = 0; d < r.shape.rank; d++) {
          if (r.shape.shape[d] == 1 || distance(r.shape.strides[d]) < shortest) continue;
          period = std::gcd(period, distance(r.shape.strides[d]));
          within.shape.shape[d] = 1;
        }
        const auto reach = within.shape.reach(r.element_size);
        begin[i] = (r.data - a.data) + reach[0], width[i] = reach[1] - reach[0];
      }
      const std::int64_t gap = ((begin[1] - begin[0]) % period + period) % period;
      if (gap >= width[0] && gap + width[1] <= period) return true;
    }
  return false;
}

/// Throws if out and in share memory, unless they are the very same array and that is allowed.
inline void check_overlap(const array_ref& in, const array_ref& out, bool same_is_fine) {
  const auto i = in.shape.reach(in.element_size), o = out.shape.reach(out.element_size);
  if (i[0] == i[1] || o[0] == o[1]) return;
  const std::byte *i0 = in.data + i[0], *i1 = in.data + i[1], *o0 = out.data + o[0],
                  *o1 = out.data + o[1];
  if (i1 <= o0 || o1 <= i0 || take_turns(in, out)) return;
  bool same = same_is_fine && in.data == out.data && in.element_size == out.element_size &&
              in.shape.rank == out.shape.rank;
  for (int d = 0; same && d < in.shape.rank; d++)
    same = in.shape.shape[d] == out.shape.shape[d] &&
           (in.shape.shape[d] == 1 || in.shape.strides[d] == out.shape.strides[d]);
  if (!same)
    fail(error_code::overlap,
         "rung: the output shares memory with an input but is not the same array; nothing was "
         "written");
}

/// Throws if two elements of an output are one (stride 0). An array of none may have any strides.
inline void check_distinct(const array_ref& out) {
  if (out.shape.size() == 0) return;
  for (int d = 0; d < out.shape.rank; d++)
    if (out.shape.shape[d] > 1 && out.shape.strides[d] == 0)
      fail(error_code::overlap,
           "rung: axis " + std::to_string(d) +
               " of the output has stride 0: its elements are one place in memory");
}

/// The shape of a reduction's result.
inline layout reduced_shape(const layout& in, const std::array<bool, max_rank>& folded,
                            bool keepdims) {
  layout out;
  for (int d = 0; d < in.rank; d++)
    if (!folded[d] || keepdims)
      out.strides[out.rank] = 0, out.shape[out.rank++] = folded[d] ? 1 : in.shape[d];
  return out;
}

/// The error for the extreme of no values; it names the axis.
[[noreturn]] inline void fail_empty(const layout& in, const std::array<bool, max_rank>& folded,
                                    const char* what) {
  int axis = -1;
  for (int d = 0; d < in.rank; d++)
    if (folded[d] && in.shape[d] == 0) axis = d;
  fail(error_code::empty, "rung: " + std::string(what) + " of no values: axis " +
                              std::to_string(axis) + " of shape " +
                              rung::detail::shape_text(in.lengths()) + " has length 0");
}

/// An output of a reduction with strides for every axis of the input: 0 along the folded ones.
/// keepdims is seen from the rank. Throws if its shape is not the result's.
inline array_ref spread_output(array_ref out, const layout& in,
                               const std::array<bool, max_rank>& folded) {
  const bool keepdims = out.shape.rank == in.rank;
  const layout want = reduced_shape(in, folded, keepdims);
  if (!std::ranges::equal(want.lengths(), out.shape.lengths()))
    fail(error_code::bad_argument, "rung: the result has shape " +
                                       rung::detail::shape_text(want.lengths()) + ", the output " +
                                       rung::detail::shape_text(out.shape.lengths()));
  layout spread = in;
  for (int d = 0, o = 0; d < in.rank; d++) {
    spread.strides[d] = folded[d] ? 0 : out.shape.strides[o];
    if (!folded[d] || keepdims) o++;
  }
  out.shape = spread;
  return out;
}

/// Strides along every axis of `shape` for a 1-D array that holds its values in C order.
inline layout flat_strides(const layout& shape, std::int64_t step) {
  layout l = shape;
  for (int d = shape.rank - 1; d >= 0; d--) {
    l.strides[d] = step;
    step *= shape.shape[d];
  }
  return l;
}

/// The axes that a scan runs along: one, or all, in C order; then the output is 1-D, and gets
/// strides for every axis. Throws for an output of another shape.
inline std::array<bool, max_rank> scanned_axes(const layout& shape, array_ref& out,
                                               std::optional<std::int64_t> along) {
  std::array<bool, max_rank> folded{};
  if (along) {
    folded[normalise_axis(*along, shape.lengths())] = true;
    if (!std::ranges::equal(out.shape.lengths(), shape.lengths()))
      fail(error_code::bad_argument,
           "rung: the scan has shape " + rung::detail::shape_text(shape.lengths()) +
               ", the output " + rung::detail::shape_text(out.shape.lengths()));
    return folded;
  }
  for (int d = 0; d < shape.rank; d++) folded[d] = true;
  if (out.shape.rank != 1 || out.shape.shape[0] != shape.size())
    fail(error_code::bad_argument,
         "rung: a scan of all " + std::to_string(shape.size()) +
             " values in C order needs an output of one axis and that length, not " +
             rung::detail::shape_text(out.shape.lengths()) + "; or name an axis");
  out.shape = flat_strides(shape, out.shape.strides[0]);
  return folded;
}

}  // namespace rung::host
