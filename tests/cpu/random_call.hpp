// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// One random reduce and one random scan on the CPU rung, every result (or many of them) compared
// with fold over the values of its line in C order, and the memory between results watched.
#pragma once
#include <gtest/gtest.h>

#include "cpu/random_layout.hpp"
#include "order/levels.hpp"
#include "order/same.hpp"
#include "rung/cpu/reduce.hpp"
#include "rung/cpu/scan.hpp"
#include "rung/order.hpp"

namespace rung::test {

/// An output somewhere in a block of memory whose other elements must stay as they are.
template <class R>
struct watched_output {
  static constexpr int filler = 0xa5;
  placement place;
  block<R> memory;

  watched_output(generator& rng, const lengths& shape)
      : place(random_placement(rng, shape, false)), memory(place.size + 2) {
    if constexpr (std::is_trivially_copyable_v<R>)
      std::memset(static_cast<void*>(memory.data()), filler,
                  std::size_t(memory.size()) * sizeof(R));
  }
  view<R> target() { return place.over(memory.data() + 1); }
  const R& at(const lengths& index) const { return memory[place.at(index) + 1]; }

  void expect_rest_untouched() {
    if constexpr (std::is_trivially_copyable_v<R>) {
      const std::vector<bool> all(place.shape.size(), true);
      lengths index(place.shape.size());
      for (std::int64_t i = 0; i < product(place.shape); i++) {
        set_index(index, place.shape, all, true, i);
        std::memset(static_cast<void*>(&memory[place.at(index) + 1]), filler, sizeof(R));
      }
      const auto* bytes = reinterpret_cast<const unsigned char*>(memory.data());
      for (std::size_t i = 0; i < std::size_t(memory.size()) * sizeof(R); i++)
        ASSERT_EQ(bytes[i], filler) << "memory between the results was written";
    }
  }
};

/// What is folded: `what` for the call, and the same value by value.
template <class T, class What, class At>
struct subject {
  using value_type = T;
  lengths shape;
  const What& what;
  const At& at;  // T at(index)

