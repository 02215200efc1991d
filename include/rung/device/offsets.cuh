// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Segment offsets as calls of the device rung take them: in device memory; in host memory, which is
// checked and copied to the device's workspace; in device memory and checked, by a reduce that
// finds the first wrong one.
#pragma once
#include "scan.cuh"

namespace rung {

/// Offsets that are looked at before anything is folded: a call with them waits for the GPU, and
/// throws rung::error for an offset that falls or leaves the array, with its index. Offsets in host
/// memory are always looked at. Wrong ones that nobody looks at: some results are wrong or not
/// written, and nothing outside the arrays is read or written.
template <class Offsets>
struct checked {
  const Offsets& offsets;
};
template <class Offsets>
checked(const Offsets&) -> checked<Offsets>;

namespace detail {

/// What a wrong offset is called.
[[noreturn]] inline void fail_offset(std::int64_t index, std::int64_t last, std::int64_t at,
                                     std::int64_t n) {
  const std::string where = " at index " + std::to_string(index);
  if (index > 0 && at < last)
    fail(error_code::bad_argument, "rung: segment offsets fall from " + std::to_string(last) +
                                       " to " + std::to_string(at) + where);
  fail(error_code::bad_argument, "rung: segment offset " + std::to_string(at) + where +
                                     " lies outside the " + std::to_string(n) + " values");
}
/// f(i): i if offset i is wrong, otherwise more than any index.
template <class O>
struct wrong_offset {
  global<const O> offsets;
  std::int64_t n;
  RUNG_DEVICE std::int64_t operator()(std::int64_t i) const {
    const O at = load_read_only(offsets[i]);
    O last = at;
    if (i > 0) last = load_read_only(offsets[i - 1]);
    const auto o = std::int64_t(at);
    return o < 0 || o > n || at < last ? i : highest_value<std::int64_t>();
  }
};

/// Values one after the other in memory, forwards.
template <class T>
const T* contiguous_data(const view<const T>& v) {
  if (line_of(v).backwards)
    fail(error_code::bad_argument,
         "rung: segments, their results and keys do not run backwards on the device rung");
  return v.data();
}
/// An array as a view: what has data() and size(), too.
template <class A>
auto array_view(const A& array) {
  using T = std::remove_reference_t<decltype(*array.data())>;
  if constexpr (requires { view(array); }) return as_const_view(view(array));
  else return view<const T>(array.data(), {std::int64_t(array.size())});
}
/// The address of what a kernel takes.
template <class T>
T* pointer_of(T* array) {
  return array;
}
template <class A>
auto pointer_of(const A& array) -> decltype(array.data()) {
  return array.data();
}
/// Offsets in device memory, `count` segments.
template <class O>
struct device_offsets {
  const O* first;
  std::int64_t count;
};

template <class O>
device_offsets<O> offsets_on_device(const device& where, const view<const O>& offsets,
                                    std::int64_t n, bool look) {
  static_assert(integer<O> && !std::is_same_v<O, bool>, "rung: segment offsets are integers");
  const O* first = contiguous_data(offsets);
  const std::int64_t count = offsets.size() > 0 ? offsets.size() - 1 : 0;
  if (count == 0) return {first, 0};
  if (!gpu_reaches(first)) {
    for (std::int64_t i = 0; i <= count; ++i) {
      const auto at = std::int64_t(first[i]), last = i > 0 ? std::int64_t(first[i - 1]) : 0;
      if (at < last || at < 0 || at > n) fail_offset(i, last, at, n);
    }
    if (is_capturing(where.stream()))
      fail(error_code::bad_argument,
           "rung: segment offsets in host memory cannot be captured into a graph: copy them to the "
           "device first");
    const std::size_t bytes = std::size_t(count + 1) * sizeof(O);
    auto* const copy = static_cast<O*>(where.workspace(offsets_kind, bytes));
    copy_to_gpu_later(copy, first, bytes, where.stream());
    return {copy, count};
  }
  if (look) {
    const auto wrong =
        reduce(where, transform(wrong_offset<O>{first, n}, counting{count + 1}), minimum{});
    if (wrong <= count) {
      O pair[2] = {};
      const std::int64_t from = wrong > 0 ? wrong - 1 : 0;
      copy_from_gpu(pair + (wrong > 0 ? 0 : 1), first + from, sizeof(O) * (wrong > 0 ? 2 : 1));
      fail_offset(wrong, std::int64_t(pair[0]), std::int64_t(pair[1]), n);
    }
  }
  return {first, count};
}
template <class Offsets>
auto offsets_on_device(const device& where, const Offsets& offsets, std::int64_t n) {
  if constexpr (requires { offsets.on_device(where, n); }) return offsets.on_device(where, n);
  else if constexpr (requires { offsets.offsets; })
    return offsets_on_device(where, array_view(offsets.offsets), n, true);
  else return offsets_on_device(where, array_view(offsets), n, false);
}

}  // namespace detail
}  // namespace rung
