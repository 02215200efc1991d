// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce(device, what, exact_plus{} and its kind): which values are collected how, and the launch.
// Narrow floats: exact_bins.cuh.
#pragma once
#include "device.cuh"
#include "exact_bins.cuh"

namespace rung::detail {

/// What is made of a sum in the last block: the operator's state, merged with what stands left of
/// it, and put out.
template <class Op, class State, class Start, class Out>
struct make_sum {
  Op op;
  Start start;
  Out out;
  RUNG_DEVICE void operator()(const State& sum) const {
    State s = sum;
    if constexpr (Start::given) s.merge(start(op).state);
    if (s.seen == 0 && !Start::given) s = empty_or(s);
    out(op, s);
  }
  RUNG_DEVICE State empty_or(const State& s) const { return s; }
};

template <class T>
inline constexpr bool is_narrow_float = std::is_same_v<T, float> || is_half<T>;

/// Blocks and warps for so many rows: all of the GPU, or a warp for every few rows.
struct exact_shape {
  std::int64_t blocks;
  int warps;
};
inline exact_shape exact_shape_of(std::int64_t rows, int most_warps, std::int64_t processors) {
  const int warps = rows >= most_warps ? most_warps : rows < 1 ? 1 : int(rows);
  const std::int64_t wanted = (rows + 2 * warps - 1) / (2 * warps);
  return {std::clamp<std::int64_t>(wanted, 1, processors), warps};
}

inline exact_words exact_words_of(const device& where) {
  auto* const memory = static_cast<unsigned char*>(where.workspace(16, exact_words::bytes));
  return {reinterpret_cast<std::uint64_t*>(memory),
          reinterpret_cast<std::uint64_t*>(memory + exact_words::head)};
}

template <class What>
counted_values count_of(const What& what) {
  if constexpr (requires { what.count; }) return {what.size, what.count, true};
  else return {what.size, nullptr, false};
}

template <class What, class Op, class Start, class Out>
void launch_exact(const device& where, const What& what, const Op& op, const Start& start,
                  const Out& out) {
  using Source = typename What::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  constexpr int row = warp_size * Source::pack_size;
  const auto make = make_sum<Op, S, Start, Out>{op, start, out};
  if constexpr (is_narrow_float<T>) {
    constexpr int most_warps = std::is_same_v<T, bf16> ? 16 : 32;
    const auto kernel = exact_bins<S, Source, decltype(make)>;
    const std::int64_t most = most_resident_blocks(kernel, most_warps * warp_size, bins_scratch(most_warps));
    const exact_shape shape = exact_shape_of(what.size / row, most_warps, most);
    launch_with({.early = where.overlaps()}, kernel, shape.blocks, shape.warps * warp_size,
                bins_scratch(shape.warps), where.stream(), what.source, count_of(what),
                exact_words_of(where), make);
  }
}

}  // namespace rung::detail
