// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What a kernel on the device rung reads: position i of one or several arrays of one length, put
// through a function, or the position itself. Neighbours are read as packs of 16 bytes where all
// arrays are aligned to that, one by one where they are not; the values are the same.
#pragma once
#include "../base/gpu.cuh"
#include "../transform.hpp"
#include "device.cuh"

namespace rung {

/// The numbers first, first + 1, ... as an array of `size` 64-bit integers that lies nowhere.
struct counting {
  std::int64_t size, first = 0;
  using value_type = std::int64_t;
};
/// f(first), f(first + 1), ...
template <class F>
struct generated {
  F f;
  counting from;
  using value_type = std::remove_cvref_t<std::invoke_result_t<const F&, std::int64_t>>;
};
template <class F>
generated<F> transform(F f, const counting& from) {
  return {f, from};
}

/// The first values of `what`, as many as *count says when the kernel runs: a number in device
/// memory, not negative and not above the size of `what`.
template <class What>
struct counted {
  const What& what;
  const std::int64_t* count;
};
template <class What>
counted(const What&, const std::int64_t*) -> counted<What>;

namespace detail {

/// How many neighbours of this size fill whole words of 16 bytes; 16 at most.
RUNG_HD constexpr int pack_of(std::size_t bytes) {
  int n = 1;
  while (n < 16 && n * bytes % 16 != 0) n *= 2;
  return n;
}
template <class... Ts>
constexpr int common_pack() {
  int n = 16;
  ((n = pack_of(sizeof(Ts)) < n ? pack_of(sizeof(Ts)) : n), ...);
  return n;
}

template <class... Ts>
struct array_list {};
template <class T, class... Rest>
struct array_list<T, Rest...> {
  global<const T> first;
  array_list<Rest...> rest;
};

/// g(read(array)...)
template <class Read, class G, class... Got>
RUNG_DEVICE auto with_each(const array_list<>&, const Read&, const G& g, const Got&... got) {
  return g(got...);
}
template <class T, class... Rest, class Read, class G, class... Got>
RUNG_DEVICE auto with_each(const array_list<T, Rest...>& arrays, const Read& read, const G& g,
                           const Got&... got) {
  return with_each(arrays.rest, read, g, got..., read(arrays.first));
}

template <class T>
RUNG_DEVICE T read_value(global<const T> x, std::int64_t i) {
  return load_read_only(x[i]);
}
/// Streaming: the values will not be read again soon.
template <int N, bool Streaming, class T>
RUNG_DEVICE pack<T, N> read_pack(global<const T> x, std::int64_t i) {
  const auto packs = as<const pack<T, N>>(x + i);
  if constexpr (Streaming) return load_streaming(packs[0]);
  else return load_read_only(packs[0]);
}

inline void check_reachable(const array_list<>&) {}
template <class T, class... Rest>
void check_reachable(const array_list<T, Rest...>& arrays) {
  if constexpr (std::is_pointer_v<global<const T>>) check_device_pointer(arrays.first, "an array");
  else check_device_pointer(arrays.first.data(), "an array");
  check_reachable(arrays.rest);
}

/// f(a[i], b[i], ...)
template <class F, class... Ts>
struct array_source {
  F f;
  array_list<Ts...> arrays;
  bool aligned;  ///< every array, to its packs
  using value_type = std::remove_cvref_t<std::invoke_result_t<const F&, Ts...>>;
  static constexpr int pack_size = common_pack<Ts...>();

  /// On the host: throws if the GPU cannot read the arrays.
  void check() const { check_reachable(arrays); }

