// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums of f32, f16 and bf16 at the speed of memory, whatever the data. Data flow: every
// thread has bins of its own in shared memory, one double per 16 exponents; a value is added to its
// bin, exactly, because a bin has 53 bits and its values at most 39; now and then the warp adds its
// bins up as integers. No branch depends on a value. Cost per f32: one conversion, one addition,
// 16 bytes of shared memory. f16 spans 40 bits: one double in a register. bf16: first 32 bins of
// f32 per thread, each for 512 values of 8 exponents.
#pragma once
#include "exact_total.cuh"

namespace rung::detail {

/// Row k of a warp's bins: values of exponent fields 16 k .. 16 k + 15 of f32, in units of
/// 2^(16 k - 150).
inline constexpr int bin_rows = 16, bin_unit = -150;
/// Values per thread after which a bin may be full.
inline constexpr int bin_capacity = 8192;

template <int Exponent>
RUNG_HD constexpr double two_to() {
  return bit_cast<double>(std::uint64_t(Exponent + 1023) << 52);
}
RUNG_DEVICE double two_to(int exponent) {
  return bit_cast<double>(std::uint64_t(exponent + 1023) << 52);
}

/// A thread's own bins, in shared memory: bins[row * warp_size].
struct thread_bins {
  static constexpr std::size_t of_warp = bin_rows * warp_size;
  shared_view<double> bins;
  /// The warp's bins stand `at` bytes after the scratch's begin.
  RUNG_DEVICE explicit thread_bins(std::size_t at)
      : bins(scratch_array<double>(of_warp, at) + lane()) {}
  RUNG_DEVICE void clear() {
    RUNG_UNROLL
    for (int k = 0; k < bin_rows; ++k) bins[k * warp_size] = -0.0;
  }
};

/// How a thread collects values of type T. spill(): whatever it has, to its bins in shared memory.
template <class T>
struct collector;
template <>
struct collector<float> : thread_bins {
  using thread_bins::thread_bins;
  static constexpr int ahead = 4;
  RUNG_DEVICE void add(float x) {
    const auto place = int(bits_as<std::uint32_t>(x) >> 22 & 0x1e0);  // row * warp_size
    const double bin = bins[place];
    bins[place] = bin + double(x);
  }
  RUNG_DEVICE void spill() {}
};
template <>
struct collector<f16> : thread_bins {
  using thread_bins::thread_bins;
  static constexpr int ahead = 4;
  double sum = -0.0;
  RUNG_DEVICE void add(f16 x) { sum += double(float(x)); }
  /// Below 2^29, in units of 2^-24: whole units of row 9 and the rest.
  RUNG_DEVICE void spill() {
    clear();
    if (!(sum - sum == 0)) {
      bins[(bin_rows - 1) * warp_size] = sum;
    } else {
      constexpr int row = 9, lower = 7;
      const double whole = double(std::int64_t(sum * two_to<-(16 * row + bin_unit)>())) *
                           two_to<16 * row + bin_unit>();
      bins[row * warp_size] = whole;
      bins[lower * warp_size] = sum - whole;
      if (bits_as<std::uint64_t>(sum) == std::uint64_t(1) << 63) clear();
    }
    sum = -0.0;
  }
};
template <>
struct collector<bf16> : collector<float> {
  using collector<float>::collector;
  RUNG_DEVICE void add(bf16 x) { collector<float>::add(float(x)); }
};

/// What a warp has collected: lane k % 16 has row k, (high * 2^32 + low) of its units.
struct row_totals {
  std::int64_t high = 0, low = 0;
  std::uint32_t seen = 0;

