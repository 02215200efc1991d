// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What a kernel on the device rung reads: position i of one or several arrays of one length, put
// through a function, or the position itself. Neighbours are read as packs of 16 bytes where all
// arrays are aligned to that; where they are not, as the aligned words that they lie in, shifted,
// and one by one at the ends. An array may run backwards, each for itself: its packs are read as
// they lie and turned round in registers.
#pragma once
#include <algorithm>

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

/// An array of a source: position i lies at first[i], or, where it runs backwards, at first[-i].
template <class T>
struct array_line {
  global<const T> first;
  bool backwards;
  /// The lowest place of positions i .. i + count - 1.
  RUNG_DEVICE global<const T> lowest(std::int64_t i, std::int64_t count) const {
    return first + std::ptrdiff_t(backwards ? -(i + count - 1) : i);
  }
};
template <class... Ts>
struct array_list {};
template <class T, class... Rest>
struct array_list<T, Rest...> {
  array_line<T> first;
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

/// What a kernel knows of the values that it reads: nobody writes them meanwhile; nobody does, and
/// they will not be read again soon; or they may be written, each after it has been read.
enum class reading { unchanged, once, coherent };
template <reading How, class T>
RUNG_DEVICE T read_value(global<const T> x) {
  if constexpr (How == reading::once) return load_streaming(x[0]);
  else if constexpr (How == reading::unchanged) return load_read_only(x[0]);
  else return x[0];
}
template <int N, reading How, class T>
RUNG_DEVICE pack<T, N> read_pack(global<const T> lowest) {
  return read_value<How, pack<T, N>>(as<const pack<T, N>>(lowest));
}
template <class Array>
RUNG_DEVICE unsigned address_bits(const Array& x) {
  if constexpr (std::is_pointer_v<Array>) return unsigned(reinterpret_cast<std::uintptr_t>(x));
  else return unsigned(reinterpret_cast<std::uintptr_t>(x.data()));
}
/// Drops the first `bytes` bytes, up to 15, a multiple of Unit's lowest bit; behind the last words:
/// anything.
template <std::size_t Unit = 1, int N>
RUNG_DEVICE void shift_words(std::uint32_t (&w)[N], unsigned bytes) {
  RUNG_UNROLL
  for (int j = 0; j + 2 < N; ++j) w[j] = (bytes & 8) != 0 ? w[j + 2] : w[j];
  if constexpr (Unit % 8 != 0) {
    RUNG_UNROLL
    for (int j = 0; j + 1 < N; ++j) w[j] = (bytes & 4) != 0 ? w[j + 1] : w[j];
  }
  if constexpr (Unit % 4 != 0) {
    RUNG_UNROLL
    for (int j = 0; j + 1 < N; ++j)
      w[j] = std::uint32_t((std::uint64_t(w[j + 1]) << 32 | w[j]) >> 8 * (bytes & 3));
  }
}

/// The same as read_pack where packs are not aligned to 16 bytes: the words of 16 bytes that they
/// lie in, shifted. All of these words are read, a neighbour's, too.
template <int N, class T>
RUNG_DEVICE pack<T, N> read_shifted(global<const T> lowest) {
  constexpr int words = N * int(sizeof(T)) / 16 + 1;
  using word = pack<std::uint32_t, 4>;
  const unsigned off = address_bits(lowest) % 16;
  const auto from = as<const word>(as<const unsigned char>(lowest) - std::ptrdiff_t(off));
  std::uint32_t all[4 * words];
  RUNG_UNROLL
  for (int w = 0; w < words; ++w) {
    const word got = load_read_only(from[w]);
    RUNG_UNROLL
    for (int k = 0; k < 4; ++k) all[4 * w + k] = got[k];
  }
  shift_words<sizeof(T)>(all, off);
  pack<T, N> values;
  __builtin_memcpy(static_cast<void*>(&values), all, sizeof values);
  return values;
}
/// The last value first.
template <class T, int N>
RUNG_DEVICE void turn_round(pack<T, N>& values) {
  const pack<T, N> from = values;
  RUNG_UNROLL
  for (int j = 0; j < N; ++j) values[j] = from[N - 1 - j];
}

/// The address of a global<T>.
template <class Place>
auto address_of_place(const Place& place) {
  if constexpr (std::is_pointer_v<Place>) return place;
  else return place.data();
}
template <class T>
const void* address_of(const array_line<T>& line) {
  return address_of_place(line.first);
}
inline void check_reachable(const array_list<>&) {}
template <class T, class... Rest>
void check_reachable(const array_list<T, Rest...>& arrays) {
  check_device_pointer(address_of(arrays.first), "an array");
  check_reachable(arrays.rest);
}

/// f(a[i], b[i], ...)
template <class F, class... Ts>
struct array_source {
  F f;
  array_list<Ts...> arrays;
  bool aligned;           ///< packs can be read as they lie
  bool turned;            ///< packs can be read, and those of some arrays are turned round
  bool backwards;         ///< some arrays run backwards
  std::int64_t size = 0;  ///< of the arrays; 0: not told
  using value_type = std::remove_cvref_t<std::invoke_result_t<const F&, Ts...>>;
  static constexpr int pack_size = common_pack<Ts...>();

