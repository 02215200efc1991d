// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// view<T>: an n-d strided array that somebody else owns. Made from a pointer and a shape, from any
// contiguous range (std::vector, std::span, std::array) and from anything that looks like
// std::mdspan. Negative strides, stride 0 (broadcast) and axes of length zero are all fine. T may
// be const.
#pragma once
#include <concepts>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include "base/layout.hpp"

namespace rung {

namespace detail {
/// What std::mdspan and its predecessors offer.
template <class M>
concept mdspan_like = requires(const M& m) {
  m.rank();
  m.stride(0);
  m.extent(0);
  { m.data_handle() } -> std::convertible_to<const volatile void*>;
};
}  // namespace detail

template <class T>
class view {
 public:
  using value_type = std::remove_cv_t<T>;

  view() = default;
  /// A C-order array at data.
  view(T* data, std::initializer_list<std::int64_t> shape)
      : view(data, extents(shape.begin(), shape.size())) {}
  view(T* data, extents shape) : data_(data), layout_(shape, sizeof(T)) {}
  /// Strides in elements.
  view(T* data, std::initializer_list<std::int64_t> shape,
       std::initializer_list<std::int64_t> strides)
      : view(data, extents(shape.begin(), shape.size()), extents(strides.begin(), strides.size())) {
  }
  view(T* data, extents shape, extents strides) : data_(data), layout_(shape, strides) {
    for (int d = 0; d < layout_.rank; d++) layout_.strides[d] *= std::int64_t(sizeof(T));
  }
  /// Strides in bytes, as other libraries hand them over.
  view(T* data, const layout& bytes) : data_(data), layout_(bytes) {}

  /// Any contiguous range: one axis.
  template <std::ranges::contiguous_range R>
    requires(std::ranges::sized_range<R>&& std::is_convertible_v<
                 std::remove_reference_t<std::ranges::range_reference_t<R>> (*)[], T (*)[]> &&
             !detail::mdspan_like<std::remove_cvref_t<R>>)
  view(R&& range) : data_(std::ranges::data(range)) {
    const std::int64_t n = std::int64_t(std::ranges::size(range));
    layout_ = layout(extents(&n, 1), sizeof(T));
  }
  template <detail::mdspan_like M>
  view(const M& m) : data_(m.data_handle()) {
    layout_.rank = int(m.rank());
    if (layout_.rank > max_rank)
      fail(error_code::bad_argument, "rung: at most 16 axes are supported");
    for (int d = 0; d < layout_.rank; d++) {
      layout_.shape[d] = std::int64_t(m.extent(d));
      layout_.strides[d] = std::int64_t(m.stride(d)) * std::int64_t(sizeof(T));
    }
  }
  /// view<T> to view<const T>.
  template <class U>
    requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>)
  view(const view<U>& other) : data_(other.data()), layout_(other.bytes()) {}

  T* data() const { return data_; }
  int rank() const { return layout_.rank; }
  extents shape() const { return layout_.lengths(); }
  std::int64_t size() const { return layout_.size(); }
  const layout& bytes() const { return layout_; }

  /// The element at the given indices, one per axis.
  template <std::integral... Index>
  T& operator()(Index... index) const {
    const std::int64_t at[] = {std::int64_t(index)..., 0};
    std::int64_t offset = 0;
    for (int d = 0; d < int(sizeof...(Index)); d++) offset += at[d] * layout_.strides[d];
    return *shifted(data_, offset);
  }

  /// The axes in another order: result axis d is axis order[d] here.
  view transposed(std::initializer_list<int> order) const {
    view v = *this;
    if (int(order.size()) != rank())
      fail(error_code::bad_argument, "rung: transposed needs one entry per axis");
    int d = 0;
    std::array<bool, max_rank> seen{};
    for (int from : order) {
      from = normalise_axis(from, shape());
      if (std::exchange(seen[from], true))
        fail(error_code::bad_argument, "rung: transposed names an axis twice");
      v.layout_.shape[d] = layout_.shape[from];
      v.layout_.strides[d++] = layout_.strides[from];
    }
    return v;
  }
  /// Back to front along one axis.
  view reversed(int axis) const {
    view v = *this;
    axis = normalise_axis(axis, shape());
    if (layout_.shape[axis] > 0)
      v.data_ = shifted(data_, layout_.strides[axis] * (layout_.shape[axis] - 1));
    v.layout_.strides[axis] = -layout_.strides[axis];
    return v;
  }
  /// Positions begin, begin + step, ... (count of them) of one axis.
  view sliced(int axis, std::int64_t begin, std::int64_t count, std::int64_t step = 1) const {
    axis = normalise_axis(axis, shape());
    const std::int64_t n = layout_.shape[axis];
    std::int64_t last = 0;
    const bool too_far = count > 0 && (__builtin_mul_overflow(count - 1, step, &last) ||
                                       __builtin_add_overflow(begin, last, &last));
    if (too_far || count < 0 || (count > 0 && (begin < 0 || begin >= n || last < 0 || last >= n)))
      fail(error_code::bad_argument,
           "rung: slice leaves axis " + std::to_string(axis) + " of length " + std::to_string(n));
    view v = *this;
    if (count > 0) v.data_ = shifted(data_, begin * layout_.strides[axis]);
    v.layout_.shape[axis] = count;
    if (count > 1) v.layout_.strides[axis] *= step;
    return v;
  }
  /// A new axis of length n in which every element is the same one (stride 0).
  view broadcast(int axis, std::int64_t n) const {
    if (rank() == max_rank) fail(error_code::bad_argument, "rung: at most 16 axes are supported");
    if (axis < 0 || axis > rank() || n < 0)
      fail(error_code::bad_argument, "rung: broadcast to no such axis");
    view v = *this;
    v.layout_.rank++;
    for (int d = rank(); d > axis; d--) {
      v.layout_.shape[d] = layout_.shape[d - 1];
      v.layout_.strides[d] = layout_.strides[d - 1];
    }
    v.layout_.shape[axis] = n;
    v.layout_.strides[axis] = 0;
    v.layout_.check_count();
    return v;
  }

 private:
  static T* shifted(T* p, std::int64_t bytes) {
    using byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    return reinterpret_cast<T*>(reinterpret_cast<byte*>(p) + bytes);
  }
  T* data_ = nullptr;
  layout layout_{};
};

template <std::ranges::contiguous_range R>
view(R&&) -> view<std::remove_reference_t<std::ranges::range_reference_t<R>>>;
template <detail::mdspan_like M>
view(const M& m) -> view<std::remove_pointer_t<decltype(m.data_handle())>>;

}  // namespace rung
