// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What is folded: an array, or a function of several arrays of one shape, evaluated as they are
// read and never stored:
//   reduce(cpu, transform([](float a, float b) { return a * b; }, x, y), plus{})
#pragma once
#include <tuple>

#include "base/number.hpp"
#include "view.hpp"

namespace rung {

/// f(a[i], b[i], ...) for every index i; made by transform().
template <class F, class... Ts>
struct transformed {
  static_assert(sizeof...(Ts) >= 1 && sizeof...(Ts) <= 4,
                "rung: transform takes one to four arrays");
  F f;
  std::tuple<view<const Ts>...> arrays;
  using value_type = std::remove_cvref_t<std::invoke_result_t<const F&, Ts...>>;
};

/// The value itself.
struct as_it_is {
  template <class T>
  RUNG_HD constexpr T operator()(T x) const {
    return x;
  }
};

namespace detail {
template <class R>
using element_t = typename decltype(view(std::declval<R>()))::value_type;
template <class T>
view<const T> as_const_view(const view<T>& v) {
  return v;
}
template <class T>
view<const T> as_const_view(const view<const T>& v) {
  return v;
}
}  // namespace detail

/// A function of one to four arrays (views or contiguous ranges) of the same shape.
template <class F, class... Arrays>
auto transform(F f, const Arrays&... arrays) {
  return transformed<F, detail::element_t<const Arrays&>...>{
      f, {detail::as_const_view(view(arrays))...}};
}

namespace detail {
/// Whatever a call takes, as one kind of thing.
template <class F, class... Ts>
const transformed<F, Ts...>& as_source(const transformed<F, Ts...>& t) {
  return t;
}
template <class R>
auto as_source(const R& array) {
  return transform(as_it_is{}, array);
}
template <class What>
using source_t = std::remove_cvref_t<decltype(as_source(std::declval<const What&>()))>;
template <class What>
using value_t = typename source_t<What>::value_type;
}  // namespace detail

/// Where results go: into(out); into(pointer) is one value.
template <class R>
struct into {
  view<R> out;
  explicit into(view<R> v) : out(v) {}
  template <class P>
    requires std::is_same_v<P, R*>  // and no array, which is a range
  explicit into(const P& place) : out(place, extents()) {}
  template <std::ranges::contiguous_range C>
  explicit into(C&& c) : out(std::forward<C>(c)) {}
};
template <class R>
into(view<R>) -> into<R>;
template <class R>
into(R* const&) -> into<R>;
template <std::ranges::contiguous_range C>
into(C&&) -> into<std::remove_reference_t<std::ranges::range_reference_t<C>>>;

/// Segments that need not stand one behind the other, for segmented_reduce: segment s is positions
/// begins[s] .. ends[s] - 1. They may overlap, in any order. Integers of any type.
template <class Begins, class Ends>
struct segment_bounds {
  const Begins& begins;
  const Ends& ends;
};
template <class Begins, class Ends>
segment_bounds(const Begins&, const Ends&) -> segment_bounds<Begins, Ends>;

/// The axis of a scan; negative: counted from the last.
struct axis {
  std::int64_t number;
};

}  // namespace rung
