// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// partial<Op, T>: the summary of positions [begin, end) of a sequence that may be spread over
// time, files or machines. It takes more values at its right end, merges with the partial of its
// right neighbour, can be stored and sent, and gives the very bits of reduce over all values once
// it begins at position 0. How the sequence was cut into portions never shows.
//   partial<plus, float> p; p.append(a); p.append(b); p.value() == reduce(cpu, a then b, plus{})
#pragma once
#include <memory>

#include "cpu/kernel_tables.hpp"
#include "cpu/partial_blocks.hpp"

namespace rung {

template <class Op, class T>
class partial {
 public:
  using state_type = state_t<Op, T>;
  using result_type = result_t<Op, T>;

  /// No values yet; the first one appended will stand at position begin (0 to 2^62).
  explicit partial(Op op = Op{}, std::int64_t begin = 0)
      : partial(std::make_shared<const Op>(std::move(op)), begin) {}

  position_range range() const { return blocks_.range(); }

  /// More values at the right end, folded on as many threads as `where` says. Throws rung::error
  /// beyond position 2^62, and what the operator throws; then nothing has changed.
  void append(const cpu_rung& where, std::span<const T> values) {
    const host::place from{const_cast<T*>(values.data()), 0, std::ptrdiff_t(sizeof(T))};
    const host::kernel_choice k = kernels();
    blocks_.append(where, k.load, k.load_context(), {&from, 1}, std::int64_t(values.size()));
  }
  void append(std::span<const T> values) { append(cpu, values); }

  /// Takes in the partial of the positions right after these (right.range().begin is
  /// range().end). Throws rung::error naming both ranges if it is another one's.
  void merge(const partial& right) { blocks_.merge(right.blocks_); }
  friend partial operator+(partial left, const partial& right) {
    left.merge(right);
    return left;
  }

  /// The result of reduce over all values. Throws rung::error unless range().begin is 0, or for the
  /// extreme of no values.
  result_type value() const { return finished(nullptr); }
  /// The same, continued from init.
  template <class Init>
  result_type value(const Init& init) const {
    const auto start = host::as_state<Op, T>(init);
    return finished(&start);
  }

  /// As bytes, to be stored or sent; kind is kept with them, e.g. "sum f32". Equal partials have
  /// equal bytes (for state types of your own: if they have no padding, or parts() names their
  /// fields).
  std::vector<std::byte> serialise(std::string_view kind = "") const {
    return blocks_.save(kind, host::care_of<state_type>);
  }
  /// The partial that serialise(kind) was called on. Throws rung::error for any other bytes.
  static partial deserialise(std::span<const std::byte> bytes, Op op = Op{},
                             std::string_view kind = "") {
    partial p(std::move(op));
    p.blocks_ = host::partial_blocks::load(bytes, *kernels().fold, p.op_.get(), kind,
                                           host::care_of<state_type>);
    return p;
  }

 private:
  partial(std::shared_ptr<const Op> op, std::int64_t begin)
      : op_(std::move(op)), blocks_(*kernels().fold, op_.get(), begin) {
    check_operator<Op, T>();
  }

  static host::kernel_choice kernels() {
    static constexpr as_it_is same;
    return host::kernels_for<Op, transformed<as_it_is, T>>(same);
  }

  result_type finished(const state_type* start) const {
    if (host::is_extreme<Op> && !start && range() == position_range{})
      fail(error_code::empty, "rung: the extreme of no values has no value");
    host::generic::room<state_type, 1> state;
    blocks_.value(state.data(), start);
    const host::default_float_mode mode;
    return result_of<Op, T>(*op_, *state.data());
  }

  std::shared_ptr<const Op> op_;  // copies of a partial share it
  host::partial_blocks blocks_;
};

}  // namespace rung