  /// On the host: throws if the GPU cannot read the arrays.
  void check() const { check_reachable(arrays); }

  template <reading How = reading::unchanged>
  RUNG_DEVICE value_type value_at(std::int64_t i) const {
    return with_each(
        arrays, [&](const auto& x) { return read_value<How>(x.lowest(i, 1)); },
        [&](const auto&... v) { return f(v...); });
  }
  /// Values i, i + 1, ...: a whole pack, i a multiple of its size, all arrays aligned.
  template <reading How>
  RUNG_DEVICE pack<value_type, pack_size> pack_at(std::int64_t i) const {
    return of_packs([&](const auto& x) { return read_pack<pack_size, How>(x.first + i); });
  }
  /// The same however the arrays lie.
  template <reading How = reading::unchanged>
  RUNG_DEVICE pack<value_type, pack_size> whole_at(std::int64_t i) const {
    if (turned)
      return of_packs([&](const auto& x) {
        auto values = read_pack<pack_size, How>(x.lowest(i, pack_size));
        if (x.backwards) turn_round(values);
        return values;
      });
    pack<value_type, pack_size> values;
    RUNG_UNROLL
    for (int j = 0; j < pack_size; ++j) values[j] = value_at<How>(i + j);
    return values;
  }
  /// Packs of whole words of 16 bytes in every array, and the most values of one word.
  static constexpr bool in_words =
      ((pack_size * sizeof(Ts) % 16 == 0 && 16 % sizeof(Ts) == 0) && ...);
  static constexpr std::int64_t in_a_word = std::int64_t(std::max({16 / sizeof(Ts)...}));
  /// Whether shifted_at may read `count` values from the first on. What lies before an array that
  /// is not aligned is part of the same allocation.
  RUNG_DEVICE bool shifts(std::int64_t first, std::int64_t count) const {
    return in_words && !turned && (!backwards || first >= in_a_word) &&
           first + count + in_a_word <= size;
  }
  /// A pack of arrays that are not aligned, as the words that it lies in, shifted: half as many
  /// loads as values, or fewer.
  RUNG_DEVICE pack<value_type, pack_size> shifted_at(std::int64_t i) const {
    return of_packs([&](const auto& x) {
      auto values = read_shifted<pack_size>(x.lowest(i, pack_size));
      if (x.backwards) turn_round(values);
      return values;
    });
  }
  /// N values of which `count` are there, aligned or not; in place of the others: some value, and
  /// where values may be written nothing is read there.
  template <int N, reading How = reading::unchanged>
  RUNG_DEVICE pack<value_type, N> some_at(std::int64_t i, std::int64_t count) const {
    pack<value_type, N> values{};
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) {
      if constexpr (How != reading::coherent)
        values[j] = value_at<How>(j < count ? i + j : count > 0 ? i : 0);
      else if (j < count) values[j] = value_at<How>(i + j);
    }
    return values;
  }

 private:
  template <class Read>
  RUNG_DEVICE pack<value_type, pack_size> of_packs(const Read& read) const {
    return with_each(arrays, read, [&](const auto&... packs) {
      pack<value_type, pack_size> values;
      RUNG_UNROLL
      for (int j = 0; j < pack_size; ++j) values[j] = f(packs[j]...);
      return values;
    });
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

  template <int N>
  RUNG_DEVICE pack<value_type, N> some_at(std::int64_t i, std::int64_t) const {
    pack<value_type, N> values;
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) values[j] = f(first + i + j);
    return values;
  }
};

