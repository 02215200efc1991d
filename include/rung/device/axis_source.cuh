// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of axes read: values of one to four arrays with any strides, by the offsets of
// an index along the kept axes and of a position along the folded ones. Loops come merged from
// ../base/loops.hpp. Neighbours in memory are read as packs, where all arrays lie so.
#pragma once
#include "../base/divider.hpp"
#include "../base/loops.hpp"
#include "../thread/reduce.hpp"
#include "tile.cuh"

namespace rung::detail {

/// Where an index of some loops leads: bytes in every array, bytes in the output, positions.
template <int Arrays>
struct axis_place {
  std::int64_t source[Arrays] = {};
  std::int64_t target = 0, position = 0;
};

/// Loops, innermost first, and what a step of each adds.
template <int Arrays>
struct axis_loops {
  struct loop {
    divider length;
    axis_place<Arrays> step;
  };
  int count = 0;
  loop loops[max_rank + 1];

  RUNG_DEVICE static void add(axis_place<Arrays>& to, const axis_place<Arrays>& step,
                              std::int64_t i) {
    RUNG_UNROLL
    for (int a = 0; a < Arrays; ++a) to.source[a] += i * step.source[a];
    to.target += i * step.target;
    to.position += i * step.position;
  }
  /// Of index i of all loops together.
  RUNG_DEVICE axis_place<Arrays> at(std::int64_t i) const {
    axis_place<Arrays> place;
    for (int d = 0; d + 1 < count; ++d) {
      const std::int64_t outer = loops[d].length.quotient(i);
      add(place, loops[d].step, i - outer * loops[d].length.divisor);
      i = outer;
    }
    add(place, loops[count - 1].step, i);
    return place;
  }
};

/// V neighbours of the array, `bytes` bytes behind its begin.
template <int V, bool Streaming, class T>
RUNG_DEVICE pack<T, V> read_behind(global<const T> x, std::int64_t bytes) {
  const auto at =
      as<const pack<T, V>>(as<const unsigned char>(x) + static_cast<std::ptrdiff_t>(bytes));
  if constexpr (Streaming) return load_streaming(at[0]);
  else return load_read_only(at[0]);
}

/// f(a, b, ...) of values that lie somewhere.
template <class F, class... Ts>
struct strided_source {
  F f;
  array_list<Ts...> arrays;
  static constexpr int count = int(sizeof...(Ts));
  static constexpr int pack_size = common_pack<Ts...>();
  using value_type = std::remove_cvref_t<std::invoke_result_t<const F&, Ts...>>;

  /// V neighbours at these bytes of every array.
  template <int V, bool Streaming>
  RUNG_DEVICE pack<value_type, V> read(const axis_place<count>& at) const {
    int a = 0;
    return with_each(
        arrays, [&](const auto& x) { return read_behind<V, Streaming>(x.first, at.source[a++]); },
        [&](const auto&... packs) {
          pack<value_type, V> values;
          RUNG_UNROLL
          for (int j = 0; j < V; ++j) values[j] = f(packs[j]...);
          return values;
        });
  }
};

template <class Source>
inline constexpr std::size_t bytes_of_elements = 0;
template <class F, class... Ts>
inline constexpr std::size_t bytes_of_elements<strided_source<F, Ts...>> = (sizeof(Ts) + ...);

/// B rows of V values from as many bytes of the one array.
template <int V, int B, class F, class T, class Raw>
RUNG_DEVICE void values_of_bytes(const strided_source<F, T>& x, const Raw& raw,
                                 pack<typename strided_source<F, T>::value_type, V> (&rows)[B]) {
  pack<T, V> values[B];
  static_assert(sizeof values == sizeof raw);
  __builtin_memcpy(static_cast<void*>(values), raw, sizeof raw);
  RUNG_UNROLL
  for (int j = 0; j < B * V; ++j) rows[j / V][j % V] = x.f(values[j / V][j % V]);
}

/// The arrays, so many bytes further on.
template <int Nth, int Arrays>
RUNG_DEVICE array_list<> moved(const array_list<>&, const axis_place<Arrays>&) {
  return {};
}
template <int Nth, int Arrays, class T, class... Rest>
RUNG_DEVICE array_list<T, Rest...> moved(const array_list<T, Rest...>& arrays,
                                         const axis_place<Arrays>& by) {
  const auto bytes = as<const unsigned char>(arrays.first.first);
  return {{as<const T>(bytes + static_cast<std::ptrdiff_t>(by.source[Nth])), false},
          moved<Nth + 1>(arrays.rest, by)};
}
/// Positions that are neighbours in memory, from `begin` on, `size` of them at least.
template <class F, class... Ts>
RUNG_DEVICE array_source<F, Ts...> line_of(const strided_source<F, Ts...>& x,
                                           const axis_place<int(sizeof...(Ts))>& begin,
                                           bool aligned, std::int64_t size) {
  return {x.f, moved<0>(x.arrays, begin), aligned, false, false, size};
}

/// The positions of one result as an array: what tile.cuh folds. Coherent: the kernel may write to
/// values that it has read.
template <class Source, bool Coherent = false>
struct line_source {
  const Source& x;
  const axis_loops<Source::count>& folded;
  axis_place<Source::count> begin;
  bool aligned;  ///< a pack of neighbouring positions is a pack in every array
  using value_type = typename Source::value_type;
  static constexpr int pack_size = Source::pack_size;

