// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Axes and segments of arrays in host memory that reach the GPU chunk by chunk: for any chunk, any
// type of the elements and any lines, every result is the fold of its line, and every entry of a
// scan that of its prefix.
#include "device/stream_bytes.hpp"
#include "gpu/lines_run.cuh"
#include "warp/values.hpp"

namespace rung::tests {
namespace {

using runtime::gpu_lines_job;
using runtime::meaning;
using runtime::packed;

/// Lines as lists of elements; what a job needs to know of them.
struct lines_of {
  std::vector<std::vector<std::size_t>> lines;
  std::vector<std::int64_t> offsets;
  runtime::line_places places;
  std::int64_t length = 0, count = 0;
};
/// Lines along the middle axis of three: elements (i, j, k), results (i, k).
lines_of middle_of(std::int64_t a, std::int64_t b, std::int64_t c) {
  lines_of l;
  l.length = b, l.count = a * b * c;
  l.places.count = 3;
  l.places.loops[0] = {c, b}, l.places.loops[1] = {b, 1}, l.places.loops[2] = {a, b * c};
  for (std::int64_t i = 0; i < a; ++i)
    for (std::int64_t k = 0; k < c; ++k) {
      auto& line = l.lines.emplace_back();
      for (std::int64_t j = 0; j < b; ++j) line.push_back(std::size_t((i * b + j) * c + k));
    }
  return l;
}
/// Segments of these lengths behind two values that are in none; one value behind them.
lines_of segments_of(const std::vector<std::int64_t>& lengths) {
  lines_of l;
  l.offsets = {2};
  for (const std::int64_t n : lengths) {
    auto& line = l.lines.emplace_back();
    for (std::int64_t i = 0; i < n; ++i) line.push_back(std::size_t(l.offsets.back() + i));
    l.offsets.push_back(l.offsets.back() + n);
  }
  l.count = l.offsets.back() + 1;
  return l;
}
const std::vector<std::int64_t> mixed = {0, 1, 3, 0, 17, 700, 4, 0, 64, 100};

/// The job of these lines over elements as bytes; an initial state and the state of nothing.
template <class S>
gpu_lines_job job_of(const lines_of& l, packed held, runtime::source_type type,
                     const std::vector<unsigned char>& elements, const S* init, const S* nothing) {
  gpu_lines_job job;
  job.held = held, job.arrays = 1, job.types[0] = type, job.chunk = 256;
  job.count = l.count, job.places = l.places, job.length = l.length;
  job.lines = std::int64_t(l.lines.size());
  job.init = init, job.nothing = nothing;
  job.fill = [&elements, type](int, std::int64_t first, std::int64_t n, void* to) {
    const std::size_t size = runtime::size_of(type.type);
    std::memcpy(to, elements.data() + std::size_t(first) * size, std::size_t(n) * size);
  };
  job.fill_offsets = [&l](std::int64_t first, std::int64_t n, std::int64_t* to) {
    std::copy_n(l.offsets.data() + first, n, to);
  };
  return job;
}
template <class P>
std::vector<P> values_of(const std::vector<std::size_t>& line, const std::vector<P>& values) {
  std::vector<P> mine;
  for (const std::size_t i : line) mine.push_back(values[i]);
  return mine;
}

template <class Op, class P, class E>
void check_folds(const lines_of& l, const std::vector<E>& x, packed held, runtime::source_type type,
                 bool with_init) {
  using S = state_t<Op, P>;
  std::vector<P> values;
  for (const E e : x) values.push_back(convert<P>(e));
  const auto elements = bytes_of(x, type.swapped);
  const S init = lift(Op{}, values[7], 0), nothing = empty_state<S>(Op{});
  gpu_lines_job job = job_of(l, held, type, elements, with_init ? &init : nullptr, &nothing);
  std::vector<S> got(l.lines.size());
  std::size_t taken = 0;
  job.take = [&](std::int64_t first, std::int64_t n, const void* states) {
    std::memcpy(static_cast<void*>(got.data() + first), states, std::size_t(n) * sizeof(S));
    taken += std::size_t(n);
  };
  run_lines(job, {sizeof(S), runtime::fold_lines<Op, P>});
  ASSERT_EQ(taken, l.lines.size());
  for (std::size_t s = 0; s < got.size(); ++s) {
    const auto mine = values_of(l.lines[s], values);
    const auto want =
        fold(Op{}, std::span<const P>(mine), with_init ? std::optional(init) : std::nullopt);
    ASSERT_TRUE(same(got[s], want.value_or(nothing))) << "line " << s;
  }
}

template <class Op, class R, class P, class E>
void check_scans(const lines_of& l, const std::vector<E>& x, packed held, rung_type type,
                 rung_type result, bool exclusive, bool with_init) {
  using S = state_t<Op, P>;
  std::vector<P> values;
  for (const E e : x) values.push_back(convert<P>(e));
  const auto elements = bytes_of(x, false);
  const S init = lift(Op{}, values[7], 0), nothing = empty_state<S>(Op{});
  gpu_lines_job job =
      job_of(l, held, {type, false}, elements, with_init ? &init : nullptr, &nothing);
  job.scan = true, job.exclusive = exclusive, job.result = result;
  std::vector<R> got(std::size_t(l.count));
  job.drain = [&](std::int64_t first, std::int64_t n, const void* entries) {
    std::memcpy(static_cast<void*>(got.data() + first), entries, std::size_t(n) * sizeof(R));
  };
  run_lines(job, {sizeof(S), nullptr, runtime::scan_lines<Op, P>, runtime::first_entry<Op, P>});
  for (std::size_t s = 0; s < l.lines.size(); ++s) {
    const auto mine = values_of(l.lines[s], values);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const auto prefix = fold(Op{}, std::span<const P>(mine.data(), i + !exclusive),
                               with_init ? std::optional(init) : std::nullopt);
      const R entry = convert<R>(result_of<Op, P>(Op{}, prefix ? *prefix : nothing));
      ASSERT_TRUE(same(got[l.lines[s][i]], entry)) << "entry " << i << " of line " << s;
    }
  }
}

template <class E>
std::vector<E> some(unsigned seed) {
  const auto x = source(seed).many<E>(2000);
  return {x.begin(), x.end()};
}

TEST(stream_lines, axes) {
  const auto x = some<float>(1);
  check_folds<plus, float>(middle_of(3, 40, 5), x, packed::f32, {RUNG_F32, false}, false);
  check_folds<plus, float>(middle_of(2, 1, 700), x, packed::f32, {RUNG_F32, false}, true);
  const auto y = some<std::int16_t>(2);
  check_folds<arg_max, std::int64_t>(middle_of(2, 77, 6), y, packed::i64, {RUNG_I16, true}, false);
}

TEST(stream_lines, segments) {
  const auto x = some<float>(3);
  for (const bool with_init : {false, true})
    check_folds<plus, float>(segments_of(mixed), x, packed::f32, {RUNG_F32, true}, with_init);
  check_folds<plus, float>(segments_of({0, 0}), x, packed::f32, {RUNG_F32, false}, false);
  const auto y = some<std::int16_t>(4);
  check_folds<arg_max, std::int64_t>(segments_of(mixed), y, packed::i64, {RUNG_I16, false}, false);
}

TEST(stream_lines, scans) {
  const auto x = some<f16>(5);
  for (const bool exclusive : {false, true})
    for (const bool with_init : {false, true})
      for (const lines_of& l : {middle_of(3, 40, 5), segments_of(mixed)})
        check_scans<plus, f16, float>(l, x, packed::f32, RUNG_F16, RUNG_F16, exclusive, with_init);
}

/// What stands before a line without a start is nothing, not a value that could show.
TEST(stream_lines, nothing_stands_before_a_line) {
  const std::vector<float> zeros(2000, -0.0f), nans(2000, detail::bit_cast<float>(0xffc12345u));
  for (const lines_of& l : {middle_of(3, 40, 5), segments_of(mixed)})
    for (const bool exclusive : {false, true}) {
      check_folds<plus, float>(l, zeros, packed::f32, {RUNG_F32, false}, false);
      check_scans<plus, float, float>(l, zeros, packed::f32, RUNG_F32, RUNG_F32, exclusive, false);
      check_scans<maximum, float, float>(l, nans, packed::f32, RUNG_F32, RUNG_F32, exclusive,
                                         false);
    }
}

}  // namespace
}  // namespace rung::tests