/// A whole pack of an aligned source, and of any: a source says how if some_at is not the best way.
template <reading How, class Source>
RUNG_DEVICE auto pack_at(const Source& x, std::int64_t i) {
  if constexpr (requires { x.template pack_at<How>(i); }) return x.template pack_at<How>(i);
  else return x.template some_at<Source::pack_size>(i, Source::pack_size);
}
template <class Source>
RUNG_DEVICE auto whole_at(const Source& x, std::int64_t i) {
  if constexpr (requires { x.whole_at(i); }) return x.whole_at(i);
  else return x.template some_at<Source::pack_size>(i, Source::pack_size);
}

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

/// All values of an array one after the other in memory, in C order or in the opposite one.
template <class T>
array_line<T> line_of(const view<const T>& v) {
  std::int64_t stride = sizeof(T), sign = 0;  // 0: nothing says which way it runs
  for (int d = v.rank() - 1; d >= 0 && v.size() > 0; d--) {
    if (v.bytes().shape[d] == 1) continue;
    if (sign == 0) sign = v.bytes().strides[d] < 0 ? -1 : 1;
    if (v.bytes().strides[d] != sign * stride)
      fail(error_code::bad_argument,
           "rung: the device rung takes arrays without gaps, in C order or all of it backwards; "
           "this one has strides of its own");
    stride *= v.bytes().shape[d];
  }
  return {v.data(), sign < 0};
}
/// Whether packs of N values begin at multiples of what a load of them needs.
template <int N, class T>
bool is_aligned(const array_line<T>& line) {
  const auto first = reinterpret_cast<std::uintptr_t>(address_of(line));
  return (first + (line.backwards ? sizeof(T) : 0)) % access_alignment(N * sizeof(T)) == 0;
}

inline array_list<> list_of() { return {}; }
template <class T, class... Rest>
array_list<T, Rest...> list_of(const array_line<T>& first, const array_line<Rest>&... rest) {
  return {first, list_of(rest...)};
}
/// Arrays that run forwards.
template <class T, class... Rest>
array_list<T, Rest...> list_of(const T* first, const Rest*... rest) {
  return {{first, false}, list_of(rest...)};
}
inline bool is_aligned(const void* p, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
}
template <class F, class... Ts>
array_source<F, Ts...> source_of(const F& f, std::int64_t size, const array_line<Ts>&... lines) {
  constexpr int N = array_source<F, Ts...>::pack_size;
  const bool in_packs = (is_aligned<N>(lines) && ...), backwards = (lines.backwards || ...);
  return {f, list_of(lines...), in_packs && !backwards, in_packs && backwards, backwards, size};
}

/// The values from number `by` on, which may be negative, as numbers 0, 1, ...
inline array_list<> shifted(const array_list<>&, std::int64_t) { return {}; }
template <class T, class... Rest>
array_list<T, Rest...> shifted(const array_list<T, Rest...>& arrays, std::int64_t by) {
  const array_line<T>& x = arrays.first;
  return {{x.first + std::ptrdiff_t(x.backwards ? -by : by), x.backwards},
          shifted(arrays.rest, by)};
}
template <int N>
bool are_aligned(const array_list<>&) {
  return true;
}
template <int N, class T, class... Rest>
bool are_aligned(const array_list<T, Rest...>& arrays) {
  return is_aligned<N>(arrays.first) && are_aligned<N>(arrays.rest);
}
template <class F, class... Ts>
array_source<F, Ts...> shifted(const array_source<F, Ts...>& s, std::int64_t by) {
  const auto arrays = shifted(s.arrays, by);
  const bool in_packs = are_aligned<array_source<F, Ts...>::pack_size>(arrays);
  return {s.f, arrays, in_packs && !s.backwards, in_packs && s.backwards, s.backwards, s.size - by};
}
template <class F>
counting_source<F> shifted(const counting_source<F>& s, std::int64_t by) {
  return {s.f, s.first + by};
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
        return sized_source<source>{source_of(t.f, first.size(), line_of(first), line_of(rest)...),
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
