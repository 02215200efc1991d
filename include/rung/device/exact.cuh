// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce(device, what, exact_plus{}) and its kind: which values are collected how, and the launch.
// Narrow floats: exact_bins.cuh; doubles and products: exact_window.cuh. A sum or a norm is one
// launch that reads the values once; moments are two.
#pragma once
#include <algorithm>

#include "device.cuh"
#include "exact_bins.cuh"
#include "exact_window.cuh"

namespace rung::detail {

/// The square of a value, for kernels: half the registers of a product of it with itself.
template <class V>
struct exact_square {
  V x;
};
template <class V>
RUNG_HD constexpr exact_parts parts_of(const exact_square<V>& s) {
  return parts_of(exact_product<V>{s.x, s.x});
}
template <class V>
struct doubles_of<exact_square<V>> : doubles_of<exact_product<V>> {
  static RUNG_DEVICE bool split(const exact_square<V>& s, double* to) {
    return doubles_of<exact_product<V>>::split({s.x, s.x}, to);
  }
  static RUNG_DEVICE exact_square<V> nothing() { return {V(0.0f)}; }
};
struct as_square {
  template <class V>
  RUNG_HD constexpr exact_square<V> operator()(V x) const {
    return {x};
  }
};
template <class F>
struct squared {
  F f;
  template <class... V>
  RUNG_HD constexpr auto operator()(V... x) const {
    return as_square{}(f(x...));
  }
};

/// The source of other values in the same places.
template <class F, class G, class... Ts>
array_source<F, Ts...> source_with(const F& f, const array_source<G, Ts...>& s) {
  return {f, s.arrays, s.aligned, s.turned, s.backwards, s.size};
}
template <class F, class G>
counting_source<F> source_with(const F& f, const counting_source<G>& s) {
  return {f, s.first};
}
template <class What, class F>
auto values_with(const F& f, const What& what) {
  const auto source = source_with(f, what.source);
  using Source = std::remove_const_t<decltype(source)>;
  if constexpr (requires { what.count; })
    return counted_source<Source>{{source, what.size}, what.count};
  else return sized_source<Source>{source, what.size};
}

template <class V>
inline constexpr bool is_collected = false;
template <>
inline constexpr bool is_collected<float> = true;
template <>
inline constexpr bool is_collected<f16> = true;
template <>
inline constexpr bool is_collected<bf16> = true;
template <>
inline constexpr bool is_collected<double> = true;
template <class T>
inline constexpr bool is_collected<exact_product<T>> = is_collected<T>;

template <class Op>
inline constexpr bool is_exact_operator = false;
template <class R>
inline constexpr bool is_exact_operator<exact_sum<R>> = true;
template <class R>
inline constexpr bool is_exact_operator<exact_root_of_squares<R>> = true;
template <class R>
inline constexpr bool is_exact_operator<exact_average<R>> = true;
template <>
inline constexpr bool is_exact_operator<exact_moments> = true;

template <class Op>
inline constexpr bool sums_squares = false;
template <class R>
inline constexpr bool sums_squares<exact_root_of_squares<R>> = true;

/// The kernels here serve this operator over these values.
template <class Op, class T>
inline constexpr bool is_exact_on_device = is_exact_operator<Op>&& is_collected<T>;

/// The state of an operator from the sum that a launch has collected, and what is left to do.
template <class V>
RUNG_DEVICE void sum_to_state(const exact_state<V>& sum, std::int64_t, exact_state<V>& state) {
  state = sum;
}
template <class V>
RUNG_DEVICE void sum_to_state(const exact_state<V>& sum, std::int64_t n,
                              exact_mean_state<V>& state) {
  state = {sum, n};
}
/// Whether a sum is rounded and written, and nothing else is asked for.
template <class Op, class Out>
inline constexpr bool rounds_sum = false;
template <class Round, class T, class R>
inline constexpr bool rounds_sum<exact_sum<Round>, result_into<exact_sum<Round>, T, R>> = true;

template <class Op, class State, class Start, class Out>
struct make_result {
  Op op;
  Start start;
  Out out;
  static constexpr bool takes_number = rounds_sum<Op, Out> && !Start::given;
  /// The sum as one number of few digits.
  RUNG_DEVICE void put_number(const wide_number<16>& number, std::uint32_t seen,
                              std::int64_t n) const {
    State state{};
    state.seen = n > 0 ? seen : seen_value;
    using F = decltype(op.finish(state));
    const F rounded = state.number_or(
        [&] {
          const leading_bits x = leading(number);
          if (x.high == 0) return state.seen == 0 ? F(-0.0f) : F(0.0f);
          return round_leading<F>(x, number.negative);
        },
        F(0.0f));
    out.put(rounded);
  }
  template <class Sum>
  RUNG_DEVICE void operator()(const Sum& sum, std::int64_t n) const {
    State state;
    sum_to_state(sum, n, state);
    if constexpr (Start::given) state = op(start(op).state, state);
    put_result(out, op, before<State>{state, true}, n, start);
  }
};
/// The squares have come; the sum was there before.
template <class Op, class V, class Start, class Out>
struct make_moments {
  Op op;
  Start start;
  Out out;
  global<const exact_state<V>> sum;
  static constexpr bool takes_number = false;
  template <class Squares>
  RUNG_DEVICE void operator()(const Squares& squares, std::int64_t n) const {
    exact_moments_state<V> state{sum[0], squares, n};
    if constexpr (Start::given) state = op(start(op).state, state);
    out(op, state);
  }
};

inline exact_words exact_words_of(const device& where) {
  auto* const memory = static_cast<unsigned char*>(where.workspace(exact_kind, exact_words::bytes));
  return {reinterpret_cast<std::uint64_t*>(memory),
          reinterpret_cast<std::uint64_t*>(memory + exact_words::head)};
}

/// One launch: the exact sum S of the values, to make(sum, count).
template <class S, class What, class Make>
void launch_exact_sum(const device& where, const What& what, const Make& make) {
  using Source = typename What::type;
  using T = typename Source::value_type;
  counted_values count{what.size, nullptr, false};
  if constexpr (requires { what.count; }) count.count = what.count, count.on_device = true;
  const std::int64_t rows = what.size / (warp_size * Source::pack_size);
  const auto go = [&](auto kernel, int most_warps, const auto& scratch) {
    // One block per multiprocessor; asked without scratch, which only a launch can ask for.
    const std::int64_t most = most_resident_blocks(kernel, most_warps * warp_size, 0);
    // Blocks of few warps have less to add up at their end; a few rows for each are read by one
    // block sooner than many blocks meet.
    const auto each = [&](std::int64_t rows) {
      return int(std::clamp<std::int64_t>(rows, 1, most_warps));
    };
    const bool alone = rows <= 128;
    const int warps =
        alone ? each((rows + 7) / 8) : each(std::max<std::int64_t>(4, rows / (4 * most)));
    std::int64_t blocks = 1;
    if (!alone)
      blocks = std::clamp<std::int64_t>((rows + 4 * warps - 1) / (4 * warps), 1,
                                        std::min<std::int64_t>(most, exact_words::most_blocks));
    launch_with({.early = where.overlaps()}, kernel, blocks, warps * warp_size, scratch(warps),
                where.stream(), what.source, count, exact_words_of(where), make);
  };
  if constexpr (std::is_same_v<T, float> || is_half<T>)
    go(exact_bins<S, Source, Make>, bin_warps<T>, [](int warps) { return bins_scratch(warps); });
  else
    go(exact_window<S, Source, Make>, window_warps,
       [](int warps) { return window_scratch<S, Source>(warps); });
}

/// The launches of one call.
template <class What, class Op, class Start, class Out>
void launch_exact(const device& where, const What& what, const Op& op, const Start& start,
                  const Out& out) {
  using T = typename What::type::value_type;
  using S = state_t<Op, T>;
  using F = decltype(what.source.f);
  if constexpr (std::is_same_v<Op, exact_moments>) {
    auto* const sum =
        static_cast<exact_state<T>*>(where.workspace(exact_sum_kind, sizeof(exact_state<T>)));
    launch_exact(where, what, exact_plus{}, no_start<exact_state<T>>{},
                 state_into<exact_state<T>>{sum});
    using make = make_moments<Op, T, Start, Out>;
    launch_exact_sum<exact_state<exact_product<T>>>(
        where, values_with(squared<F>{what.source.f}, what), make{op, start, out, sum});
  } else {
    const make_result<Op, S, Start, Out> make{op, start, out};
    if constexpr (std::is_same_v<F, as_exact_square>)
      launch_exact_sum<S>(where, values_with(as_square{}, what), make);
    else if constexpr (sums_squares<Op>)
      launch_exact_sum<S>(where, values_with(squared<F>{what.source.f}, what), make);
    else if constexpr (requires(S s) { s.sum; })
      launch_exact_sum<decltype(S::sum)>(where, what, make);
    else launch_exact_sum<S>(where, what, make);
  }
}

}  // namespace rung::detail
