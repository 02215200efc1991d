// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include "ours.hpp"

#include <rung/rung.hpp>
#include <span>

#include "../harness.hpp"

namespace bench {

template <class T>
void our_sum(const T* x, std::size_t n) {
  keep(rung::reduce(rung::cpu, std::span<const T>(x, n), rung::plus{}));
}

template <class T>
void our_exact_sum(const T* x, std::size_t n) {
  keep(rung::reduce(rung::cpu, std::span<const T>(x, n), rung::exact_plus{}));
}

template <class T>
void our_scan(const T* x, scan_type<T>* y, std::size_t n) {
  rung::inclusive_scan(rung::cpu, std::span<const T>(x, n), std::span<scan_type<T>>(y, n),
                       rung::plus{});
}

void our_axis_sum(const float* x, float* y, const std::vector<std::int64_t>& shape, int axis) {
  std::vector<std::int64_t> rest = shape;
  rest.erase(rest.begin() + axis);
  rung::reduce(rung::cpu, rung::view<const float>(x, shape), rung::plus{}, rung::axes{axis},
               rung::into(rung::view<float>(y, rest)));
}

void our_axis_scan(const float* x, float* y, const std::vector<std::int64_t>& shape, int axis) {
  rung::inclusive_scan(rung::cpu, rung::view<const float>(x, shape), rung::view<float>(y, shape),
                       rung::plus{}, rung::axis{axis});
}

template <class T>
void our_segment_sums(const T* x, std::int64_t n, const std::vector<std::int64_t>& offsets,
                      sum_type<T>* y) {
  rung::segmented_reduce(
      rung::cpu, rung::view<const T>(x, {n}), offsets, rung::plus{},
      rung::into(rung::view<sum_type<T>>(y, {std::int64_t(offsets.size()) - 1})));
}
template <class T>
void our_segment_minima(const T* x, std::int64_t n, const std::vector<std::int64_t>& offsets,
                        sum_type<T>* y) {
  rung::segmented_reduce(
      rung::cpu, rung::view<const T>(x, {n}), offsets, rung::minimum{},
      rung::into(rung::view<sum_type<T>>(y, {std::int64_t(offsets.size()) - 1})));
}
void our_sums_by_id(const double* x, const std::vector<std::int64_t>& ids, double* y,
                    std::int64_t groups) {
  rung::reduce_by_id(rung::cpu, ids, std::span<const double>(x, ids.size()), rung::plus{},
                     rung::into(rung::view<double>(y, {groups})));
}

template void our_sum(const float*, std::size_t);
template void our_sum(const double*, std::size_t);
template void our_sum(const rung::f16*, std::size_t);
template void our_sum(const rung::bf16*, std::size_t);
template void our_sum(const std::int32_t*, std::size_t);
template void our_exact_sum(const float*, std::size_t);
template void our_exact_sum(const double*, std::size_t);
template void our_scan(const float*, float*, std::size_t);
template void our_scan(const double*, double*, std::size_t);
template void our_scan(const rung::f16*, rung::f16*, std::size_t);
template void our_scan(const rung::bf16*, rung::bf16*, std::size_t);
template void our_scan(const std::int32_t*, std::int64_t*, std::size_t);

template void our_segment_sums(const float*, std::int64_t, const std::vector<std::int64_t>&,
                               float*);
template void our_segment_sums(const double*, std::int64_t, const std::vector<std::int64_t>&,
                               double*);
template void our_segment_sums(const std::int32_t*, std::int64_t, const std::vector<std::int64_t>&,
                               std::int64_t*);
template void our_segment_sums(const std::int64_t*, std::int64_t, const std::vector<std::int64_t>&,
                               std::int64_t*);
template void our_segment_minima(const float*, std::int64_t, const std::vector<std::int64_t>&,
                                 float*);
template void our_segment_minima(const double*, std::int64_t, const std::vector<std::int64_t>&,
                                 double*);
template void our_segment_minima(const std::int32_t*, std::int64_t,
                                 const std::vector<std::int64_t>&, std::int64_t*);
template void our_segment_minima(const std::int64_t*, std::int64_t,
                                 const std::vector<std::int64_t>&, std::int64_t*);
}  // namespace bench
