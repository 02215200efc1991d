// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays in GPU memory under the runtime: strided loads, folds and scans of lines, finishing
// kernels. For any types, strides and axes every result is the fold of its line, finished, and
// every entry that of its prefix.
#include "gpu/resident_run.cuh"
#include "warp/values.hpp"

namespace rung::tests {
namespace {

using runtime::meaning;
using runtime::outcome;
using runtime::packed;
using runtime::resident_call;

/// An array of three axes in device memory with elements of type E, values that are hard to add,
/// and gaps and a turned axis if asked for.
template <class E>
struct array {
  std::int64_t shape[3];
  std::int64_t steps[3];  // elements
  std::size_t first = 0;
  std::vector<E> all;
  gpu_array<E> memory;

  array(std::int64_t a, std::int64_t b, std::int64_t c, bool odd, unsigned seed)
      : shape{a, b, c}, steps{b * c, c, 1}, memory(std::size_t(a * b * c * (odd ? 2 : 1))) {
    if (odd) {  // first axis innermost, with gaps; the middle one turned
      steps[0] = 2, steps[1] = -2 * a, steps[2] = 2 * a * b;
      first = std::size_t(2 * a * (b - 1));
    }
    const auto x = source(seed).many<E>(memory.size());
    all.assign(x.begin(), x.end());
    memory.assign(all);
  }
  E at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return all[std::size_t(std::int64_t(first) + i * steps[0] + j * steps[1] + k * steps[2])];
  }
  host::array_ref ref() const {
    host::array_ref r{reinterpret_cast<std::byte*>(memory.data() + first), {}, sizeof(E)};
    r.shape.rank = 3;
    for (std::size_t d = 0; d < 3; ++d)
      r.shape.shape[d] = shape[d], r.shape.strides[d] = steps[d] * std::int64_t(sizeof(E));
    return r;
  }
};

struct what {
  packed held;
  rung_type from, result;
  outcome outcome_ = outcome::state;
  meaning read = meaning::value;
  double ddof = 0;
};
runtime::recipe recipe_of(const what& w) {
  runtime::recipe r{};
  r.held = w.held, r.what = w.outcome_, r.result = w.result, r.read = w.read;
  r.planes = w.outcome_ == outcome::min_max ? 2 : 1;
  return r;
}

/// Folds along `axis` (3: all) into a column of a table; finish(state, count, plane) is the result.
template <class Op, class P, class R, class E, class Finish>
void check_folds(const array<E>& x, int axis, const what& w, const Finish& finish,
                 std::optional<state_t<Op, P>> init = std::nullopt) {
  using S = state_t<Op, P>;
  const runtime::recipe how = recipe_of(w);
  const S nothing = empty_state<S>(Op{});
  resident_call call{.how = how};
  call.ddof = w.ddof, call.nothing = &nothing, call.init = init ? &*init : nullptr;
  call.in[0] = x.ref(), call.types[0] = {w.from, false};
  std::int64_t n[3] = {x.shape[0], x.shape[1], x.shape[2]}, length = 1;
  for (int d = 0; d < 3; ++d)
    if (axis == 3 || axis == d) call.folded[std::size_t(d)] = true, length *= n[d], n[d] = 1;
  const std::size_t results = std::size_t(n[0] * n[1] * n[2]);
  const gpu_array<R> out(std::vector<R>(results * 4, R(7)));  // (plane, result, 2)
  for (std::size_t p = 0; p < std::size_t(how.planes); ++p) {
    host::array_ref& to = call.out[p];
    to = {reinterpret_cast<std::byte*>(out.data() + p * results * 2), x.ref().shape, sizeof(R)};
    std::int64_t step = 2 * sizeof(R);
    for (std::size_t d = 3; d-- > 0; step *= n[d]) to.shape.strides[d] = call.folded[d] ? 0 : step;
  }
  const device gpu;
  run_resident_fold(gpu, call,
                    {{sizeof(S), runtime::fold_values<Op, P>},
                     {sizeof(S), runtime::fold_lines<Op, P>},
                     runtime::finish_lines<S>});
  const auto got = out.to_host();
  std::vector<std::vector<P>> lines(results);
  for (std::int64_t i = 0; i < x.shape[0]; ++i)
    for (std::int64_t j = 0; j < x.shape[1]; ++j)
      for (std::int64_t k = 0; k < x.shape[2]; ++k) {
        const std::int64_t line =
            ((n[0] > 1 ? i : 0) * n[1] + (n[1] > 1 ? j : 0)) * n[2] + (n[2] > 1 ? k : 0);
        lines[std::size_t(line)].push_back(convert<P>(x.at(i, j, k)));
      }
  for (std::size_t r = 0; r < results; ++r)
    for (std::size_t p = 0; p < std::size_t(how.planes); ++p) {
      const S s = *fold(Op{}, std::span<const P>(lines[r]), init);
      const R want = convert<R>(canonical(finish(s, length, int(p))));
      ASSERT_TRUE(same(got[(p * results + r) * 2], want)) << "axis " << axis << " result " << r;
      ASSERT_TRUE(same(got[(p * results + r) * 2 + 1], R(7))) << "beside a result";
    }
}
const auto as_it_stands = [](const auto& s, std::int64_t, int) { return s; };

TEST(resident, sums_of_any_strides_and_axes) {
  for (const bool odd : {false, true}) {
    const array<f16> x(3, 40, 5, odd, 1);
    for (int axis = 0; axis < 4; ++axis)
      check_folds<plus, float, f16>(x, axis, {packed::f32, RUNG_F16, RUNG_F16}, as_it_stands);
    check_folds<plus, float, float>(
        x, 1, {packed::f32, RUNG_F16, RUNG_F32, outcome::mean},
        [](float s, std::int64_t n, int) { return s / float(n); }, 0.5f);
  }
  const array<float> y(2, 3, 700, false, 2);  // stands in its lines already
  for (const int axis : {2, 3})
    check_folds<plus, float, float>(y, axis, {packed::f32, RUNG_F32, RUNG_F32}, as_it_stands);
}

TEST(resident, what_states_turn_into) {
  const array<std::int32_t> x(4, 33, 6, true, 3);
  check_folds<min_max, std::int64_t, std::int32_t>(
      x, 1, {packed::i64, RUNG_I32, RUNG_I32, outcome::min_max},
      [](const auto& s, std::int64_t, int plane) { return plane == 0 ? s.min : s.max; });
  check_folds<arg_max, std::int64_t, std::int64_t>(
      x, 3, {packed::i64, RUNG_I32, RUNG_I64, outcome::index},
      [](const auto& s, std::int64_t, int) { return s.index; });
  check_folds<moments, double, float>(
      x, 0, {packed::f64, RUNG_I32, RUNG_F32, outcome::deviation, meaning::value, 1.0},
      [](const auto& s, std::int64_t, int) { return s.standard_deviation(1.0); });
}

TEST(resident, no_values) {
  const array<float> x(2, 0, 3, false, 1);
  const runtime::recipe how = recipe_of({packed::f32, RUNG_F32, RUNG_F32});
  const float nothing = 0;
  resident_call call{.how = how};
  const gpu_array<float> out(std::vector<float>(6, 7.0f));
  call.nothing = &nothing, call.in[0] = x.ref(), call.types[0] = {RUNG_F32, false};
  call.folded[1] = true;
  call.out[0] = {reinterpret_cast<std::byte*>(out.data()), x.ref().shape, 4};
  call.out[0].shape.strides[0] = 12, call.out[0].shape.strides[2] = 4;
  const device gpu;
  run_resident_fold(gpu, call,
                    {{4, runtime::fold_values<plus, float>},
                     {4, runtime::fold_lines<plus, float>},
                     runtime::finish_lines<float>});
  EXPECT_EQ(out.to_host(), std::vector<float>(6, 0.0f));
}

/// Scans along the middle axis into an output that is the input if `in_place`.
template <class P, class R, class E>
void check_scans(const array<E>& x, const what& w, bool exclusive, bool in_place) {
  const runtime::recipe how = recipe_of(w);
  const P init(3), nothing(0);
  resident_call call{.how = how};
  call.init = exclusive ? &init : nullptr, call.nothing = &nothing, call.exclusive = exclusive;
  call.in[0] = x.ref(), call.types[0] = {w.from, false}, call.folded[1] = true;
  const array<R> other(x.shape[0], x.shape[1], x.shape[2], true, 9);
  call.out[0] = in_place ? x.ref() : other.ref();
  const device gpu;
  run_resident_scan(
      gpu, call, {sizeof(P), nullptr, runtime::scan_lines<plus, P>, runtime::first_entry<plus, P>});
  array<R> got = array<R>(x.shape[0], x.shape[1], x.shape[2], true, 9);
  if constexpr (std::is_same_v<R, E>)
    if (in_place)
      got.all = x.memory.to_host(), got.first = x.first, std::copy_n(x.steps, 3, got.steps);
  if (!in_place) got.all = other.memory.to_host();
  for (std::int64_t i = 0; i < x.shape[0]; ++i)
    for (std::int64_t k = 0; k < x.shape[2]; ++k) {
      std::vector<P> line;
      for (std::int64_t j = 0; j < x.shape[1]; ++j) {
        if (!exclusive) line.push_back(convert<P>(x.at(i, j, k)));
        const P entry =
            fold(plus{}, std::span<const P>(line), exclusive ? std::optional(init) : std::nullopt)
                .value_or(init);
        ASSERT_TRUE(same(got.at(i, j, k), convert<R>(canonical(entry))))
            << i << " " << j << " " << k;
        if (exclusive) line.push_back(convert<P>(x.at(i, j, k)));
      }
    }
}

TEST(resident, scans) {
  for (const bool odd : {false, true})
    for (const bool exclusive : {false, true}) {
      const array<std::int8_t> x(3, 50, 4, odd, 4);
      check_scans<std::int64_t, std::int64_t>(x, {packed::i64, RUNG_I8, RUNG_I64}, exclusive,
                                              false);
      const array<f16> y(2, 40, 3, odd, 5);
      check_scans<float, f16>(y, {packed::f32, RUNG_F16, RUNG_F16}, exclusive, true);
      const array<float> z(3, 300, 1, odd, 6);  // in its lines: from memory to memory
      check_scans<float, float>(z, {packed::f32, RUNG_F32, RUNG_F32}, exclusive, true);
    }
}

TEST(resident, segments_in_another_order) {
  const std::vector<std::int32_t> cuts = {2, 2, 5, 90, 97};
  const auto x = source(7).many<float>(200);
  const gpu_array<float> memory(std::vector<float>(x.begin(), x.end()));
  const gpu_array<std::int32_t> offsets(cuts);
  std::vector<std::int64_t> places(100);
  for (std::size_t i = 0; i < 100; ++i) places[i] = std::int64_t(i * 37 % 100);
  const gpu_array<std::int64_t> order(places);
  const auto line = [](const auto& a, std::int64_t n, std::int64_t step) {
    host::array_ref r{reinterpret_cast<std::byte*>(a.data()), {}, sizeof(a.data()[0])};
    r.shape.rank = 1, r.shape.shape[0] = n;
    r.shape.strides[0] = step * std::int64_t(sizeof(a.data()[0]));
    return r;
  };
  const runtime::integer_line from{line(offsets, 5, 1), RUNG_I32},
      by{line(order, 100, 1), RUNG_I64};
  const float nothing = 0;
  const runtime::recipe how = recipe_of({packed::f32, RUNG_F32, RUNG_F32, outcome::mean});
  resident_call call{.how = how};
  call.nothing = &nothing, call.in[0] = line(memory, 100, 2), call.types[0] = {RUNG_F32, false};
  call.offsets = &from, call.order = &by;
  const gpu_array<float> means(8), entries(100);
  call.out[0] = line(means, 4, 2);
  const device gpu;
  run_resident_fold(gpu, call,
                    {{}, {4, runtime::fold_lines<plus, float>}, runtime::finish_lines<float>});
  call.out[0] = line(entries, 100, 1);
  run_resident_scan(
      gpu, call, {4, nullptr, runtime::scan_lines<plus, float>, runtime::first_entry<plus, float>});
  const auto mean_of = means.to_host(), entry = entries.to_host();
  std::vector<float> want(100, 0.0f);  // the scan's empty result outside the segments
  for (std::size_t s = 0; s < 4; ++s) {
    std::vector<float> values;
    for (auto k = std::size_t(cuts[s]); k < std::size_t(cuts[s + 1]); ++k) {
      values.push_back(float(x[std::size_t(places[k]) * 2]));
      want[std::size_t(places[k])] = canonical(*fold(plus{}, std::span<const float>(values)));
    }
    const float sum = fold(plus{}, std::span<const float>(values)).value_or(0.0f);
    EXPECT_TRUE(same(mean_of[2 * s], canonical(sum / float(values.size())))) << s;
  }
  for (std::size_t i = 0; i < 100; ++i) EXPECT_TRUE(same(entry[i], want[i])) << i;
}

TEST(resident, products_and_recurrences) {
  const array<float> a(2, 60, 3, true, 8);
  const array<std::int16_t> b(2, 60, 3, false, 9);
  runtime::recipe how = recipe_of({packed::f32, RUNG_F32, RUNG_F32});
  how.read = meaning::product;
  const float nothing = 0;
  resident_call call{.how = how};
  call.nothing = &nothing, call.arrays = 2, call.in = {a.ref(), b.ref()};
  call.types = {{{RUNG_F32, false}, {RUNG_I16, false}}}, call.folded[1] = true;
  const gpu_array<float> dots(6);
  call.out[0] = {reinterpret_cast<std::byte*>(dots.data()), a.ref().shape, 4};
  call.out[0].shape.strides[0] = 12, call.out[0].shape.strides[1] = 0;
  call.out[0].shape.strides[2] = 4;
  const device gpu;
  run_resident_fold(gpu, call,
                    {{}, {4, runtime::fold_lines<plus, float>}, runtime::finish_lines<float>});
  const array<float> out(2, 60, 3, false, 1);
  call.out[0] = out.ref();
  const affine_map<float> start{0, 2};
  call.init = &start;
  run_resident_recurrence<float>(gpu, {call, packed::f32, RUNG_F32},
                                 runtime::scan_lines<affine, affine_map<float>>);
  const auto dot = dots.to_host(), x = out.memory.to_host();
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) {
      std::vector<float> products;
      std::vector<affine_map<float>> maps;
      for (int j = 0; j < 60; ++j) {
        products.push_back(mul(a.at(i, j, k), float(b.at(i, j, k))));
        maps.push_back({a.at(i, j, k), float(b.at(i, j, k))});
        const auto m =
            *fold(affine{}, std::span<const affine_map<float>>(maps), std::optional(start));
        ASSERT_TRUE(same(x[std::size_t((i * 60 + j) * 3 + k)], canonical(m.b))) << i << j << k;
      }
      const float want = canonical(*fold(plus{}, std::span<const float>(products)));
      ASSERT_TRUE(same(dot[std::size_t(i * 3 + k)], want)) << i << k;
    }
}

}  // namespace
}  // namespace rung::tests