  /// The bins of the warp's threads, which they have spilled.
  RUNG_DEVICE void take(shared_view<double> bins) {
    const int row = lane() % bin_rows;
    const double scale = two_to(-(16 * row + bin_unit));
    std::int64_t sum = 0;
    RUNG_UNROLL
    for (int j = 0; j < bin_rows; ++j) {  // every lane in another bank
      const int column = (lane() & bin_rows) | ((j + lane()) & (bin_rows - 1));
      const double bin = bins[row * warp_size + column];
      const auto bits = bits_as<std::uint64_t>(bin);
      if (bits != std::uint64_t(1) << 63) seen |= seen_value;
      if (row == bin_rows - 1 && (bits >> 52 & 2047) == 2047)
        seen |= bits << 12 != 0 ? seen_nan : bits >> 63 != 0 ? seen_minus_infinity : seen_infinity;
      else sum += std::int64_t(bin * scale);
    }
    sum += shuffle_xor(sum, bin_rows);
    low += std::int64_t(std::uint64_t(sum) & limb_mask);
    high += (sum >> 32) + (low >> 32);
    low &= std::int64_t(limb_mask);
  }
};

/// The scratch: limbs and flags, then the bins of each warp.
inline constexpr int bin_limbs = 10;
inline constexpr std::size_t bins_at = 128, bins_of_warp = bin_rows * warp_size;
RUNG_HD constexpr std::size_t bins_scratch(int warps) {
  return bins_at + std::size_t(warps) * bins_of_warp * sizeof(double);
}

/// All rows of the source that are the warp's, to the collector. Packs are asked for long before
/// they are added.
template <bool Aligned, class Source, class Collector, class Flush>
RUNG_DEVICE void collect_rows(const Source& x, std::int64_t rows, Collector& c,
                              const Flush& flush) {
  constexpr int pack_size = Source::pack_size, row = warp_size * pack_size,
                ahead = Collector::ahead;
  const std::int64_t warps = std::int64_t(grid_shape().x) * warps_of_block(),
                     first = std::int64_t(block_index().x) * warps_of_block() + warp_in_block();
  const auto read = [&](std::int64_t r) {
    const std::int64_t i = r * row + lane() * pack_size;
    if constexpr (Aligned) return pack_at<reading::once>(x, i);
    else return whole_at(x, i);
  };
  using values = decltype(read(0));
  const auto add = [&](const values& v) {
    RUNG_UNROLL
    for (int j = 0; j < pack_size; ++j) c.add(v[j]);
  };
  values next[ahead]{};
  RUNG_UNROLL
  for (int a = 0; a < ahead; ++a)
    if (first + a * warps < rows) next[a] = read(first + a * warps);
  std::int64_t r = first;
  int room = bin_capacity;
  constexpr int step = ahead * pack_size;
  for (; r + (ahead - 1) * warps < rows; r += ahead * warps) {
    RUNG_UNROLL
    for (int a = 0; a < ahead; ++a) {
      const values now = next[a];
      const std::int64_t later = r + (ahead + a) * warps;
      if (later < rows) next[a] = read(later);
      add(now);
    }
    if ((room -= step) < step) flush(), room = bin_capacity;
  }
  RUNG_UNROLL
  for (int a = 0; a < ahead - 1; ++a)
    if (r + a * warps < rows) add(next[a]);
}

/// Warps of a block; packs of eight need more registers.
template <class T>
inline constexpr int bin_warps = is_half<T> ? 24 : 32;

template <class S, class Source, class Make>
RUNG_KERNEL(bin_warps<typename Source::value_type>* warp_size, 1)
void exact_bins(Source x, counted_values how, exact_words words, Make make) {
  using T = typename Source::value_type;
  constexpr int row = warp_size * Source::pack_size;
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t n = how();
  auto& s = scratch<block_limbs<bin_limbs>>();
  const std::size_t at = bins_at + std::size_t(warp_in_block()) * bins_of_warp * sizeof(double);
  const auto mine = scratch_array<double>(bins_of_warp, at);
  collector<T> c(at);
  if (rank_in_block() == 0) s.seen = 0;
  c.clear();
  row_totals totals;
  const auto flush = [&] {
    c.spill();
    warp_barrier();
    totals.take(mine);
    warp_barrier();
    c.clear();
  };
  const std::int64_t rows = n / row;
  if (x.aligned) collect_rows<true>(x, rows, c, flush);
  else collect_rows<false>(x, rows, c, flush);
  const std::int64_t threads = std::int64_t(grid_shape().x) * block_shape().x;
  for (std::int64_t i =
           rows * row + std::int64_t(block_index().x) * block_shape().x + rank_in_block();
       i < n; i += threads)
    c.add(x.template some_at<1>(i, 1)[0]);  // fewer than a row: one for a thread, at most some
  warp_barrier();
  c.spill();
  warp_barrier();
  totals.take(mine);
  warp_barrier();
  // Rows' totals as words: low ones of rows 0 .. 15, then high ones.
  if (lane() < bin_rows) {
    mine[lane()] = bits_as<double>(totals.low);
    mine[bin_rows + lane()] = bits_as<double>(totals.high);
  }
  block_barrier();
  const unsigned saw = redux_or(totals.seen);
  if (lane() == 0 && saw != 0) atomic_or<order::relaxed, scope::block>(s.seen, saw);
  block_barrier();
  if (warp_in_block() != 0) return;
  std::int64_t word = 0;
  const auto all = scratch_array<double>(bins_of_warp * std::size_t(warps_of_block()), bins_at);
  for (int w = 0; w < warps_of_block(); ++w)
    word += bits_as<std::int64_t>(double(all[w * int(bins_of_warp) + lane()]));
  // Limb j: low words of rows 2 j and 2 j + 1, what is above them of the two rows before.
  const auto of = [&](int lane_of_word, bool there) {
    const std::int64_t got = shuffle(word, there ? lane_of_word : 0);
    return there ? got : 0;
  };
  const int j = lane();
  const bool has_low = 2 * j<bin_rows, has_high = j> 0 && 2 * j - 2 < bin_rows;
  const std::int64_t limb = of(2 * j, has_low) + (of(2 * j + 1, has_low) << 16) +
                            of(bin_rows + 2 * j - 2, has_high) +
                            (of(bin_rows + 2 * j - 1, has_high) << 16);
  finish_exact<S, exact_state<float>::unit - bin_unit>(
      s.limb, [&](int) { return std::uint64_t(limb); }, std::uint32_t(s.seen), words, n, make);
}

}  // namespace rung::detail