  RUNG_DEVICE value_type operator[](std::int64_t i) const {
    return with_each(
        arrays, [&](auto x) { return read_value(x, i); },
        [&](const auto&... v) { return f(v...); });
  }
  /// Values i, i + 1, ...: a whole pack, i a multiple of its size, all arrays aligned.
  template <bool Streaming>
  RUNG_DEVICE pack<value_type, pack_size> pack_at(std::int64_t i) const {
    return with_each(
        arrays, [&](auto x) { return read_pack<pack_size, Streaming>(x, i); },
        [&](const auto&... packs) {
          pack<value_type, pack_size> values;
          RUNG_UNROLL
          for (int j = 0; j < pack_size; ++j) values[j] = f(packs[j]...);
          return values;
        });
  }
  /// N values of which `count` are there, aligned or not; in place of the others: some value.
  template <int N>
  RUNG_DEVICE pack<value_type, N> some_at(std::int64_t i, std::int64_t count) const {
    pack<value_type, N> values;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) values[j] = (*this)[j < count ? i + j : count > 0 ? i : 0];
    return values;
  }
};

/// f(i)
template <class F>
struct counting_source {
  F f;
  std::int64_t first;
  static constexpr bool aligned = true;
  using value_type = std::remove_cvref_t<std::invoke_result_t<const F&, std::int64_t>>;
  static constexpr int pack_size = 4;
  void check() const {}

  RUNG_DEVICE value_type operator[](std::int64_t i) const { return f(first + i); }
  template <bool>
  RUNG_DEVICE pack<value_type, pack_size> pack_at(std::int64_t i) const {
    return some_at<pack_size>(i, pack_size);
  }
  template <int N>
  RUNG_DEVICE pack<value_type, N> some_at(std::int64_t i, std::int64_t) const {
    pack<value_type, N> values;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) values[j] = f(first + i + j);
    return values;
  }
};

// ---------------------------------------------------------------- from what the caller wrote

/// A source, and how many values it has.
template <class Source>
struct sized_source {
  using type = Source;
  Source source;
  std::int64_t size;
};
/// The number of values lies in device memory; size is the most it may say.
template <class Source>
struct counted_source : sized_source<Source> {
  const std::int64_t* count;
};

/// All values of an array one after the other in memory, in C order.
template <class T>
const T* contiguous_data(const view<const T>& v) {
  std::int64_t stride = sizeof(T);
  for (int d = v.rank() - 1; d >= 0 && v.size() > 0; d--) {
    if (v.bytes().shape[d] == 1) continue;
    if (v.bytes().strides[d] != stride)
      fail(error_code::bad_argument,
           "rung: the device rung folds contiguous arrays; this one has strides of its own");
    stride *= v.bytes().shape[d];
  }
  return v.data();
}
inline bool is_aligned(const void* p, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
}

inline array_list<> list_of() { return {}; }
template <class T, class... Rest>
array_list<T, Rest...> list_of(const T* first, const Rest*... rest) {
  return {first, list_of(rest...)};
}

template <class F, class... Ts>
auto device_source(const transformed<F, Ts...>& t) {
  using source = array_source<F, Ts...>;
  return std::apply(
      [&](const auto& first, const auto&... rest) {
        ((rest.size() == first.size()
              ? void()
              : fail(error_code::bad_argument, "rung: arrays of " + std::to_string(first.size()) +
                                                   " and " + std::to_string(rest.size()) +
                                                   " values cannot be folded together")),
         ...);
        const auto aligned = [](const auto& v) {
          return is_aligned(v.data(), access_alignment(source::pack_size * sizeof(*v.data())));
        };
        return sized_source<source>{{t.f, list_of(contiguous_data(first), contiguous_data(rest)...),
                                     aligned(first) && (aligned(rest) && ...)},
                                    first.size()};
      },
      t.arrays);
}
template <class F>
sized_source<counting_source<F>> device_source(const generated<F>& g) {
  return {{g.f, g.from.first}, g.from.size};
}
inline auto device_source(const counting& c) { return device_source(generated<as_it_is>{{}, c}); }
template <class Source>
counted_source<Source> with_count(const sized_source<Source>& s, const std::int64_t* count) {
  return {s, count};
}
/// Arrays in device memory: views, and anything with data() and size().
template <class A>
  requires requires(const A& a) { view(a); }
auto device_source(const A& array) { return device_source(transform(as_it_is{}, array)); }
template <class A>
  requires(
      requires(const A& a) {
        { a.size() } -> std::convertible_to<std::int64_t>;
        *a.data();
      } &&
      !requires(const A& a) { view(a); })
auto device_source(const A& array) {
  return device_source(view(array.data(), {std::int64_t(array.size())}));
}
template <class What>
auto device_source(const counted<What>& c) {
  return with_count(device_source(c.what), c.count);
}

}  // namespace detail
}  // namespace rung