  block<T> line(lengths index, const std::vector<bool>& folded) const {
    block<T> x(count(shape, folded, true));
    for (std::int64_t j = 0; j < x.size(); j++) {
      set_index(index, shape, folded, true, j);
      x[j] = at(index);
    }
    return x;
  }
};

template <class Op, class T>
std::optional<state_t<Op, T>> random_start(generator& rng, const Op& op) {
  if (!one_in(rng, 3)) return {};
  return lift(op, random_value<T>(rng), 0);
}

template <class Op, class T>
result_t<Op, T> expected(const Op& op, std::optional<state_t<Op, T>> state) {
  if constexpr (has_empty<Op, state_t<Op, T>>)
    if (!state) state = empty_state<state_t<Op, T>>(op);
  return result_of<Op, T>(op, state.value());
}

inline cpu_rung random_threads(generator& rng) {
  const int counts[] = {0, 1, 2, 3, 8};
  return cpu.with_threads(counts[rng() % 5]);
}

template <bool WithStart, class T, class Op, class What, class At>
void check_reduce(generator& rng, const Op& op, const subject<T, What, At>& in) {
  using R = result_t<Op, T>;
  const std::size_t rank = in.shape.size();
  std::vector<bool> folded(rank);
  lengths list, out_shape;
  const bool keepdims = one_in(rng, 3);
  for (std::size_t d = 0; d < rank; d++) {
    folded[d] = one_in(rng, 2);
    if (folded[d]) list.push_back(std::int64_t(d) - (one_in(rng, 2) ? std::int64_t(rank) : 0));
    if (!folded[d] || keepdims) out_shape.push_back(folded[d] ? 1 : in.shape[d]);
  }
  std::shuffle(list.begin(), list.end(), rng);
  watched_output<R> out(rng, out_shape);
  const auto where = random_threads(rng);
  std::optional<state_t<Op, T>> start;
  if constexpr (WithStart) start = random_start<Op, T>(rng, op);
  const std::int64_t results = product(out_shape), length = count(in.shape, folded, true);
  const axes over{std::span<const std::int64_t>(list)};
  try {
    if constexpr (WithStart) {
      if (start) reduce(where, in.what, op, over, *start, into(out.target()));
      else reduce(where, in.what, op, over, into(out.target()));
    } else {
      reduce(where, in.what, op, over, into(out.target()));
    }
  } catch (const error& e) {
    ASSERT_EQ(e.code(), error_code::empty) << e.what();
    ASSERT_TRUE(length == 0 && results > 0 && !start) << e.what();
    ASSERT_TRUE((!has_empty<Op, state_t<Op, T>> || host::is_extreme<Op>));
    return out.expect_rest_untouched();
  }
  ASSERT_FALSE(length == 0 && results > 0 && !start && host::is_extreme<Op>) << "no error";
  lengths index(rank), out_index(out_shape.size());
  for (std::int64_t i = 0; i<results; i += results> 40 ? pick(rng, 1, results / 16) : 1) {
    set_index(index, in.shape, folded, false, i);
    for (std::size_t d = 0, o = 0; d < rank; d++)
      if (!folded[d] || keepdims) out_index[o++] = folded[d] ? 0 : index[d];
    const block<T> line = in.line(index, folded);
    const R want = expected<Op, T>(op, fold(op, line.all(), start));
    ASSERT_PRED_FORMAT2(same, out.at(out_index), want)
        << "result " << i << " of " << results << ", " << length << " values each";
  }
  out.expect_rest_untouched();
}

template <bool WithStart, class T, class Op, class What, class At>
void check_scan(generator& rng, const Op& op, const subject<T, What, At>& in) {
  using R = result_t<Op, T>;
  const std::size_t rank = in.shape.size();
  const bool flat = rank == 0 || one_in(rng, 4), exclusive = one_in(rng, 2);
  const std::int64_t along = flat ? 0 : pick(rng, 0, std::int64_t(rank) - 1);
  std::vector<bool> folded(rank, flat);
  if (!flat) folded[std::size_t(along)] = true;
  watched_output<R> out(rng, flat ? lengths{product(in.shape)} : in.shape);
  const auto where = random_threads(rng);
  std::optional<state_t<Op, T>> start;
  if constexpr (WithStart) start = random_start<Op, T>(rng, op);
  const auto call = [&]<bool Exclusive>(const auto& init) {
    const auto axis =
        flat ? std::optional<std::int64_t>() : along - (one_in(rng, 2) ? std::int64_t(rank) : 0);
    detail::scan<Exclusive>(where, in.what, out.target(), op, axis, init);
  };
  const auto choose = [&](const auto& init) {
    if (exclusive) call.template operator()<true>(init);
    else call.template operator()<false>(init);
  };
  if constexpr (WithStart) {
    if (start) choose(*start);
    else choose(std::nullopt);
  } else {
    choose(std::nullopt);
  }
  const std::int64_t lines = count(in.shape, folded, false), length = count(in.shape, folded, true);
  lengths index(rank);
  for (std::int64_t i = 0; length > 0 && i<lines; i += lines> 20 ? pick(rng, 1, lines / 8) : 1) {
    set_index(index, in.shape, folded, false, i);
    const block<T> line = in.line(index, folded);
    const levels<Op, T> want(op, line.all());
    for (std::int64_t j = 0; j<length; j += length> 1000 ? pick(rng, 1, length / 300) : 1) {
      set_index(index, in.shape, folded, true, j);
      const std::size_t through = std::size_t(j) + (exclusive ? 0 : 1);
      ASSERT_PRED_FORMAT2(same, out.at(flat ? lengths{j} : index),
                          (expected<Op, T>(op, want.prefix(through, start))))
          << (exclusive ? "exclusive" : "inclusive") << " entry " << j << " of " << length
          << " in line " << i << " of " << lines;
    }
  }
  out.expect_rest_untouched();
}

/// Scans an array into itself.
template <class T, class Op>
void check_in_place(generator& rng, const Op& op) {
  static_assert(std::is_same_v<result_t<Op, T>, T>);
  lengths shape = random_shape(rng, 30000);
  if (shape.empty()) shape = {17};
  const placement p = random_placement(rng, shape, false);
  std::vector<T> memory(std::size_t(p.size));
  fill_randomly(rng, memory, rarely(rng));
  const std::vector<T> before = memory;
  const std::int64_t along = pick(rng, 0, std::int64_t(shape.size()) - 1);
  const bool exclusive = one_in(rng, 2);
  const view<T> v = p.over(memory.data());
  if (exclusive) exclusive_scan(random_threads(rng), v, v, op, axis{along});
  else inclusive_scan(random_threads(rng), v, v, op, axis{along});
  std::vector<bool> folded(shape.size());
  folded[std::size_t(along)] = true;
  lengths index(shape.size());
  for (std::int64_t i = 0; product(shape) > 0 && i < count(shape, folded, false); i++) {
    set_index(index, shape, folded, false, i);
    std::vector<T> line;
    const auto each = [&](const auto& f) {
      for (std::int64_t j = 0; j < shape[std::size_t(along)]; j++) {
        set_index(index, shape, folded, true, j);
        f(std::size_t(p.at(index)), std::size_t(j));
      }
    };
    each([&](std::size_t at, std::size_t) { line.push_back(before[at]); });
    const levels<Op, T> want(op, line);
    each([&](std::size_t at, std::size_t j) {
      ASSERT_PRED_FORMAT2(same, memory[at],
                          (expected<Op, T>(op, want.prefix(j + (exclusive ? 0 : 1)))))
          << "entry " << j << " in line " << i;
    });
  }
}

/// `rounds` random calls of one operator over one type of array, of values from value(rng,
/// specials).
template <class T, bool WithStart = true, class Op, class Value = T (*)(generator&, specials)>
void sweep(const Op& op, int rounds, Value value = random_value<T>) {
  generator rng(1);
  for (int round = 0; round < rounds; round++) {
    const lengths shape = random_shape(rng, one_in(rng, 8) ? 150000 : 8000);
    const placement p = random_placement(rng, shape, true);
    block<T> memory(p.size);
    const specials may_occur = rarely(rng);
    for (T& v : memory) v = value(rng, may_occur);
    const view<const T> what = p.over<const T>(memory.data());
    const auto at = [&](const lengths& index) { return memory[p.at(index)]; };
    const subject<T, view<const T>, decltype(at)> in{shape, what, at};
    SCOPED_TRACE("round " + std::to_string(round) + " of shape " + rung::detail::shape_text(shape) +
                 ", strides " + rung::detail::shape_text(p.strides));
    ASSERT_NO_FATAL_FAILURE((check_reduce<WithStart>(rng, op, in)));
    ASSERT_NO_FATAL_FAILURE((check_scan<WithStart>(rng, op, in)));
  }
}

}  // namespace rung::test