  RUNG_DEVICE axis_place<Source::count> at(std::int64_t i) const {
    axis_place<Source::count> place = folded.at(i);
    RUNG_UNROLL
    for (int a = 0; a < Source::count; ++a) place.source[a] += begin.source[a];
    return place;
  }
  template <reading How>
  RUNG_DEVICE pack<value_type, pack_size> pack_at(std::int64_t i) const {
    return x.template read < pack_size, How == reading::once || Coherent > (at(i));
  }
  template <int N>
  RUNG_DEVICE pack<value_type, N> some_at(std::int64_t i, std::int64_t count) const {
    pack<value_type, N> values{};
    RUNG_UNROLL
    for (int j = 0; j < N; ++j) {
      // In place of values that are not there: the first; but nothing where it may be written.
      if (!Coherent || j < count)
        values[j] = x.template read<1, Coherent>(at(j < count ? i + j : count > 0 ? i : 0))[0];
    }
    return values;
  }
};

// ---------------------------------------------------------------- where results go

/// What stands left of the first position of every result: nothing, one state for all, or a state
/// of its own.
template <class S>
struct axis_start {
  S state;
  bool some;
  global<const S> each;  ///< by the number of the result, or null
  bool has_each;
  RUNG_DEVICE before<S> operator()(std::int64_t result) const {
    if (!has_each) return {state, some};
    const S mine = each[result];
    return {mine, true};
  }
};

/// States by the number of the result, or where the loops' target steps say.
template <class S>
struct axis_states {
  enum kind { result, state_there, state_in_row } what;
  global<S> states;
  std::int64_t part_step;  ///< states between two parts of the positions
  bool in_packs = false;   ///< results that are neighbours are one access
  static constexpr std::size_t result_bytes = 1;

  template <class Op>
  RUNG_DEVICE void put(const Op&, std::int64_t number, std::int64_t target, std::int64_t part,
                       const S& s) const {
    states[what == state_there ? target : part * part_step + number] = s;
  }
  /// Of V neighbouring results, whose numbers begin at a multiple of V.
  template <int V, class Op>
  RUNG_DEVICE void put_neighbours(const Op& op, std::int64_t number, std::int64_t target,
                                  std::int64_t step, std::int64_t part, const S (&s)[V]) const {
    if (what == state_in_row) {
      pack<S, V> all;
      RUNG_UNROLL
      for (int v = 0; v < V; ++v) all[v] = s[v];
      const auto to = states + static_cast<std::ptrdiff_t>(part * part_step + number);
      store_wide(as<pack<S, V>>(to)[0], all);
    } else {
      RUNG_UNROLL
      for (int v = 0; v < V; ++v) put(op, number + v, target + v * step, part, s[v]);
    }
  }
};
/// Results in the output, or states on the way to them.
template <class Op, class T, class R>
struct axis_output : axis_states<state_t<Op, T>> {
  using S = state_t<Op, T>;
  using base = axis_states<S>;
  static constexpr std::size_t result_bytes = sizeof(R);
  global<R> results;

  axis_output(R* out) : base{base::result, nullptr, 0}, results(out) {}
  static RUNG_DEVICE R result_from(const Op& op, const S& s) {
    const auto r = result_of<Op, T>(op, s);
    if constexpr (rung::number<R> && rung::number<std::remove_cvref_t<decltype(r)>>)
      return convert<R>(r);
    else return R(r);
  }
  RUNG_DEVICE global<unsigned char> behind(std::int64_t target) const {
    return as<unsigned char>(results) + static_cast<std::ptrdiff_t>(target);
  }
  RUNG_DEVICE void put(const Op& op, std::int64_t number, std::int64_t target, std::int64_t part,
                       const S& s) const {
    if (this->what == base::result) as<R>(behind(target))[0] = result_from(op, s);
    else base::put(op, number, target, part, s);
  }
  template <int V>
  RUNG_DEVICE void put_neighbours(const Op& op, std::int64_t number, std::int64_t target,
                                  std::int64_t step, std::int64_t part, const S (&s)[V]) const {
    if (this->what != base::result) {
      base::template put_neighbours<V>(op, number, target, step, part, s);
    } else if (this->in_packs) {
      pack<R, V> all;
      RUNG_UNROLL
      for (int v = 0; v < V; ++v) all[v] = result_from(op, s[v]);
      store_wide(as<pack<R, V>>(behind(target))[0], all);
    } else {
      RUNG_UNROLL
      for (int v = 0; v < V; ++v) put(op, number + v, target + v * step, part, s[v]);
    }
  }
};

/// The operator that results are made with.
template <class Op>
RUNG_DEVICE const Op& finishing(const Op& op) {
  return op;
}
template <class Op>
RUNG_DEVICE const Op& finishing(const joining<Op>& op) {
  return op.op;
}

}  // namespace rung::detail
