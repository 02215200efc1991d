// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>

#include <bit>
#include <execution>
#include <functional>
#include <numeric>

#ifdef BENCH_EIGEN
#include <Eigen/Core>
#endif

namespace bench {
namespace {

constexpr std::size_t parallel_from = 256 << 10;  // bytes

/// A value as the type it is summed in; f16 with the conversion instruction of the machine.
template <class T>
sum_type<T> widen(T x) {
  if constexpr (std::is_same_v<T, rung::f16>) return float(std::bit_cast<_Float16>(x.bits));
  else return sum_type<T>(x);
}

/// A running sum as it is stored.
template <class T>
scan_type<T> narrow(sum_type<T> s) {
  if constexpr (std::is_same_v<T, rung::f16>)
    return rung::f16::from_bits(std::bit_cast<std::uint16_t>(_Float16(s)));
  else return scan_type<T>(s);
}

/// Output iterator for the standard scans, which assign sums to values of a 16-bit float.
template <class T>
struct stored {
  scan_type<T> value;
  stored& operator=(sum_type<T> s) { return value = narrow<T>(s), *this; }
};

template <class T>
sum_type<T> simd_sum(const T* x, std::size_t n) {
  sum_type<T> s = 0;
#pragma omp simd reduction(+ : s)
  for (std::size_t i = 0; i < n; i++) s += widen(x[i]);
  return s;
}

template <class T>
sum_type<T> omp_sum(const T* x, std::size_t n) {
  sum_type<T> s = 0;
#pragma omp parallel for simd reduction(+ : s) schedule(static)
  for (std::size_t i = 0; i < n; i++) s += widen(x[i]);
  return s;
}

template <class T>
sum_type<T> tbb_sum(const T* x, std::size_t n) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, n, 16384), sum_type<T>(0),
      [x](const auto& r, sum_type<T> s) { return s + simd_sum(x + r.begin(), r.size()); },
      std::plus<>());
}

template <class T>
void tbb_scan(const T* x, scan_type<T>* y, std::size_t n) {
  tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, n, 16384), sum_type<T>(0),
      [x, y](const auto& r, sum_type<T> s, bool is_final) {
        if (!is_final) return s + simd_sum(x + r.begin(), r.size());
        for (std::size_t i = r.begin(); i < r.end(); i++) y[i] = narrow<T>(s += widen(x[i]));
        return s;
      },
      std::plus<>());
}

#ifdef BENCH_EIGEN
template <class T>
sum_type<T> eigen_sum(const T* x, std::size_t n) {
  using value =
      std::conditional_t<std::is_same_v<T, rung::f16>, Eigen::half,
                         std::conditional_t<std::is_same_v<T, rung::bf16>, Eigen::bfloat16, T>>;
  const Eigen::Map<const Eigen::Array<value, Eigen::Dynamic, 1>> a(
      reinterpret_cast<const value*>(x), Eigen::Index(n));
  if constexpr (std::is_same_v<value, sum_type<T>>) return a.sum();
  else return a.template cast<sum_type<T>>().sum();
}
#endif

/// A candidate that keeps what f() returns from being optimised away.
template <class F>
candidate named(std::string name, F f) {
  return {std::move(name), repeat([f] { keep(f()); })};
}

}  // namespace

template <class T>
std::vector<candidate> sum_peers(const T* x, std::size_t n) {
  using S = sum_type<T>;
  const auto std_sum = [x, n](auto... policy) {
    if constexpr (!is_half<T>) return std::reduce(policy..., x, x + n, S(0));
    else return std::transform_reduce(policy..., x, x + n, S(0), std::plus<>(), widen<T>);
  };
  std::vector<candidate> peers = {
      named("std::reduce", [=] { return std_sum(); }),
      named("OpenMP simd", [=] { return simd_sum(x, n); }),
  };
#ifdef BENCH_EIGEN
  peers.push_back(named("Eigen", [=] { return eigen_sum(x, n); }));
#endif
  if (n * sizeof(T) < parallel_from) return peers;
  peers.push_back(named("std::reduce par", [=] { return std_sum(std::execution::par); }));
  peers.push_back(
      named("std::reduce par_unseq", [=] { return std_sum(std::execution::par_unseq); }));
  peers.push_back(named("OpenMP parallel simd", [=] { return omp_sum(x, n); }));
  peers.push_back(named("TBB", [=] { return tbb_sum(x, n); }));
  return peers;
}

template <class T>
std::vector<candidate> scan_peers(const T* x, scan_type<T>* y, std::size_t n) {
  using S = sum_type<T>;
  const auto std_scan = [x, n, y](auto... policy) {
    if constexpr (is_half<T>)
      return std::transform_inclusive_scan(x, x + n, reinterpret_cast<stored<T>*>(y), std::plus<>(),
                                           widen<T>, S(0));
    else return std::inclusive_scan(policy..., x, x + n, y, std::plus<>(), S(0));
  };
  std::vector<candidate> peers = {named("std::inclusive_scan", [=] { return std_scan(); })};
  if (n * sizeof(T) < parallel_from) return peers;
  if constexpr (!is_half<T>)  // the parallel one reads back what it stored: rounded sums
    peers.push_back(
        named("std::inclusive_scan par", [=] { return std_scan(std::execution::par); }));
  peers.push_back(named("TBB", [=] { return tbb_scan(x, y, n), 0; }));
  return peers;
}

template std::vector<candidate> sum_peers(const float*, std::size_t);
template std::vector<candidate> sum_peers(const double*, std::size_t);
template std::vector<candidate> sum_peers(const rung::f16*, std::size_t);
template std::vector<candidate> sum_peers(const rung::bf16*, std::size_t);
template std::vector<candidate> sum_peers(const std::int32_t*, std::size_t);
template std::vector<candidate> scan_peers(const float*, float*, std::size_t);
template std::vector<candidate> scan_peers(const double*, double*, std::size_t);
template std::vector<candidate> scan_peers(const rung::f16*, rung::f16*, std::size_t);
template std::vector<candidate> scan_peers(const rung::bf16*, rung::bf16*, std::size_t);
template std::vector<candidate> scan_peers(const std::int32_t*, std::int64_t*, std::size_t);

}  // namespace bench
