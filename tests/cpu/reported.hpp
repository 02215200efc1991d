// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// For the tests of faults that were reported against other libraries: results of a C++ call on
// every number of threads, as plain vectors.
#pragma once
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cpu/random_layout.hpp"
#include "order/same.hpp"
#include "rung/cpu/reduce.hpp"
#include "rung/cpu/scan.hpp"

namespace rung::test {

template <class T>
using list = std::vector<T>;

/// reduce over everything; the same for any number of threads.
template <class What, class Op>
auto whole(const What& what, const Op& op) {
  const auto r = reduce(cpu.with_threads(1), what, op);
  for (const int threads : {2, 3, 8})
    EXPECT_PRED_FORMAT2(same, reduce(cpu.with_threads(threads), what, op), r) << threads;
  return r;
}

/// reduce along axes of a view, as a vector in C order.
template <class T, class Op>
auto along(const view<T>& x, const Op& op, const axes& over) {
  using R = result_t<Op, std::remove_const_t<T>>;
  const auto folded = over.marked(x.shape());
  lengths shape;
  for (int d = 0; d < x.rank(); d++)
    if (!folded[std::size_t(d)]) shape.push_back(x.shape()[std::size_t(d)]);
  list<R> first(std::size_t(product(shape)));
  for (const int threads : {1, 2, 3, 8}) {
    list<R> out(first.size());
    reduce(cpu.with_threads(threads), x, op, over, into(view<R>(out.data(), extents(shape))));
    if (threads == 1) first = out;
    for (std::size_t i = 0; i < out.size(); i++) EXPECT_PRED_FORMAT2(same, R(out[i]), R(first[i]));
  }
  return first;
}

/// inclusive_scan along an axis, as a vector in C order.
template <class T, class Op>
auto scanned(const view<T>& x, const Op& op, std::int64_t along_axis = 0) {
  using R = result_t<Op, std::remove_const_t<T>>;
  list<R> first(std::size_t(x.size()));
  for (const int threads : {1, 2, 3, 8}) {
    list<R> out(first.size());
    inclusive_scan(cpu.with_threads(threads), x, view<R>(out.data(), x.shape()), op,
                   axis{along_axis});
    if (threads == 1) first = out;
    for (std::size_t i = 0; i < out.size(); i++)
      EXPECT_TRUE(same_bits(R(out[i]), R(first[i]))) << "entry " << i << ", " << threads;
  }
  return first;
}

template <class T>
list<T> counting(std::int64_t n, T first = 0) {
  list<T> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), first);
  return v;
}

}  // namespace rung::test
